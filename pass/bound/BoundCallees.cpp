// BoundCallees.cpp - copies of functions that copies of loops call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/bound/BoundCallees.h"
#include "include/reticle/abi.h"
#include "pass/bound/BoundMarks.h"
#include "pass/bound/BoundMove.h"
#include "pass/bound/BoundRegion.h"
#include "pass/module/Filter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace reticle;

/// A larger one isn't in the first cache of code, nor worth the time to compile it.
static constexpr unsigned MaxInstructions = 8192;
/// Functions that a call through a pointer is told to be of.
static constexpr size_t MaxTargets = 16;

bool reticle::isForeignCall(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isBoundMark(I) || isa<UnreachableInst>(I.getParent()->getTerminator()))
    return false; // what ends the program isn't come to
  return !isa<IntrinsicInst>(Call) && !Call->doesNotAccessMemory();
}

/// Attributes that say how an argument is handed over; others are about values, which are wrong in
/// a moved copy.
static AttributeList handingOver(const Function &F) {
  static constexpr Attribute::AttrKind Kept[] = {Attribute::ZExt, Attribute::SExt, Attribute::InReg,
                                                 Attribute::StructRet};
  LLVMContext &C = F.getContext();
  AttributeList All = F.getAttributes(), Out;
  for (Attribute::AttrKind Kind : Kept) {
    if (All.hasRetAttr(Kind))
      Out = Out.addRetAttribute(C, Kind);
    for (unsigned I = 0; I < F.arg_size(); I++)
      if (All.hasParamAttr(I, Kind))
        Out = Out.addParamAttribute(C, {I}, All.getParamAttr(I, Kind));
  }
  for (Attribute A : All.getFnAttrs()) // the machine, and what arithmetic may do
    if (A.isStringAttribute())
      Out = Out.addFnAttribute(C, A);
  return Out.addFnAttribute(C, Attribute::NoInline).addFnAttribute(C, Attribute::NoUnwind);
}

static bool isHandedOver(const Argument &A) {
  return !A.hasPassPointeeByValueCopyAttr() && !A.hasNestAttr() && !A.hasSwiftErrorAttr() &&
         !A.hasAttribute(Attribute::SwiftSelf) && !A.hasAttribute(Attribute::SwiftAsync);
}

static bool canBeCopied(const Function &F) {
  if (F.isDeclaration() || F.isInterposable() || F.isVarArg() || F.isIntrinsic() ||
      F.hasFnAttribute(Attribute::Naked) || F.hasFnAttribute(Attribute::ReturnsTwice) ||
      F.hasFnAttribute("thunk") || F.getInstructionCount() > MaxInstructions ||
      !all_of(F.args(), isHandedOver))
    return false;
  return all_of(instructions(F), [](const Instruction &I) {
    auto *Call = dyn_cast<CallInst>(&I);
    bool IsCleanUp = isa<LandingPadInst>(I); // behind a throw: not come to
    return (IsCleanUp || boundReasonOf(I) == RETICLE_BOUND_DONE) &&
           !(Call && Call->isMustTailCall());
  });
}

/// Defined in another module that may be compiled in the same way.
bool BoundCallees::isElsewhere(const Function &F) const {
  LibFunc Known;
  return F.isDeclaration() && !F.isIntrinsic() && !F.isVarArg() &&
         !F.hasFnAttribute(Attribute::ReturnsTwice) && all_of(F.args(), isHandedOver) &&
         !Libraries.getLibFunc(F, Known) && !F.getName().starts_with("__reticle_");
}

BoundCallees::BoundCallees(Module &M, const TargetLibraryInfo &TLI) : Libraries(TLI) {
  SmallVector<Function *, 8> Marked, Seen;
  for (Function &F : M) {
    if (F.hasAddressTaken() && canBeCopied(F) && Targets[F.getFunctionType()].size() < MaxTargets)
      Targets[F.getFunctionType()].push_back(&F);
    if (F.hasExternalLinkage() && !F.isDeclaration() && isProgramFunction(F))
      Seen.push_back(&F);
    if (any_of(instructions(F), isBoundMark) && canBeCopied(F))
      Marked.push_back(&F);
  }
  for (Function *F : Marked) {
    ValueToValueMapTy Map;
    Function *Original = CloneFunction(F, Map);
    Original->setLinkage(GlobalValue::InternalLinkage);
    Original->setComdat(nullptr);
    Originals[F] = Original;
  }
  for (Function *F : Seen)
    for (uint32_t Kind : {RETICLE_BOUND_RECORDING, RETICLE_BOUND_REPLAYING})
      get(*F, Kind);
}

