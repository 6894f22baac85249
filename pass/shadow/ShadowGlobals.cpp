// ShadowGlobals.cpp - lists a module's global variables in a section of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/shadow/ShadowGlobals.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace reticle;

static constexpr uint64_t LineBytes = 64, WordBytes = 4;

static uint64_t leastBytes(bool Apart) { return Apart ? WordBytes : LineBytes; }

static bool isLookedAt(const GlobalVariable &Global, const DataLayout &DL, bool Apart) {
  if (Global.isDeclaration() || Global.isThreadLocal() || Global.hasAvailableExternallyLinkage() ||
      Global.hasAppendingLinkage() || Global.getAddressSpace() != 0)
    return false;
  if (Global.getName().starts_with("llvm.") || Global.getName().starts_with("__reticle") ||
      Global.hasSection())
    return false;
  // Texts without a name, and copies that the linker drops: a record must not refer to those.
  if (Global.hasPrivateLinkage() || (Global.hasComdat() && Global.hasLocalLinkage()))
    return false;
  // Nobody writes to a constant.
  return DL.getTypeAllocSize(Global.getValueType()) >= leastBytes(Apart && !Global.isConstant());
}

bool reticle::mayBeDescribed(const GlobalVariable &Global, bool Apart) {
  const DataLayout &DL = Global.getParent()->getDataLayout();
  if (!Global.isDeclarationForLinker() && !Global.isInterposable())
    return isLookedAt(Global, DL, Apart);
  // An array whose length isn't known here has the size 0; a struct that isn't defined has none.
  Type *T = Global.getValueType();
  uint64_t Bytes = T->isSized() ? DL.getTypeAllocSize(T).getFixedValue() : 0;
  return !Global.isThreadLocal() && (Bytes == 0 || Bytes >= leastBytes(Apart));
}

SmallVector<GlobalRecord, 16> reticle::describeGlobals(Module &M, bool Apart) {
  SmallVector<GlobalRecord, 16> Out;
  for (GlobalVariable &Global : M.globals()) {
    if (!isLookedAt(Global, M.getDataLayout(), Apart))
      continue;
    GlobalRecord Record;
    Record.address = &Global;
    Record.name = Global.getName();
    Record.size_bytes = M.getDataLayout().getTypeAllocSize(Global.getValueType());
    SmallVector<DIGlobalVariableExpression *, 1> Described;
    Global.getDebugInfo(Described);
    if (!Described.empty()) {
      const DIGlobalVariable *Variable = Described[0]->getVariable();
      Record.name = Variable->getName();
      Record.file = Variable->getFilename();
      Record.line = Variable->getLine();
    }
    Out.push_back(Record);
  }
  return Out;
}
