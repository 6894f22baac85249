// BoundCallees.h - copies of functions that copies of loops call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_BOUND_BOUNDCALLEES_H
#define RETICLE_PASS_BOUND_BOUNDCALLEES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <utility>

namespace llvm {
class CallBase;
class Function;
class FunctionType;
class Instruction;
class Module;
class TargetLibraryInfo;
} // namespace llvm

namespace reticle {

/// Those of a module. A copy takes a BoundContext's address behind the arguments; recursion comes
/// back to it. Of functions that other modules see, copies have names that these know: each module
/// that calls one has a weak definition of the copy, which ends the child.
class BoundCallees {
public:
  /// Before any loop is copied: functions with marks are kept as they are, and what other modules
  /// may call is copied.
  BoundCallees(llvm::Module &M, const llvm::TargetLibraryInfo &Libraries);
  ~BoundCallees();
  /// Null: there is none, as of what is known to be a library's, or of a shape that can't be
  /// copied.
  llvm::Function *get(llvm::Function &F, uint32_t Kind);
  /// Whether it has copies, as far as is known here.
  bool isKnown(const llvm::CallBase &Call) const;
  /// Functions that a call through a pointer may be of, as far as is known here.
  llvm::ArrayRef<llvm::Function *> targets(const llvm::CallBase &Call) const;

private:
  bool isKnown(const llvm::Function &F) const;
  bool isElsewhere(const llvm::Function &F) const;
  void make(llvm::Function &F, uint32_t Kind, llvm::Function &Copy);
  const llvm::TargetLibraryInfo &Libraries;
  llvm::DenseMap<const llvm::Function *, llvm::Function *> Originals; ///< of those with marks
  llvm::DenseMap<const llvm::FunctionType *, llvm::SmallVector<llvm::Function *, 4>> Targets;
  llvm::DenseMap<std::pair<const llvm::Function *, uint32_t>, llvm::Function *> Copies;
};

/// A call whose accesses stay where they are: of code that isn't known here.
bool isForeignCall(const llvm::Instruction &I);

} // namespace reticle

#endif
