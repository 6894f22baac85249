// MachineLabels.cpp - labels of blocks, behind instruction selection, where they change no code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   bb.3:  PSEUDO_PROBE function, 3, 0, 0     no instruction; section .pseudo_probe: where it is
//
// In the IR a label would be code that the passes behind the last IR pass see: an empty block would
// no longer be empty, a load would wait for it.
#include "pass/block/MachineLabels.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PseudoProbe.h"
#include "llvm/InitializePasses.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"

using namespace llvm;
using namespace reticle;

static std::vector<MachineLabel> Wanted;

static constexpr const char *LabelName = "__reticle_block";

static DILabel *debugLabel(LLVMContext &Context, DISubprogram &Subprogram, size_t Index) {
#if LLVM_VERSION_MAJOR >= 21
  return DILabel::get(Context, &Subprogram, LabelName, Subprogram.getFile(), Index, 0, true,
                      std::nullopt);
#else
  return DILabel::get(Context, &Subprogram, LabelName, Subprogram.getFile(), Index);
#endif
}

static bool isOurs(const MachineInstr &I) {
  return I.isDebugLabel() && I.getDebugLabel()->getName() == LabelName;
}

namespace {

/// In place of one of the code generator's passes, which it requires to run first.
struct Hook {
  void *Replaced; ///< id of the pass
  PassInfo::NormalCtor_t Make, Original = nullptr;

  PassInfo *info() const {
    return const_cast<PassInfo *>(PassRegistry::getPassRegistry()->getPassInfo(Replaced));
  }
  void set() {
    PassInfo *Info = info();
    if (Info->getNormalCtor() != Make)
      Original = Info->getNormalCtor();
    Info->setNormalCtor(Make);
  }
  void unset() const { info()->setNormalCtor(Original); }
};

class AddLabelsPass : public MachineFunctionPass {
public:
  static char ID;
  AddLabelsPass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "Reticle: label blocks"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequiredID(FinalizeISelID);
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    DISubprogram *Subprogram = MF.getFunction().getSubprogram();
    if (!Subprogram)
      return false;
    if (!Sorted)
      for (size_t I = 0; I < Wanted.size(); I++)
        if (Wanted[I].Block)
          Of[cast<BasicBlock>(Wanted[I].Block)] = I;
    Sorted = true;
    LLVMContext &Context = MF.getFunction().getContext();
    const TargetInstrInfo *TII = MF.getSubtarget().getInstrInfo();
    DebugLoc Location = DILocation::get(Context, 0, 0, Subprogram);
    SmallPtrSet<const BasicBlock *, 32> Seen;
    bool Changed = false;
    for (MachineBasicBlock &Block : MF) {
      const BasicBlock *From = Block.getBasicBlock();
      if (!From || !Seen.insert(From).second)
        continue;
      auto Known = Of.find(From);
      if (Known == Of.end())
        continue;
      BuildMI(Block, Block.SkipPHIsAndLabels(Block.begin()), Location,
              TII->get(TargetOpcode::DBG_LABEL))
          .addMetadata(debugLabel(Context, *Subprogram, Known->second));
      Changed = true;
    }
    return Changed;
  }

private:
  DenseMap<const BasicBlock *, size_t> Of;
  bool Sorted = false;
};

class KeepLabelsPass : public MachineFunctionPass {
public:
  static char ID;
  KeepLabelsPass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "Reticle: keep labels of blocks"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequiredID(LiveDebugValuesID);
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    bool Changed = false;
    const TargetInstrInfo *TII = MF.getSubtarget().getInstrInfo();
    for (MachineBasicBlock &Block : MF)
      for (MachineInstr &I : make_early_inc_range(Block)) {
        if (!isOurs(I))
          continue;
        const MachineLabel &L = Wanted[I.getDebugLabel()->getLine()];
        BuildMI(Block, I.getIterator(), I.getDebugLoc(), TII->get(TargetOpcode::PSEUDO_PROBE))
            .addImm(L.Function)
            .addImm(L.Number)
            .addImm(static_cast<uint8_t>(PseudoProbeType::Block))
            .addImm(0);
        I.eraseFromParent();
        Changed = true;
      }
    return Changed;
  }
};

char AddLabelsPass::ID = 0;
char KeepLabelsPass::ID = 0;

Pass *makeAddLabels();
Pass *makeKeepLabels();
Hook AddLabels = {&FinalizeISelID, makeAddLabels},
     KeepLabels = {&LiveDebugValuesID, makeKeepLabels};

Pass *makeAddLabels() {
  AddLabels.unset();
  return new AddLabelsPass();
}

Pass *makeKeepLabels() {
  KeepLabels.unset();
  return new KeepLabelsPass();
}

} // namespace

void reticle::labelMachineBlocks(Module &M, std::vector<MachineLabel> Labels) {
  // Without it the section isn't written. Its entries would name functions, which nothing reads.
  M.getOrInsertNamedMetadata(PseudoProbeDescMetadataName);
  Wanted = std::move(Labels);
  initializeCodeGen(*PassRegistry::getPassRegistry());
  AddLabels.set();
  KeepLabels.set();
}
