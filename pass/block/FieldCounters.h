// FieldCounters.h - emits the counters of the feature `field`, and what gives each thread its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_BLOCK_FIELDCOUNTERS_H
#define RETICLE_PASS_BLOCK_FIELDCOUNTERS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Constant;
class Function;
class GlobalVariable;
class Instruction;
class Loop;
class Module;
} // namespace llvm

namespace reticle {

/// The counters of one module. docs/decisions/0009 has the design.
class FieldCounters {
public:
  FieldCounters(llvm::Module &M, unsigned Count);

  /// Once in each function, before its counters. Test: the function may be the first in its thread
  /// that counts.
  void enter(llvm::Function &F, bool Test);
  /// Adds 1 to the counter in front of Before.
  void count(llvm::Instruction *Before, unsigned Counter);
  /// Adds to it in front of Before, by what How is: a mask: its lanes; the length of the copy
  /// Before (PerBytes isn't 0): one for so many bytes, or a part; else 1, if How is the address of
  /// the load or store Before by the phis and selects that make it.
  void countSome(llvm::Instruction *Before, unsigned Counter, const llvm::Value &How,
                 uint32_t PerBytes);
  /// The same, for an innermost loop's counters: added up in registers, and stored at its exits.
  void countInLoop(llvm::Loop &L, llvm::ArrayRef<std::pair<llvm::Instruction *, unsigned>> Counts);

  /// Whether counters are reached through the segment register: then only functions that may be a
  /// thread's first need a test.
  bool bySegment() const { return BySegment; }
  llvm::GlobalVariable *counters() const { return Counters; }

private:
  llvm::Value *address(llvm::IRBuilder<> &B, unsigned Counter) const;
  void add(llvm::IRBuilder<> &B, unsigned Counter, llvm::Value *Amount) const;
  using Weights = llvm::DenseMap<llvm::Value *, llvm::Value *>;
  static llvm::Value *weight(llvm::Value *Address, const llvm::Value &Leaf, Weights &Known);
  void coldCall(llvm::IRBuilder<> &B) const;

  llvm::Module &M;
  bool BySegment;
  llvm::GlobalVariable *Counters;
  llvm::GlobalVariable *Word;
  llvm::GlobalVariable *Record;
  llvm::Value *Base = nullptr; ///< of the current function, where not by segment
  llvm::DebugLoc Location;
};

} // namespace reticle

#endif
