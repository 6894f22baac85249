// Fields.cpp - chooses blocks to count, and says what each execution of one means.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block with accesses to fields gets one counter, in front of the first of them, unless other
// counters say how often it runs (FieldBlocks.h):
//
//   %a = call ...                     %a = call ...
//   %x = load ... !field x            counter = counter + 1
//   store ... !field y                %x = load ... !field x
//                                     store ... !field y
//   table:  counter -> read x, write y
//
// The counts of fields follow from the table when a report is made.
#include "pass/Fields.h"
#include "include/reticle/abi.h"
#include "pass/Exposure.h"
#include "pass/FieldBases.h"
#include "pass/FieldBlocks.h"
#include "pass/FieldCounters.h"
#include "pass/FieldTable.h"
#include "pass/Filter.h"
#include "pass/Options.h"
#include "pass/SourceInfo.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace reticle;

/// On functions whose blocks were looked at.
static constexpr const char *SeenAttribute = "reticle-fields";
/// More counters than this in one loop would cost registers that the loop needs.
static constexpr size_t LoopCountersMax = 3;

namespace {

/// A block with accesses to fields.
struct UsedBlock {
  Instruction *First = nullptr; ///< first access to a field
  Loop *L = nullptr;            ///< innermost loop around it
  SmallVector<std::pair<Instruction *, SmallVector<FieldAccess, 2>>, 8> Accesses;
};

/// An access that one execution of its block doesn't say how often: its address, and so its field,
/// depends on the way that was taken; or it has lanes of which a mask decides, or a length.
struct ChosenAccess {
  Instruction *I;
  Loop *L;
  SmallVector<FieldChoice, 2> Choices;
};

struct BlockCounter {
  Instruction *Before;
  unsigned Counter;
  Loop *Promoted; ///< innermost loop that adds it up in a register; null if none does
  /// Not null: what is added (FieldCounters::countSome).
  const Value *Leaf = nullptr;
  uint32_t PerBytes = 0;
};

struct CountedFunction {
  Function *F;
  SmallVector<BlockCounter, 8> Counters;
};

class ModuleFields {
public:
  ModuleFields(Module &M, FunctionAnalysisManager &AM, const Options &Opts, const FieldTags &Tags)
      : M(M), AM(AM), Tags(Tags), UserFilter(M, Opts), Table(Tags.structs()) {}
  void run();

private:
  void consider(Function &F);
  void collect(BasicBlock &Block, const FieldBases &Bases, UsedBlock &Out);
  void takeVarying(Instruction &I, Loop *L, SmallVectorImpl<FieldAccess> &What);
  bool collectChoices(Instruction &I, Loop *L, bool All);
  Instruction *placeOn(const BlockSums::Edge &Edge, Function &F);
  void number(Function &F, ArrayRef<UsedBlock> Blocks);
  void numberChoices(AccessRecord Record, CountedFunction &Counted);
  void describe(const UsedBlock &Block, AccessRecord Record);
  void emit(FieldCounters &Counters, CountedFunction &Counted, bool Test);
  SmallPtrSet<const Function *, 16> coveredByCallers() const;

  Module &M;
  FunctionAnalysisManager &AM;
  const FieldTags &Tags;
  Filter UserFilter;
  FieldTable Table;
  FieldsRecord Totals;
  std::vector<CountedFunction> Functions;
  std::vector<ChosenAccess> Chosen; ///< of the function that is looked at
  unsigned CounterCount = 0;
};

} // namespace

static bool onStack(const Instruction &I) {
  const Value *Address = getLoadStorePointerOperand(&I);
  return Address && isa<AllocaInst>(getUnderlyingObject(Address));
}

