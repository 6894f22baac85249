// Forms.cpp - marks listed loops, makes their forms, and writes down what became of each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/form/Forms.h"
#include "pass/form/Prefetch.h"
#include "pass/form/Reassociate.h"
#include "pass/module/Filter.h"
#include "pass/module/Options.h"
#include "pass/module/PassStep.h"
#include "pass/module/SourceInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace reticle;

/// On functions whose loops were looked at.
static constexpr const char *SeenAttribute = "reticle-forms";
/// Metadata of a loop that is to get prefetches: iterations ahead, its id in two halves, and what
/// an iteration of the source goes on by.
static constexpr const char *AheadName = "reticle.prefetch", *HighName = "reticle.form.id.high",
                            *LowName = "reticle.form.id.low", *StepName = "reticle.form.step";

namespace {

enum FormKind { PREFETCH, INTERLEAVE, ACCUMULATORS };
struct Form {
  const char *Name; ///< "prefetch-16"
  FormKind Kind;
  unsigned Number;
};
constexpr Form Forms[] = {
#define RETICLE_FORM(Name, Setting, Kind, Number) {Name "-" Setting, Kind, Number},
#include "include/reticle/form.def"
};

} // namespace

static const char *nameOf(FormKind Kind, unsigned Number) {
  for (const Form &F : Forms)
    if (F.Kind == Kind && F.Number == Number)
      return F.Name;
  return "?";
}

/// One write, as other compilers add to the file as well. What can't be written isn't known, then.
static void note(const Options &Opts, uint64_t Id, StringRef Form, StringRef What) {
  std::error_code Error;
  raw_fd_ostream File(Opts.FormsPath + ".made", Error, sys::fs::CD_OpenAlways, sys::fs::FA_Write,
                      sys::fs::OF_Append);
  if (Error)
    return;
  std::string Line =
      utohexstr(Id, /*LowerCase=*/true, /*Width=*/16) + " " + Form.str() + " " + What.str() + "\n";
  File.SetBufferSize(Line.size());
  File << Line;
  File.close();
  File.clear_error();
}

static void setNumber(Loop &L, const char *Name, unsigned Number) {
  addStringMetadataToLoop(&L, Name, Number);
}

/// The smallest step of its induction variables; 0: not known.
static uint32_t stepOf(const Loop &L, ScalarEvolution &SE) {
  uint64_t Least = 0;
  for (PHINode &Phi : L.getHeader()->phis()) {
    const auto *Rec =
        SE.isSCEVable(Phi.getType()) ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi)) : nullptr;
    const auto *Step = Rec && Rec->getLoop() == &L && Rec->isAffine()
                           ? dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE))
                           : nullptr;
    uint64_t Size = Step ? Step->getAPInt().abs().getLimitedValue() : 0;
    if (Size && (!Least || Size < Least))
      Least = Size;
  }
  return Least <= UINT32_MAX ? (uint32_t)Least : 0;
}

/// The loop and those around it: what is slow inside is often known early only there.
static void markPrefetch(Loop &L, uint64_t Id, unsigned Ahead, ScalarEvolution &SE) {
  for (Loop *At = &L; At; At = At->getParentLoop()) {
    setNumber(*At, StepName, stepOf(*At, SE));
    setNumber(*At, AheadName, Ahead);
    setNumber(*At, HighName, (uint32_t)(Id >> 32));
    setNumber(*At, LowName, (uint32_t)Id);
  }
}

static void make(const Form &Wanted, Loop &L, uint64_t Id, ScalarEvolution &SE,
                 const Options &Opts) {
  switch (Wanted.Kind) {
  case PREFETCH:
    markPrefetch(L, Id, Wanted.Number, SE); // the rest is told when they are made
    return;
  case ACCUMULATORS:
    if (!allowAnyOrder(L)) {
      note(Opts, Id, Wanted.Name, "no sum of floating-point numbers goes through it");
      return;
    }
    [[fallthrough]];
  case INTERLEAVE:
    if (!L.isInnermost()) {
      note(Opts, Id, Wanted.Name, "it has loops inside");
      return;
    }
    setNumber(L, "llvm.loop.interleave.count", Wanted.Number);
    setNumber(L, "llvm.loop.unroll.count", Wanted.Number);
    note(Opts, Id, Wanted.Name, "done");
    return;
  }
}

