// ProbeTargetX86_64.cpp - the cold call on x86-64.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call is inline assembly that changes no register: as a call in IR it took four argument
// registers from the loop's neighbourhood, made leaf functions set up a frame, and let callee-saved
// registers be pushed on the hot path. What differs from one execution to the next goes to the
// stack. All else stands behind the call, where the runtime finds it by the return address, as
// operands of instructions that change the flags alone (entry_x86_64.S relies on it):
//
//    addq $-128, %rsp            the red zone; the runtime takes it and the work off
//    pushq FRAME                 where the stack pointer moves
//    pushq WORK
//    callq __reticle_loop_begin
//    testb $NUMBER, %al          a8 and 1 byte; above 31, and FAR: testl, a9 and 4 bytes
//    testl $UNIT - ., %eax       a9 and 4 bytes; FAR: jmp over 8, from their end to the unit
//    testl $CELLS@tpoff, %eax    a9 and 4 bytes; not where cells lie in the table
//    leaq 8(%rsp), %rsp          where the stack pointer moves
//    lfence
//
// The barrier: docs/method/loops.md, "Behind a cold call".
#include "include/reticle/abi.h"
#include "pass/target/ProbeTarget.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace reticle;

namespace {

/// Bits of a loop's number beside 3 flags in one byte, and how far these are moved down.
enum { ShortBits = 5, ShortShift = 23 };

/// A testl of %eax in front of its constant. No mnemonic: GNU as makes another instruction of small
/// numbers where it optimises for size, and takes no distance from a thread pointer there.
const std::string TestLong = ".byte 0xa9\n\t.long ";

class X86_64 : public ProbeTarget {
public:
  void coldCall(IRBuilder<> &B, const ColdCall &Call) const override;
};

/// The first instruction behind the call.
std::string number(const ColdCall &Call, bool IsLarge) {
  uint64_t Number =
      Call.Number | (IsLarge ? RETICLE_SITE_FAR : 0) | (Call.Frame ? RETICLE_SITE_FRAME : 0);
  uint64_t Flags = Number & ~RETICLE_SITE_NUMBER;
  if (!IsLarge && Number - Flags < 1u << ShortBits)
    return "testb $$" + std::to_string(Flags >> ShortShift | (Number - Flags)) + ", %al\n\t";
  return TestLong + std::to_string(Number) + "\n\t";
}

void X86_64::coldCall(IRBuilder<> &B, const ColdCall &Call) const {
  Type *Ptr = B.getPtrTy();
  bool IsFar = Call.EntryPointer != nullptr;
  bool IsLarge = Call.Unit->getParent()->getCodeModel() == CodeModel::Large;
  SmallVector<AsmOperand, 6> Operands = {
      {Call.Unit, "i"},
      {Call.Work, "re"},
      {IsFar ? static_cast<Value *>(Call.EntryPointer) : Call.Entry, IsFar ? "*m" : "i",
       IsFar ? Ptr : nullptr},
      // Not used by the text. It is part of the frame: where the prologue is sunk into the
      // function, it stays in front of gate and exits, and both see one stack pointer.
      {B.CreateIntrinsic(Intrinsic::addressofreturnaddress, {Ptr}, {}), "*m", B.getInt8Ty()},
      // Not used without Cells.
      {Call.Cells ? Call.Cells : Call.Unit, "i"},
  };
  if (Call.Frame)
    Operands.push_back({Call.Frame, "r"});
  std::string Text = "addq $$-128, %rsp\n\t";
  if (Call.Frame)
    Text += "pushq ${5:q}\n\t";
  Text += "pushq ${1:q}\n\t";
  Text += IsFar ? "callq *$2\n\t" : "callq ${2:P}\n\t";
  Text += number(Call, IsLarge);
  Text += IsLarge ? "jmp 1f\n\t.quad ${0:c} - 1f\n1:\n\t" : "testl $$(${0:c} - .), %eax\n\t";
  if (Call.Cells)
    Text += TestLong + "${4:c}@tpoff\n\t";
  if (Call.Frame)
    Text += "leaq 8(%rsp), %rsp\n\t";
  Text += "lfence";
  createRuntimeAsm(B, Text, Operands, "~{memory},~{dirflag},~{fpsr},~{flags}");
}

} // namespace

const ProbeTarget &reticle::probeTargetX86_64() {
  static const X86_64 Target;
  return Target;
}
