// RuntimeCalls.h - everything the pass emits that the runtime answers: gates, exits, registration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_MODULE_RUNTIMECALLS_H
#define RETICLE_PASS_MODULE_RUNTIMECALLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Constant;
class Function;
class GlobalVariable;
class Instruction;
class Module;
} // namespace llvm

namespace reticle {

class ProbeTarget;

/// Keeps address and memory sanitizers from padding or checking one of our variables.
void excludeFromSanitizers(llvm::GlobalVariable &Global);

/// Whether code of this module may end up in a shared library: its cells then lie in the thread's
/// cell table, as a dlopened library must not need static thread-local storage of its own.
bool cellsLieInTable(const llvm::Module &M);

/// `Prefix`Section, which the linker defines; null at run time when no object has the section.
llvm::Constant *sectionBound(llvm::Module &M, llvm::StringRef Prefix, llvm::StringRef Section);

/// Emits the constructor and destructor that hand Bounds (a struct reticle_module_desc) to the
/// runtime: one of each in a linked module, however many object files bring them.
void registerModule(llvm::Module &M, llvm::Constant *Bounds);

/// A pointer to one of the runtime's functions that all object files of a linked module share.
llvm::GlobalVariable *entryPointer(llvm::Function &Entry);

/// The record of the linked module's field counters (a struct reticle_field_module_desc made of
/// Values), with constructor and destructor. One in a linked module.
llvm::GlobalVariable *createFieldModule(llvm::Module &M, llvm::ArrayRef<llvm::Constant *> Values);
/// The linked module's thread-local word of struct reticle_field_site. ForExecutable: the code
/// can't end up in a library.
llvm::GlobalVariable *createFieldWord(llvm::Module &M, bool ForExecutable);

/// The linked module's mask of marks: 0 until the runtime says otherwise.
llvm::GlobalVariable *shadowMask(llvm::Module &M);
/// The linked module's thread-local word with the thread's number in each byte, as marks have it: 0
/// until the thread is known.
llvm::GlobalVariable *shadowThread(llvm::Module &M);
/// Emits what hands Module (a struct reticle_shadow_module_desc) to the runtime: a constructor and
/// a destructor, and for executables a call before any constructor.
void registerShadow(llvm::Module &M, llvm::Constant *Module);

/// Emits what hands Module (a struct reticle_bound_module_desc) to the runtime. Once a module;
/// further calls do nothing.
void registerBounds(llvm::Module &M, llvm::Constant *Module);

/// The probes of one function.
class LoopProbes {
public:
  /// Unit: the function's struct reticle_unit_desc; Count: its loops.
  LoopProbes(llvm::Function &F, llvm::GlobalVariable *Unit, unsigned Count);

  using EmitWork = llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &)>;
  /// Gate of loop Index in front of Before. Work is called where the cold call's argument is
  /// computed: an integer or a pointer of 32 or 64 bits.
  void gate(llvm::Instruction *Before, unsigned Index, EmitWork Work);
  /// Test of loop Index in front of Before, which is behind the loop. SiteFlags: RETICLE_SITE_*;
  /// Work as for a gate.
  void exit(llvm::Instruction *Before, unsigned Index, uint64_t SiteFlags, EmitWork Work);

  /// Between two iterations of loop Index, in front of Before: ends the one that was timed, then a
  /// gate for the next one.
  void nextIteration(llvm::Instruction *Before, unsigned Index);

private:
  llvm::Value *countDown(llvm::IRBuilder<> &B, llvm::Value *Cell, bool IsVolatile);
  llvm::Value *cellAddress(llvm::IRBuilder<> &B, unsigned Index);
  /// Null where the stack pointer doesn't move.
  llvm::Value *frameAddress(llvm::IRBuilder<> &B);
  /// Splits in front of Before a block that runs when Count is below 0.
  llvm::Instruction *coldBlock(llvm::IRBuilder<> &B, llvm::Value *Count, llvm::Instruction *Before);
  void coldCall(llvm::IRBuilder<> &B, llvm::StringRef Name, uint64_t Number, llvm::Value *Cell,
                llvm::Value *Work);

  llvm::Function &F;
  const ProbeTarget &Target;
  llvm::GlobalVariable *Unit;
  llvm::GlobalVariable *Cells; ///< of this function; null where they lie in the table
  llvm::GlobalVariable *Table; ///< __reticle_cells; null where there are Cells
  bool FrameMoves;             ///< the stack pointer moves inside the function
  llvm::DebugLoc Location;
};

} // namespace reticle

#endif
