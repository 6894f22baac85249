// BlockLabels.cpp - writes labels of blocks into the machine code, and the table that names them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   b3:  call void @llvm.pseudoprobe(function, 3, ...)   section .pseudo_probe: where block 3 is;
//        counter = counter + 1                           no instruction
//        ...                                             table: function, 3 -> counter
//
// A pseudo probe is the label: the code generator copies it with the block that it duplicates, and
// writes where each copy has come to lie.
#include "pass/BlockLabels.h"
#include "pass/Filter.h"
#include "pass/Options.h"
#include "pass/PassStep.h"
#include "pass/SourceInfo.h"
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

void BlockLabels::planIn(Function &F, BlockCounters &Counters) {
  std::string Source = describeModule(M).File.str();
  SmallVector<Instruction *, 32> Places;
  for (BasicBlock &Block : F) {
    auto Begin = Block.getFirstInsertionPt();
    while (Begin != Block.end() && isa<AllocaInst>(*Begin))
      ++Begin;
    if (Begin != Block.end())
      Places.push_back(&*Begin);
  }
  uint64_t Id = functionId(F, Source);
  // The test for the thread will split the entry block: what is in front of it has this label.
  uint32_t EntryLabel = static_cast<uint32_t>(Places.size()) + 1, Next = EntryLabel + 1;
  for (const PlannedCounter &Planned : Counters.plan(F, Places)) {
    for (unsigned Place : Planned.Places) {
      Records.push_back({Id, Place + 1, Planned.Counter});
      if (Places[Place]->getParent() == &F.getEntryBlock())
        Records.push_back({Id, EntryLabel, Planned.Counter});
    }
    if (is_contained(Places, Planned.Before))
      continue;
    Labels.push_back({Planned.Before, &F, Id, Next}); // an edge
    Records.push_back({Id, Next++, Planned.Counter});
  }
  for (unsigned I = 0; I < Places.size(); I++)
    Labels.push_back({Places[I], &F, Id, I + 1});
  Labels.push_back({nullptr, &F, Id, EntryLabel});
}

void BlockLabels::plan(BlockCounters &Counters) {
  // With -fpseudo-probe-for-profiling the section has another reader.
  if (M.getNamedMetadata(PseudoProbeDescMetadataName))
    return;
  Filter UserFilter(M, Opts);
  PassStep Planning("block", "planning counters");
  for (Function &F : M) {
    Planning.in(F);
    if (!isProgramFunction(F) || F.hasFnAttribute(SeenAttribute))
      continue;
    F.addFnAttr(SeenAttribute);
    if (!UserFilter.unsupported(F).empty() || !UserFilter.ignored(F).empty())
      continue;
    Counters.prepare(F);
    planIn(F, Counters);
  }
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
  PassStep Writing("block", "adding labels");
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
