// Shadow.h - the feature `shadow`: marks the words of memory that the program touches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_SHADOW_SHADOW_H
#define RETICLE_PASS_SHADOW_SHADOW_H

namespace llvm {
class Module;
} // namespace llvm

namespace reticle {

struct Options;

/// Puts marks in front of the module's accesses, writes the table of its global variables, and puts
/// the runtime in front of malloc. Last in the pipeline, once a module.
void markAccesses(llvm::Module &M, const Options &Opts);

} // namespace reticle

#endif
