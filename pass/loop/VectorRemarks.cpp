// VectorRemarks.cpp - stands in front of the context's diagnostic handler while LoopVectorize runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/loop/VectorRemarks.h"
#include "include/reticle/abi.h"
#include "pass/module/Descriptors.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace {

constexpr StringLiteral PassName = "LoopVectorizePass";

/// LLVM makes remarks only where a handler wants any. Whether it wants those of a pass by name
/// stays with the handler behind: where it does, the vectoriser looks on for further reasons.
class Collector : public DiagnosticHandler {
public:
  Collector(std::unique_ptr<DiagnosticHandler> Behind, reticle::VectorRemarks &Remarks)
      : Behind(std::move(Behind)), Remarks(Remarks) {
    HasErrors = this->Behind->HasErrors;
  }
  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    const auto *Remark = dyn_cast<DiagnosticInfoOptimizationBase>(&Info);
    if (!Remark)
      return Behind->handleDiagnostics(Info);
    Remarks.collect(Info);
    return !Remark->isEnabled() || Behind->handleDiagnostics(Info);
  }
  bool isAnalysisRemarkEnabled(StringRef Pass) const override {
    return Behind->isAnalysisRemarkEnabled(Pass);
  }
  bool isMissedOptRemarkEnabled(StringRef Pass) const override {
    return Behind->isMissedOptRemarkEnabled(Pass);
  }
  bool isPassedOptRemarkEnabled(StringRef Pass) const override {
    return Behind->isPassedOptRemarkEnabled(Pass);
  }
  bool isAnyRemarkEnabled() const override { return true; }

  std::unique_ptr<DiagnosticHandler> leave() {
    Behind->HasErrors = HasErrors;
    return std::move(Behind);
  }

private:
  std::unique_ptr<DiagnosticHandler> Behind;
  reticle::VectorRemarks &Remarks;
};

/// By the names of LLVM's remarks, 19 to 22.
constexpr struct {
  StringLiteral Remark;
  uint32_t What;
} Meanings[] = {
    {"Vectorized", RETICLE_VECTOR_DONE},
    {"CantReorderFPOps", RETICLE_VECTOR_FLOAT_ORDER},
    {"CantIdentifyArrayBounds", RETICLE_VECTOR_ALIAS},
    {"TooManyMemoryRuntimeChecks", RETICLE_VECTOR_ALIAS},
    {"UnsafeDep", RETICLE_VECTOR_DEPENDENCE},
    {"CantReorderMemOps", RETICLE_VECTOR_DEPENDENCE},
    {"CantComputeNumberOfIterations", RETICLE_VECTOR_COUNT},
    {"UnknownLoopCountComplexCFG", RETICLE_VECTOR_COUNT},
    {"UnsupportedUncountableLoop", RETICLE_VECTOR_COUNT},
    {"UncountableEarlyExitLoopsDisabled", RETICLE_VECTOR_COUNT},
    {"UncountableEarlyExitUnsupported", RETICLE_VECTOR_COUNT},
    {"TooManyUncountableEarlyExits", RETICLE_VECTOR_COUNT},
    {"CFGNotUnderstood", RETICLE_VECTOR_CONTROL},
    {"NoCFGForSelect", RETICLE_VECTOR_CONTROL},
    {"LoopContainsSwitch", RETICLE_VECTOR_CONTROL},
    {"LoopContainsUnsupportedSwitch", RETICLE_VECTOR_CONTROL},
    {"LoopContainsUnsupportedTerminator", RETICLE_VECTOR_CONTROL},
    {"CantVectorizeLibcall", RETICLE_VECTOR_CALL},
    {"CantVectorizeIntrinsic", RETICLE_VECTOR_CALL},
    {"NonReductionValueUsedOutsideLoop", RETICLE_VECTOR_CARRIED},
    {"ValueUsedOutsideLoop", RETICLE_VECTOR_CARRIED},
    {"CantVectorizeStoreToLoopInvariantAddress", RETICLE_VECTOR_STORE},
    {"ConditionalStore", RETICLE_VECTOR_STORE},
    {"VectorizationNotBeneficial", RETICLE_VECTOR_COST},
    {"CantVersionLoopWithOptForSize", RETICLE_VECTOR_SIZE},
    {"NoTailLoopWithOptForSize", RETICLE_VECTOR_SIZE},
};

uint32_t meaning(StringRef Remark) {
  for (const auto &M : Meanings)
    if (M.Remark == Remark)
      return M.What;
  return RETICLE_VECTOR_OTHER;
}

using InLoop = function_ref<bool(const BasicBlock *)>;

/// Whether each iteration has the same, as long as nobody writes to what it is read from.
bool isFixed(const Value *V, InLoop In, unsigned Depth = 16) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !In(I->getParent()))
    return true;
  return Depth && !isa<PHINode>(I) && !isa<CallBase>(I) &&
         all_of(I->operands(), [&](const Value *Of) { return isFixed(Of, In, Depth - 1); });
}

