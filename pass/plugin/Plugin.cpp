// Plugin.cpp - where in LLVM's pipeline each step runs, and why there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   PipelineStart    names are pinned: the inliner has not yet removed functions; regions by hand
//                    are matched: the code is still as it was written; accesses to fields are
//                    marked: no pass has yet taken the types from addresses
//   VectorizerStart  loops get their probes: the last place where one source loop is one loop;
//                    it is reached at -O0 and before full LTO too, but not before thin LTO;
//                    what the vectoriser says of them behind it is noted; those to be bound are
//                    marked; those that are listed get what leads to another form
//   OptimizerLast    functions that have come later or were passed over get theirs, then the
//                    module's record is written: no function comes after it; blocks get
//                    their counters, where accesses to fields or blocks are counted, and labels;
//                    accesses get their marks (shadow): what is left of them is what runs;
//                    functions keep their frame pointer (stacks); marked loops get their copies,
//                    or their prefetches
//
// With -ffat-lto-objects the last two are reached twice; functions and records are marked.
#include "pass/plugin/Plugin.h"
#include "pass/bound/BoundCopies.h"
#include "pass/bound/BoundMarks.h"
#include "pass/field/Fields.h"
#include "pass/form/Forms.h"
#include "pass/loop/Loops.h"
#include "pass/loop/Regions.h"
#include "pass/loop/VectorRemarks.h"
#include "pass/module/Compat.h"
#include "pass/module/Descriptors.h"
#include "pass/module/Filter.h"
#include "pass/module/LayoutFile.h"
#include "pass/module/Options.h"
#include "pass/module/PassStep.h"
#include "pass/module/SourceInfo.h"
#include "pass/plugin/Placement.h"
#include "pass/plugin/Stacks.h"
#include "pass/shadow/Shadow.h"
#include "pass/shadow/ShadowTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace reticle;

/// For hosts without clang's option: `opt`, or clang with -fpass-plugin= alone (-mllvm).
static cl::list<std::string> Arguments("reticle", cl::value_desc("key=value"),
                                       cl::desc("an option of Reticle"), cl::Hidden);

