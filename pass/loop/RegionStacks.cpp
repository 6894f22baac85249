// RegionStacks.cpp - follows the stack of open regions through a function's blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/loop/RegionStacks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// Shortens To to what both begin with. Whether it became shorter.
static bool meet(reticle::RegionStack &To, const reticle::RegionStack &From) {
  size_t Common = 0;
  while (Common < To.size() && Common < From.size() && To[Common] == From[Common])
    Common++;
  bool Shorter = Common < To.size();
  To.truncate(Common);
  return Shorter;
}

/// Where code that runs at the end of the function belongs; null where the function isn't left
/// here, or not to its caller.
static Instruction *leaves(BasicBlock &Block) {
  Instruction *End = Block.getTerminator();
  if (!isa<ReturnInst>(End) && !isa<ResumeInst>(End))
    return nullptr;
  if (CallInst *Tail = Block.getTerminatingMustTailCall())
    return Tail;
  return End;
}

namespace reticle {

RegionStacks::RegionStacks(Function &Fn, ArrayRef<RegionMark> All) : F(Fn) {
  for (const RegionMark &Mark : All)
    Marks[Mark.Call] = Mark;
  solve();
}

void RegionStacks::apply(const RegionMark &Mark, RegionStack &Open) const {
  if (Mark.IsBegin)
    Open.push_back(*Mark.Number);
  else if (!Mark.Number && !Open.empty())
    Open.pop_back();
  else if (Mark.Number) // regions begun inside it have ended with it
    if (auto *At = find(Open, *Mark.Number); At != Open.end())
      Open.erase(At, Open.end());
}

RegionStack RegionStacks::atEnd(BasicBlock &Block) const {
  RegionStack Open = Start.lookup(&Block);
  for (Instruction &I : Block)
    if (auto Mark = Marks.find(&I); Mark != Marks.end())
      apply(Mark->second, Open);
  return Open;
}

// Stacks only become shorter, so this ends.
void RegionStacks::solve() {
  Start[&F.getEntryBlock()] = {};
  ReversePostOrderTraversal<Function *> Order(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : Order) {
      RegionStack Open = atEnd(*Block);
      for (BasicBlock *Next : successors(Block)) {
        auto [Known, IsNew] = Start.try_emplace(Next, Open);
        Changed |= IsNew || meet(Known->second, Open);
      }
    }
  }
}

const RegionStack *RegionStacks::opensAt(const BasicBlock *Block) const {
  auto Known = Start.find(Block);
  return Known == Start.end() ? nullptr : &Known->second;
}

void RegionStacks::forEachInstruction(
    function_ref<void(Instruction &, const RegionStack &)> Visitor) const {
  for (BasicBlock &Block : F) {
    const RegionStack *Known = opensAt(&Block);
    if (!Known)
      continue;
    RegionStack Open = *Known;
    for (Instruction &I : Block) {
      Visitor(I, Open);
      if (auto Mark = Marks.find(&I); Mark != Marks.end())
        apply(Mark->second, Open);
    }
  }
}

void RegionStacks::forEachMark(Visit Visitor) const {
  forEachInstruction([&](Instruction &I, const RegionStack &Open) {
    if (auto Mark = Marks.find(&I); Mark != Marks.end())
      Visitor(Mark->second, Open);
  });
}

SmallVector<RegionLeft, 4> RegionStacks::left() const {
  SmallVector<RegionLeft, 4> Left;
  for (BasicBlock &Block : F) {
    const RegionStack *Kept = opensAt(&Block);
    if (!Kept)
      continue;
    SmallVector<unsigned, 4> Seen; // once a block, however many ways lead to it
    for (BasicBlock *From : predecessors(&Block)) {
      if (!opensAt(From) || Block.getFirstInsertionPt() == Block.end())
        continue;
      RegionStack Open = atEnd(*From);
      for (unsigned Number : reverse(ArrayRef<unsigned>(Open).drop_front(Kept->size())))
        if (!is_contained(Seen, Number)) {
          Seen.push_back(Number);
          Left.push_back({Number, &*Block.getFirstInsertionPt(), From->getTerminator()});
        }
    }
    RegionStack Open = atEnd(Block);
    if (Instruction *Before = leaves(Block))
      for (unsigned Number : reverse(Open))
        Left.push_back({Number, Before, Block.getTerminator()});
  }
  return Left;
}

} // namespace reticle
