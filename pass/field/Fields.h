// Fields.h - the feature `field`: counts what is done to the fields of structs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FIELD_FIELDS_H
#define RETICLE_PASS_FIELD_FIELDS_H

#include "pass/field/FieldTags.h"
#include "llvm/IR/PassManager.h"
#include <memory>

namespace reticle {

struct Options;

/// Marks accesses to fields. First in the pipeline, once a module.
class FieldMarkPass : public llvm::PassInfoMixin<FieldMarkPass> {
public:
  FieldMarkPass(std::shared_ptr<FieldTags> Tags) : Tags(std::move(Tags)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  std::shared_ptr<FieldTags> Tags;
};

/// Puts the counters of the features `field` and `block` in place, and writes the tables; or labels
/// alone, for the feature `label`. Last in the pipeline, once a module. Tags: null without `field`.
void countBlocks(llvm::Module &M, llvm::FunctionAnalysisManager &AM, const Options &Opts,
                 const FieldTags *Tags);

} // namespace reticle

#endif
