// ProbeTargetX86_64.cpp - the cold call on x86-64.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call is inline assembly that changes no register: as a call in IR it took four argument
// registers from the loop's neighbourhood, made leaf functions set up a frame, and let callee-saved
// registers be pushed on the hot path. What differs from one execution to the next goes to the
// stack. All else stands behind the call, where the runtime finds it by the return address, as
// operands of instructions that change the flags alone (entry_x86_64.S relies on it):
//
//    leaq -128(%rsp), %rsp       the red zone; the runtime takes it and both words off
//    pushq FRAME
//    pushq WORK
//    callq __reticle_loop_begin
//    testl $NUMBER, %eax         a9 and 4 bytes
//    testl $UNIT - ., %eax       a9 and 4 bytes; FAR: jmp over 8, from their end to the unit
//    testq $CELLS@tpoff, %rax    48 a9 and 4 bytes; not where cells lie in the table
//    lfence
//
// The barrier: docs/method/loops.md, "Behind a cold call".
#include "include/reticle/abi.h"
#include "pass/ProbeTarget.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

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
  bool IsLarge = Call.Unit->getParent()->getCodeModel() == CodeModel::Large;
  Value *Frame = Call.Frame ? Call.Frame : ConstantPointerNull::get(B.getPtrTy());
  SmallVector<AsmOperand, 6> Operands = {
      {Call.Unit, "i"},
      {Call.Work, "re"},
      {Frame, "re"},
      {IsFar ? static_cast<Value *>(Call.EntryPointer) : Call.Entry, IsFar ? "*m" : "i",
       IsFar ? Ptr : nullptr},
      // Not used by the text. It is part of the frame: where the prologue is sunk into the
      // function, it stays in front of gate and exits, and both see one stack pointer.
      {B.CreateIntrinsic(Intrinsic::addressofreturnaddress, {Ptr}, {}), "*m", B.getInt8Ty()},
  };
  if (Call.Cells)
    Operands.push_back({Call.Cells, "i"});
  uint64_t Number = Call.Number | (IsLarge ? RETICLE_SITE_FAR : 0);
  std::string Text = "leaq -128(%rsp), %rsp\n\t"
                     "pushq ${2:q}\n\t"
                     "pushq ${1:q}\n\t";
  Text += IsFar ? "callq *$3\n\t" : "callq ${3:P}\n\t";
  Text += "testl $$" + std::to_string(static_cast<int32_t>(Number)) + ", %eax\n\t";
  Text += IsLarge ? "jmp 1f\n\t.quad ${0:c} - 1f\n1:\n\t" : "testl $$(${0:c} - .), %eax\n\t";
  if (Call.Cells)
    Text += "testq $$${5:c}@tpoff, %rax\n\t";
  Text += "lfence";
  createRuntimeAsm(B, Text, Operands, "~{memory},~{dirflag},~{fpsr},~{flags}");
}

} // namespace

const ProbeTarget &reticle::probeTargetX86_64() {
  static const X86_64 Target;
  return Target;
}
