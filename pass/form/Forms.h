// Forms.h - chosen loops in another form, which computes the same: the option forms=.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   VectorizerStart  one source loop is one loop: those that are listed get metadata by which the
//                    vectoriser goes, or a mark
//   OptimizerLast    marked ones get their prefetches, which would have kept the vectoriser away
//
// Where anything is measured, too, a listed loop stands several times instead, as it is and in each
// of its forms, and one is drawn at random (Copies.h); those are timed, and no other loop is.
//
// What became of each is added to the file FORMS.made, a line "ID FORM done LINE..." or
// "ID FORM REASON"; the lines are those of loads that are prefetched.
#ifndef RETICLE_PASS_FORM_FORMS_H
#define RETICLE_PASS_FORM_FORMS_H

#include "llvm/IR/PassManager.h"
#include <memory>

namespace reticle {

struct Options;

class FormMarkPass : public llvm::PassInfoMixin<FormMarkPass> {
public:
  explicit FormMarkPass(std::shared_ptr<const Options> Opts) : Opts(std::move(Opts)) {}
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  std::shared_ptr<const Options> Opts;
};

/// Leaves a symbol __reticle_tried in what is compiled, which linkers drop: by it objects of a
/// trial are told from those that their owner wants (tools/run/child/plain_objects.c).
void markTried(llvm::Module &M);

/// The second half.
void makeForms(llvm::Module &M, llvm::FunctionAnalysisManager &AM, const Options &Opts);

} // namespace reticle

#endif
