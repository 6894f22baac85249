// Loops.cpp - chooses a function's loops and puts their probes in place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//        before                      after
//        preheader                   preheader: gate, br
//           |                           |      cold: begin
//        +->loop-+                   +->loop-+
//        +--/    |                   +--/    |
//              exit                        exit: test, br ...
//                                                     cold: end
//
// Nothing is added inside the loop and no value of ours lives across it; an exit may read a
// variable that the loop has anyway. Where iterations are timed, too (Iterations.h), they have a
// record, a gate and exits as a loop has, and a gate between two iterations.
#include "pass/loop/Loops.h"
#include "include/reticle/abi.h"
#include "pass/loop/ExitCount.h"
#include "pass/loop/Iterations.h"
#include "pass/loop/LoopFacts.h"
#include "pass/loop/Regions.h"
#include "pass/loop/TripCount.h"
#include "pass/loop/VectorRemarks.h"
#include "pass/module/Descriptors.h"
#include "pass/module/Filter.h"
#include "pass/module/Options.h"
#include "pass/module/PassStep.h"
#include "pass/module/RuntimeCalls.h"
#include "pass/module/SourceInfo.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace reticle;

/// On functions whose loops were looked at.
static constexpr const char *SeenAttribute = "reticle-loops";

namespace {

/// A loop that gets probes. Instructions, not blocks: splitting a block moves them along.
struct Plan {
  LoopRecord Record;
  const Loop *Source;                ///< null: of iterations
  Instruction *Gate;                 ///< null: there is none in front of the loop
  std::optional<IterationEdge> Edge; ///< of iterations
  SmallVector<BasicBlock *, 4> Exits;
  std::optional<TripCount> Work;
  std::optional<ExitCount> WorkBehind; ///< where Work isn't known and the loop's work is its own
};

/// Decides about the loops of one function, then changes it.
class FunctionLoops {
public:
  FunctionLoops(Function &F, FunctionAnalysisManager &AM, const Options &Opts, LoopCounts &Counts,
                VectorRemarks *Vector)
      : F(F), AM(AM), LI(AM.getResult<LoopAnalysis>(F)), DT(AM.getResult<DominatorTreeAnalysis>(F)),
        SE(AM.getResult<ScalarEvolutionAnalysis>(F)), TTI(AM.getResult<TargetIRAnalysis>(F)),
        AC(AM.getResult<AssumptionAnalysis>(F)),
        Remarks(AM.getResult<OptimizationRemarkEmitterAnalysis>(F)),
        UserFilter(*F.getParent(), Opts), Opts(Opts), Counts(Counts), Vector(Vector), Regions(F) {}

  /// Whether the function was changed.
  bool run();

private:
  uint32_t outerOf(const Loop &L) const;
  void consider(Loop &L);
  void considerIterations(Loop &L, const LoopSource &Source);
  bool considerRegion(const LoopSource &Source, const CallInst &Begin);
  void leaveOut(const Loop &L, uint32_t &Count, StringRef Reason);
  void probe();
  static void exits(LoopProbes &Probes, unsigned Index, const Plan &P);

  Function &F;
  FunctionAnalysisManager &AM;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  TargetTransformInfo &TTI;
  AssumptionCache &AC;
  OptimizationRemarkEmitter &Remarks;
  Filter UserFilter;
  const Options &Opts;
  LoopCounts &Counts;
  VectorRemarks *Vector;
  SmallVector<Plan, 8> Plans;
  DenseMap<const Loop *, uint64_t> Ids; ///< of the loops in Plans
  FunctionRegions Regions;
};

} // namespace

void FunctionLoops::leaveOut(const Loop &L, uint32_t &Count, StringRef Reason) {
  Count++;
  Remarks.emit([&] {
    return OptimizationRemarkMissed("reticle", "LoopNotProbed", L.getStartLoc(), L.getHeader())
           << "loop of " << ore::NV("Function", F.getName())
           << " is not probed: " << ore::NV("Reason", Reason);
  });
}

/// What the flags say of the nearest loop around it with probes; outer loops come first.
uint32_t FunctionLoops::outerOf(const Loop &L) const {
  for (const Loop *Outer = L.getParentLoop(); Outer; Outer = Outer->getParentLoop())
    if (uint64_t Id = Ids.lookup(Outer))
      return Id & UINT16_MAX;
  return 0;
}

