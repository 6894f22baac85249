// CopyReader.h - where the source copies or clears structs, or touches bitfields or unions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FRONT_COPYREADER_H
#define RETICLE_PASS_FRONT_COPYREADER_H

#include "pass/front/RecordFacts.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace reticle {

/// Adds the copies of the translation unit to Out.Copies: what the compiler's memcpy says no more,
/// the types behind its two addresses. And the accesses to bitfields to Out.BitFields, to fields of
/// unions to Out.Unions.
void readCopies(clang::ASTContext &Context, RecordFacts &Out);

} // namespace reticle

#endif
