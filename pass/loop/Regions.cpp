// Regions.cpp - begins and ends of regions: matched, checked, and turned into gates and tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/loop/Regions.h"
#include "pass/loop/RegionHelpers.h"
#include "pass/module/Filter.h"
#include "pass/module/Options.h"
#include "pass/module/PassStep.h"
#include "pass/module/RuntimeCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace reticle;

static constexpr const char *OpenName = "__reticle_region_open";
static constexpr const char *CloseName = "__reticle_region_close";
static constexpr const char *NamePrefix = "__reticle_region.";

// --- start of the pipeline -----------------------------------------------------------------------

namespace {

/// Matches the marks of one function.
class Matcher {
public:
  Matcher(Function &F, bool MayWarn) : F(F), Marks(regionMarks(F)), MayWarn(MayWarn) {}
  void run();

private:
  void warn(const Instruction &At, const Twine &Message) const;
  void warnAboutJumps(const RegionStacks &Stacks) const;
  std::string quoted(unsigned Number) const;
  CallInst *mark(StringRef Name, unsigned Number, Instruction *Before, DebugLoc Location) const;

  Function &F;
  SmallVector<RegionMark, 8> Marks;
  bool MayWarn;
  std::vector<GlobalVariable *> Names; ///< by number
  std::vector<CallInst *> Begins;      ///< by number
};

} // namespace

void Matcher::warn(const Instruction &At, const Twine &Message) const {
  if (MayWarn)
    F.getContext().diagnose(
        DiagnosticInfoUnsupported(F, "reticle: " + Message, At.getDebugLoc(), DS_Warning));
}

std::string Matcher::quoted(unsigned Number) const {
  std::string Text = ("region '" + regionName(*Names[Number]) + "'").str();
  if (DebugLoc Begin = Begins[Number]->getDebugLoc())
    Text += " (line " + std::to_string(Begin.getLine()) + ")";
  return Text;
}

/// Opaque to all later passes, so the program's accesses to memory stay on their side; not merged
/// with another end, which would then be the end of two regions.
CallInst *Matcher::mark(StringRef Name, unsigned Number, Instruction *Before,
                        DebugLoc Location) const {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Location);
  FunctionCallee Mark = F.getParent()->getOrInsertFunction(Name, B.getVoidTy(),
                                                           PointerType::getUnqual(F.getContext()));
  CallInst *Call = B.CreateCall(Mark, Names[Number]);
  Call->addFnAttr(Attribute::NoMerge);
  Call->setDoesNotThrow();
  return Call;
}

/// What ends an execution without its end, and the compiler sees it.
void Matcher::warnAboutJumps(const RegionStacks &Stacks) const {
  Stacks.forEachInstruction([&](Instruction &I, const RegionStack &Open) {
    auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Open.empty())
      return;
    StringRef Name = Callee->getName();
    bool Jumps =
        Name == "longjmp" || Name == "_longjmp" || Name == "siglongjmp" || Name == "__longjmp_chk";
    bool Throws = Name == "__cxa_throw" || Name == "__cxa_rethrow";
    if (!Jumps && !Throws)
      return;
    size_t Kept = 0; // a handler in the function may be inside the region
    if (auto *Invoke = dyn_cast<InvokeInst>(Call))
      if (const RegionStack *Handler = Stacks.opensAt(Invoke->getUnwindDest()))
        Kept = Handler->size();
    for (unsigned Number : ArrayRef(Open).drop_front(Kept))
      warn(I, quoted(Number) + " is left by " + (Jumps ? "longjmp" : "an exception") +
                  " without RETICLE_REGION_END: such an execution is counted but not timed" +
                  (Throws ? "; reticle::region ends by itself" : ""));
  });
}

void Matcher::run() {
  if (Marks.empty())
    return;
  for (RegionMark &Mark : Marks)
    if (Mark.IsBegin) {
      Mark.Number = Names.size();
      Names.push_back(createRegionName(*Mark.Call, NamePrefix));
      Begins.push_back(Mark.Call);
    }
  RegionStacks Stacks(F, Marks);
  warnAboutJumps(Stacks);
  SmallVector<RegionLeft, 4> Left = Stacks.left();
  DebugLoc Nowhere;
  if (DISubprogram *Subprogram = F.getSubprogram())
    Nowhere = DILocation::get(F.getContext(), 0, 0, Subprogram);
  for (const RegionLeft &L : Left) {
    if (!isa<ResumeInst>(L.Source) && !isa<InvokeInst>(L.Source))
      warn(*L.Source, quoted(L.Number) + " is left here without RETICLE_REGION_END: it is taken to "
                                         "end here");
    mark(CloseName, L.Number, L.Before, Nowhere);
  }
  Stacks.forEachMark([&](const RegionMark &Mark, const RegionStack &Open) {
    if (Mark.IsBegin)
      mark(OpenName, *Mark.Number, Mark.Call, Mark.Call->getDebugLoc());
    else if (!Open.empty())
      mark(CloseName, Open.back(), Mark.Call, Mark.Call->getDebugLoc());
    else
      warn(*Mark.Call, "RETICLE_REGION_END without RETICLE_REGION_BEGIN: on some way to here no "
                       "region is open, so it ends none");
  });
  for (const RegionMark &Mark : Marks)
    Mark.Call->eraseFromParent();
}