/// Adds the block's accesses to the table. Equal ones that one counter says become one.
void ModuleFields::describe(const UsedBlock &Block, AccessRecord Record) {
  if (Block.L) {
    LoopSource Source = describeLoop(*Block.L, *Block.First->getFunction());
    Record.loop = Source.id();
    Record.loop_line = Source.Line;
  }
  for (auto &[I, What] : Block.Accesses) {
    if (const DILocation *Place = I->getDebugLoc().get()) {
      Record.file = Table.text(Place->getFilename());
      Record.line = Place->getLine();
    }
    for (const FieldAccess &Access : What) {
      Record.structure = Access.Struct == UINT32_MAX ? UINT32_MAX : Table.structure(Access.Struct);
      Record.offset_bytes = Access.OffsetBytes;
      Record.bytes = Access.Bytes;
      Record.times = Access.Times;
      Record.flags = Access.Flags;
      Table.add(Record, Access.IsPiece);
    }
  }
}

void ModuleFields::collect(BasicBlock &Block, const FieldBases &Bases, UsedBlock &Out) {
  for (Instruction &I : Block) {
    SmallVector<FieldAccess, 2> What;
    Tags.resolve(I, What);
    if (What.empty())
      continue;
    bool IsNamed = What[0].Struct != UINT32_MAX;
    bool HasField = IsNamed && What[0].OffsetBytes != UINT32_MAX;
    if (!HasField && collectChoices(I, Out.L, IsNamed))
      continue;
    if (!IsNamed && Bases.name(I, AM.getResult<DominatorTreeAnalysis>(*I.getFunction()), What[0]))
      IsNamed = true;
    bool IsCopy = What[0].Flags & RETICLE_ACCESS_COPY;
    if (IsNamed)
      takeVarying(I, Out.L, What);
    if (IsCopy)
      ; // neither a load nor a store of the source
    else if (!onStack(I))
      ++(IsNamed ? Totals.named : Totals.unnamed);
    else if (!IsNamed)
      continue;
    if (What.empty())
      continue;
    if (IsNamed && !Out.First)
      Out.First = &I;
    Out.Accesses.push_back({&I, std::move(What)});
  }
  if (!Out.First || !Out.L)
    return;
  auto &SE = AM.getResult<ScalarEvolutionAnalysis>(*Block.getParent());
  for (auto &[I, What] : Out.Accesses) {
    uint32_t Exposure = exposureOf(*I, Out.L, SE);
    for (FieldAccess &Access : What)
      Access.Flags |= Exposure;
  }
}

/// Takes out of What what isn't done as often as the block runs.
void ModuleFields::takeVarying(Instruction &I, Loop *L, SmallVectorImpl<FieldAccess> &What) {
  const Value *Mask = maskOf(I);
  auto &SE = AM.getResult<ScalarEvolutionAnalysis>(*I.getFunction());
  ChosenAccess Access = {&I, L, {}};
  for (FieldAccess &One : What) {
    if (!Mask && !One.PerBytes)
      continue;
    FieldChoice *Like = nullptr;
    for (FieldChoice &Choice : Access.Choices)
      if (Choice.PerBytes == One.PerBytes)
        Like = &Choice;
    if (!Like)
      Like = &Access.Choices.emplace_back(
          FieldChoice{Mask ? Mask : cast<MemIntrinsic>(I).getLength(), {}, One.PerBytes});
    One.Flags |= exposureOf(I, L, SE);
    Like->What.push_back(One);
  }
  erase_if(What, [&](const FieldAccess &One) { return Mask || One.PerBytes; });
  if (!Access.Choices.empty())
    Chosen.push_back(std::move(Access));
}

/// Whether fields are known by the way that was taken; of all ways, or else of some.
bool ModuleFields::collectChoices(Instruction &I, Loop *L, bool All) {
  ChosenAccess Access = {&I, L, {}};
  Tags.choices(I, Access.Choices);
  auto IsNamed = [](const FieldChoice &Choice) { return !Choice.What.empty(); };
  if (none_of(Access.Choices, IsNamed) || (All && !all_of(Access.Choices, IsNamed)))
    return false;
  if (!onStack(I))
    ++(all_of(Access.Choices, IsNamed) ? Totals.named : Totals.unnamed);
  auto &SE = AM.getResult<ScalarEvolutionAnalysis>(*I.getFunction());
  uint32_t Exposure = exposureOf(I, L, SE);
  for (FieldChoice &Choice : Access.Choices)
    for (FieldAccess &What : Choice.What)
      What.Flags |= Exposure;
  Chosen.push_back(std::move(Access));
  return true;
}

