// ShadowText.h - calls of libc's str* and mem* functions mark what they touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_SHADOW_SHADOWTEXT_H
#define RETICLE_PASS_SHADOW_SHADOWTEXT_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class CallInst;
class Value;
} // namespace llvm

namespace reticle {

class ShadowMarks;

/// Adds marks around the call, if it is of a function that is known.
///
/// IsLeftOut  whether an address gets no marks: asked once for each memory that the call touches
void markTextCall(llvm::CallInst &Call, ShadowMarks &Marks,
                  llvm::function_ref<bool(const llvm::Value *)> IsLeftOut);

} // namespace reticle

#endif
