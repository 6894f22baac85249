// Fields.cpp - chooses blocks to count, and says what each execution of one means.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block with accesses to fields gets one counter, in front of the first of them:
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
#include "pass/FieldCounters.h"
#include "pass/FieldTable.h"
#include "pass/Filter.h"
#include "pass/Options.h"
#include "pass/SourceInfo.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace reticle;

/// On functions whose blocks were looked at.
static constexpr const char *SeenAttribute = "reticle-fields";
/// More counters than this in one loop would cost registers that the loop needs.
static constexpr size_t LoopCountersMax = 3;

namespace {

struct CountedBlock {
  Instruction *First; ///< first access to a field
  unsigned Counter;
  Loop *Promoted; ///< innermost loop that adds it up in a register; null if none does
};

struct CountedFunction {
  Function *F;
  SmallVector<CountedBlock, 8> Blocks;
};

class ModuleFields {
public:
  ModuleFields(Module &M, FunctionAnalysisManager &AM, const Options &Opts, const FieldTags &Tags)
      : M(M), AM(AM), Tags(Tags), UserFilter(M, Opts), Table(Tags.structs()) {}
  void run();

private:
  void consider(Function &F);
  bool considerBlock(Function &F, BasicBlock &Block, const Loop *L, CountedBlock &Out);
  void describe(const Instruction &I, ArrayRef<FieldAccess> What, AccessRecord Record,
                uint32_t Exposure);
  void emit(FieldCounters &Counters, CountedFunction &Counted, bool Test);
  SmallPtrSet<const Function *, 16> coveredByCallers() const;

  Module &M;
  FunctionAnalysisManager &AM;
  const FieldTags &Tags;
  Filter UserFilter;
  FieldTable Table;
  FieldsRecord Totals;
  std::vector<CountedFunction> Functions;
  unsigned CounterCount = 0;
};

} // namespace

static bool onStack(const Instruction &I) {
  const Value *Address = getLoadStorePointerOperand(&I);
  return Address && isa<AllocaInst>(getUnderlyingObject(Address));
}

/// Adds the accesses of one instruction to the table. Equal ones of a block become one.
void ModuleFields::describe(const Instruction &I, ArrayRef<FieldAccess> What, AccessRecord Record,
                            uint32_t Exposure) {
  if (const DILocation *Place = I.getDebugLoc().get()) {
    Record.file = Table.text(Place->getFilename());
    Record.line = Place->getLine();
  }
  for (const FieldAccess &Access : What) {
    Record.structure = Access.Struct == UINT32_MAX ? UINT32_MAX : Table.structure(Access.Struct);
    Record.offset_bytes = Access.OffsetBytes;
    Record.bytes = Access.Bytes;
    Record.times = Access.Times;
    Record.flags = Access.Flags | Exposure;
    Table.add(Record);
  }
}

bool ModuleFields::considerBlock(Function &F, BasicBlock &Block, const Loop *L, CountedBlock &Out) {
  SmallVector<std::pair<Instruction *, SmallVector<FieldAccess, 2>>, 16> Found;
  Out.First = nullptr;
  for (Instruction &I : Block) {
    SmallVector<FieldAccess, 2> What;
    Tags.resolve(I, What);
    if (What.empty())
      continue;
    bool IsNamed = What[0].Struct != UINT32_MAX;
    if (!onStack(I))
      ++(IsNamed ? Totals.named : Totals.unnamed);
    else if (!IsNamed)
      continue;
    if (IsNamed && !Out.First)
      Out.First = &I;
    Found.push_back({&I, std::move(What)});
  }
  if (!Out.First)
    return false;
  Out.Counter = CounterCount++;
  AccessRecord Record;
  Record.counter = Out.Counter;
  Record.function = Table.text(F.getName());
  Record.block = xxh3_64bits((F.getName() + Twine(Out.Counter)).str());
  if (L) {
    LoopSource Source = describeLoop(*L, F);
    Record.loop = Source.id();
    Record.loop_line = Source.Line;
  }
  auto *SE = L ? &AM.getResult<ScalarEvolutionAnalysis>(F) : nullptr;
  for (auto &[I, What] : Found)
    describe(*I, What, Record, SE ? exposureOf(*I, L, *SE) : 0);
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
  CountedFunction Counted = {&F, {}};
  DenseMap<Loop *, size_t> PerLoop;
  for (BasicBlock &Block : F) {
    CountedBlock Out;
    Loop *L = LI.getLoopFor(&Block);
    if (!considerBlock(F, Block, L, Out))
      continue;
    Out.Promoted = L && keepsCounts(*L) ? L : nullptr;
    PerLoop[Out.Promoted]++;
    Counted.Blocks.push_back(Out);
  }
  for (CountedBlock &Block : Counted.Blocks)
    if (Block.Promoted && PerLoop[Block.Promoted] > LoopCountersMax)
      Block.Promoted = nullptr;
  if (!Counted.Blocks.empty())
    Functions.push_back(std::move(Counted));
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
  for (const CountedBlock &Block : Counted.Blocks) {
    if (Block.Promoted)
      InLoops[Block.Promoted].push_back({Block.First, Block.Counter});
    else
      Counters.count(Block.First, Block.Counter);
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
