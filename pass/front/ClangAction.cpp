// ClangAction.cpp - makes -fplugin= alone enough: options, debug lines, notes, passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only this file, *Reader.cpp, FunctionVisitor.h, LayoutChange.cpp and RecordUses.* have clang's
// headers.
#include "include/reticle/test_program.h"
#include "pass/front/AllocationReader.h"
#include "pass/front/CopyReader.h"
#include "pass/front/LayoutChange.h"
#include "pass/front/RecordReader.h"
#include "pass/front/RecordUses.h"
#include "pass/module/Options.h"
#include "pass/module/PassStep.h"
#include "pass/plugin/Plugin.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Regex.h"
#include "llvm/TargetParser/Triple.h"

using namespace clang;
using namespace reticle;

namespace {

/// Collects the linkage names of functions with the attribute no_instrument_function.
class NoInstrumentFinder : public RecursiveASTVisitor<NoInstrumentFinder> {
public:
  NoInstrumentFinder(ASTContext &Context, llvm::StringSet<> &Names)
      : Mangler(Context), Names(Names) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl *Declaration) {
    if (!Declaration->hasAttr<NoInstrumentFunctionAttr>() || Declaration->isDependentContext())
      return true;
    for (const std::string &Name : Mangler.getAllManglings(Declaration))
      Names.insert(Name);
    Names.insert(Mangler.getName(Declaration));
    return true;
  }

private:
  ASTNameGenerator Mangler;
  llvm::StringSet<> &Names;
};

/// Runs before clang's code generator at the end of the translation unit.
class Consumer : public ASTConsumer, public ASTMutationListener {
public:
  Consumer(CompilerInstance &CI, std::shared_ptr<Options> Options)
      : CI(CI), Opts(std::move(Options)) {
    if (Opts->Layout)
      Layout.emplace(*Opts->Layout);
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    PassStep::configure(*Opts);
    PassStep Reading("", "reading declarations");
    // Walking all declarations takes time; hardly any program spells the attribute. A precompiled
    // header's spelling may not be among the identifiers seen.
    if (spelled("no_instrument_function") || spelled("__no_instrument_function__") ||
        Context.getExternalSource())
      NoInstrumentFinder(Context, Opts->NoInstrument)
          .TraverseDecl(Context.getTranslationUnitDecl());
    if (Layout)
      Layout->finish(Context);
    Opts->LayoutApplied = Layout && Layout->applied();
    if (Opts->Field || Opts->Shadow)
      readRecords(Context);
  }

  /// Also of instantiated templates. Layouts are asked for at the end, when all is declared.
  void HandleTagDeclDefinition(TagDecl *Definition) override {
    auto *Record = dyn_cast<RecordDecl>(Definition);
    if (Record && Layout)
      Layout->verify(*Record);
    if (Record && Opts->Field)
      Records.push_back(Record);
  }

  ASTMutationListener *GetASTMutationListener() override { return Layout ? this : nullptr; }

  /// Before the bodies of member functions are parsed, which may ask for offsets.
  void CompletedTagDefinition(const TagDecl *Definition) override {
    if (const auto *Record = dyn_cast<RecordDecl>(Definition))
      Layout->define(const_cast<RecordDecl &>(*Record));
  }

private:
  /// Now, as clang clears its declarations before the passes run.
  void readRecords(ASTContext &Context) {
    PassStep Reading(Opts->Field ? "field" : "shadow", "reading types and what is done with them");
    auto Facts = std::make_shared<RecordFacts>();
    RecordReader Reader(Context);
    for (const RecordDecl *Record : Records)
      Reader.read(*Record, *Facts);
    if (Opts->Field)
      readUses(Context, *Facts);
    llvm::SetVector<const RecordDecl *> Allocated;
    if (Opts->Shadow)
      readAllocations(Context, *Facts, [&](const RecordDecl &R) { Allocated.insert(&R); });
    for (const RecordDecl *Record : Allocated)
      if (!Opts->Field) // else all are there
        Reader.read(*Record, *Facts);
    Opts->Records = std::move(Facts);
  }

