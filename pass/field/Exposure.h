// Exposure.h - how a loop comes to the addresses of its accesses: what misses of caches cost there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   streaming    the address grows by a constant: caches fetch ahead, and bytes fetched count
//   independent  no access of an earlier iteration decides about it: misses overlap
//   same         the same address each time: nothing is fetched anew
//   dependent    an access of an earlier iteration does (p = p->next): each waits for the one
//   before
//   search       an earlier access decides, by a comparison, where an index goes on: a binary
//   search
#ifndef RETICLE_PASS_FIELD_EXPOSURE_H
#define RETICLE_PASS_FIELD_EXPOSURE_H

#include <cstdint>

namespace llvm {
class Loop;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace reticle {

/// One of RETICLE_ACCESS_STREAMING, _INDEPENDENT, _DEPENDENT, _SEARCH, _SAME; 0 where that isn't
/// known: no loop, or an address that takes too much to follow.
///
/// Address  may be null
/// L        the innermost loop around the access; null if none
uint32_t exposureOf(const llvm::Value *Address, const llvm::Loop *L, llvm::ScalarEvolution &SE);

} // namespace reticle

#endif
