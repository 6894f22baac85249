// RuntimeCalls.cpp - emits gates, exits and the registration of a module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// preheader:                                    exit:
//   %cell = ... thread-local address              %cell = ... thread-local address
//   %n = load i32, %cell                          %n = load volatile i32, %cell
//   %k = add i32 %n, -1                           %open = icmp slt i32 %n, 0
//   store i32 %k, %cell                           br %open, cold, rest    ; 1 : 100000
//   %due = icmp slt i32 %k, 0                   cold:
//   br %due, cold, rest       ; 1 : 100000        asm: call __reticle_loop_end
// cold:                                           br rest
//   asm: call __reticle_loop_begin
//   br rest
//
// On x86-64, code for executables: "decl %fs:cell; js" and "cmpl $0, %fs:cell; js".
#include "pass/module/RuntimeCalls.h"
#include "include/reticle/abi.h"
#include "pass/target/ProbeTarget.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <cstddef>

using namespace llvm;

/// Before all other constructors that the object files bring: theirs may run loops.
static constexpr int StartPriority = 1;
/// Cold is 1 in 100000: far enough that its block leaves the hot path in every layout.
static constexpr unsigned ColdWeight = 1, HotWeight = 100000;

/// The name of something that all object files of one ABI version share. Two versions in one
/// program must not hide one another: each refers to its own ABI symbol.
static std::string sharedName(const Twine &Stem) {
  return (Stem + "_v" + Twine(RETICLE_ABI_VERSION)).str();
}

/// Merged by the linker, seen only inside the linked module.
static void shareInModule(GlobalObject &Global, Comdat *Group) {
  Global.setLinkage(GlobalValue::LinkOnceODRLinkage);
  Global.setVisibility(GlobalValue::HiddenVisibility);
  Global.setComdat(Group);
}

/// void Name() { Callee(Argument); }
static Function *createCaller(Module &M, const Twine &Name, StringRef Callee, Constant *Argument) {
  LLVMContext &Context = M.getContext();
  Type *Void = Type::getVoidTy(Context);
  Function *Caller = Function::createWithDefaultAttr(FunctionType::get(Void, false),
                                                     GlobalValue::LinkOnceODRLinkage, 0, Name, &M);
  Comdat *Group = M.getOrInsertComdat(Caller->getName());
  shareInModule(*Caller, Group);
  Caller->addFnAttr(Attribute::NoUnwind);
  Caller->addFnAttr(Attribute::DisableSanitizerInstrumentation);
  IRBuilder<> B(BasicBlock::Create(Context, "entry", Caller));
  B.CreateCall(M.getOrInsertFunction(Callee, Void, B.getPtrTy()), Argument);
  B.CreateRetVoid();
  return Caller;
}

/// Sanitizers leave an access of ours alone.
template <typename Access> static Access *unchecked(Access *A) {
  A->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(A->getContext(), {}));
  return A;
}

