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
#include "pass/field/Fields.h"
#include "include/reticle/abi.h"
#include "pass/block/BlockLabels.h"
#include "pass/field/Exposure.h"
#include "pass/field/FieldBases.h"
#include "pass/field/FieldTable.h"
#include "pass/field/Visits.h"
#include "pass/module/Filter.h"
#include "pass/module/Options.h"
#include "pass/module/PassStep.h"
#include "pass/module/SourceInfo.h"
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
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include <set>
#include <tuple>

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

/// An access that one execution of its block doesn't say how often: its address, and so its field,
/// depends on the way that was taken; or it has lanes of which a mask decides, or a length.
struct ChosenAccess {
  Instruction *I;
  Loop *L;
  SmallVector<FieldChoice, 2> Choices;
};

class ModuleFields {
public:
  ModuleFields(Module &M, FunctionAnalysisManager &AM, const Options &Opts, const FieldTags &Tags)
      : M(M), AM(AM), Tags(Tags), UserFilter(M, Opts), HasVisits(Opts.Shadow && Opts.Visits),
        Table(Tags.Reader.structs()) {}
  /// Plans the counters, and writes down what each one says.
  void plan(BlockCounters &Counters);
  const FieldTable &table() const { return Table; }
  const FieldsRecord &totals() const { return Totals; }

private:
  void consider(Function &F, BlockCounters &Counters);
  void collect(BasicBlock &Block, const FieldBases &Bases, UsedBlock &Out);
  void takeVarying(Instruction &I, Loop *L, SmallVectorImpl<FieldAccess> &What);
  bool collectChoices(Instruction &I, Loop *L, bool All);
  AccessRecord recordOf(Loop *L, Function &F);
  void numberChoices(Function &F, BlockCounters &Counters);
  void number(Function &F, ArrayRef<UsedBlock> Blocks, BlockCounters &Counters);
  void describe(const UsedBlock &Block, AccessRecord Record);

  Module &M;
  FunctionAnalysisManager &AM;
  const FieldTags &Tags;
  Filter UserFilter;
  bool HasVisits; ///< code that notes visits follows, with the marks
  FieldTable Table;
  FieldsRecord Totals;
  std::vector<ChosenAccess> Chosen; ///< of the function that is looked at
};

} // namespace

static bool onStack(const Instruction &I) {
  const Value *Address = getLoadStorePointerOperand(&I);
  return Address && isa<AllocaInst>(getUnderlyingObject(Address));
}

namespace {
/// The pieces of a block's copies. Each part of a copy is there as often as the copy is: twice
/// where a loop is unrolled once. Code that was inlined twice has two copies.
class CopyPieces {
public:
  /// Whether it is the first one of another copy.
  bool begin(const Instruction &I, const FieldAccess &Access) {
    Copy &Known = Copies[{I.getDebugLoc().get(), Access.Struct, Access.OffsetBytes, Access.Bytes,
                          Access.Flags}];
    const DataLayout &DL = I.getModule()->getDataLayout();
    const Value *Address = memoryOf(I).Address;
    APInt Bytes(DL.getIndexTypeSizeInBits(Address->getType()), 0);
    Address->stripAndAccumulateConstantOffsets(DL, Bytes, /*AllowNonInbounds=*/true);
    int64_t Part = Bytes.getSExtValue() % Access.PieceOf;
    if (++Known.Parts[Part < 0 ? Part + Access.PieceOf : Part] <= Known.Count)
      return false;
    Known.Count++;
    return true;
  }

private:
  struct Copy {
    std::map<int64_t, uint32_t> Parts; ///< by offset in the copy: how many
    uint32_t Count = 0;
  };
  std::map<std::tuple<const DILocation *, uint32_t, uint32_t, uint32_t, uint32_t>, Copy> Copies;
};
} // namespace

/// Adds the block's accesses to the table. Equal ones that one counter says become one.
void ModuleFields::describe(const UsedBlock &Block, AccessRecord Record) {
  CopyPieces Pieces;
  for (auto &[I, What] : Block.Accesses) {
    if (const DILocation *Place = I->getDebugLoc().get()) {
      // One file says where line and loop_line are: the loop's, if it is in one.
      uint32_t Own = Table.text(Place->getFilename());
      Record.line = !Record.loop || Own == Record.file ? Place->getLine() : 0;
      Record.file = Record.loop ? Record.file : Own;
    }
    for (const FieldAccess &Access : What) {
      if (Access.PieceOf && !Pieces.begin(*I, Access))
        continue;
      Record.structure = Access.Struct == UINT32_MAX ? UINT32_MAX : Table.structure(Access.Struct);
      Record.offset_bytes = Access.OffsetBytes;
      Record.bytes = Access.Bytes;
      Record.times = Access.Times;
      Record.flags = Access.Flags;
      Table.add(Record);
    }
  }
}

void ModuleFields::collect(BasicBlock &Block, const FieldBases &Bases, UsedBlock &Out) {
  for (Instruction &I : Block) {
    SmallVector<FieldAccess, 2> What;
    Tags.Resolver.resolve(I, What);
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
    uint32_t Written = exposureOf(addressOf(*I, true), Out.L, SE);
    uint32_t Read = isa<AnyMemIntrinsic>(I) ? exposureOf(addressOf(*I, false), Out.L, SE) : Written;
    for (FieldAccess &Access : What)
      Access.Flags |= Access.Flags & RETICLE_ACCESS_WRITE ? Written : Read;
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
          FieldChoice{Mask ? Mask : cast<AnyMemIntrinsic>(I).getLength(), {}, One.PerBytes});
    One.Flags |= exposureOf(addressOf(I, One.Flags & RETICLE_ACCESS_WRITE), L, SE);
    Like->What.push_back(One);
  }
  erase_if(What, [&](const FieldAccess &One) { return Mask || One.PerBytes; });
  if (!Access.Choices.empty())
    Chosen.push_back(std::move(Access));
}

