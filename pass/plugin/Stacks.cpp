// Stacks.cpp - lets functions keep a frame pointer, by which samples find their callers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/plugin/Stacks.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace reticle {

void keepFramePointers(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(Attribute::Naked))
      F.addFnAttr("frame-pointer", "all");
}

} // namespace reticle
