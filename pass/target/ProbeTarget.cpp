// ProbeTarget.cpp - finds a module's target, and what targets share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/target/ProbeTarget.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ModRef.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace reticle {

const ProbeTarget *ProbeTarget::of(const Module &M) {
  Triple T(M.getTargetTriple());
  // Records have 64-bit pointers: neither x32 nor ILP32.
  if (!T.isOSBinFormatELF() || T.isX32() || T.getEnvironment() == Triple::GNUILP32)
    return nullptr;
  switch (T.getArch()) {
  case Triple::x86_64:
    return &probeTargetX86_64();
  case Triple::aarch64:
    return &probeTargetAArch64();
  default:
    return nullptr;
  }
}

Value *ProbeTarget::threadLocalAddress(IRBuilder<> &B, GlobalVariable *Variable, bool) const {
  return B.CreateThreadLocalAddress(Variable);
}

void createRuntimeAsm(IRBuilder<> &B, const std::string &Text, ArrayRef<AsmOperand> Operands,
                      StringRef Clobbers) {
  std::string Constraints;
  SmallVector<Type *, 8> Types;
  SmallVector<Value *, 8> Values;
  for (const AsmOperand &O : Operands) {
    Constraints += O.Constraint + std::string(",");
    Types.push_back(O.V->getType());
    Values.push_back(O.V);
  }
  Constraints += Clobbers;
  FunctionType *T = FunctionType::get(B.getVoidTy(), Types, /*isVarArg=*/false);
  CallInst *Call =
      B.CreateCall(T, InlineAsm::get(T, Text, Constraints, /*hasSideEffects=*/true), Values);
  for (unsigned I = 0; I < Operands.size(); I++)
    if (Operands[I].Memory)
      Call->addParamAttr(
          I, Attribute::get(B.getContext(), Attribute::ElementType, Operands[I].Memory));
  Call->addFnAttr(Attribute::Cold);
  Call->addFnAttr(Attribute::WillReturn);
  Call->setDoesNotThrow();
  Call->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
}

} // namespace reticle
