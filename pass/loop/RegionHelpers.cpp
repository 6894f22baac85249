// RegionHelpers.cpp - reads begins and ends of regions from the IR as clang emits it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/loop/RegionHelpers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

static constexpr const char *BeginName = "__reticle_region_begin";
static constexpr const char *EndName = "__reticle_region_end";
/// Helpers within helpers.
static constexpr int RoundsMax = 16;

static bool isOurs(const Function &F) { return F.getName() == BeginName || F.getName() == EndName; }

/// Whether F leaves a region open, or ends one that it didn't begin.
static bool isUnbalanced(Function &F) {
  SmallVector<reticle::RegionMark, 8> Marks = reticle::regionMarks(F);
  for (unsigned I = 0; I < Marks.size(); I++)
    if (Marks[I].IsBegin)
      Marks[I].Number = I;
  reticle::RegionStacks Stacks(F, Marks);
  bool Unbalanced =
      any_of(Stacks.left(), [](const reticle::RegionLeft &L) { return isa<ReturnInst>(L.Source); });
  Stacks.forEachMark([&](const reticle::RegionMark &Mark, const reticle::RegionStack &Open) {
    Unbalanced |= !Mark.IsBegin && Open.empty();
  });
  return Unbalanced;
}

/// Inlines all calls of Helper. The marks get the place of the call: that is where the user wrote
/// a region.
static bool inlineEverywhere(Function &Helper) {
  SmallVector<CallBase *, 8> Calls;
  for (User *U : Helper.users())
    if (auto *Call = dyn_cast<CallBase>(U);
        Call && Call->getCalledOperand() == &Helper && Call->getFunction() != &Helper)
      Calls.push_back(Call);
  bool Changed = false;
  for (CallBase *Call : Calls) {
    Function &Caller = *Call->getFunction();
    DebugLoc Location = Call->getDebugLoc();
    SmallPtrSet<const CallInst *, 8> Before;
    for (const reticle::RegionMark &Mark : reticle::regionMarks(Caller))
      Before.insert(Mark.Call);
    InlineFunctionInfo Info;
    if (!InlineFunction(*Call, Info).isSuccess())
      continue;
    Changed = true;
    for (const reticle::RegionMark &Mark : reticle::regionMarks(Caller))
      if (!Before.contains(Mark.Call))
        Mark.Call->setDebugLoc(Location);
  }
  return Changed;
}

/// What V is, seen through variables that are written once: clang passes a parameter on through
/// memory.
static const Value *seenThrough(const Value *V) {
  while (auto *Load = dyn_cast<LoadInst>(V)) {
    auto *Variable = dyn_cast<AllocaInst>(Load->getPointerOperand());
    const Value *Written = nullptr;
    if (Variable)
      for (const User *U : Variable->users())
        if (auto *Store = dyn_cast<StoreInst>(U); Store && Store->getPointerOperand() == Variable) {
          if (Written)
            return V;
          Written = Store->getValueOperand();
        }
    if (!Written)
      return V;
    V = Written;
  }
  return V;
}

namespace reticle {

bool hasRegions(const Module &M) {
  return any_of(M, [](const Function &F) { return isOurs(F) && !F.use_empty(); });
}

SmallVector<RegionMark, 8> regionMarks(Function &F) {
  SmallVector<RegionMark, 8> Marks;
  for (BasicBlock &Block : F)
    for (Instruction &I : Block)
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (const Function *Callee = Call->getCalledFunction(); Callee && isOurs(*Callee))
          Marks.push_back({Call, Callee->getName() == BeginName, std::nullopt});
  return Marks;
}

void removeRegionMarks(Function &F, bool Warn) {
  for (const RegionMark &Mark : regionMarks(F)) {
    if (Warn && Mark.IsBegin)
      F.getContext().diagnose(DiagnosticInfoUnsupported(
          F, "reticle: a region in a coroutine is not measured: it may be resumed in another frame",
          Mark.Call->getDebugLoc(), DS_Warning));
    Mark.Call->eraseFromParent();
  }
}

SmallPtrSet<const Function *, 4> inlineRegionHelpers(Module &M) {
  SmallPtrSet<const Function *, 4> Helpers;
  bool Changed = true;
  for (int Round = 0; Changed && Round < RoundsMax; Round++) {
    Changed = false;
    for (Function &F : M)
      if (!F.isDeclaration() && !isOurs(F) && F.hasFnAttribute(Attribute::AlwaysInline) &&
          !F.isPresplitCoroutine() && !regionMarks(F).empty() && isUnbalanced(F)) {
        Helpers.insert(&F);
        Changed |= inlineEverywhere(F);
      }
  }
  return Helpers;
}

GlobalVariable *createRegionName(const CallInst &Begin, StringRef Prefix) {
  StringRef Text;
  const Value *Name = seenThrough(Begin.getArgOperand(0));
  if (!getConstantStringInfo(Name, Text) || Text.empty())
    Text = "(unnamed)";
  Module &M = *const_cast<Module *>(Begin.getModule());
  Constant *Bytes = ConstantDataArray::getString(M.getContext(), Text);
  return new GlobalVariable(M, Bytes->getType(), true, GlobalValue::InternalLinkage, Bytes, Prefix);
}

StringRef regionName(const GlobalVariable &Name) {
  return cast<ConstantDataArray>(Name.getInitializer())->getAsCString();
}

void removeRegionFunctions(Module &M) {
  for (StringRef Name : {BeginName, EndName})
    if (Function *F = M.getFunction(Name); F && F->use_empty())
      F->eraseFromParent();
}

} // namespace reticle