namespace reticle {

void excludeFromSanitizers(GlobalVariable &Global) {
  GlobalValue::SanitizerMetadata Exclude;
  Exclude.NoAddress = Exclude.NoHWAddress = true;
  Global.setSanitizerMetadata(Exclude);
}

bool cellsLieInTable(const Module &M) {
  return M.getPICLevel() != PICLevel::NotPIC && M.getPIELevel() == PIELevel::Default;
}

Constant *sectionBound(Module &M, StringRef Prefix, StringRef Section) {
  std::string Name = (Prefix + Section).str();
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  auto *Bound = new GlobalVariable(M, Type::getInt8Ty(M.getContext()), false,
                                   GlobalValue::ExternalWeakLinkage, nullptr, Name);
  Bound->setVisibility(GlobalValue::HiddenVisibility);
  return Bound;
}

GlobalVariable *entryPointer(Function &Entry) {
  Module &M = *Entry.getParent();
  std::string Name = sharedName(Entry.getName() + "_pointer");
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  auto *Pointer = new GlobalVariable(M, Entry.getType(), /*isConstant=*/true,
                                     GlobalValue::LinkOnceODRLinkage, &Entry, Name);
  shareInModule(*Pointer, M.getOrInsertComdat(Name));
  excludeFromSanitizers(*Pointer);
  return Pointer;
}

/// void Name(int, char **Argv, char **Environment) { Callee(Argument, Argv, Environment); }
static Function *createEarlyCaller(Module &M, const Twine &Name, StringRef Callee,
                                   Constant *Argument) {
  LLVMContext &Context = M.getContext();
  Type *Void = Type::getVoidTy(Context), *Pointer = PointerType::getUnqual(Context);
  Function *Caller = Function::createWithDefaultAttr(
      FunctionType::get(Void, {Type::getInt32Ty(Context), Pointer, Pointer}, false),
      GlobalValue::LinkOnceODRLinkage, 0, Name, &M);
  shareInModule(*Caller, M.getOrInsertComdat(Caller->getName()));
  Caller->addFnAttr(Attribute::NoUnwind);
  Caller->addFnAttr(Attribute::DisableSanitizerInstrumentation);
  IRBuilder<> B(BasicBlock::Create(Context, "entry", Caller));
  B.CreateCall(M.getOrInsertFunction(Callee, Void, Pointer, Pointer, Pointer),
               {Argument, Caller->getArg(1), Caller->getArg(2)});
  B.CreateRetVoid();
  return Caller;
}

/// A record of the linked module that its constructor and destructor hand to Start and Stop.
static GlobalVariable *registerRecord(Module &M, Constant *Value, bool IsConstant,
                                      const Twine &Stem, StringRef Start, StringRef Stop) {
  auto *Record =
      new GlobalVariable(M, Value->getType(), IsConstant, GlobalValue::LinkOnceODRLinkage, Value,
                         sharedName(Stem + "_module"));
  Record->setAlignment(Align(8));
  shareInModule(*Record, M.getOrInsertComdat(Record->getName()));
  excludeFromSanitizers(*Record);
  Function *Starts = createCaller(M, sharedName(Stem + "_start"), Start, Record);
  Function *Stops = createCaller(M, sharedName(Stem + "_stop"), Stop, Record);
  appendToGlobalCtors(M, Starts, StartPriority, Starts);
  appendToGlobalDtors(M, Stops, StartPriority, Stops);
  return Record;
}

GlobalVariable *createFieldModule(Module &M, ArrayRef<Constant *> Values) {
  return registerRecord(M, ConstantStruct::getAnon(Values), /*IsConstant=*/false, "__reticle_field",
                        "__reticle_fields_start", "__reticle_fields_stop");
}

GlobalVariable *shadowMask(Module &M) {
  std::string Name = sharedName("__reticle_shadow_mask");
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  Type *T = Type::getInt64Ty(M.getContext());
  auto *Mask = new GlobalVariable(M, T, false, GlobalValue::LinkOnceODRLinkage,
                                  ConstantInt::get(T, 0), Name);
  shareInModule(*Mask, M.getOrInsertComdat(Name));
  Mask->setDSOLocal(true);
  Mask->setExternallyInitialized(true);
  excludeFromSanitizers(*Mask);
  return Mask;
}

void registerShadow(Module &M, Constant *Value) {
  // Not constant: its addresses are relocated.
  GlobalVariable *Record = registerRecord(M, Value, /*IsConstant=*/false, "__reticle_shadow",
                                          "__reticle_shadow_start", "__reticle_shadow_stop");
  if (cellsLieInTable(M))
    return;
  // Libraries' constructors run before the executable's, and may call back into it.
  Function *Early =
      createEarlyCaller(M, sharedName("__reticle_shadow_first"), "__reticle_shadow_early", Record);
  auto *Entry = new GlobalVariable(M, Early->getType(), true, GlobalValue::LinkOnceODRLinkage,
                                   Early, sharedName("__reticle_shadow_preinit"));
  Entry->setSection(".preinit_array");
  Entry->setAlignment(Align(8));
  shareInModule(*Entry, M.getOrInsertComdat(Entry->getName()));
  excludeFromSanitizers(*Entry);
  appendToUsed(M, {Entry});
}

void registerBounds(Module &M, Constant *Value) {
  if (!M.getNamedGlobal(sharedName("__reticle_bound_module")))
    registerRecord(M, Value, /*IsConstant=*/false, "__reticle_bound", "__reticle_bounds_start",
                   "__reticle_bounds_stop");
}

/// A thread-local word that the object files of a linked module share, 0 at first.
static GlobalVariable *threadWord(Module &M, StringRef Stem, bool ForExecutable) {
  std::string Name = sharedName(Stem);
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  Type *T = Type::getInt64Ty(M.getContext());
  auto *Word = new GlobalVariable(
      M, T, false, GlobalValue::LinkOnceODRLinkage, ConstantInt::get(T, 0), Name, nullptr,
      ForExecutable ? GlobalValue::LocalExecTLSModel : GlobalValue::InitialExecTLSModel);
  Word->setAlignment(Align(8));
  shareInModule(*Word, M.getOrInsertComdat(Word->getName()));
  Word->setDSOLocal(true);
  excludeFromSanitizers(*Word);
  return Word;
}

GlobalVariable *createFieldWord(Module &M, bool ForExecutable) {
  return threadWord(M, "__reticle_field_word", ForExecutable);
}

GlobalVariable *shadowThread(Module &M) {
  return threadWord(M, "__reticle_shadow_thread", !cellsLieInTable(M));
}

void registerModule(Module &M, Constant *Bounds) {
  // The ABI symbol's address stands behind the bounds only to be referred to.
  Constant *Abi = M.getOrInsertGlobal(RETICLE_ABI_SYMBOL_NAME, Type::getInt8Ty(M.getContext()));
  Constant *Value = ConstantStruct::getAnon({Bounds, Abi});
  registerRecord(M, Value, /*IsConstant=*/true, "__reticle", "__reticle_module_start",
                 "__reticle_module_stop");
}

LoopProbes::LoopProbes(Function &Fn, GlobalVariable *UnitRecord, unsigned Count)
    : F(Fn), Target(*ProbeTarget::of(*Fn.getParent())), Unit(UnitRecord), Cells(nullptr),
      Table(nullptr), FrameMoves(false) {
  Module &M = *F.getParent();
  LLVMContext &Context = M.getContext();
  if (cellsLieInTable(M)) {
    Table = cast<GlobalVariable>(
        M.getOrInsertGlobal("__reticle_cells", PointerType::getUnqual(Context)));
    Table->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
  } else {
    ArrayType *T = ArrayType::get(Type::getInt32Ty(Context), Count);
    Cells = new GlobalVariable(M, T, false, GlobalValue::InternalLinkage,
                               ConstantAggregateZero::get(T), "__reticle_cells." + F.getName(),
                               nullptr, GlobalValue::LocalExecTLSModel);
    Cells->setAlignment(Align(4));
    excludeFromSanitizers(*Cells);
  }
  for (const BasicBlock &Block : F)
    for (const Instruction &I : Block)
      if (auto *Alloca = dyn_cast<AllocaInst>(&I))
        FrameMoves |= !Alloca->isStaticAlloca();
  // Line 0: no source line is charged for a probe.
  if (DISubprogram *Subprogram = F.getSubprogram())
    Location = DILocation::get(Context, 0, 0, Subprogram);
}

Value *LoopProbes::cellAddress(IRBuilder<> &B, unsigned Index) {
  if (Cells)
    return B.CreateConstInBoundsGEP2_32(
        Cells->getValueType(), Target.threadLocalAddress(B, Cells, /*IsLocal=*/true), 0, Index);
  // Volatile, so that no register carries the address through the loop.
  Value *Base =
      unchecked(B.CreateLoad(B.getPtrTy(), Target.threadLocalAddress(B, Table, /*IsLocal=*/false),
                             /*isVolatile=*/true));
  static_assert(offsetof(reticle_unit_desc, cells_offset_bytes) == 0, "load behind an offset");
  Value *Offset = unchecked(B.CreateLoad(B.getInt64Ty(), Unit, /*isVolatile=*/true));
  return B.CreateConstGEP1_32(B.getInt32Ty(), B.CreateGEP(B.getInt8Ty(), Base, Offset), Index);
}

Value *LoopProbes::frameAddress(IRBuilder<> &B) {
  if (!FrameMoves)
    return nullptr;
  return B.CreateIntrinsic(Intrinsic::frameaddress, {B.getPtrTy()}, {B.getInt32(0)});
}

Instruction *LoopProbes::coldBlock(IRBuilder<> &B, Value *Count, Instruction *Before) {
  Value *Due = B.CreateICmpSLT(Count, B.getInt32(0));
  MDNode *Weights = MDBuilder(F.getContext()).createBranchWeights(ColdWeight, HotWeight);
  return SplitBlockAndInsertIfThen(Due, Before, /*Unreachable=*/false, Weights);
}

void LoopProbes::coldCall(IRBuilder<> &B, StringRef Name, uint64_t Number, Value *Cell,
                          Value *Work) {
  Module &M = *F.getParent();
  auto *Entry = cast<Function>(
      M.getOrInsertFunction(Name, FunctionType::get(B.getVoidTy(), false)).getCallee());
  // Not through the PLT: lazy binding clobbers registers that no call is known to clobber here.
  bool IsFar = Table || M.getCodeModel() == CodeModel::Large;
  if (!IsFar)
    Entry->setDSOLocal(true); // an executable holds its runtime
  Target.coldCall(B, {Entry, IsFar ? entryPointer(*Entry) : nullptr, Unit, Number, Cell, Cells,
                      Work, frameAddress(B)});
}

Value *LoopProbes::countDown(IRBuilder<> &B, Value *Cell, bool IsVolatile) {
  // Without nsw: the sign after the wrap-around is what is tested.
  Value *Left =
      B.CreateAdd(unchecked(B.CreateLoad(B.getInt32Ty(), Cell, IsVolatile)), B.getInt32(-1));
  unchecked(B.CreateStore(Left, Cell));
  return Left;
}

void LoopProbes::gate(Instruction *Before, unsigned Index, EmitWork Work) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Location);
  Value *Cell = cellAddress(B, Index);
  Value *Left = countDown(B, Cell, /*IsVolatile=*/false);
  B.SetInsertPoint(coldBlock(B, Left, Before));
  B.SetCurrentDebugLocation(Location);
  coldCall(B, "__reticle_loop_begin", Index, Cell, Work(B));
}

