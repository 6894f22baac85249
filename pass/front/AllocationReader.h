// AllocationReader.h - which type the memory of each allocation is for, from clang's statements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FRONT_ALLOCATIONREADER_H
#define RETICLE_PASS_FRONT_ALLOCATIONREADER_H

#include "pass/front/RecordFacts.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class ASTContext;
class RecordDecl;
} // namespace clang

namespace reticle {

/// Adds the calls that give memory, and the global variables, to Out.Allocations. Calls Needed for
/// each struct that one is of.
void readAllocations(clang::ASTContext &Context, RecordFacts &Out,
                     llvm::function_ref<void(const clang::RecordDecl &)> Needed);

} // namespace reticle

#endif
