// ProbeTargetAArch64.cpp - the cold call, and addresses of cells, on AArch64.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As on x86-64 the call is inline assembly that changes no register. It saves x30, which BL writes,
// and x16 and x17, which a linker's veneer may; the runtime's assembly saves the others. Linux has
// no red zone there. Layout below the caller's stack pointer (entry_aarch64.S relies on it):
//
//    0  struct reticle_site, 48 bytes
//   48  x16, x17
//   64  x30, and 8 bytes that keep the stack pointer a multiple of 16
#include "include/reticle/abi.h"
#include "pass/target/ProbeTarget.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include <cstddef>

using namespace llvm;
using namespace reticle;

namespace {

static_assert(sizeof(reticle_site) == 48, "the layout above");
static_assert(offsetof(reticle_unit_desc, cells_offset_bytes) == 0 &&
                  offsetof(reticle_unit_desc, loops) == 8,
              "loaded as one pair");
static_assert(offsetof(reticle_site, cells_offset_bytes) == 8 &&
                  offsetof(reticle_site, loops) == 16,
              "stored as one pair");
static_assert(offsetof(reticle_site, work) == 32 && offsetof(reticle_site, frame) == 40,
              "stored as one pair");

class AArch64 : public ProbeTarget {
public:
  void coldCall(IRBuilder<> &B, const ColdCall &Call) const override;
  Value *threadLocalAddress(IRBuilder<> &B, GlobalVariable *Variable, bool IsLocal) const override;
};

/// x16 = Value, which has no more than 32 bits.
std::string moveToX16(unsigned Value) {
  std::string Text = "movz w16, #" + std::to_string(Value & 0xffff) + "\n\t";
  if (Value >> 16)
    Text += "movk w16, #" + std::to_string(Value >> 16) + ", lsl #16\n\t";
  return Text;
}

void AArch64::coldCall(IRBuilder<> &B, const ColdCall &Call) const {
  // ADRP reaches 4 GiB. In the large code model addresses come in registers, from wherever the
  // compiler keeps them.
  bool IsLarge = Call.Unit->getParent()->getCodeModel() == CodeModel::Large;
  const char *Symbol = IsLarge ? "r" : "S";
  SmallVector<AsmOperand, 6> Operands = {
      {Call.Cell, "r"},
      {Call.Work, "r"},
      {Call.Unit, Symbol},
      {Call.EntryPointer ? static_cast<Value *>(Call.EntryPointer) : Call.Entry,
       Call.EntryPointer ? Symbol : "S"},
      // A part of the frame: where the prologue is sunk into the function, it stays in front of
      // gate and exits, and both see one stack pointer. The text has no other use for it. (The
      // return address's slot would make leaf functions set up a frame.)
      {Call.Frame ? Call.Frame : B.CreateIntrinsic(Intrinsic::sponentry, {B.getPtrTy()}, {}), "r"},
  };
  // Operands are stored before a register changes: any of them may be in x16, x17 or x30.
  std::string Text = "sub sp, sp, #80\n\t"
                     "stp x16, x17, [sp, #48]\n\t"
                     "str x30, [sp, #64]\n\t"
                     "str $0, [sp]\n\t";
  Text += Call.Frame ? "stp ${1:x}, $4, [sp, #32]\n\t" : "stp ${1:x}, xzr, [sp, #32]\n\t";
  if (IsLarge)
    Text += "str $3, [sp, #24]\n\t"
            "ldp x16, x17, [$2]\n\t";
  else
    Text += "adrp x17, $2\n\t"
            "add x17, x17, :lo12:$2\n\t"
            "ldp x16, x17, [x17]\n\t";
  Text += "stp x16, x17, [sp, #8]\n\t";
  if (IsLarge)
    Text += "ldr x17, [sp, #24]\n\t"
            "ldr x17, [x17]\n\t";
  else if (Call.EntryPointer)
    Text += "adrp x17, $3\n\t"
            "ldr x17, [x17, :lo12:$3]\n\t";
  Text += moveToX16(Call.Number);
  Text += "str x16, [sp, #24]\n\t";
  Text += Call.EntryPointer ? "blr x17\n\t" : "bl $3\n\t";
  Text += "ldr x30, [sp, #64]\n\t"
          "ldp x16, x17, [sp, #48]\n\t"
          "add sp, sp, #80";
  createRuntimeAsm(B, Text, Operands, "~{memory},~{cc}");
}

// As IR the address is a value like any other: gate and exit shared it, and a register carried it
// through the loop. Inline assembly with a side effect is computed where it stands.
Value *AArch64::threadLocalAddress(IRBuilder<> &B, GlobalVariable *Variable, bool IsLocal) const {
  Type *Ptr = B.getPtrTy();
  const char *Local = "mrs $0, tpidr_el0\n\t"
                      "add $0, $0, :tprel_hi12:$2\n\t"
                      "add $0, $0, :tprel_lo12_nc:$2";
  const char *Initial = "adrp $0, :gottprel:$2\n\t"
                        "mrs $1, tpidr_el0\n\t"
                        "ldr $0, [$0, :gottprel_lo12:$2]\n\t"
                        "add $0, $0, $1";
  FunctionType *T =
      FunctionType::get(StructType::get(Ptr, B.getInt64Ty()), {Ptr}, /*isVarArg=*/false);
  CallInst *Address = B.CreateCall(
      T, InlineAsm::get(T, IsLocal ? Local : Initial, "=&r,=&r,S", /*hasSideEffects=*/true),
      {Variable});
  Address->setDoesNotThrow();
  Address->addFnAttr(Attribute::WillReturn);
  Address->setMemoryEffects(MemoryEffects::none());
  return B.CreateExtractValue(Address, 0);
}

} // namespace

const ProbeTarget &reticle::probeTargetAArch64() {
  static const AArch64 Target;
  return Target;
}