/// Whether fields are known by the way that was taken; of all ways, or else of some.
bool ModuleFields::collectChoices(Instruction &I, Loop *L, bool All) {
  ChosenAccess Access = {&I, L, {}};
  Tags.Resolver.choices(I, Access.Choices);
  auto IsNamed = [](const FieldChoice &Choice) { return !Choice.What.empty(); };
  if (none_of(Access.Choices, IsNamed) || (All && !all_of(Access.Choices, IsNamed)))
    return false;
  if (!onStack(I))
    ++(all_of(Access.Choices, IsNamed) ? Totals.named : Totals.unnamed);
  auto &SE = AM.getResult<ScalarEvolutionAnalysis>(*I.getFunction());
  uint32_t Exposure = exposureOf(getLoadStorePointerOperand(&I), L, SE);
  for (FieldChoice &Choice : Access.Choices)
    for (FieldAccess &What : Choice.What)
      What.Flags |= Exposure;
  Chosen.push_back(std::move(Access));
  return true;
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
  Chosen.clear();
  FieldBases Bases(Tags.Reader);
  for (Instruction &I : instructions(F)) {
    SmallVector<FieldAccess, 2> What;
    Tags.Resolver.resolve(I, What);
    Bases.note(I, What);
  }
  for (BasicBlock &Block : F) {
    UsedBlock Used;
    Used.L = LI.getLoopFor(&Block);
    collect(Block, Bases, Used);
    if (Used.First)
      Blocks.push_back(std::move(Used));
  }
  numberChoices(F, Counters);
  if (!Blocks.empty())
    number(F, Blocks, Counters);
}

/// What records of accesses in that loop share; null: in none.
AccessRecord ModuleFields::recordOf(Loop *L, Function &F) {
  AccessRecord Record;
  Record.function = Table.text(F.getName());
  if (L) {
    LoopSource Source = describeLoop(*L, F);
    Record.loop = Source.id();
    Record.loop_line = Source.Line;
    Record.file = Table.text(Source.File);
  }
  return Record;
}

static uint64_t blockId(const Function &F, unsigned Counter) {
  return xxh3_64bits((F.getName() + Twine(Counter)).str());
}

/// One counter for each way that has a name.
void ModuleFields::numberChoices(Function &F, BlockCounters &Counters) {
  for (ChosenAccess &Access : Chosen)
    for (FieldChoice &Choice : Access.Choices) {
      if (Choice.What.empty())
        continue;
      AccessRecord Record = recordOf(Access.L, F);
      Record.counter = Counters.planSome(F, *Access.I, *Choice.Leaf, Choice.PerBytes);
      Record.block = blockId(F, Record.counter);
      UsedBlock Alone = {Access.I, Access.L, {}};
      Alone.Accesses.push_back({Access.I, std::move(Choice.What)});
      describe(Alone, Record);
    }
}

/// Chooses the function's counters, and writes down what each one says.
void ModuleFields::number(Function &F, ArrayRef<UsedBlock> Blocks, BlockCounters &Counters) {
  SmallVector<Instruction *, 16> Places;
  SmallVector<AccessRecord, 16> Records; // loops are described before edges are split
  for (const UsedBlock &Block : Blocks) {
    Places.push_back(Block.First);
    Records.push_back(recordOf(Block.L, F));
    if (HasVisits)
      noteVisits(Block.Accesses, Records.back().loop, Records.back().loop_line, Places.size(),
                 Table);
  }
  for (const PlannedCounter &Planned : Counters.plan(F, Places))
    for (unsigned Place : Planned.Places) {
      AccessRecord Record = Records[Place];
      Record.counter = Planned.Counter;
      Record.block = blockId(F, Planned.Counter);
      describe(Blocks[Place], Record);
    }
}

void ModuleFields::plan(BlockCounters &Counters) {
  PassStep Planning("field", "planning counters");
  for (Function &F : M) {
    Planning.in(F);
    consider(F, Counters);
  }
}

namespace reticle {

PreservedAnalyses FieldMarkPass::run(Module &M, ModuleAnalysisManager &) {
  if (isSupportedTarget(M))
    Tags->Marker.mark(M);
  return PreservedAnalyses::all();
}

void countBlocks(Module &M, FunctionAnalysisManager &AM, const Options &Opts,
                 const FieldTags *Tags) {
  BlockCounters Planned(M, AM);
  BlockLabels Labels(M, Opts);
  FieldTable NoFields({});
  FieldsRecord Totals;
  std::unique_ptr<ModuleFields> Fields;
  if (Opts.Block || Opts.Label)
    Labels.number();
  if (Tags) {
    Fields = std::make_unique<ModuleFields>(M, AM, Opts, *Tags);
    Fields->plan(Planned);
    Totals = Fields->totals();
    Totals.flags = RETICLE_FIELDS_STRUCTS;
  }
  if (Opts.Block)
    Labels.plan(Planned);
  if (!Tags && !Opts.Block) {
    Labels.emitBehindSelection();
    return;
  }
  if (Planned.empty() && !Totals.unnamed && hasFields(M))
    return;
  FieldCounters Counters(M, Planned.count());
  Planned.emit(Counters, Tags ? "field" : "block");
  Labels.emit();
  PassStep Writing(Tags ? "field" : "block", "writing the table of counters");
  Totals.flags |= Counters.bySegment() ? RETICLE_FIELDS_BY_SEGMENT : 0;
  Totals.counter_count = Planned.count();
  createFields(M, Totals, describeModule(M).File, Counters.counters(),
               Fields ? Fields->table() : NoFields, Labels.records());
}

} // namespace reticle
