// ShadowMarks.h - the instructions that mark a word as touched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A store:                                  A load:
//   %i = and (lshr %address, 2), %mask        %i = and (lshr %address, 2), %mask
//   store i8 1, %i + base                     %m = load i8, %i + base
//                                             %new = icmp ne i8 %m, 1
//                                             br %new, cold, rest     ; cold: store i8 1, %i + base
// %mask is 0 as long as there is no plane: all marks then go to a few words around the base.
#ifndef RETICLE_PASS_SHADOWMARKS_H
#define RETICLE_PASS_SHADOWMARKS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/IRBuilder.h"
#include <cstdint>

namespace llvm {
class Function;
class GlobalVariable;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace reticle {

class ShadowMarks {
public:
  /// Words of one look: what a load of 64 bits holds.
  static constexpr unsigned WindowWords = 8;

  explicit ShadowMarks(llvm::Module &M);

  /// Marks come into this function from now on.
  void enter(llvm::Function &F);
  /// Marks `Count` words from Base on, displaced by `First` words.
  void store(llvm::Instruction &Before, llvm::Value &Base, int64_t First, unsigned Count);
  /// Marks those of the window's words that a bit of Words stands for, if one isn't marked yet.
  void check(llvm::Instruction &Before, llvm::Value &Base, int64_t First, uint8_t Words);
  /// Marks a range whose length is known at run time.
  void range(llvm::Instruction &Before, llvm::Value &Start, llvm::Value &Bytes);

  llvm::GlobalVariable *mask() const { return Mask; }

private:
  llvm::Value *index(llvm::IRBuilder<> &B, llvm::Value &Base);
  llvm::Value *address(llvm::IRBuilder<> &B, llvm::Value *Index, int64_t Word) const;
  void touch(llvm::IRBuilder<> &B, llvm::Value *Index, int64_t First, unsigned Count) const;

  llvm::Module &M;
  llvm::GlobalVariable *Mask;
  llvm::DebugLoc Location;
};

} // namespace reticle

#endif
