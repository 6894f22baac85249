// Iterations.h - which loops are timed by iteration, too: those that run seldom and long.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_LOOP_ITERATIONS_H
#define RETICLE_PASS_LOOP_ITERATIONS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace reticle {

/// Whether a gate in each iteration is nothing beside what an iteration does, as far as the code
/// tells: docs/decisions/0044. L is in simplified form, and the outermost one.
bool takesIterationGate(const llvm::Loop &L, llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
                        llvm::FunctionAnalysisManager &AM);

/// Where one iteration ends and the next one begins.
struct IterationEdge {
  llvm::Instruction *From; ///< the end of a block; splitting a block moves it along
  llvm::BasicBlock *To;
  bool HasFirst; ///< the first iteration passes it, too: it lies behind the loop's tests in front
};

/// Behind the tests of a loop that tests in front, so that its last test is no iteration; else the
/// back edge.
IterationEdge iterationEdge(const llvm::Loop &L);

} // namespace reticle

#endif
