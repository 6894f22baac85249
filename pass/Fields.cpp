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
#include "pass/BlockLabels.h"
#include "pass/Exposure.h"
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
namespace {

/// A block with accesses to fields.
struct UsedBlock {
  Instruction *First = nullptr; ///< first access to a field
  Loop *L = nullptr;            ///< innermost loop around it
  SmallVector<std::pair<Instruction *, SmallVector<FieldAccess, 2>>, 8> Accesses;
};

class ModuleFields {
public:
  ModuleFields(Module &M, FunctionAnalysisManager &AM, const Options &Opts, const FieldTags &Tags)
      : M(M), AM(AM), Tags(Tags), UserFilter(M, Opts), Table(Tags.structs()) {}
  /// Plans the counters, and writes down what each one says.
  void plan(BlockCounters &Counters);
  const FieldTable &table() const { return Table; }
  const FieldsRecord &totals() const { return Totals; }

private:
  void consider(Function &F, BlockCounters &Counters);
  void collect(BasicBlock &Block, UsedBlock &Out);
  void number(Function &F, ArrayRef<UsedBlock> Blocks, BlockCounters &Counters);
  void describe(const UsedBlock &Block, AccessRecord Record);

  Module &M;
  FunctionAnalysisManager &AM;
  const FieldTags &Tags;
  Filter UserFilter;
  FieldTable Table;
  FieldsRecord Totals;
};

} // namespace

static bool onStack(const Instruction &I) {
  const Value *Address = getLoadStorePointerOperand(&I);
  return Address && isa<AllocaInst>(getUnderlyingObject(Address));
}

/// Adds the block's accesses to the table. Equal ones that one counter says become one.
void ModuleFields::describe(const UsedBlock &Block, AccessRecord Record) {
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

void ModuleFields::collect(BasicBlock &Block, UsedBlock &Out) {
  for (Instruction &I : Block) {
    SmallVector<FieldAccess, 2> What;
    Tags.resolve(I, What);
    if (What.empty())
      continue;
    bool IsNamed = What[0].Struct != UINT32_MAX;
    if (What[0].Flags & RETICLE_ACCESS_COPY)
      ; // neither a load nor a store of the source
    else if (!onStack(I))
      ++(IsNamed ? Totals.named : Totals.unnamed);
    else if (!IsNamed)
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

void ModuleFields::consider(Function &F, BlockCounters &Counters) {
  if (!isProgramFunction(F) || F.hasFnAttribute(SeenAttribute))
    return;
  F.addFnAttr(SeenAttribute);
  if (!UserFilter.unsupported(F).empty() || !UserFilter.ignored(F).empty())
    return;
  Counters.prepare(F);
  auto &LI = AM.getResult<LoopAnalysis>(F);
  SmallVector<UsedBlock, 16> Blocks;
  for (BasicBlock &Block : F) {
    UsedBlock Used;
    Used.L = LI.getLoopFor(&Block);
    collect(Block, Used);
    if (Used.First)
      Blocks.push_back(std::move(Used));
  }
  if (!Blocks.empty())
    number(F, Blocks, Counters);
}

/// Chooses the function's counters, and writes down what each one says.
void ModuleFields::number(Function &F, ArrayRef<UsedBlock> Blocks, BlockCounters &Counters) {
  SmallVector<Instruction *, 16> Places;
  for (const UsedBlock &Block : Blocks)
    Places.push_back(Block.First);
  // Loops are described before edges are split.
  SmallVector<AccessRecord, 16> Loops(Blocks.size());
  for (unsigned I = 0; I < Blocks.size(); I++)
    if (Blocks[I].L) {
      LoopSource Source = describeLoop(*Blocks[I].L, F);
      Loops[I].loop = Source.id();
      Loops[I].loop_line = Source.Line;
    }
  for (const PlannedCounter &Planned : Counters.plan(F, Places))
    for (unsigned Place : Planned.Places) {
      AccessRecord Record = Loops[Place];
      Record.function = Table.text(F.getName());
      Record.counter = Planned.Counter;
      Record.block = xxh3_64bits((F.getName() + Twine(Planned.Counter)).str());
      describe(Blocks[Place], Record);
    }
}

void ModuleFields::plan(BlockCounters &Counters) {
  for (Function &F : M)
    consider(F, Counters);
}

namespace reticle {

PreservedAnalyses FieldMarkPass::run(Module &M, ModuleAnalysisManager &) {
  if (isSupportedTarget(M))
    Tags->mark(M);
  return PreservedAnalyses::all();
}

void countBlocks(Module &M, FunctionAnalysisManager &AM, const Options &Opts,
                 const FieldTags *Tags) {
  BlockCounters Planned(M, AM);
  BlockLabels Labels(M, Opts);
  FieldTable NoFields({});
  FieldsRecord Totals;
  std::unique_ptr<ModuleFields> Fields;
  if (Tags) {
    Fields = std::make_unique<ModuleFields>(M, AM, Opts, *Tags);
    Fields->plan(Planned);
    Totals = Fields->totals();
    Totals.flags = RETICLE_FIELDS_STRUCTS;
  }
  if (Opts.Block)
    Labels.plan(Planned);
  if (Planned.empty() && !Totals.unnamed && hasFields(M))
    return;
  FieldCounters Counters(M, Planned.count());
  Planned.emit(Counters);
  Labels.emit();
  Totals.flags |= Counters.bySegment() ? RETICLE_FIELDS_BY_SEGMENT : 0;
  Totals.counter_count = Planned.count();
  createFields(M, Totals, describeModule(M).File, Counters.counters(),
               Fields ? Fields->table() : NoFields, Labels.records());
}

} // namespace reticle
