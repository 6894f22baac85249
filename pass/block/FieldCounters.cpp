// FieldCounters.cpp - counters in a section of the module, and the way to the thread's copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code for executables on x86-64:                Code for libraries:
//   entry:  cmpq $0, %fs:word; je cold             entry:  mov word@tls, %d; test %d, %d; je cold
//           (only where a thread may start)                lea counters(%d), %base
//   block:  incq %gs:counter(%rip)                 block:  incq 8*i(%base)
#include "pass/block/FieldCounters.h"
#include "include/reticle/abi.h"
#include "pass/module/RuntimeCalls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace reticle;

static constexpr unsigned GSAddressSpace = 256;
static constexpr const char *CountsSection = "reticle_counts";
static constexpr const char *FieldsSection = "reticle_fields";

template <typename Access> static Access *ours(Access *A) {
  A->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(A->getContext(), {}));
  return A;
}

FieldCounters::FieldCounters(Module &Mod, unsigned Count)
    : M(Mod), BySegment(!cellsLieInTable(Mod)) {
  LLVMContext &Context = M.getContext();
  ArrayType *T = ArrayType::get(Type::getInt64Ty(Context), Count);
  Counters = new GlobalVariable(M, T, false, GlobalValue::InternalLinkage,
                                ConstantAggregateZero::get(T), "__reticle_counts");
  Counters->setSection(CountsSection);
  Counters->setAlignment(Align(8));
  excludeFromSanitizers(*Counters);
  auto Bound = [this](StringRef Prefix, StringRef Section) {
    return sectionBound(M, Prefix, Section);
  };
  Record = createFieldModule(M, {Bound("__start_", FieldsSection), Bound("__stop_", FieldsSection),
                                 Bound("__start_", CountsSection), Bound("__stop_", CountsSection),
                                 ConstantInt::get(Type::getInt64Ty(Context), 0)});
  Word = createFieldWord(M, BySegment);
}

Value *FieldCounters::address(IRBuilder<> &B, unsigned Counter) const {
  LLVMContext &Context = M.getContext();
  Type *I64 = Type::getInt64Ty(Context);
  if (!BySegment)
    return B.CreateConstGEP1_64(I64, Base, Counter);
  Constant *Plain = ConstantExpr::getInBoundsGetElementPtr(
      Counters->getValueType(), Counters,
      ArrayRef<Constant *>{ConstantInt::get(I64, 0), ConstantInt::get(I64, Counter)});
  return ConstantExpr::getIntToPtr(ConstantExpr::getPtrToInt(Plain, I64),
                                   PointerType::get(Context, GSAddressSpace));
}

void FieldCounters::add(IRBuilder<> &B, unsigned Counter, Value *Amount) const {
  Value *Address = address(B, Counter);
  Value *Old = ours(B.CreateAlignedLoad(B.getInt64Ty(), Address, Align(8)));
  ours(B.CreateAlignedStore(B.CreateAdd(Old, Amount), Address, Align(8)));
}

void FieldCounters::coldCall(IRBuilder<> &B) const {
  auto *Entry = cast<Function>(
      M.getOrInsertFunction("__reticle_field_enter", FunctionType::get(B.getVoidTy(), false))
          .getCallee());
  bool IsFar = !BySegment || M.getCodeModel() == CodeModel::Large;
  if (!IsFar)
    Entry->setDSOLocal(true);
  std::string Text = "leaq -128(%rsp), %rsp\n\t" // the red zone
                     "pushq $1\n\tpushq $0\n\t";
  Text += IsFar ? "callq *$2\n\t" : "callq ${2:P}\n\t";
  Text += "leaq 144(%rsp), %rsp";
  std::string Constraints =
      std::string("r,r,") + (IsFar ? "*m" : "i") + ",~{memory},~{dirflag},~{fpsr},~{flags}";
  Value *Values[] = {B.CreateThreadLocalAddress(Word), Record,
                     IsFar ? static_cast<Value *>(entryPointer(*Entry)) : Entry};
  FunctionType *T =
      FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getPtrTy(), B.getPtrTy()}, false);
  CallInst *Call =
      B.CreateCall(T, InlineAsm::get(T, Text, Constraints, /*hasSideEffects=*/true), Values);
  if (IsFar)
    Call->addParamAttr(2, Attribute::get(M.getContext(), Attribute::ElementType, B.getPtrTy()));
  Call->addFnAttr(Attribute::Cold);
  Call->addFnAttr(Attribute::WillReturn);
  Call->setDoesNotThrow();
}

/// The first instruction behind the entry block's variables, which stay in the entry block.
static Instruction *behindAllocas(Function &F) {
  BasicBlock &Entry = F.getEntryBlock();
  Instruction *First = &*Entry.getFirstInsertionPt();
  for (Instruction &I : make_early_inc_range(Entry))
    if (auto *Local = dyn_cast<AllocaInst>(&I); Local && Local->isStaticAlloca()) {
      if (Local == First)
        First = Local->getNextNode();
      else
        Local->moveBefore(*First->getParent(), First->getIterator());
    }
  return First;
}

