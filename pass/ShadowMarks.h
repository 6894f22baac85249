// ShadowMarks.h - the instructions that mark a word as touched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words that are written:                   Words that are read:
//   %i = and (lshr %address, 2), %mask        %i = and (lshr %address, 2), %mask
//   store i8 1, %i + base                     %m = load i8, %i + base
//                                             %new = icmp ne i8 %m, 1
//                                             br %new, cold, rest     ; cold: store i8 1, %i + base
// %mask is 0 as long as there is no plane: all marks then go to a few words around the base.
#ifndef RETICLE_PASS_SHADOWMARKS_H
#define RETICLE_PASS_SHADOWMARKS_H

#include "pass/ShadowRuns.h"
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
  explicit ShadowMarks(llvm::Module &M);

  /// Marks come into this function from now on.
  void enter(llvm::Function &F);
  /// The place of an address among the marks, less what all have in common.
  llvm::Value *index(llvm::Instruction &Before, llvm::Value &Base);
  /// Marks words that are displaced from the address of that index.
  void mark(llvm::Instruction &Before, llvm::Value *Index, const ShadowWords &Words);
  /// Marks a range whose length is known at run time.
  void range(llvm::Instruction &Before, llvm::Value &Start, llvm::Value &Bytes);
  /// Marks a text with its end, at most Limit bytes; null: no limit.
  void text(llvm::Instruction &Before, llvm::Value &Start, llvm::Value *Limit);
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

  llvm::Module &M;
  llvm::GlobalVariable *Mask;
  llvm::DebugLoc Location;
};

} // namespace reticle

#endif