PreservedAnalyses FormMarkPass::run(Function &F, FunctionAnalysisManager &AM) {
  if (!Opts->Forms || !isProgramFunction(F) || F.hasFnAttribute(SeenAttribute))
    return PreservedAnalyses::all();
  PassStep Marking("", "marking loops for other forms");
  Marking.in(F);
  F.addFnAttr(SeenAttribute);
  auto &LI = AM.getResult<LoopAnalysis>(F);
  const Filter Choice(*F.getParent(), *Opts);
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder()) {
    LoopSource Source = describeLoop(*L, F);
    for (const Form &Wanted : Forms)
      if (Choice.hasForm(Source, Wanted.Name)) {
        make(Wanted, *L, Source.id(), AM.getResult<ScalarEvolutionAnalysis>(F), *Opts);
        Changed = true;
      }
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/// Iterations of the source in one of the loop, as the unroller has left it.
static unsigned unrolledBy(const Loop &L, ScalarEvolution &SE) {
  auto Before = (uint32_t)getOptionalIntLoopAttribute(&L, StepName).value_or(0);
  uint32_t Now = stepOf(L, SE);
  return Before && Now > Before && Now % Before == 0 ? Now / Before : 1;
}

/// Prefetches in all marked loops of F.
static void prefetchIn(Function &F, FunctionAnalysisManager &AM, const Options &Opts) {
  auto &LI = AM.getResult<LoopAnalysis>(F);
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = AM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<Loop *, 4> Marked;
  for (Loop *L : LI.getLoopsInPreorder())
    if (getOptionalIntLoopAttribute(L, AheadName))
      Marked.push_back(L);
  for (Loop *L : Marked) {
    unsigned Ahead = *getOptionalIntLoopAttribute(L, AheadName);
    uint64_t Id = (uint64_t)(uint32_t)*getOptionalIntLoopAttribute(L, HighName) << 32 |
                  (uint32_t)*getOptionalIntLoopAttribute(L, LowName);
    simplifyLoop(L, &DT, &LI, &SE, &AM.getResult<AssumptionAnalysis>(F), nullptr,
                 /*PreserveLCSSA=*/false);
    std::vector<unsigned> Lines;
    unsigned Iterations = std::max(Ahead / unrolledBy(*L, SE), 1u);
    std::string What = prefetchAhead(*L, Iterations, SE, LI, DT, Lines);
    if (What.empty())
      What = "done";
    for (unsigned Line : Lines)
      What += " " + std::to_string(Line);
    note(Opts, Id, nameOf(PREFETCH, Ahead), What);
  }
}

void reticle::markTried(Module &M) {
  constexpr StringRef Name = "__reticle_tried";
  if (M.getNamedValue(Name))
    return;
  Type *I8 = Type::getInt8Ty(M.getContext());
  auto *Mark = new GlobalVariable(M, I8, /*isConstant=*/true, GlobalValue::InternalLinkage,
                                  ConstantInt::get(I8, 0), Name);
  Mark->setSection("reticle_tried");
  Mark->setMetadata(LLVMContext::MD_exclude, MDNode::get(M.getContext(), {}));
  appendToCompilerUsed(M, {Mark});
}

void reticle::makeForms(Module &M, FunctionAnalysisManager &AM, const Options &Opts) {
  PassStep Making("", "making loops of another form");
  for (Function &F : M)
    if (F.hasFnAttribute(SeenAttribute) && !F.isDeclaration()) {
      Making.in(F);
      prefetchIn(F, AM, Opts);
      AM.invalidate(F, PreservedAnalyses::none());
    }
}