ArrayRef<Function *> BoundCallees::targets(const CallBase &Call) const {
  auto Found = Targets.find(Call.getFunctionType());
  return Found == Targets.end() ? ArrayRef<Function *>() : ArrayRef(Found->second);
}

bool BoundCallees::isKnown(const CallBase &Call) const {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? isKnown(*Callee) : !targets(Call).empty();
}

bool BoundCallees::isKnown(const Function &F) const {
  // Loops of the first may have copies by now.
  return Originals.count(&F) || canBeCopied(F) || isElsewhere(F);
}

BoundCallees::~BoundCallees() {
  for (auto &[F, Original] : Originals)
    Original->eraseFromParent();
}

Function *BoundCallees::get(Function &F, uint32_t Kind) {
  auto [Known, IsNew] = Copies.try_emplace({&F, Kind}, nullptr);
  if (!IsNew || !isKnown(F))
    return Known->second;
  SmallVector<Type *, 8> Types(F.getFunctionType()->params());
  Types.push_back(PointerType::getUnqual(F.getContext()));
  auto Linkage = F.isDeclaration()        ? GlobalValue::WeakAnyLinkage
                 : F.hasExternalLinkage() ? GlobalValue::ExternalLinkage
                                          : GlobalValue::InternalLinkage;
  Function *Copy = Function::Create(
      FunctionType::get(F.getReturnType(), Types, false), Linkage, F.getAddressSpace(),
      F.getName() + (Kind == RETICLE_BOUND_RECORDING ? ".recording" : ".replaying"), F.getParent());
  Copy->setCallingConv(F.getCallingConv());
  if (!Copy->hasLocalLinkage())
    Copy->setVisibility(GlobalValue::HiddenVisibility);
  Known->second = Copy;
  if (F.isDeclaration()) {
    Copy->setAttributes(handingOver(F));
    IRBuilder<> B(BasicBlock::Create(F.getContext(), "", Copy));
    B.CreateIntrinsic(B.getVoidTy(), Intrinsic::trap, {});
    B.CreateUnreachable();
    return Copy;
  }
  Function *Original = Originals.lookup(&F);
  make(Original ? *Original : F, Kind, *Copy);
  return Copy;
}

void BoundCallees::make(Function &F, uint32_t Kind, Function &Copy) {
  ValueToValueMapTy Map;
  SmallVector<ReturnInst *, 4> Returns;
  SmallVector<AllocaInst *, 2> Variables;
  for (Argument &A : F.args())
    Map[&A] = Copy.getArg(A.getArgNo());
  CloneFunctionInto(&Copy, &F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  stripDebugInfo(Copy);
  for (BasicBlock &Block : Copy)
    if (auto *Invoke = dyn_cast<InvokeInst>(Block.getTerminator()))
      callWithoutUnwinding(*Invoke);
  EliminateUnreachableBlocks(Copy);
  Copy.setPersonalityFn(nullptr);
  Copy.setAttributes(handingOver(F));
  Copy.setMetadata(LLVMContext::MD_prof, nullptr);
  SetVector<BasicBlock *> Blocks;
  for (BasicBlock &Block : Copy)
    Blocks.insert(&Block);
  for (Instruction &I : make_early_inc_range(instructions(Copy)))
    if (isa<NoAliasScopeDeclInst>(I) || isa<AssumeInst>(I) || isBoundMark(I))
      I.eraseFromParent();
  SmallVector<const Value *, 8> Arguments;
  for (Argument &A : Copy.args())
    Arguments.push_back(&A);
  SmallVector<Instruction *, 16> Branches;
  for (const Instruction *Branch : dependOnLoads(Blocks, Arguments))
    Branches.push_back(const_cast<Instruction *>(Branch));
  auto Instructions = BoundMove::instructionsOf(Blocks.getArrayRef());
  BoundMove Move(Copy, Kind, Copy.getArg(Copy.arg_size() - 1), *this, Variables);
  IRBuilder<> B(Variables.front()->getNextNode());
  Move.begin(B);
  for (BasicBlock *Block : Blocks)
    if (isa<ReturnInst>(Block->getTerminator())) {
      B.SetInsertPoint(Block->getTerminator());
      Move.end(B);
    }
  Move.apply(Instructions, Branches);
  DominatorTree DT(Copy);
  PromoteMemToReg(Variables, DT);
}
