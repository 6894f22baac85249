// Placement.cpp - pads functions by a hash of the seed and their names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/plugin/Placement.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace {

/// Functions start at multiples of a step, and a line has so many of them.
constexpr uint64_t StepBytes = 16, Steps = 4;

} // namespace

namespace reticle {

void varyPlacement(Module &M, uint64_t Seed) {
  if (!Seed)
    return;
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasAvailableExternallyLinkage() || F.hasPrefixData())
      continue;
    uint64_t Bytes = xxh3_64bits((F.getName() + "#" + utostr(Seed)).str()) % Steps * StepBytes;
    // Prefix data lies between the function's alignment and its entry.
    if (Bytes)
      F.setPrefixData(
          ConstantAggregateZero::get(ArrayType::get(Type::getInt8Ty(M.getContext()), Bytes)));
  }
}

} // namespace reticle