namespace {

struct PinNamesPass : PassInfoMixin<PinNamesPass> {
  static PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    PassStep Pinning("", "pinning names");
    pinLinkageNames(M);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

uint32_t recordedLevel(OptimizationLevel Level) {
  if (Level.getSizeLevel())
    return 3 + Level.getSizeLevel();
  return Level.getSpeedupLevel();
}

/// The last step: what is left of the functions, then the record of the object file.
class FinishPass : public PassInfoMixin<FinishPass> {
public:
  FinishPass(std::shared_ptr<const Options> Opts, std::shared_ptr<LoopCounts> Counts,
             std::shared_ptr<FieldTags> Tags, std::shared_ptr<VectorRemarks> Vector,
             OptimizationLevel Level)
      : Opts(std::move(Opts)), Counts(std::move(Counts)), Tags(std::move(Tags)),
        Vector(std::move(Vector)), Level(recordedLevel(Level)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &AM) {
    if (!isSupportedTarget(M))
      return PreservedAnalyses::all();
    auto &Functions = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    Vector->write();
    LoopsPass Probe(Opts, Counts, nullptr);
    for (Function &F : M)
      Functions.invalidate(F, Probe.run(F, Functions));
    if (Opts->Forms) {
      makeForms(M, Functions, *Opts);
      markTried(M);
    }
    if (Opts->Bound)
      copyBoundLoops(M, Functions);
    if ((Tags || Opts->Block || Opts->Label) && !hasObject(M))
      countBlocks(M, Functions, *Opts, Tags.get());
    if (Opts->Shadow && Opts->Records && !hasShadow(M))
      writeTypesOf(M);
    if (Opts->Shadow)
      markAccesses(M, *Opts);
    if (Opts->Stacks)
      keepFramePointers(M);
    dropRegionNames(M);
    PassStep Writing("", "writing the module's record");
    if (!hasObject(M)) {
      writeObject(M);
      varyPlacement(M, Opts->Placement);
    }
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  void writeTypesOf(Module &M) const {
    PassStep Writing("shadow", "writing types of allocations");
    writeTypes(M, *Opts->Records);
  }

  void writeObject(Module &M) const {
    ObjectSource Source = describeModule(M);
    std::string Compiler = compilerVersion();
    std::string Tool = Opts->Tool ? *Opts->Tool : toolBesidePlugin();
    ObjectRecord Record;
    Record.source = Source.File;
    Record.directory = Source.Directory;
    Record.compiler = Compiler;
    Record.tool = Tool;
    Record.functions = Counts->Functions;
    Record.functions_probed = Counts->FunctionsProbed;
    Record.loops = Counts->Loops;
    Record.loops_probed = Counts->Probed;
    Record.loops_short = Counts->Short;
    Record.loops_ignored = Counts->Ignored;
    Record.loops_unsupported = Counts->Unsupported;
    Record.opt_level = Level;
    if (Opts->Layout)
      Record.layout = layoutMark(M, Opts->Layout->Hash, Opts->Layout->Struct, Opts->LayoutApplied);
    createObject(M, Record);
  }

  std::shared_ptr<const Options> Opts;
  std::shared_ptr<LoopCounts> Counts;
  std::shared_ptr<FieldTags> Tags;
  std::shared_ptr<VectorRemarks> Vector;
  uint32_t Level;
};

/// The last step of a build that measures nothing.
class FormPass : public PassInfoMixin<FormPass> {
public:
  explicit FormPass(std::shared_ptr<const Options> Opts) : Opts(std::move(Opts)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &AM) {
    auto &Functions = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    makeForms(M, Functions, *Opts);
    varyPlacement(M, Opts->Placement);
    markTried(M);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  std::shared_ptr<const Options> Opts;
};

/// Set by the clang action: then its callback registers the passes, with the right options.
bool ActionRegisters = false;

void registerFromArguments(PassBuilder &PB) {
  if (ActionRegisters)
    return;
  auto Opts = std::make_shared<Options>();
  std::string Mistake = parseOptions(std::vector<std::string>(Arguments), *Opts);
  if (Mistake.empty() && Opts->Layout)
    Mistake = "layout: declarations are changed by clang with -fplugin= alone, not by this host";
  if (!Mistake.empty())
    report_fatal_error("reticle: error: " + Twine(Mistake), /*gen_crash_diag=*/false);
  registerPasses(PB, Opts);
}

} // namespace

namespace reticle {

void leaveRegistrationToAction() { ActionRegisters = true; }

/// Loops in other forms, and functions at other places; nothing that measures.
static void registerForms(PassBuilder &PB, const std::shared_ptr<const Options> &Opts) {
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(PinNamesPass()); });
  PB.registerVectorizerStartEPCallback(
      [Opts](FunctionPassManager &FPM, OptimizationLevel) { FPM.addPass(FormMarkPass(Opts)); });
  registerOptimizerLast(
      PB, [Opts](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(FormPass(Opts)); });
}

void registerPasses(PassBuilder &PB, std::shared_ptr<const Options> Opts) {
  PassStep::configure(*Opts);
  if (!Opts->Measures) {
    registerForms(PB, Opts);
    return;
  }
  // A PassBuilder serves one module.
  auto Counts = std::make_shared<LoopCounts>();
  auto Tags = Opts->Field ? std::make_shared<FieldTags>(Opts->Records) : nullptr;
  PB.registerPipelineStartEPCallback([Opts, Tags](ModulePassManager &MPM, OptimizationLevel) {
    MPM.addPass(PinNamesPass());
    MPM.addPass(RegionsPass(Opts));
    if (Tags)
      MPM.addPass(FieldMarkPass(Tags));
  });
  auto Vector = std::make_shared<VectorRemarks>();
  Vector->attach(PB.getPassInstrumentationCallbacks());
  PB.registerVectorizerStartEPCallback(
      [Opts, Counts, Vector](FunctionPassManager &FPM, OptimizationLevel) {
        FPM.addPass(FormMarkPass(Opts));
        FPM.addPass(LoopsPass(Opts, Counts, Vector));
        FPM.addPass(BoundMarkPass(Opts)); // its marks are inside of the probes
      });
  registerOptimizerLast(PB, [=](ModulePassManager &MPM, OptimizationLevel Level) {
    MPM.addPass(FinishPass(Opts, Counts, Tags, Vector, Level));
  });
}

} // namespace reticle

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  PassPluginLibraryInfo Info = {};
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "reticle";
  Info.PluginVersion = RETICLE_VERSION;
  Info.RegisterPassBuilderCallbacks = registerFromArguments;
  return Info;
}
