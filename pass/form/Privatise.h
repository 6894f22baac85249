// Privatise.h - a small table that a loop counts in, several times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FORM_PRIVATISE_H
#define RETICLE_PASS_FORM_PRIVATISE_H

#include "llvm/Analysis/AliasAnalysis.h"
#include <string>
#include <vector>

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace reticle {

/// Has additions to elements of one table, one behind the other, go to tables of the function's own
/// in turn, which are added up behind the loop: one that must wait until the one before has stored
/// to the same element goes on at once. Integers alone; nothing else of the loop may touch the
/// table.
///
/// Tables  in turn
/// Lines   gets those of the additions
///
/// Returns why it can't, "" where it did: then LoopInfo and the dominator tree are out of date.
std::string privatise(llvm::Loop &L, unsigned Tables, llvm::ScalarEvolution &SE,
                      llvm::AAResults &AA, std::vector<unsigned> &Lines);

} // namespace reticle

#endif
