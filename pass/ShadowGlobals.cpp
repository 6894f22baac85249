// ShadowGlobals.cpp - see ShadowGlobals.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/ShadowGlobals.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace reticle;

static constexpr uint64_t LineBytes = 64;

static bool isLookedAt(const GlobalVariable &Global, const DataLayout &DL) {
  if (Global.isDeclaration() || Global.isThreadLocal() || Global.hasAvailableExternallyLinkage() ||
      Global.hasAppendingLinkage() || Global.getAddressSpace() != 0)
    return false;
  if (Global.getName().starts_with("llvm.") || Global.getName().starts_with("__reticle") ||
      Global.hasSection())
    return false;
  // Texts without a name, and copies that the linker drops: a record must not refer to those.
  if (Global.hasPrivateLinkage() || (Global.hasComdat() && Global.hasLocalLinkage()))
    return false;
  return DL.getTypeAllocSize(Global.getValueType()) >= LineBytes;
}

bool reticle::mayBeDescribed(const GlobalVariable &Global) {
  const DataLayout &DL = Global.getParent()->getDataLayout();
  if (!Global.isDeclarationForLinker() && !Global.isInterposable())
    return isLookedAt(Global, DL);
  // An array whose length isn't known here has the size 0.
  uint64_t Bytes = DL.getTypeAllocSize(Global.getValueType());
  return !Global.isThreadLocal() && (Bytes == 0 || Bytes >= LineBytes);
}

SmallVector<GlobalRecord, 16> reticle::describeGlobals(Module &M) {
  SmallVector<GlobalRecord, 16> Out;
  for (GlobalVariable &Global : M.globals()) {
    if (!isLookedAt(Global, M.getDataLayout()))
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