/// Whether the loop makes it of what it has loaded: an element of an array, the next one of a list.
/// What it only loads again at each iteration, from one place, isn't.
bool isLoaded(const Value *V, InLoop In, SmallPtrSetImpl<const Value *> &Seen) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !In(I->getParent()) || !Seen.insert(I).second)
    return false;
  if (isa<CallBase>(I) || (isa<LoadInst>(I) && !isFixed(I, In)))
    return true;
  return any_of(I->operands(), [&](const Value *Of) { return isLoaded(Of, In, Seen); });
}

/// Whether a call takes and gives floating-point numbers alone, as those of libm do.
bool isOfNumbers(const CallBase &Call) {
  const auto IsNumber = [](const Type *T) { return T->isFPOrFPVectorTy(); };
  return IsNumber(Call.getType()) &&
         all_of(Call.args(), [&](const Use &Argument) { return IsNumber(Argument->getType()); });
}

/// What the loop itself says to a reason that LLVM gives for several things.
uint32_t refine(uint32_t What, const BasicBlock &Any, InLoop In) {
  bool HasCalls = false, HasLoaded = false;
  for (const BasicBlock &Block : *Any.getParent()) {
    if (!In(&Block))
      continue;
    for (const Instruction &I : Block) {
      const auto *Call = dyn_cast<CallBase>(&I);
      HasCalls |= Call && !isa<IntrinsicInst>(Call) && !isOfNumbers(*Call);
      SmallPtrSet<const Value *, 16> Seen;
      if (const Value *Pointer = getLoadStorePointerOperand(&I))
        HasLoaded |= isLoaded(Pointer, In, Seen);
    }
  }
  if (What == RETICLE_VECTOR_ALIAS && HasLoaded)
    return RETICLE_VECTOR_LOADED;
  return What == RETICLE_VECTOR_CALL && HasCalls ? RETICLE_VECTOR_OTHER : What;
}

} // namespace

namespace reticle {

void VectorRemarks::attach(PassInstrumentationCallbacks *Callbacks) {
  if (!Callbacks)
    return;
  // The callbacks may outlive the module.
  Callbacks->registerBeforeNonSkippedPassCallback(
      [Weak = weak_from_this()](StringRef Pass, const Any &Unit) {
        auto Self = Pass == PassName ? Weak.lock() : nullptr;
        const auto *F = Self ? any_cast<const Function *>(&Unit) : nullptr;
        if (F)
          Self->begin((*F)->getContext());
      });
  Callbacks->registerAfterPassCallback(
      [Weak = weak_from_this()](StringRef Pass, const Any &, const PreservedAnalyses &) {
        if (auto Self = Pass == PassName ? Weak.lock() : nullptr)
          Self->end();
      });
}

void VectorRemarks::begin(LLVMContext &In) {
  if (Blocks.empty() || Context || !In.getDiagHandlerPtr())
    return;
  Context = &In;
  Context->setDiagnosticHandler(
      std::make_unique<Collector>(Context->getDiagnosticHandler(), *this));
}

void VectorRemarks::end() {
  Blocks.clear();
  if (!Context)
    return;
  std::unique_ptr<DiagnosticHandler> Handler = Context->getDiagnosticHandler();
  Context->setDiagnosticHandler(static_cast<Collector &>(*Handler).leave());
  Context = nullptr;
}

void VectorRemarks::expect(const Loop &L, GlobalVariable &Unit, unsigned Index) {
  Loops.push_back({&Unit, Index, RETICLE_VECTOR_UNKNOWN});
  for (const BasicBlock *Block : L.blocks())
    Blocks[Block] = Loops.size() - 1;
}

void VectorRemarks::collect(const DiagnosticInfo &Info) {
  const auto *Remark = dyn_cast<DiagnosticInfoIROptimization>(&Info);
  const auto *Block = Remark ? dyn_cast_or_null<BasicBlock>(Remark->getCodeRegion()) : nullptr;
  auto Found = Block ? Blocks.find(Block) : Blocks.end();
  if (Found == Blocks.end())
    return;
  uint32_t What = meaning(Remark->getRemarkName());
  if (What == RETICLE_VECTOR_ALIAS || What == RETICLE_VECTOR_CALL)
    What = refine(What, *Block, [&](const BasicBlock *Other) {
      auto At = Blocks.find(Other);
      return At != Blocks.end() && At->second == Found->second;
    });
  uint32_t &Known = Loops[Found->second].What;
  // The first reason is the one that stopped it; others sum it up, or are of the same loop's rest.
  if (What == RETICLE_VECTOR_DONE || Known == RETICLE_VECTOR_UNKNOWN)
    Known = What;
}

void VectorRemarks::write() {
  for (const Remarked &L : Loops)
    if (L.What != RETICLE_VECTOR_UNKNOWN && L.Unit)
      addLoopFlags(cast<GlobalVariable>(*L.Unit), L.Index, L.What << RETICLE_LOOP_VECTOR_SHIFT);
  Loops.clear();
  Blocks.clear();
}

} // namespace reticle
