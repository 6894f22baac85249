// Regions.h - the feature `region`: parts of a function that are timed as loops are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   what reticle.h leaves         RegionsPass (start of the pipeline)     FunctionRegions
//   (VectorizerStart)
//   __reticle_region_begin(name)  __reticle_region_open(region)           gate
//   __reticle_region_end()        __reticle_region_close(region)          test
//
// An end is matched with its begin where the code is still as it was written; docs/decisions/0007.
#ifndef RETICLE_PASS_LOOP_REGIONS_H
#define RETICLE_PASS_LOOP_REGIONS_H

#include "pass/loop/RegionStacks.h"
#include "pass/module/Descriptors.h"
#include "pass/module/SourceInfo.h"
#include "llvm/IR/PassManager.h"
#include <memory>
#include <vector>

namespace llvm {
class DILocation;
}

namespace reticle {

class LoopProbes;
struct Options;

/// Matches begins and ends, warns of mistakes, and ends what is left open.
class RegionsPass : public llvm::PassInfoMixin<RegionsPass> {
public:
  explicit RegionsPass(std::shared_ptr<const Options> Opts) : Opts(std::move(Opts)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  std::shared_ptr<const Options> Opts;
};

/// Drops what stood for regions until their gates were in place.
void dropRegionNames(llvm::Module &M);

/// The regions of one function, at the place of the pipeline where loops get their probes.
class FunctionRegions {
public:
  explicit FunctionRegions(llvm::Function &F);

  bool empty() const { return Marks.empty(); }
  /// Asks for each region whether it gets probes.
  using Choose = llvm::function_ref<bool(const LoopSource &, const llvm::CallInst &)>;
  void choose(Choose Wanted);
  /// Appends the records of the chosen ones.
  void addRecords(llvm::SmallVectorImpl<LoopRecord> &Records);
  /// Places gates and tests; First: number of the first region's record. Then, or where Probes is
  /// null, takes the marks away.
  void probe(LoopProbes *Probes, unsigned First);

private:
  /// A region in one inlined copy of its function: nested copies need cells of their own.
  struct Region {
    llvm::GlobalVariable *Name;
    const llvm::DILocation *InlinedAt;
    llvm::CallInst *Begin;
    std::optional<unsigned> Index; ///< among the chosen ones
    LoopSource Source;
  };
  unsigned number(llvm::CallInst &Call);

  llvm::Function &F;
  std::vector<Region> Regions;
  llvm::SmallVector<RegionMark, 8> Marks;
  unsigned Chosen = 0;
};

} // namespace reticle

#endif
