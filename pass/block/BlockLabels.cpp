// BlockLabels.cpp - writes labels of blocks into the machine code, and the table that names them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   b3:  call void @llvm.pseudoprobe(function, 3, ...)   section .pseudo_probe: where block 3 is;
//        counter = counter + 1                           no instruction
//        ...                                             table: function, 3 -> counter
//
// A pseudo probe is the label: the code generator copies it with the block that it duplicates, and
// writes where each copy has come to lie.
#include "pass/block/BlockLabels.h"
#include "pass/block/MachineLabels.h"
#include "pass/module/Filter.h"
#include "pass/module/Options.h"
#include "pass/module/PassStep.h"
#include "pass/module/SourceInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PseudoProbe.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace reticle;

/// On functions whose blocks have labels.
static constexpr const char *SeenAttribute = "reticle-blocks";

/// Of the same code in another object file the same, of other code another one: counts of a run
/// must not be laid over what was built since.
static uint64_t functionId(const Function &F, StringRef Source) {
  std::string Text = F.getName().str();
  raw_string_ostream Out(Text);
  if (F.hasLocalLinkage())
    Out << '\n' << Source;
  for (const BasicBlock &Block : F)
    Out << '\n' << Block.size() << ' ' << Block.getTerminator()->getNumSuccessors();
  Out.flush();
  return xxh3_64bits(Text);
}

/// Whether the code generator will have something to lay behind the label: else it would stand in
/// front of another block's first instruction. A return alone is copied without its label.
static bool hasCode(const BasicBlock &Block) {
  const Instruction *End = Block.getTerminator();
  if (auto *Branch = dyn_cast<BranchInst>(End);
      (!Branch || Branch->isConditional()) && !isa<ReturnInst>(End))
    return true;
  for (const Instruction &I : Block)
    if (&I != End && !isa<PHINode>(I) && !isa<DbgInfoIntrinsic>(I))
      return true;
  return false;
}

/// In front of what a counter of the block would stand. Null: nowhere.
static Instruction *placeIn(BasicBlock &Block) {
  auto Begin = Block.getFirstInsertionPt();
  while (Begin != Block.end() && isa<AllocaInst>(*Begin))
    ++Begin;
  return Begin == Block.end() ? nullptr : &*Begin;
}

void BlockLabels::number() {
  // With -fpseudo-probe-for-profiling the section has another reader.
  if (M.getNamedMetadata(PseudoProbeDescMetadataName))
    return;
  std::string Source = describeModule(M).File.str();
  Filter UserFilter(M, Opts);
  for (Function &F : M) {
    if (!isProgramFunction(F) || F.hasFnAttribute(SeenAttribute))
      continue;
    F.addFnAttr(SeenAttribute);
    if (!UserFilter.unsupported(F).empty() || !UserFilter.ignored(F).empty())
      continue;
    Numbered Known = {&F, functionId(F, Source), {}};
    for (BasicBlock &Block : F)
      Known.Blocks.emplace_back(&Block);
    for (unsigned I = 0; I < Known.Blocks.size(); I++)
      if (Instruction *Place = placeIn(*cast<BasicBlock>(Known.Blocks[I])))
        Labels.push_back({Place, &F, Known.Id, I + 1});
    Functions.push_back(std::move(Known));
  }
}

