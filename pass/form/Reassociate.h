// Reassociate.h - the form accumulators: sums of floating-point numbers in any order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FORM_REASSOCIATE_H
#define RETICLE_PASS_FORM_REASSOCIATE_H

namespace llvm {
class Loop;
} // namespace llvm

namespace reticle {

/// Lets additions and multiplications that go from one iteration to the next be done in any order,
/// so that the vectoriser may keep several of them. It rounds otherwise. False: there are none.
bool allowAnyOrder(llvm::Loop &L);

} // namespace reticle

#endif
