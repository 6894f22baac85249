// BoundCopies.cpp - the feature bound, second half: copies of marked loops, behind the optimiser.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//    head:  armed? --no--------------------------------+
//      | yes                                           |
//    ask:   __reticle_bound(site); switch site.copy ---+--> the loop itself --> exits
//      ^        |            |           |
//      |      plain      recording   replaying
//      +--------+------------+-----------+
//
// In the program __reticle_bound always answers: the loop itself. In a child that it has forked,
// the copies run one after the other, with the values that the loop was entered with; no copy comes
// to the loop's exits. Copies differ in little (BoundCopy.h): what they are to show is what it
// costs.
#include "pass/bound/BoundCopies.h"
#include "include/reticle/abi.h"
#include "pass/bound/BoundCallees.h"
#include "pass/bound/BoundCopy.h"
#include "pass/bound/BoundMarks.h"
#include "pass/bound/BoundRegion.h"
#include "pass/module/Descriptors.h"
#include "pass/module/PassStep.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace reticle;

static SmallVector<CallInst *, 4> marksOf(Function &F, StringRef Name) {
  SmallVector<CallInst *, 4> Marks;
  if (Function *Mark = F.getParent()->getFunction(Name))
    for (User *U : Mark->users())
      if (auto *Call = dyn_cast<CallInst>(U); Call && Call->getFunction() == &F)
        Marks.push_back(Call);
  return Marks;
}

/// Where the program asks, and the copies come back to.
static BasicBlock *createAsk(BoundRegion &Region) {
  Function &F = *Region.Head->getParent();
  Instruction *Jump = Region.Head->getTerminator();
  IRBuilder<> B(Jump);
  if (DISubprogram *Subprogram = F.getSubprogram())
    B.SetCurrentDebugLocation(DILocation::get(F.getContext(), 0, 0, Subprogram));
  BasicBlock *Ask = BasicBlock::Create(F.getContext(), "reticle.ask", &F, Region.Entry);
  BoundSite Site(*Region.Site);
  Value *Armed = Site.load(B, B.getInt32Ty(), offsetof(reticle_bound_desc, armed));
  B.CreateCondBr(B.CreateIsNotNull(Armed), Ask, Region.Entry);
  Jump->eraseFromParent();
  B.SetInsertPoint(Ask);
  FunctionCallee Entry =
      F.getParent()->getOrInsertFunction("__reticle_bound", B.getVoidTy(), B.getPtrTy());
  CallInst *Call = B.CreateCall(Entry, Region.Site);
  Call->addFnAttr(Attribute::Cold);
  Call->setDoesNotThrow();
  return Ask;
}

static void copyRegion(BoundRegion &Region, BoundCallees &Callees,
                       SmallVectorImpl<AllocaInst *> &Variables) {
  Function &F = *Region.Head->getParent();
  DominatorTree DT(F);
  LoopInfo LI(DT);
  BasicBlock *Ask = createAsk(Region);
  BoundSite Site(*Region.Site);
  IRBuilder<> B(Ask);
  B.SetCurrentDebugLocation(Ask->back().getDebugLoc());
  Value *Copy = Site.load(B, B.getInt32Ty(), offsetof(reticle_bound_desc, copy));
  SwitchInst *Choice = B.CreateSwitch(Copy, Region.Entry);
  DenseSet<const Instruction *> Dependent = dependOnLoads(Region.Blocks);
  for (uint32_t Kind : {RETICLE_BOUND_PLAIN, RETICLE_BOUND_RECORDING, RETICLE_BOUND_REPLAYING})
    Choice->addCase(B.getInt32(Kind),
                    BoundCopy(Region, Kind, LI, DT, Dependent, Callees, Variables).make(Ask));
}

/// Those of outer loops first, so that copies of these are of the loop as it was: only the
/// program's own code asks for the loops inside.
static SmallVector<CallInst *, 4> outerFirst(Function &F) {
  SmallVector<CallInst *, 4> Opens = marksOf(F, BoundOpenName);
  DominatorTree DT(F);
  DenseMap<const CallInst *, unsigned> Level;
  for (const CallInst *Open : Opens)
    if (const auto *Node = DT.getNode(Open->getParent()))
      Level[Open] = Node->getLevel();
  llvm::sort(Opens, [&](const CallInst *A, const CallInst *B) {
    if (A->getParent() == B->getParent())
      return A->comesBefore(B);
    return Level.lookup(A) < Level.lookup(B);
  });
  return Opens;
}

static bool copyLoops(Function &F, BoundCallees &Callees) {
  SmallVector<CallInst *, 4> Opens = outerFirst(F);
  SmallVector<AllocaInst *, 8> Variables;
  for (CallInst *Open : Opens) {
    BoundRegion Region = findBoundRegion(*Open, Callees);
    if (Region.Reason == RETICLE_BOUND_DONE)
      copyRegion(Region, Callees, Variables);
    setBoundReason(*Region.Site, Region.Reason);
  }
  if (!Variables.empty()) {
    DominatorTree DT(F);
    PromoteMemToReg(Variables, DT);
  }
  for (CallInst *Open : Opens)
    Open->eraseFromParent();
  for (CallInst *Close : marksOf(F, BoundCloseName))
    Close->eraseFromParent();
  return !Opens.empty();
}

void reticle::copyBoundLoops(Module &M, FunctionAnalysisManager &AM) {
  PassStep Copying("bound", "copying loops");
  SmallVector<Function *, 32> Functions; // without those that are made here
  for (Function &F : M)
    if (!F.isDeclaration())
      Functions.push_back(&F);
  if (!Functions.empty()) {
    BoundCallees Callees(M, AM.getResult<TargetLibraryAnalysis>(*Functions.front()));
    for (Function *F : Functions) {
      Copying.in(*F);
      if (copyLoops(*F, Callees))
        AM.invalidate(*F, PreservedAnalyses::none());
    }
  }
  for (StringRef Name : {BoundOpenName, BoundCloseName})
    if (Function *Mark = M.getFunction(Name); Mark && Mark->use_empty())
      Mark->eraseFromParent();
}