void FunctionLoops::consider(Loop &L) {
  Counts.Loops++;
  if (StringRef Reason = UserFilter.unsupported(F); !Reason.empty())
    return leaveOut(L, Counts.Unsupported, Reason);
  if (!Opts.Loop)
    return leaveOut(L, Counts.Ignored, "feature loop is off");
  if (StringRef Reason = UserFilter.ignored(F); !Reason.empty())
    return leaveOut(L, Counts.Ignored, Reason);
  LoopSource Source = describeLoop(L, F);
  if (Opts.Forms && !Source.CopyId)
    return leaveOut(L, Counts.Ignored, "forms= is there, and copies alone are timed beside it");
  if (StringRef Reason = UserFilter.ignored(Source); !Reason.empty())
    return leaveOut(L, Counts.Ignored, Reason);
  if (isTooShort(L, SE, TTI))
    return leaveOut(L, Counts.Short, "all of its work is under the floor of any timer");
  if (StringRef Reason = shapeWithoutProbes(L); !Reason.empty())
    return leaveOut(L, Counts.Unsupported, Reason);

  Plan P;
  P.Source = &L;
  P.Gate = L.getLoopPreheader()->getTerminator();
  L.getUniqueExitBlocks(P.Exits);
  P.Work = TripCount::find(L, SE, DT);
  if (!P.Work && hasOwnWork(L))
    P.WorkBehind = ExitCount::find(L, P.Exits, SE, DT, Opts.AllTripCounts);
  LoopFacts Facts = classify(L, P.Work.has_value(), P.WorkBehind.has_value());
  P.Record.id = Source.id();
  P.Record.function = Source.Function;
  P.Record.inlined_from = Source.InlinedFrom;
  P.Record.file = Source.File;
  P.Record.line = Source.Line;
  P.Record.column = Source.Column;
  P.Record.depth = Source.Depth;
  P.Record.work_class = Facts.WorkClass;
  P.Record.flags = Facts.Flags | outerOf(L) << RETICLE_LOOP_OUTER_SHIFT;
  P.Record.work_step = P.WorkBehind ? static_cast<uint32_t>(P.WorkBehind->step()) : 0;
  P.Record.work_bits = P.WorkBehind ? P.WorkBehind->bits() : 0;
  Ids[&L] = P.Record.id;
  Plans.push_back(std::move(P));
  Counts.Probed++;
  considerIterations(L, Source);
}

/// Behind the loop's own plan: the runtime and the order of exits go by it.
void FunctionLoops::considerIterations(Loop &L, const LoopSource &Source) {
  LoopSource Iteration = Source;
  Iteration.OfIteration = true;
  if (!Opts.Iterations || Opts.Forms || !L.isOutermost() ||
      !UserFilter.ignored(Iteration).empty() || !takesIterationGate(L, LI, SE, AM))
    return;
  const Plan &Whole = Plans.back();
  Plan P;
  P.Source = nullptr;
  P.Record = Whole.Record;
  P.Record.id = Iteration.id();
  P.Record.work_class = RETICLE_WORK_CLASS_C;
  P.Record.work_step = P.Record.work_bits = 0;
  P.Record.flags = RETICLE_LOOP_ITERATION |
                   (Whole.Record.flags & (RETICLE_LOOP_HAS_CALLS | RETICLE_LOOP_INNERMOST)) |
                   (Whole.Record.id & UINT16_MAX) << RETICLE_LOOP_OUTER_SHIFT;
  P.Edge = iterationEdge(L);
  P.Gate = P.Edge->HasFirst ? nullptr : Whole.Gate;
  P.Exits = Whole.Exits;
  Plans.push_back(std::move(P));
}

bool FunctionLoops::considerRegion(const LoopSource &Source, const CallInst &Begin) {
  Counts.Loops++;
  StringRef Unsupported = UserFilter.unsupported(F), Ignored = UserFilter.ignored(F);
  if (Ignored.empty())
    Ignored = UserFilter.ignored(Source);
  StringRef Reason = Unsupported.empty() ? Ignored : Unsupported;
  if (Reason.empty()) {
    Counts.Probed++;
    return true;
  }
  (Unsupported.empty() ? Counts.Ignored : Counts.Unsupported)++;
  Remarks.emit([&] {
    return OptimizationRemarkMissed("reticle", "RegionNotProbed", &Begin)
           << "region " << ore::NV("Region", Source.InlinedFrom)
           << " is not probed: " << ore::NV("Reason", Reason);
  });
  return false;
}