namespace reticle {

PreservedAnalyses RegionsPass::run(Module &M, ModuleAnalysisManager &) {
  if (!hasRegions(M))
    return PreservedAnalyses::all();
  bool Wanted = isSupportedTarget(M) && Opts->Loop;
  std::optional<PassStep> Now(std::in_place, "loop", "inlining the calls of reticle.h");
  SmallPtrSet<const Function *, 4> Helpers = inlineRegionHelpers(M);
  Now.emplace("loop", "matching regions");
  for (Function &F : M) {
    Now->in(F, /*FilterIsAsked=*/false);
    if (F.isDeclaration() || F.getName().starts_with("__reticle_region_"))
      continue;
    bool MayWarn = Opts->Remarks != Verbosity::Silent;
    if (Wanted && !Helpers.contains(&F) && !F.isPresplitCoroutine())
      Matcher(F, MayWarn).run();
    else
      removeRegionMarks(F, MayWarn && Wanted && F.isPresplitCoroutine());
  }
  Now.emplace("loop", "removing the functions of reticle.h");
  removeRegionFunctions(M);
  return PreservedAnalyses::none();
}

void dropRegionNames(Module &M) {
  for (GlobalVariable &Global : make_early_inc_range(M.globals()))
    if (Global.getName().starts_with(NamePrefix) && Global.use_empty())
      Global.eraseFromParent();
  for (StringRef Name : {OpenName, CloseName})
    if (Function *Mark = M.getFunction(Name); Mark && Mark->use_empty())
      Mark->eraseFromParent();
}

// --- where loops get their probes ----------------------------------------------------------------

FunctionRegions::FunctionRegions(Function &Fn) : F(Fn) {
  const Function *Open = F.getParent()->getFunction(OpenName);
  const Function *Close = F.getParent()->getFunction(CloseName);
  if (!Open)
    return;
  for (BasicBlock &Block : F)
    for (Instruction &I : Block)
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (const Function *Callee = Call->getCalledFunction();
            Callee && (Callee == Open || Callee == Close))
          Marks.push_back({Call, Callee == Open, std::nullopt});
  for (RegionMark &Mark : Marks)
    Mark.Number = number(*Mark.Call);
}

unsigned FunctionRegions::number(CallInst &Call) {
  auto *Name = cast<GlobalVariable>(Call.getArgOperand(0));
  const DILocation *Location = Call.getDebugLoc().get();
  const DILocation *InlinedAt = Location ? Location->getInlinedAt() : nullptr;
  auto Known =
      find_if(Regions, [&](const Region &R) { return R.Name == Name && R.InlinedAt == InlinedAt; });
  unsigned Number = Known - Regions.begin();
  if (Known == Regions.end())
    Regions.push_back({Name, InlinedAt, nullptr, std::nullopt, {}});
  if (Call.getCalledFunction()->getName() == OpenName)
    Regions[Number].Begin = &Call;
  return Number;
}

void FunctionRegions::choose(Choose Wanted) {
  for (Region &R : Regions) {
    if (!R.Begin) // the optimiser found that it is never entered
      continue;
    R.Source = describeRegion(*R.Begin, regionName(*R.Name));
    if (Wanted(R.Source, *R.Begin))
      R.Index = Chosen++;
  }
}

void FunctionRegions::addRecords(SmallVectorImpl<LoopRecord> &Records) {
  for (const Region &R : Regions) {
    if (!R.Index)
      continue;
    LoopRecord Record;
    Record.id = R.Source.id();
    Record.function = R.Source.Function;
    Record.inlined_from = R.Source.InlinedFrom;
    Record.file = R.Source.File;
    Record.line = R.Source.Line;
    Record.column = R.Source.Column;
    Record.depth = R.Source.Depth;
    Record.work_class = RETICLE_WORK_CLASS_C;
    Record.flags = RETICLE_LOOP_REGION | RETICLE_LOOP_HAS_CALLS;
    Records.push_back(Record);
  }
}

void FunctionRegions::probe(LoopProbes *Probes, unsigned First) {
  auto Emit = [&](bool IsBegin, unsigned Number, Instruction *Before) {
    if (!Regions[Number].Index)
      return;
    unsigned Index = First + *Regions[Number].Index;
    auto Unknown = [](IRBuilder<> &B) -> Value * { return B.getInt64(RETICLE_WORK_UNKNOWN); };
    if (IsBegin)
      Probes->gate(Before, Index, Unknown);
    else
      Probes->exit(Before, Index, 0, Unknown);
  };
  // Inlining has let exceptions out of regions into handlers of the function around.
  SmallVector<RegionLeft, 4> Left = RegionStacks(F, Marks).left();
  if (Probes) {
    for (const RegionLeft &L : Left)
      Emit(false, L.Number, L.Before);
    for (const RegionMark &Mark : Marks)
      Emit(Mark.IsBegin, *Mark.Number, Mark.Call);
  }
  for (const RegionMark &Mark : Marks)
    Mark.Call->eraseFromParent();
  Marks.clear();
}

} // namespace reticle
