// Visits.h - notes which element of a struct an access visits, for a replay of other layouts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses of one block by the same pointer are a visit, noted in front of the first of them. Code
// with marks notes visits (of two copies the marked one, ShadowBursts.h), and only while the
// runtime has a window open: the module's mask is positive then.
//
//   %p = getelementptr ...              mask > 0 ?  -- cold: __reticle_visit(site, %p)
//   %x = load ... %p                    %x = load ... %p
//   %q = getelementptr %p, 8            %q = ...
//   %y = load ... %q                    %y = load ... %q
//
//   site -> for each field of each struct: how far in front of %p the struct starts, offset, bytes
#ifndef RETICLE_PASS_FIELD_VISITS_H
#define RETICLE_PASS_FIELD_VISITS_H

#include "pass/field/FieldMarker.h"
#include "pass/module/Descriptors.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Function;
class GlobalVariable;
class Instruction;
} // namespace llvm

namespace reticle {

class FieldTable;

using BlockAccesses =
    llvm::ArrayRef<std::pair<llvm::Instruction *, llvm::SmallVector<FieldAccess, 2>>>;

/// Attaches a site to the first access of each visit of a block.
///
/// Accesses  of the block, in order
/// Number    of the block in its function: for the sites' stable ids
void noteVisits(BlockAccesses Accesses, uint64_t Loop, uint32_t Line, unsigned Number,
                FieldTable &Table);

/// Puts the calls in, and takes away all that noteVisits attached. Plain: blocks of the plain copy,
/// which gets none.
void emitVisits(llvm::Function &F, const llvm::SmallPtrSetImpl<llvm::BasicBlock *> &Plain,
                llvm::GlobalVariable &Mask);

} // namespace reticle

#endif