void FunctionLoops::exits(LoopProbes &Probes, unsigned Index, const Plan &P) {
  for (unsigned Exit = 0; Exit < P.Exits.size(); Exit++) {
    uint64_t Flags = 0;
    if (P.WorkBehind)
      Flags = RETICLE_SITE_COUNTS | (P.WorkBehind->lacksLast(Exit) ? RETICLE_SITE_LACKS_LAST : 0);
    Probes.exit(&*P.Exits[Exit]->getFirstInsertionPt(), Index, Flags, [&](IRBuilder<> &B) {
      Value *Unknown = B.getInt64(RETICLE_WORK_UNKNOWN);
      return P.WorkBehind ? P.WorkBehind->last(Exit) : Unknown;
    });
  }
}

/// The end of a block that runs between two iterations, and nowhere else.
static Instruction *between(const IterationEdge &Edge) {
  if (Edge.From->getNumSuccessors() == 1)
    return Edge.From;
  Instruction *Latch = SplitEdge(Edge.From->getParent(), Edge.To)->getTerminator();
  if (!Edge.HasFirst) { // what the front end says of the loop goes along with the back edge
    Latch->setMetadata(LLVMContext::MD_loop, Edge.From->getMetadata(LLVMContext::MD_loop));
    Edge.From->setMetadata(LLVMContext::MD_loop, nullptr);
  }
  return Latch;
}

void FunctionLoops::probe() {
  SmallVector<LoopRecord, 8> Records;
  for (const Plan &P : Plans)
    Records.push_back(P.Record);
  Regions.addRecords(Records);
  if (Records.empty())
    return Regions.probe(nullptr, 0);
  uint32_t Flags = cellsLieInTable(*F.getParent()) ? RETICLE_UNIT_CELLS_IN_TABLE : 0;
  GlobalVariable *Unit = createUnit(F, Records, Flags);
  LoopProbes Probes(F, Unit, Records.size());
  for (unsigned Index = 0; Vector && Index < Plans.size(); Index++)
    if (const Loop *L = Plans[Index].Source; L && L->isInnermost())
      Vector->expect(*L, *Unit, Index);
  // An exit of an inner loop may be one of the outer loop too. Each test goes in front of those
  // that are there already, and outer loops come first: the inner sample is closed first.
  for (unsigned Index = 0; Index < Plans.size(); Index++)
    exits(Probes, Index, Plans[Index]);
  for (unsigned Index = 0; Index < Plans.size(); Index++) {
    const Plan &P = Plans[Index];
    if (!P.Gate)
      continue;
    Probes.gate(P.Gate, Index, [&P](IRBuilder<> &B) -> Value * {
      Value *Unknown = B.getInt64(RETICLE_WORK_UNKNOWN);
      return P.Work ? P.Work->emit(B) : P.WorkBehind ? P.WorkBehind->start() : Unknown;
    });
  }
  for (unsigned Index = 0; Index < Plans.size(); Index++)
    if (Plans[Index].Edge)
      Probes.nextIteration(between(*Plans[Index].Edge), Index);
  Regions.probe(&Probes, Plans.size());
  Counts.FunctionsProbed++;
}

bool FunctionLoops::run() {
  bool Changed = false;
  // Preheaders, and exits that only the loop reaches. simplifyLoop treats inner loops too.
  for (Loop *L : SmallVector<Loop *, 8>(LI.begin(), LI.end()))
    Changed |= simplifyLoop(L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
  for (Loop *L : LI.getLoopsInPreorder())
    consider(*L);
  Regions.choose([this](const LoopSource &Source, const CallInst &Begin) {
    return considerRegion(Source, Begin);
  });
  if (Plans.empty() && Regions.empty())
    return Changed;
  probe();
  return true;
}

PreservedAnalyses LoopsPass::run(Function &F, FunctionAnalysisManager &AM) {
  if (!isProgramFunction(F) || F.hasFnAttribute(SeenAttribute) ||
      !isSupportedTarget(*F.getParent()))
    return PreservedAnalyses::all();
  PassStep Probing("loop", "placing probes");
  Probing.in(F);
  F.addFnAttr(SeenAttribute);
  Counts->Functions++;
  if (AM.getResult<LoopAnalysis>(F).empty() && FunctionRegions(F).empty())
    return PreservedAnalyses::all();
  bool Changed = FunctionLoops(F, AM, *Opts, *Counts, Vector.get()).run();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