void LoopProbes::nextIteration(Instruction *Before, unsigned Index) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Location);
  Value *Cell = cellAddress(B, Index);
  Instruction *Cold = coldBlock(B, countDown(B, Cell, /*IsVolatile=*/true), Before);
  B.SetInsertPoint(Cold);
  B.SetCurrentDebugLocation(Location);
  Value *Unknown = B.getInt64(RETICLE_WORK_UNKNOWN);
  coldCall(B, "__reticle_loop_end", Index, Cell, Unknown);
  // The end has set the cell for executions to come, of which the next iteration is the first.
  Instruction *Next = coldBlock(B, countDown(B, Cell, /*IsVolatile=*/true), Cold);
  B.SetInsertPoint(Next);
  B.SetCurrentDebugLocation(Location);
  coldCall(B, "__reticle_loop_begin", Index, Cell, Unknown);
}

void LoopProbes::exit(Instruction *Before, unsigned Index, uint64_t SiteFlags, EmitWork Work) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Location);
  Value *Cell = cellAddress(B, Index);
  // Volatile: the gate's value must not be carried here through the loop.
  Value *Left = unchecked(B.CreateLoad(B.getInt32Ty(), Cell, /*isVolatile=*/true));
  B.SetInsertPoint(coldBlock(B, Left, Before));
  B.SetCurrentDebugLocation(Location);
  coldCall(B, "__reticle_loop_end", Index | SiteFlags, Cell, Work(B));
}

} // namespace reticle