/// Whether nothing can leave the loop but by its exits, and those take our code.
static bool keepsCounts(const Loop &L) {
  if (!L.isInnermost() || !L.getLoopPreheader() || !L.hasDedicatedExits() || L.hasNoExitBlocks())
    return false;
  SmallVector<BasicBlock *, 4> Exits;
  L.getExitBlocks(Exits);
  for (BasicBlock *Exit : Exits)
    if (Exit->isEHPad())
      return false;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && (!isa<IntrinsicInst>(Call) || Call->mayThrow()))
        return false;
  return true;
}

void ModuleFields::consider(Function &F) {
  if (!isProgramFunction(F) || F.hasFnAttribute(SeenAttribute))
    return;
  F.addFnAttr(SeenAttribute);
  if (!UserFilter.unsupported(F).empty() || !UserFilter.ignored(F).empty())
    return;
  auto &LI = AM.getResult<LoopAnalysis>(F);
  if (!LI.empty()) {
    auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
    auto &AC = AM.getResult<AssumptionAnalysis>(F);
    for (Loop *L : SmallVector<Loop *, 8>(LI.begin(), LI.end()))
      simplifyLoop(L, &DT, &LI, nullptr, &AC, nullptr, /*PreserveLCSSA=*/false);
  }
  SmallVector<UsedBlock, 16> Blocks;
  Chosen.clear();
  FieldBases Bases(Tags);
  for (Instruction &I : instructions(F)) {
    SmallVector<FieldAccess, 2> What;
    Tags.resolve(I, What);
    Bases.note(I, What);
  }
  for (BasicBlock &Block : F) {
    UsedBlock Used;
    Used.L = LI.getLoopFor(&Block);
    collect(Block, Bases, Used);
    if (Used.First)
      Blocks.push_back(std::move(Used));
  }
  if (!Blocks.empty() || !Chosen.empty())
    number(F, Blocks);
}

/// Where an edge's executions are counted.
Instruction *ModuleFields::placeOn(const BlockSums::Edge &Edge, Function &F) {
  Instruction *End = Edge.From->getTerminator();
  BasicBlock *Next = End->getSuccessor(Edge.Successor);
  if (Next->getUniquePredecessor() == Edge.From)
    return &*Next->getFirstInsertionPt();
  CriticalEdgeSplittingOptions Options(&AM.getResult<DominatorTreeAnalysis>(F),
                                       &AM.getResult<LoopAnalysis>(F));
  Options.setMergeIdenticalEdges();
  BasicBlock *Between = SplitCriticalEdge(End, Edge.Successor, Options);
  assert(Between && "an edge of a branch or switch can be split");
  return Between->getTerminator();
}

/// Chooses the function's counters, and writes down what each one says.
void ModuleFields::number(Function &F, ArrayRef<UsedBlock> Blocks) {
  SmallVector<Instruction *, 16> Places;
  for (const UsedBlock &Block : Blocks)
    Places.push_back(Block.First);
  BlockSums Sums(Places, AM.getResult<PostDominatorTreeAnalysis>(F),
                 AM.getResult<BranchProbabilityAnalysis>(F));
  MapVector<unsigned, SmallVector<const UsedBlock *, 4>> Said;
  for (unsigned I = 0; I < Blocks.size(); I++)
    for (unsigned Counted : Sums.sum(I))
      Said[Counted].push_back(&Blocks[I]);
  CountedFunction Counted = {&F, {}};
  DenseMap<Loop *, size_t> PerLoop;
  AccessRecord Record;
  Record.function = Table.text(F.getName());
  for (auto &[I, Used] : Said) {
    Instruction *Before =
        I < Places.size() ? Places[I] : placeOn(Sums.edges()[I - Places.size()], F);
    Loop *L = AM.getResult<LoopAnalysis>(F).getLoopFor(Before->getParent());
    BlockCounter Counter = {Before, CounterCount++, L && keepsCounts(*L) ? L : nullptr};
    PerLoop[Counter.Promoted]++;
    Counted.Counters.push_back(Counter);
    Record.counter = Counter.Counter;
    Record.block = xxh3_64bits((F.getName() + Twine(Counter.Counter)).str());
    for (const UsedBlock *Block : Used)
      describe(*Block, Record);
  }
  for (BlockCounter &Counter : Counted.Counters)
    if (Counter.Promoted && PerLoop[Counter.Promoted] > LoopCountersMax)
      Counter.Promoted = nullptr;
  numberChoices(Record, Counted);
  Functions.push_back(std::move(Counted));
}