  static void readUses(ASTContext &Context, RecordFacts &Facts) {
    readCopies(Context, Facts);
    llvm::DenseMap<const void *, RecordFact *> ByKey;
    for (RecordFact &Fact : Facts.Records)
      ByKey[Fact.Key] = &Fact;
    findUses(Context, [&ByKey](const RecordDecl &R, uint32_t Use, SourceLocation) {
      if (RecordFact *Fact = ByKey.lookup(&R))
        Fact->Flags |= Use;
    });
  }

  bool spelled(llvm::StringRef Name) const {
    const IdentifierTable &Identifiers = CI.getPreprocessor().getIdentifierTable();
    return Identifiers.find(Name) != Identifiers.end();
  }

  CompilerInstance &CI;
  std::shared_ptr<Options> Opts;
  std::vector<const RecordDecl *> Records;
  std::optional<LayoutChange> Layout;
};

/// Whether a build system asks by this file what the compiler can do. Nobody measures these
/// programs, and they may be linked without the runtime.
bool isTestProgram(const CompilerInstance &CI) {
  for (const FrontendInputFile &Input : CI.getFrontendOpts().Inputs)
    if (Input.isFile() && reticle_is_test_program(Input.getFile().str().c_str()))
      return true;
  return reticle_is_test_program(CI.getFrontendOpts().OutputFile.c_str());
}

/// Many take any output for "no".
bool isProbe(const CompilerInstance &CI) {
  for (const FrontendInputFile &Input : CI.getFrontendOpts().Inputs)
    if (!Input.isFile() || Input.getFile() == "-" || Input.getFile().starts_with("/dev/"))
      return true;
  return isTestProgram(CI);
}

bool generatesCode(const CompilerInstance &CI) {
  switch (CI.getFrontendOpts().ProgramAction) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitObj:
    return true;
  default:
    return false;
  }
}

