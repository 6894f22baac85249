// Prefetch.h - the form prefetch: what a later iteration loads is asked for now.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FORM_PREFETCH_H
#define RETICLE_PASS_FORM_PREFETCH_H

#include <string>
#include <vector>

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace reticle {

/// Prefetches what the loads of the loop's own body will read so many iterations ahead: where an
/// address follows from the induction variable, through other loads and arithmetic, and isn't one
/// that processors fetch ahead by themselves. A load on the way to an address is done ahead, too:
/// only one that each iteration does, of an iteration that the loop is sure to come to.
///
/// L  in simplified form
///
/// Lines: of the loads, those that are known. Returns why there is nothing to prefetch, "" where
/// there was. After Ainsworth and Jones, Software Prefetching for Indirect Memory Accesses, CGO
/// 2017.
std::string prefetchAhead(llvm::Loop &L, unsigned Ahead, llvm::ScalarEvolution &SE,
                          llvm::LoopInfo &LI, llvm::DominatorTree &DT,
                          std::vector<unsigned> &Lines);

} // namespace reticle

#endif
