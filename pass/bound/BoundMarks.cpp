// BoundMarks.cpp - the feature bound, first half: marks around chosen loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/bound/BoundMarks.h"
#include "include/reticle/abi.h"
#include "pass/module/Descriptors.h"
#include "pass/module/Filter.h"
#include "pass/module/Options.h"
#include "pass/module/PassStep.h"
#include "pass/module/SourceInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace reticle;

/// On functions whose loops were looked at.
static constexpr const char *SeenAttribute = "reticle-bound";

namespace {

class Marker {
public:
  Marker(Function &F, LoopInfo &LI, const Options &Opts)
      : F(F), LI(LI), Choice(*F.getParent(), Opts) {}
  bool run();

private:
  void mark(Loop &L);
  void call(StringRef Name, Instruction *Before, Constant *Site);

  Function &F;
  LoopInfo &LI;
  Filter Choice;
};

} // namespace

/// Where the loop ends as it should: without those that an exception leads to.
static SmallVector<BasicBlock *, 4> exitsOf(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  erase_if(Exits, [](const BasicBlock *Exit) { return Exit->isEHPad(); });
  return Exits;
}

static uint32_t reasonOf(const Loop &L) {
  bool IsOwn = all_of(exitsOf(L), [&](BasicBlock *Exit) {
    return all_of(predecessors(Exit), [&](BasicBlock *From) { return L.contains(From); });
  });
  return L.getLoopPreheader() && IsOwn ? RETICLE_BOUND_DONE : RETICLE_BOUND_SHAPE;
}

/// The optimiser may move the program's accesses past it, and nothing else.
void Marker::call(StringRef Name, Instruction *Before, Constant *Site) {
  IRBuilder<> B(Before);
  if (DISubprogram *Subprogram = F.getSubprogram())
    B.SetCurrentDebugLocation(DILocation::get(F.getContext(), 0, 0, Subprogram));
  FunctionCallee Mark = F.getParent()->getOrInsertFunction(Name, B.getVoidTy(),
                                                           PointerType::getUnqual(F.getContext()));
  CallInst *Call = B.CreateCall(Mark, Site);
  Call->addFnAttr(Attribute::NoMerge);
  Call->addFnAttr(Attribute::NoDuplicate);
  Call->addFnAttr(Attribute::WillReturn);
  Call->setDoesNotThrow();
  Call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
}

void Marker::mark(Loop &L) {
  LoopSource Source = describeLoop(L, F);
  BoundRecord Record;
  Record.id = Source.id();
  Record.function = Source.Function;
  Record.inlined_from = Source.InlinedFrom;
  Record.file = Source.File;
  Record.line = Source.Line;
  Record.column = Source.Column;
  Record.depth = Source.Depth;
  Record.reason = reasonOf(L);
  GlobalVariable *Site = createBound(*F.getParent(), Record);
  if (Record.reason != RETICLE_BOUND_DONE)
    return;
  for (BasicBlock *Exit : exitsOf(L))
    call(BoundCloseName, &*Exit->getFirstInsertionPt(), Site);
  call(BoundOpenName, L.getLoopPreheader()->getTerminator(), Site);
}

bool Marker::run() {
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder())
    if (Choice.bound(describeLoop(*L, F))) {
      mark(*L);
      Changed = true;
    }
  return Changed;
}

PreservedAnalyses BoundMarkPass::run(Function &F, FunctionAnalysisManager &AM) {
  if (!Opts->Bound || !isProgramFunction(F) || F.hasFnAttribute(SeenAttribute) ||
      !isSupportedTarget(*F.getParent()))
    return PreservedAnalyses::all();
  PassStep Marking("bound", "marking loops");
  Marking.in(F);
  F.addFnAttr(SeenAttribute);
  auto &LI = AM.getResult<LoopAnalysis>(F);
  bool Changed = false;
  for (Loop *L : SmallVector<Loop *, 8>(LI.begin(), LI.end()))
    Changed |= simplifyLoop(L, &AM.getResult<DominatorTreeAnalysis>(F), &LI, nullptr,
                            &AM.getResult<AssumptionAnalysis>(F), nullptr, /*PreserveLCSSA=*/false);
  Changed |= Marker(F, LI, *Opts).run();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
