// Branches.h - a loop's branches as selects, and its selects as branches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FORM_BRANCHES_H
#define RETICLE_PASS_FORM_BRANCHES_H

#include <string>
#include <vector>

namespace llvm {
class Loop;
class LoopInfo;
} // namespace llvm

namespace reticle {

/// Turns branches around a few operations into selects. What is stored or loaded behind a branch is
/// so at a selected address, else a place of the function's own: nothing faults, and nothing is
/// written, that wasn't before.
///
/// Most   operations of both sides of a branch; where few, without loads
/// Lines  gets those of the branches
///
/// Returns why there are none, "" where there were: then LoopInfo and the dominator tree are out of
/// date.
std::string selectBranches(llvm::Loop &L, unsigned Most, std::vector<unsigned> &Lines);

/// Turns selects into branches, which a processor guesses. As selectBranches.
std::string branchSelects(llvm::Loop &L, std::vector<unsigned> &Lines);

} // namespace reticle

#endif
