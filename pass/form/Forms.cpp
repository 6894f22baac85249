// Forms.cpp - marks listed loops, makes their forms, and writes down what became of each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/form/Forms.h"
#include "include/reticle/form.h"
#include "pass/form/Branches.h"
#include "pass/form/Copies.h"
#include "pass/form/Prefetch.h"
#include "pass/form/Privatise.h"
#include "pass/form/Reassociate.h"
#include "pass/module/Filter.h"
#include "pass/module/Options.h"
#include "pass/module/PassStep.h"
#include "pass/module/SourceInfo.h"
#include "llvm/ADT/SmallPtrSet.h"
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
/// Metadata of a loop that is to get a form behind the optimiser: the number of each kind, the id
/// that asked for it in two halves, and what an iteration of the source goes on by.
static constexpr const char *HighName = "reticle.form.id.high", *LowName = "reticle.form.id.low",
                            *StepName = "reticle.form.step";

namespace {

enum FormKind { SELECTS, BRANCHES, PRIVATISE, PREFETCH, INTERLEAVE, ACCUMULATORS };
/// Of the first four, which are made late, in that order.
constexpr const char *LateNames[] = {"reticle.form.selects", "reticle.form.branches",
                                     "reticle.form.privatise", "reticle.form.prefetch"};
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

static void markLate(Loop &L, uint64_t Id, const Form &Wanted) {
  setNumber(L, LateNames[Wanted.Kind], Wanted.Number);
  setNumber(L, HighName, (uint32_t)(Id >> 32));
  setNumber(L, LowName, (uint32_t)Id);
}

/// The loop and those around it, up to Last: what is slow inside is often known early only there.
static void markPrefetch(Loop &L, uint64_t Id, const Form &Wanted, const Loop *Last,
                         ScalarEvolution &SE) {
  for (Loop *At = &L; At; At = At == Last ? nullptr : At->getParentLoop()) {
    setNumber(*At, StepName, stepOf(*At, SE));
    markLate(*At, Id, Wanted);
  }
}

/// Last: the loop around L, or L itself, behind which nothing is to be changed; null: the
/// outermost.
static void make(const Form &Wanted, Loop &L, uint64_t Id, const Loop *Last, ScalarEvolution &SE,
                 const Options &Opts) {
  switch (Wanted.Kind) {
  case SELECTS:
  case BRANCHES:
  case PRIVATISE: // the rest is told when they are made
    markLate(L, Id, Wanted);
    return;
  case PREFETCH:
    markPrefetch(L, Id, Wanted, Last, SE);
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

/// A form of a loop that stands several times, or of those inside that are one in the source.
struct CopyForm {
  uint64_t Id;
  const Form *Wanted;
  SmallVector<size_t, 1> Headers; ///< which of those that are found again
};

/// How a listed loop is to stand several times.
struct CopyWish {
  uint64_t Id;      ///< of the loop
  uint64_t Chunk;   ///< as copyLoop takes it
  std::string Name; ///< as the list has it
};

static std::optional<CopyWish> wishFor(const Filter &Choice, const LoopSource &Source) {
  for (unsigned Log2 = RETICLE_CHUNK_LEAST_LOG2 - 1; Log2 <= RETICLE_CHUNK_MOST_LOG2; Log2++) {
    uint64_t Chunk = Log2 < RETICLE_CHUNK_LEAST_LOG2 ? 0 : UINT64_C(1) << Log2;
    CopyWish Wish = {Source.id(), Chunk, "copies-" + std::to_string(Chunk)};
    if (Choice.hasForm(Source, Wish.Name))
      return Wish;
  }
  return std::nullopt;
}

/// Has the loop stand as it is, so once more, and in each form that is listed for it or for one
/// inside.
///
/// Seen  gets the header of the loop around copies that are drawn again and again, which is none of
///       the source
static void makeCopies(const CopyWish &Wish, Loop &L, Function &F, const Filter &Choice,
                       FunctionAnalysisManager &AM, const Options &Opts,
                       SmallPtrSetImpl<BasicBlock *> &Seen) {
  // A preheader, and exits that only the loop reaches.
  simplifyLoop(&L, &AM.getResult<DominatorTreeAnalysis>(F), &AM.getResult<LoopAnalysis>(F),
               &AM.getResult<ScalarEvolutionAnalysis>(F), &AM.getResult<AssumptionAnalysis>(F),
               nullptr, /*PreserveLCSSA=*/false);
  SmallVector<CopyForm, 8> Wanted;
  SmallVector<BasicBlock *, 8> Headers = {L.getHeader()};
  for (Loop *Inner : L.getLoopsInPreorder())
    for (const Form &Each : Forms)
      if (LoopSource Source = describeLoop(*Inner, F); Choice.hasForm(Source, Each.Name)) {
        auto *Its = find_if(Wanted, [&](const CopyForm &Other) {
          return Other.Id == Source.id() && Other.Wanted == &Each;
        });
        if (Its == Wanted.end()) {
          Wanted.push_back({Source.id(), &Each, {}});
          Its = &Wanted.back();
        }
        Its->Headers.push_back(Headers.size());
        Headers.push_back(Inner->getHeader());
      }
  SmallVector<SmallVector<BasicBlock *, 4>> Found;
  std::string Refusal = copyLoop(
      L, Headers, 2 + Wanted.size(), Wish.Chunk, AM.getResult<LoopAnalysis>(F),
      AM.getResult<DominatorTreeAnalysis>(F), AM.getResult<ScalarEvolutionAnalysis>(F), Found);
  note(Opts, Wish.Id, Wish.Name, Refusal.empty() ? "done" : Refusal);
  AM.invalidate(F, PreservedAnalyses::none());
  if (!Refusal.empty())
    return;
  auto &LI = AM.getResult<LoopAnalysis>(F);
  auto &SE = AM.getResult<ScalarEvolutionAnalysis>(F);
  if (Wish.Chunk)
    Seen.insert(LI.getLoopFor(Found[0][0])->getParentLoop()->getHeader());
  // The same code is compiled otherwise at another place among the copies: by up to a third slower
  // (the last of six, AMD Turin, 2026-11-28). Each has another place in each placement.
  auto Copy = [&](size_t Number) -> auto & {
    return Found[(Number + Opts.Placement) % Found.size()];
  };
  markCopy(*LI.getLoopFor(Copy(0)[0]), reticle_copy_id(Wish.Id, RETICLE_COPY_SAME));
  markCopy(*LI.getLoopFor(Copy(1)[0]), reticle_copy_id(Wish.Id, RETICLE_COPY_AGAIN));
  for (size_t At = 0; At < Wanted.size(); At++) {
    const CopyForm &Its = Wanted[At];
    Loop *Whole = LI.getLoopFor(Copy(At + 2)[0]);
    markCopy(*Whole, reticle_copy_id(Its.Id, Its.Wanted->Name));
    for (size_t Header : Its.Headers)
      make(*Its.Wanted, *LI.getLoopFor(Copy(At + 2)[Header]), Its.Id, Whole, SE, Opts);
  }
}

/// Whether a loop around it, or it itself, stands several times already.
static bool isInCopy(const Loop *L, const Function &F) {
  for (; L; L = L->getParentLoop())
    if (describeLoop(*L, F).CopyId)
      return true;
  return false;
}

/// The listed loops of F that are to stand several times, one behind the other: each changes which
/// loops there are. Whether any does.
static bool copyLoops(const Filter &Choice, Function &F, FunctionAnalysisManager &AM,
                      const Options &Opts) {
  SmallPtrSet<BasicBlock *, 8> Seen; // headers; unswitched loops have one id
  bool Changed = false, IsDone = !Choice.unsupported(F).empty() || !Choice.ignored(F).empty();
  while (!IsDone) {
    IsDone = true;
    for (Loop *L : AM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
      std::optional<CopyWish> Wish = wishFor(Choice, describeLoop(*L, F));
      if (!Wish || isInCopy(L, F) || !Seen.insert(L->getHeader()).second)
        continue;
      Changed = true;
      makeCopies(*Wish, *L, F, Choice, AM, Opts, Seen);
      IsDone = false; // the list of loops is of before
      break;
    }
  }
  return Changed;
}

/// Each listed loop in its form.
static bool formLoops(const Filter &Choice, Function &F, FunctionAnalysisManager &AM,
                      const Options &Opts) {
  bool Changed = false;
  for (Loop *L : AM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
    LoopSource Source = describeLoop(*L, F);
    for (const Form &Wanted : Forms)
      if (Choice.hasForm(Source, Wanted.Name)) {
        make(Wanted, *L, Source.id(), nullptr, AM.getResult<ScalarEvolutionAnalysis>(F), Opts);
        Changed = true;
      }
  }
  return Changed;
}

PreservedAnalyses FormMarkPass::run(Function &F, FunctionAnalysisManager &AM) {
  if (!Opts->Forms || !isProgramFunction(F) || F.hasFnAttribute(SeenAttribute))
    return PreservedAnalyses::all();
  PassStep Marking("", "marking loops for other forms");
  Marking.in(F);
  F.addFnAttr(SeenAttribute);
  const Filter Choice(*F.getParent(), *Opts);
  bool Changed = Opts->Measures ? copyLoops(Choice, F, AM, *Opts) : formLoops(Choice, F, AM, *Opts);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/// Iterations of the source in one of the loop, as the unroller has left it.
static unsigned unrolledBy(const Loop &L, ScalarEvolution &SE) {
  auto Before = (uint32_t)getOptionalIntLoopAttribute(&L, StepName).value_or(0);
  uint32_t Now = stepOf(L, SE);
  return Before && Now > Before && Now % Before == 0 ? Now / Before : 1;
}

/// The first loop of F that is marked with the form's name, and isn't any more; null: none.
static Loop *takeMarked(LoopInfo &LI, const char *Name, unsigned &Number) {
  for (Loop *L : LI.getLoopsInPreorder())
    if (auto Wanted = (unsigned)getOptionalIntLoopAttribute(L, Name).value_or(0)) {
      Number = Wanted;
      setNumber(*L, Name, 0);
      return L;
    }
  return nullptr;
}

/// What became of it, "" for all well.
static std::string makeLate(FormKind Kind, unsigned Number, Loop &L, Function &F,
                            FunctionAnalysisManager &AM, std::vector<unsigned> &Lines) {
  if (Kind == SELECTS)
    return selectBranches(L, Number, Lines);
  if (Kind == BRANCHES)
    return branchSelects(L, Lines);
  auto &LI = AM.getResult<LoopAnalysis>(F);
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = AM.getResult<ScalarEvolutionAnalysis>(F);
  simplifyLoop(&L, &DT, &LI, &SE, &AM.getResult<AssumptionAnalysis>(F), nullptr,
               /*PreserveLCSSA=*/false);
  if (Kind == PRIVATISE)
    return privatise(L, Number, SE, AM.getResult<AAManager>(F), Lines);
  return prefetchAhead(L, std::max(Number / unrolledBy(L, SE), 1u), SE, LI, DT, Lines);
}

/// The forms of all marked loops of F, one behind the other.
static void makeLate(Function &F, FunctionAnalysisManager &AM, const Options &Opts) {
  for (FormKind Kind : {SELECTS, BRANCHES, PRIVATISE, PREFETCH}) {
    unsigned Number;
    while (Loop *L = takeMarked(AM.getResult<LoopAnalysis>(F), LateNames[Kind], Number)) {
      std::vector<unsigned> Lines;
      uint64_t Id = (uint64_t)(uint32_t)*getOptionalIntLoopAttribute(L, HighName) << 32 |
                    (uint32_t)*getOptionalIntLoopAttribute(L, LowName);
      std::string What = makeLate(Kind, Number, *L, F, AM, Lines);
      if (What.empty())
        What = "done";
      for (unsigned Line : Lines)
        What += " " + std::to_string(Line);
      note(Opts, Id, nameOf(Kind, Number), What);
      AM.invalidate(F, PreservedAnalyses::none());
    }
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
      makeLate(F, AM, Opts);
    }
}
