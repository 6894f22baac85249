// ShadowBursts.h - a second copy of a function's code, for the time without marks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     before            after: plain                          marked
//                         entry: marking? ------------------>  |
//     entry                 |                                  |
//       |                   |                                  |
//   +->header             +->header: marking? --> (marked)  +->header': marking? --> (plain)
//   |  body               |  body                           |  body' with marks
//   +--/                  +--/                              +--/
//
// Both copies are one function: frame, variables on the stack, clean-ups and callers know nothing
// of it. Values that live across a change of copies become phis.
#ifndef RETICLE_PASS_SHADOW_SHADOWBURSTS_H
#define RETICLE_PASS_SHADOW_SHADOWBURSTS_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class BasicBlock;
class Function;
class GlobalVariable;
} // namespace llvm

namespace reticle {

/// Copies the function's code, and changes over to what Mask says - 0: plain, else marked - at its
/// entry, at each iteration of a loop, and where an indirect jump goes to.
///
/// Returns the plain blocks, which get no marks. Empty: the function was left as it is, as it has
/// what must not be there twice.
llvm::SmallPtrSet<llvm::BasicBlock *, 32> copyForBursts(llvm::Function &F,
                                                        llvm::GlobalVariable &Mask);

} // namespace reticle

#endif
