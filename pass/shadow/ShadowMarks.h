// ShadowMarks.h - the instructions that mark a word as touched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words that are written:                   Words that are read:
//   %i = and (lshr %address, 2), %mask        %i = and (lshr %address, 2), %mask
//   store i8 1, %i + base                     %m = load i8, %i + base
//                                             %new = icmp ne i8 %m, 1
//                                             br %new, cold, rest     ; cold: store i8 1, %i + base
// Reads and writes apart (shadow=detail), up to 8 words at a time:
//   %m = load i64, %i + base
//   %differs = icmp ne (and (xor %m, %thread), care), kinds   ; another thread's, or not yet so
//   br %differs, cold, rest             ; cold: call __reticle_shadow_apart(%i + base, kinds,
//   &thread)
// %mask is 0 as long as there is no shadow memory: all marks then go to a few words around the
// base.
#ifndef RETICLE_PASS_SHADOW_SHADOWMARKS_H
#define RETICLE_PASS_SHADOW_SHADOWMARKS_H

#include "pass/shadow/ShadowRuns.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
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
  /// Apart: reads and writes are told apart. Changes: the mask does, while the module's code runs.
  ShadowMarks(llvm::Module &M, bool Apart, bool Changes);

  /// Marks come into this function from now on.
  void enter(llvm::Function &F);
  /// The place of an address among the marks, less what all have in common.
  llvm::Value *index(llvm::Instruction &Before, llvm::Value &Base);
  /// Marks words that are displaced from the address of that index.
  void mark(llvm::Instruction &Before, llvm::Value *Index, const ShadowWords &Words);
  /// Marks a range whose length is known at run time. Kinds: as in ShadowWords.
  void range(llvm::Instruction &Before, llvm::Value &Start, llvm::Value &Bytes, unsigned Kinds);
  /// Marks a text with its end, at most Limit bytes; null: no limit.
  void text(llvm::Instruction &Before, llvm::Value &Start, llvm::Value *Limit, unsigned Kinds);
  /// Marks both up to the first difference, at most Limit bytes (null: no limit); texts also up to
  /// their end. First, Second: which of them.
  void compare(llvm::Instruction &Before, llvm::Value &A, llvm::Value &B, llvm::Value *Limit,
               bool IsText, bool First, bool Second);

  llvm::GlobalVariable *mask() const { return Mask; }

private:
  /// Words in a row.
  struct Row {
    int64_t First;
    unsigned Count;
  };
  using Rows = llvm::SmallVector<Row, 4>;
  /// Widest load or store of marks: 64 bits.
  static constexpr unsigned WidestWords = 8;

  static void cut(llvm::ArrayRef<Row> Words, Rows (&Pieces)[WidestWords + 1]);
  static unsigned costOfPieces(llvm::ArrayRef<Row> Words);

  void call(llvm::Instruction &Before, llvm::StringRef Name, llvm::ArrayRef<llvm::Value *> Values);
  llvm::Value *address(llvm::IRBuilder<> &B, llvm::Value *Index, int64_t Word) const;
  llvm::Value *load(llvm::IRBuilder<> &B, llvm::Value *Index, int64_t First, unsigned Count) const;
  void touch(llvm::IRBuilder<> &B, llvm::Value *Index, Row Words) const;
  void branch(llvm::Instruction &Before, llvm::Value *Index, llvm::Value *IsNew,
              llvm::ArrayRef<Row> Words);
  void lookAtWindow(llvm::Instruction &Before, llvm::Value *Index, llvm::ArrayRef<Row> Words);
  void lookAtPieces(llvm::Instruction &Before, llvm::Value *Index, llvm::ArrayRef<Row> Pieces);
  void look(llvm::Instruction &Before, llvm::Value *Index, llvm::ArrayRef<Row> Words);
  // ShadowApart.cpp
  void markApart(llvm::Instruction &Before, llvm::Value *Index, const ShadowWords &Words);
  void lookApart(llvm::Instruction &Before, llvm::Value *Index, int64_t First, unsigned Count,
                 uint64_t Kinds);

  llvm::Module &M;
  llvm::GlobalVariable *Mask;
  llvm::GlobalVariable *Thread; ///< null where kinds aren't told apart
  bool Changes;
  llvm::DebugLoc Location;
};

} // namespace reticle

#endif