void BlockLabels::planIn(const Numbered &Known, BlockCounters &Counters) {
  Function &F = *Known.F;
  SmallVector<Instruction *, 32> Places;
  SmallVector<uint32_t, 32> Numbers; // of Places
  SmallPtrSet<const BasicBlock *, 32> IsNumbered;
  auto Add = [&](BasicBlock &Block, uint32_t Number) {
    if (Instruction *Place = placeIn(Block)) {
      Places.push_back(Place);
      Numbers.push_back(Number);
      Labels.push_back({Place, &F, Known.Id, Number});
    }
  };
  for (unsigned I = 0; I < Known.Blocks.size(); I++)
    if (auto *Block = cast_or_null<BasicBlock>(Known.Blocks[I])) {
      IsNumbered.insert(Block);
      Add(*Block, I + 1);
    }
  // The test for the thread will split the entry block: what is in front of it has this label.
  uint32_t EntryLabel = static_cast<uint32_t>(Known.Blocks.size()) + 1, Next = EntryLabel + 1;
  for (BasicBlock &Block : F)
    if (!IsNumbered.count(&Block))
      Add(Block, Next++);
  for (const PlannedCounter &Planned : Counters.plan(F, Places)) {
    for (unsigned Place : Planned.Places) {
      Records.push_back({Known.Id, Numbers[Place], Planned.Counter});
      if (Places[Place]->getParent() == &F.getEntryBlock())
        Records.push_back({Known.Id, EntryLabel, Planned.Counter});
    }
    if (is_contained(Places, Planned.Before))
      continue;
    Labels.push_back({Planned.Before, &F, Known.Id, Next}); // an edge
    Records.push_back({Known.Id, Next++, Planned.Counter});
  }
  Labels.push_back({nullptr, &F, Known.Id, EntryLabel});
}

void BlockLabels::plan(BlockCounters &Counters) {
  PassStep Planning("block", "planning counters");
  Labels.clear();
  for (const Numbered &Known : Functions) {
    Planning.in(*Known.F);
    Counters.prepare(*Known.F);
    planIn(Known, Counters);
  }
}

/// Whether no pass between the last one of the IR and instruction selection may run copies of it:
/// returns with next to nothing before them are copied to where a tail call then ends the function,
/// targets of indirect jumps are split in two.
static bool staysWhole(const BasicBlock &Block) {
  for (const BasicBlock *From : predecessors(&Block))
    if (isa<IndirectBrInst, CallBrInst>(From->getTerminator()))
      return false;
  if (!isa<ReturnInst>(Block.getTerminator()))
    return true;
  for (const Instruction &I : Block)
    if (!isa<PHINode, CastInst, ExtractValueInst, IntrinsicInst, ReturnInst>(I))
      return true;
  return Block.isEntryBlock();
}

void BlockLabels::emitBehindSelection() const {
  std::vector<MachineLabel> Wanted;
  for (const Label &L : Labels)
    if (BasicBlock *Block = L.Place->getParent(); hasCode(*Block) && staysWhole(*Block))
      Wanted.push_back({Block, L.Function, L.Number});
  if (!Wanted.empty())
    labelMachineBlocks(M, std::move(Wanted));
}

void BlockLabels::emit() const {
  if (Labels.empty())
    return;
  LLVMContext &Context = M.getContext();
  // Without it the section isn't written. Its entries would name functions, which nothing reads.
  M.getOrInsertNamedMetadata(PseudoProbeDescMetadataName);
#if LLVM_VERSION_MAJOR >= 20
  Function *Probe = Intrinsic::getOrInsertDeclaration(&M, Intrinsic::pseudoprobe);
#else
  Function *Probe = Intrinsic::getDeclaration(&M, Intrinsic::pseudoprobe);
#endif
  PassStep Writing("label", "adding labels");
  for (const Label &L : Labels) {
    Writing.in(*L.F);
    BasicBlock *Block = L.Place ? L.Place->getParent() : &L.F->getEntryBlock();
    if (!hasCode(*Block))
      continue;
    IRBuilder<> B(Block, Block->getFirstInsertionPt());
    DebugLoc Location;
    if (DISubprogram *Subprogram = L.F->getSubprogram())
      Location = DILocation::get(Context, 0, 0, Subprogram);
    B.SetCurrentDebugLocation(Location);
    B.CreateCall(Probe, {B.getInt64(L.Function), B.getInt64(L.Number), B.getInt32(0),
                         B.getInt64(PseudoProbeFullDistributionFactor)});
  }
}
