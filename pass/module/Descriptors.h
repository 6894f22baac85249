// Descriptors.h - the records of abi.def as constants of the module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   reticle_units                 (internal)                       reticle_objects
//   +--------------+     +-----------------------+                 +-----------+
//   | unit of f    |---->| loop | loop | loop    |                 | object    |<---- every unit
//   | unit of g    |--.  +-----------------------+                 +-----------+
//   +--------------+  `->| loop |
//                        +------+
#ifndef RETICLE_PASS_MODULE_DESCRIPTORS_H
#define RETICLE_PASS_MODULE_DESCRIPTORS_H

#include "include/reticle/abi.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace llvm {
class Constant;
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace reticle {

class FieldTable;

/// What a field of kind REL leads to: a text, or, where it isn't null, a record.
struct Related {
  llvm::StringRef Text;
  llvm::Constant *Record = nullptr;

  Related &operator=(llvm::StringRef T) {
    Text = T;
    return *this;
  }
};

/// The records with C++ types in place of memory's, LoopRecord and so on: one list of fields for
/// both.
#define RETICLE_CXX_U64 uint64_t
#define RETICLE_CXX_U32 uint32_t
#define RETICLE_CXX_STR llvm::StringRef
#define RETICLE_CXX_PTR llvm::Constant *
#define RETICLE_CXX_REL Related
#define RETICLE_MEM_BEGIN(record, Name) struct Name##Record {
#define RETICLE_MEM_FIELD(record, kind, name, unit, doc) RETICLE_CXX_##kind name = {};
#define RETICLE_MEM_END(record)                                                                    \
  }                                                                                                \
  ;
#include "include/reticle/abi.def"

/// Creates the array of F's loops and its unit, which refers to it. Flags: enum
/// reticle_unit_flags. Returns the unit.
llvm::GlobalVariable *createUnit(llvm::Function &F, llvm::ArrayRef<LoopRecord> Loops,
                                 uint32_t Flags);

/// Sets further flags of the loop at Index of a unit.
void addLoopFlags(llvm::GlobalVariable &Unit, unsigned Index, uint32_t Flags);

/// What says with which what-if the module was compiled: a struct reticle_layout_desc.
llvm::Constant *layoutMark(llvm::Module &M, uint64_t Hash, llvm::StringRef Structure, bool Applied);
/// Whether the module's object record is there already (an earlier phase of LTO wrote it).
bool hasObject(const llvm::Module &M);
/// Writes the module's object record and all that registers the module at run time. Once a module.
void createObject(llvm::Module &M, const ObjectRecord &Record);

/// Whether the module's table of counters is there already.
bool hasFields(const llvm::Module &M);
/// Writes it. Totals: counts and flags; the rest is filled in from Table.
void createFields(llvm::Module &M, FieldsRecord Totals, llvm::StringRef Source,
                  llvm::GlobalVariable *Counters, const FieldTable &Table,
                  llvm::ArrayRef<LabelRecord> Labels);

/// A site of visits: what __reticle_visit gets. Touches may be empty.
llvm::GlobalVariable *createVisit(llvm::Module &M, VisitRecord Visit,
                                  llvm::ArrayRef<TouchRecord> Touches);

/// Whether the module's marks have been made already.
bool hasShadow(const llvm::Module &M);
/// Writes what became of the module's accesses, its global variables, and what registers both.
///
/// Mask  the linked module's
void createShadow(llvm::Module &M, const ShadowRecord &Unit, llvm::ArrayRef<GlobalRecord> Globals,
                  llvm::GlobalVariable *Mask);

/// What copies of a loop read; registers the module's loops of this kind.
llvm::GlobalVariable *createBound(llvm::Module &M, const BoundRecord &Record);
/// Why it has no copies.
void setBoundReason(llvm::GlobalVariable &Bound, uint32_t Reason);

} // namespace reticle

#endif
