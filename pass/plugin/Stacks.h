// Stacks.h - what call stacks of samples need of the code: frame pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_PLUGIN_STACKS_H
#define RETICLE_PASS_PLUGIN_STACKS_H

namespace llvm {
class Module;
}

namespace reticle {

/// As if -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer had been given, for any front end. A
/// leaf without one would hide who called it: the kernel finds callers by the frame pointer alone.
void keepFramePointers(llvm::Module &M);

} // namespace reticle

#endif