void FieldCounters::enter(Function &F, bool Test) {
  Base = nullptr;
  Location = DebugLoc();
  if (DISubprogram *Subprogram = F.getSubprogram())
    Location = DILocation::get(M.getContext(), 0, 0, Subprogram);
  if (BySegment && !Test)
    return;
  Instruction *Before = behindAllocas(F);
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Location);
  Value *Known =
      ours(B.CreateLoad(B.getInt64Ty(), B.CreateThreadLocalAddress(Word), /*isVolatile=*/true));
  BasicBlock *From = Before->getParent();
  Instruction *Cold =
      SplitBlockAndInsertIfThen(B.CreateIsNull(Known), Before, /*Unreachable=*/false,
                                MDBuilder(M.getContext()).createBranchWeights(1, 100000));
  B.SetInsertPoint(Cold);
  B.SetCurrentDebugLocation(Location);
  coldCall(B);
  if (BySegment)
    return;
  Value *Now =
      ours(B.CreateLoad(B.getInt64Ty(), B.CreateThreadLocalAddress(Word), /*isVolatile=*/true));
  B.SetInsertPoint(Before);
  B.SetCurrentDebugLocation(Location);
  PHINode *Distance = B.CreatePHI(B.getInt64Ty(), 2);
  Distance->addIncoming(Known, From);
  Distance->addIncoming(Now, Cold->getParent());
  Base = B.CreateGEP(B.getInt8Ty(), Counters, Distance);
}

void FieldCounters::count(Instruction *Before, unsigned Counter) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Location);
  add(B, Counter, B.getInt64(1));
}

/// 1 where the address is the leaf, else 0: phis and selects beside those of the address.
Value *FieldCounters::weight(Value *Address, const Value &Leaf, Weights &Known) {
  Type *I64 = Type::getInt64Ty(Address->getContext());
  auto It = Known.find(Address);
  if (It != Known.end())
    return It->second;
  if (auto *Phi = dyn_cast<PHINode>(Address)) {
    PHINode *Sum = PHINode::Create(I64, Phi->getNumIncomingValues(), "", Phi->getIterator());
    Known[Address] = Sum;
    for (unsigned I = 0; I < Phi->getNumIncomingValues(); I++)
      Sum->addIncoming(weight(Phi->getIncomingValue(I), Leaf, Known), Phi->getIncomingBlock(I));
    return Sum;
  }
  if (auto *Select = dyn_cast<SelectInst>(Address)) {
    Value *True = weight(Select->getTrueValue(), Leaf, Known);
    Value *False = weight(Select->getFalseValue(), Leaf, Known);
    Value *Sum = SelectInst::Create(Select->getCondition(), True, False, "", Select->getIterator());
    return Known[Address] = Sum;
  }
  return Known[Address] = ConstantInt::get(I64, Address == &Leaf);
}

void FieldCounters::countSome(Instruction *Before, unsigned Counter, const Value &How,
                              uint32_t PerBytes) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Location);
  Value *Amount = nullptr, *Given = const_cast<Value *>(&How);
  if (auto *Mask = dyn_cast<FixedVectorType>(How.getType())) {
    Value *Bits = B.CreateBitCast(Given, B.getIntNTy(Mask->getNumElements()));
    Amount = B.CreateUnaryIntrinsic(Intrinsic::ctpop, B.CreateZExtOrTrunc(Bits, B.getInt64Ty()));
  } else if (PerBytes) {
    Value *Bytes = B.CreateZExtOrTrunc(Given, B.getInt64Ty());
    Amount = B.CreateUDiv(B.CreateAdd(Bytes, B.getInt64(PerBytes - 1)), B.getInt64(PerBytes));
  } else {
    Weights Known;
    Amount = weight(getLoadStorePointerOperand(Before), How, Known);
  }
  add(B, Counter, Amount);
}

void FieldCounters::countInLoop(Loop &L, ArrayRef<std::pair<Instruction *, unsigned>> Counts) {
  Function &F = *L.getHeader()->getParent();
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  SmallVector<AllocaInst *, 4> Sums;
  for (auto [Before, Counter] : Counts) {
    IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
    B.SetCurrentDebugLocation(Location);
    AllocaInst *Sum = B.CreateAlloca(B.getInt64Ty());
    Sums.push_back(Sum);
    B.SetInsertPoint(L.getLoopPreheader()->getTerminator());
    B.CreateStore(B.getInt64(0), Sum);
    B.SetInsertPoint(Before);
    B.SetCurrentDebugLocation(Location);
    B.CreateStore(B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Sum), B.getInt64(1)), Sum);
    for (BasicBlock *Exit : Exits) {
      B.SetInsertPoint(&*Exit->getFirstInsertionPt());
      B.SetCurrentDebugLocation(Location);
      add(B, Counter, B.CreateLoad(B.getInt64Ty(), Sum));
    }
  }
  DominatorTree DT(F);
  PromoteMemToReg(Sums, DT);
}
