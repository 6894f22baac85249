// ProbeTargetX86_64.cpp - the cold call on x86-64.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments go to the stack and the call is inline assembly that changes no register: as a call
// in IR it took four argument registers from the loop's neighbourhood, made leaf functions set up a
// frame, and let callee-saved registers be pushed on the hot path.
//
// The barrier behind the call: docs/method/loops.md, "Behind a cold call".
#include "include/reticle/abi.h"
#include "pass/ProbeTarget.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include <cstddef>

using namespace llvm;
using namespace reticle;

namespace {

class X86_64 : public ProbeTarget {
public:
  void coldCall(IRBuilder<> &B, const ColdCall &Call) const override;
};

void X86_64::coldCall(IRBuilder<> &B, const ColdCall &Call) const {
  Type *Ptr = B.getPtrTy();
  bool IsFar = Call.EntryPointer != nullptr;
  auto UnitField = [&](unsigned Offset) {
    return B.CreateConstInBoundsGEP1_32(B.getInt8Ty(), Call.Unit, Offset);
  };
  Value *Frame = Call.Frame ? Call.Frame : ConstantPointerNull::get(B.getPtrTy());
  AsmOperand Operands[] = {
      {Call.Cell, "r"},
      {UnitField(offsetof(reticle_unit_desc, cells_offset_bytes)), "*m", B.getInt64Ty()},
      {UnitField(offsetof(reticle_unit_desc, loops)), "*m", Ptr},
      {B.getInt64(Call.Number), "i"},
      {Call.Work, "re"},
      {Frame, "re"},
      {IsFar ? static_cast<Value *>(Call.EntryPointer) : Call.Entry, IsFar ? "*m" : "i",
       IsFar ? Ptr : nullptr},
      // Not used by the text. It is part of the frame: where the prologue is sunk into the
      // function, it stays in front of gate and exits, and both see one stack pointer.
      {B.CreateIntrinsic(Intrinsic::addressofreturnaddress, {Ptr}, {}), "*m", B.getInt8Ty()},
  };
  std::string Text = "leaq -128(%rsp), %rsp\n\t"; // the red zone
  for (int I = 5; I >= 0; I--)
    Text += I == 4 ? "pushq ${4:q}\n\t" : "pushq $" + std::to_string(I) + "\n\t";
  Text += IsFar ? "callq *$6\n\t" : "callq ${6:P}\n\t";
  Text += "lfence\n\t";
  Text += "leaq 176(%rsp), %rsp";
  createRuntimeAsm(B, Text, Operands, "~{memory},~{dirflag},~{fpsr},~{flags}");
}

} // namespace

const ProbeTarget &reticle::probeTargetX86_64() {
  static const X86_64 Target;
  return Target;
}
