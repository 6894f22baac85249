// ProbeTarget.h - what a probe looks like on one processor; one file for each of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_TARGET_PROBETARGET_H
#define RETICLE_PASS_TARGET_PROBETARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include <string>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
class Type;
class Value;
} // namespace llvm

namespace reticle {

/// What a gate or an exit hands to the runtime (struct reticle_site), and how it gets there.
struct ColdCall {
  llvm::Function *Entry;
  llvm::GlobalVariable *EntryPointer; ///< the call goes through it; null: straight to Entry
  llvm::GlobalVariable *Unit;         ///< struct reticle_unit_desc
  uint64_t Number;                    ///< struct reticle_site: of the loop, and flags
  llvm::Value *Cell;                  ///< ptr
  llvm::GlobalVariable *Cells; ///< the unit's, thread-local; null where they lie in the table
  llvm::Value *Work;  ///< 32 or 64 bits, an integer or a pointer; the upper half is undefined
  llvm::Value *Frame; ///< ptr; null where the stack pointer doesn't move
};

class ProbeTarget {
public:
  virtual ~ProbeTarget() = default;

  /// The module's; null where there are no probes for its processor or object format.
  static const ProbeTarget *of(const llvm::Module &M);

  /// Calls the runtime without the compiler noticing a call: no register but the flags changes.
  virtual void coldCall(llvm::IRBuilder<> &B, const ColdCall &Call) const = 0;

  /// Address of a thread-local variable of this module, in a form that no pass carries from the
  /// gate through the loop to the exit. IsLocal: local-exec, else initial-exec.
  virtual llvm::Value *threadLocalAddress(llvm::IRBuilder<> &B, llvm::GlobalVariable *Variable,
                                          bool IsLocal) const;
};

const ProbeTarget &probeTargetX86_64();
const ProbeTarget &probeTargetAArch64();

/// An operand of inline assembly.
struct AsmOperand {
  llvm::Value *V;
  const char *Constraint;
  llvm::Type *Memory = nullptr; ///< what V points to where the operand is memory
};

/// Inline assembly that calls the runtime: cold, returns, throws nothing, and touches no memory
/// but its arguments and the runtime's, so that the program's own loads and stores may be moved
/// past it.
void createRuntimeAsm(llvm::IRBuilder<> &B, const std::string &Text,
                      llvm::ArrayRef<AsmOperand> Operands, llvm::StringRef Clobbers);

} // namespace reticle

#endif
