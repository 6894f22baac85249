// Filter.h - which functions and loops the user or the ABI keeps us out of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_MODULE_FILTER_H
#define RETICLE_PASS_MODULE_FILTER_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace reticle {

struct LoopSource;
struct Options;

/// Whether there are probes for the target: 64-bit ELF on x86-64 and AArch64.
bool isSupportedTarget(const llvm::Module &M);

/// A function that counts as part of the program: it has a body that this module emits, and it
/// isn't one of ours. A coroutine counts once it is split.
bool isProgramFunction(const llvm::Function &F);

class Filter {
public:
  Filter(const llvm::Module &M, const Options &Opts);

  /// Why no probe can work in F; empty if it can.
  llvm::StringRef unsupported(const llvm::Function &F) const;
  /// Which wish of the user keeps us out of F; empty if none does.
  llvm::StringRef ignored(const llvm::Function &F) const;
  /// The same for one loop.
  llvm::StringRef ignored(const LoopSource &Source) const;

  /// Whether the option bound= lists the loop.
  bool bound(const LoopSource &Source) const;
  /// Whether the option forms= lists the loop with that form.
  bool hasForm(const LoopSource &Source, llvm::StringRef Form) const;

private:
  bool listed(llvm::StringRef Prefix, llvm::StringRef Name) const;
  bool selected(const LoopSource &Source) const;

  const Options &Opts;
  llvm::StringRef MainFile;
  llvm::SmallPtrSet<const llvm::Function *, 4> IFuncResolvers;
};

} // namespace reticle

#endif