class Action : public PluginASTAction {
public:
  bool ParseArgs(const CompilerInstance &CI, const std::vector<std::string> &Args) override {
    std::string Mistake = parseOptions(Args, *Opts);
    if (Mistake.empty())
      return true;
    DiagnosticsEngine &Diags = CI.getDiagnostics();
    Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error, "reticle: %0")) << Mistake;
    return false;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, llvm::StringRef) override {
    if (!generatesCode(CI))
      return std::make_unique<ASTConsumer>();
    if (isTestProgram(CI)) {
      leaveRegistrationToAction(); // of nothing
      return std::make_unique<ASTConsumer>();
    }
    warnAboutLevel(CI);
    if (!Opts->RenamedKey.empty() && mayNote(CI))
      warn(CI, Opts->RenamedKey.c_str());
    turnLinesOn(CI);
    turnBlockMapOn(CI);
    turnFieldsOff(CI);
    turnShadowOff(CI);
    if (Opts->Remarks == Verbosity::Loops)
      turnRemarksOn(CI);
    leaveRegistrationToAction();
    CI.getCodeGenOpts().PassBuilderCallbacks.push_back(
        [Shared = Opts](llvm::PassBuilder &PB) { registerPasses(PB, Shared); });
    return std::make_unique<Consumer>(CI, Opts);
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  bool mayNote(const CompilerInstance &CI) const {
    if (Opts->Remarks == Verbosity::Loops)
      return true;
    return Opts->Remarks == Verbosity::Notes && !CI.getDiagnostics().getIgnoreAllWarnings() &&
           !isProbe(CI);
  }

  void warnAboutLevel(CompilerInstance &CI) const {
    if (CI.getCodeGenOpts().OptimizationLevel > 0 || !mayNote(CI))
      return;
    warn(CI, "-O0 is not representative: loops run several times slower than in a real build; "
             "compile with -O2 -g");
  }

  /// The counters are written for x86-64 alone.
  void turnFieldsOff(CompilerInstance &CI) const {
    if (!Opts->Field || CI.getTarget().getTriple().getArch() == llvm::Triple::x86_64)
      return;
    Opts->Field = false;
    if (mayNote(CI))
      warn(CI, "the feature field counts on x86-64 only: nothing is counted here");
  }

  /// Sanitizers have planes of their own in the same place, and their own malloc.
  void turnShadowOff(CompilerInstance &CI) const {
    if (!Opts->Shadow)
      return;
    const llvm::Triple &Target = CI.getTarget().getTriple();
    bool IsTarget = Target.getArch() == llvm::Triple::x86_64 && Target.isOSLinux();
    SanitizerMask Planes = SanitizerKind::Address | SanitizerKind::HWAddress |
                           SanitizerKind::Memory | SanitizerKind::Thread | SanitizerKind::DataFlow |
                           SanitizerKind::KernelAddress;
    if (IsTarget && !CI.getLangOpts().Sanitize.hasOneOf(Planes))
      return;
    Opts->Shadow = false;
    if (mayNote(CI))
      warn(CI, IsTarget ? "the feature shadow doesn't go with this sanitizer: nothing is marked; "
                          "compile without -fsanitize= to measure"
                        : "the feature shadow marks on x86-64 Linux only: nothing is marked here");
  }

  /// A warning that stays one under -Werror: a build must not fail because of us.
  static void warn(CompilerInstance &CI, const char *Text) {
    DiagnosticsEngine &Diags = CI.getDiagnostics();
    bool AsErrors = Diags.getWarningsAsErrors();
    Diags.setWarningsAsErrors(false);
    Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Warning, "reticle: %0")) << Text;
    Diags.setWarningsAsErrors(AsErrors);
  }

  void turnLinesOn(CompilerInstance &CI) const {
    CodeGenOptions &CodeGen = CI.getCodeGenOpts();
    if (CodeGen.getDebugInfo() > llvm::codegenoptions::DebugDirectivesOnly)
      return;
    CodeGen.setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
    if (!mayNote(CI))
      return;
    DiagnosticsEngine &Diags = CI.getDiagnostics();
    Diags.Report(Diags.getCustomDiagID(
        DiagnosticsEngine::Remark,
        "reticle: no -g: line tables are turned on to name loops; add -g to silence this"));
  }

  /// As if -fbasic-block-address-map had been given: `reticle block` then knows the machine blocks
  /// of the program. Its section is not loaded, and no byte of code changes. Only where clang
  /// itself writes the object: other assemblers don't know the section's type.
  void turnBlockMapOn(CompilerInstance &CI) const {
    const llvm::Triple &Target = CI.getTarget().getTriple();
    if (Opts->BlockMap && CI.getFrontendOpts().ProgramAction == frontend::EmitObj &&
        Target.getArch() == llvm::Triple::x86_64 && Target.isOSBinFormatELF())
      CI.getCodeGenOpts().BBAddrMap = 1;
  }

  /// As if -Rpass-missed=reticle had been given, unless the user chose passes by himself.
  static void turnRemarksOn(CompilerInstance &CI) {
    CodeGenOptions::OptRemark &Missed = CI.getCodeGenOpts().OptimizationRemarkMissed;
    if (Missed.hasValidPattern())
      return;
    Missed.Kind = CodeGenOptions::RK_WithPattern;
    Missed.Pattern = "reticle";
    Missed.Regex = std::make_shared<llvm::Regex>(Missed.Pattern);
    CI.getDiagnostics().setSeverityForGroup(diag::Flavor::Remark, "pass-missed",
                                            diag::Severity::Remark);
  }

  std::shared_ptr<Options> Opts = std::make_shared<Options>();
};

/// #pragma reticle, with which reticle.h asks whether the plug-in is there: defines __RETICLE__. A
/// definition by the action above would be none for -E, which runs no plug-in's action, and distcc
/// and others compile what -E made.
class PresencePragma : public PragmaHandler {
public:
  PresencePragma() : PragmaHandler("reticle") {}
  void HandlePragma(Preprocessor &PP, PragmaIntroducer, Token &First) override {
    IdentifierInfo *Name = PP.getIdentifierInfo("__RETICLE__");
    if (!Name->hasMacroDefinition())
      PP.appendDefMacroDirective(Name, PP.AllocateMacroInfo(First.getLocation()));
  }
};

FrontendPluginRegistry::Add<Action> Registration("reticle", "times loops");
PragmaHandlerRegistry::Add<PresencePragma> PragmaRegistration("reticle", "says that it is there");

} // namespace
