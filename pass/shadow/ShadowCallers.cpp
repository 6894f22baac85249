// ShadowCallers.cpp - tells which calls give memory, and keeps them calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   define ptr @make(i64 %n) {                     define ptr @make(i64 %n) {
//     %p = tail call ptr @malloc(i64 %n)     ->      %p = notail call ptr @malloc(i64 %n)
//     ret ptr %p                                     ret ptr %p
//   }                                              }
//
// Of all calls this would take the stack of programs that go from function to function by jumps.
#include "pass/shadow/ShadowCallers.h"
#include "pass/front/RecordFacts.h"
#include "pass/shadow/ShadowHeap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace reticle;

/// Values that a returned one is chosen from, one by another.
static constexpr unsigned ChoicesMost = 4;

static std::string placeOf(StringRef Function, unsigned Line, unsigned Column) {
  return (Function + ":" + Twine(Line) + ":" + Twine(Column)).str();
}

ShadowCallers::ShadowCallers(const RecordFacts *Facts) {
  if (!Facts)
    return;
  for (const AllocationFact &Fact : Facts->Allocations)
    if (Fact.Column)
      Places.insert(placeOf(Fact.Function, Fact.Line, Fact.Column));
}

bool ShadowCallers::givesMemory(const CallInst &Call) {
  const auto *Callee = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (Call.returnDoesNotAlias() ||
      (Callee && (isAllocator(Callee->getName()) || returnsMemory(*Callee))))
    return true;
  const DILocation *At = Call.getDebugLoc();
  if (!At || !Call.getType()->isPointerTy() || (Callee && !Callee->isDeclaration()))
    return false;
  const DISubprogram *In = At->getScope()->getSubprogram();
  StringRef Name = In->getLinkageName().empty() ? In->getName() : In->getLinkageName();
  return Places.contains(placeOf(Name, At->getLine(), At->getColumn()));
}

bool ShadowCallers::isMemory(const Value *V, unsigned Depth) {
  V = V->stripPointerCasts();
  if (const auto *Call = dyn_cast<CallInst>(V))
    return givesMemory(*Call);
  if (Depth == ChoicesMost || !(isa<PHINode>(V) || isa<SelectInst>(V)))
    return false;
  return any_of(cast<User>(V)->operands(),
                [&](const Use &Choice) { return isMemory(Choice.get(), Depth + 1); });
}

bool ShadowCallers::returnsMemory(const Function &F) {
  auto [It, IsNew] = Known.try_emplace(&F, false); // while it is looked at: one that calls itself
  if (!IsNew || F.isDeclaration() || !F.getReturnType()->isPointerTy())
    return It->second;
  for (const BasicBlock &Block : F)
    if (const auto *Return = dyn_cast<ReturnInst>(Block.getTerminator()))
      if (isMemory(Return->getReturnValue(), 0))
        return Known[&F] = true;
  return false;
}

void ShadowCallers::keep(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->isTailCall() && !Call->isMustTailCall() && givesMemory(*Call))
      Call->setTailCallKind(CallInst::TCK_NoTail);
}