/// One counter for each way that has a name.
void ModuleFields::numberChoices(AccessRecord Record, CountedFunction &Counted) {
  for (ChosenAccess &Access : Chosen)
    for (FieldChoice &Choice : Access.Choices) {
      if (Choice.What.empty())
        continue;
      Counted.Counters.push_back({Access.I, CounterCount, nullptr, Choice.Leaf, Choice.PerBytes});
      Record.counter = CounterCount++;
      Record.block = xxh3_64bits((Counted.F->getName() + Twine(Record.counter)).str());
      UsedBlock Alone = {Access.I, Access.L, {}};
      Alone.Accesses.push_back({Access.I, std::move(Choice.What)});
      describe(Alone, Record);
    }
}

/// Functions that only run below others that have made the thread known.
SmallPtrSet<const Function *, 16> ModuleFields::coveredByCallers() const {
  SmallPtrSet<const Function *, 16> Counting, Covered;
  for (const CountedFunction &Counted : Functions)
    Counting.insert(Counted.F);
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasLocalLinkage() && !F.hasAddressTaken())
      Covered.insert(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Function &F : M) {
      if (!Covered.count(&F))
        continue;
      for (const User *U : F.users()) {
        auto *Call = dyn_cast<CallBase>(U);
        const Function *Caller = Call ? Call->getFunction() : nullptr;
        if (Caller && (Covered.count(Caller) || Counting.count(Caller)))
          continue;
        Covered.erase(&F);
        Changed = true;
        break;
      }
    }
  }
  return Covered;
}

void ModuleFields::emit(FieldCounters &Counters, CountedFunction &Counted, bool Test) {
  MapVector<Loop *, SmallVector<std::pair<Instruction *, unsigned>, 4>> InLoops;
  Counters.enter(*Counted.F, Test);
  for (const BlockCounter &Counter : Counted.Counters) {
    if (Counter.Leaf)
      Counters.countSome(Counter.Before, Counter.Counter, *Counter.Leaf, Counter.PerBytes);
    else if (Counter.Promoted)
      InLoops[Counter.Promoted].push_back({Counter.Before, Counter.Counter});
    else
      Counters.count(Counter.Before, Counter.Counter);
  }
  for (auto &[L, Counts] : InLoops)
    Counters.countInLoop(*L, Counts);
  assert(!verifyFunction(*Counted.F, &errs()) && "counters broke the function");
}

void ModuleFields::run() {
  for (Function &F : M)
    consider(F);
  std::string Source = describeModule(M).File.str();
  if (Functions.empty() && !Totals.unnamed && hasFields(M))
    return;
  FieldCounters Counters(M, CounterCount);
  SmallPtrSet<const Function *, 16> Covered = coveredByCallers();
  for (CountedFunction &Counted : Functions) {
    emit(Counters, Counted, !Covered.count(Counted.F));
    AM.invalidate(*Counted.F, PreservedAnalyses::none());
  }
  Totals.flags = Counters.bySegment() ? RETICLE_FIELDS_BY_SEGMENT : 0;
  Totals.counter_count = CounterCount;
  createFields(M, Totals, Source, Counters.counters(), Table);
}

namespace reticle {

PreservedAnalyses FieldMarkPass::run(Module &M, ModuleAnalysisManager &) {
  if (isSupportedTarget(M))
    Tags->mark(M);
  return PreservedAnalyses::all();
}

void countFields(Module &M, FunctionAnalysisManager &AM, const Options &Opts,
                 const FieldTags &Tags) {
  ModuleFields(M, AM, Opts, Tags).run();
}

} // namespace reticle
