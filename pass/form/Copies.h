// Copies.h - a loop that stands several times, side by side; one is drawn at random.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//        preheader                preheader
//           |                        |
//        +->loop-+                  draw <----------------+
//        +--/    |                 /    \                 |  behind so many iterations,
//              exit           +->loop   +->copy  ...      |  where it is drawn anew
//                             +--/  |   +--/  |  ---------+
//                                   +- exit --+
#ifndef RETICLE_PASS_FORM_COPIES_H
#define RETICLE_PASS_FORM_COPIES_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace reticle {

/// Makes copies, each with a preheader of its own.
///
/// Inside   headers in the loop, or its own, that are to be found again
/// Count    of loops that stand in the end, the first one included
/// Chunk    iterations behind which one is drawn anew; 0: at the begin of each execution alone
/// Found    gets [Count][Inside.size()] what Inside became in each, the first one's first
///
/// Returns why it can't, "" where it did: then LoopInfo and what follows from it are out of date.
std::string copyLoop(llvm::Loop &L, llvm::ArrayRef<llvm::BasicBlock *> Inside, unsigned Count,
                     uint64_t Chunk, llvm::LoopInfo &LI, llvm::DominatorTree &DT,
                     llvm::ScalarEvolution &SE,
                     llvm::SmallVectorImpl<llvm::SmallVector<llvm::BasicBlock *, 4>> &Found);

} // namespace reticle

#endif
