// RecordUses.h - code through which the layout of a struct can be seen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FRONT_RECORDUSES_H
#define RETICLE_PASS_FRONT_RECORDUSES_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace clang {
class ASTContext;
class RecordDecl;
} // namespace clang

namespace reticle {

/// Visit gets the struct's definition, one of RETICLE_STRUCT_OFFSETOF ... COMPARED, and where.
using UseVisitor =
    llvm::function_ref<void(const clang::RecordDecl &, uint32_t, clang::SourceLocation)>;
/// Walks all of the translation unit.
void findUses(clang::ASTContext &Context, UseVisitor Visit);

/// Why the fields may not change places, for a use that goes by their order; null for others.
const char *describePositional(uint32_t Use);

} // namespace reticle

#endif
