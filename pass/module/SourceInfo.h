// SourceInfo.h - where a loop or a module comes from in the source, and a loop's stable id.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_MODULE_SOURCEINFO_H
#define RETICLE_PASS_MODULE_SOURCEINFO_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace llvm {
class CallInst;
class Function;
class Loop;
class Module;
} // namespace llvm

namespace reticle {

/// A loop's place. The strings belong to the module.
struct LoopSource {
  llvm::StringRef Function;    ///< linkage name of the function that holds the code
  llvm::StringRef InlinedFrom; ///< linkage name of the function the source belongs to
  llvm::StringRef File;        ///< as the debug information spells it, "" if unknown
  unsigned Line = 0;           ///< 0 if unknown
  unsigned Column = 0;         ///< 0 if unknown
  unsigned Depth = 1;          ///< 1 for an outermost loop
  bool OfIteration = false;    ///< an iteration of the loop
  uint64_t CopyId = 0;         ///< of a copy that stands beside others (markCopy); 0: it is none

  /// Hash of all of the above, the same in every build of the same source; of a copy its own.
  uint64_t id() const;
};

LoopSource describeLoop(const llvm::Loop &L, const llvm::Function &F);
/// Has describeLoop tell a copy of a loop, which stands beside others, by an id of its own.
void markCopy(llvm::Loop &L, uint64_t Id);
/// A region goes by its name, and by the function its source belongs to: copies in functions that
/// it was inlined into are the same region.
LoopSource describeRegion(const llvm::CallInst &Begin, llvm::StringRef Name);

struct ObjectSource {
  llvm::StringRef File;      ///< main source file as the debug information (else LLVM) spells it
  llvm::StringRef Directory; ///< compilation directory, "" if unknown
};

ObjectSource describeModule(const llvm::Module &M);

/// The compiler's name and version, e.g. "clang 19.1.7".
std::string compilerVersion();

/// Where the program `reticle` lies when the plug-in lies in PREFIX/lib/reticle/plugins.
std::string toolBesidePlugin();

/// Writes linkage names into subprograms that have none (-gline-tables-only leaves them out):
/// after inlining, the subprogram is all that is left of a function. Must run before the inliner.
void pinLinkageNames(llvm::Module &M);

} // namespace reticle

#endif
