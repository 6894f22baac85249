// PassStep.cpp - keeps the step that runs, prints it at a crash, and checks the code after each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/module/PassStep.h"
#include "include/reticle/abi.h"
#include "pass/module/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace reticle;

namespace {

/// What is left of the options. Written before the passes run, and only read by them.
struct {
#ifndef NDEBUG
  bool Verify = true;
#else
  bool Verify = false;
#endif
  std::string CrashAt;
  std::vector<std::string> Features;
} Wanted;

} // namespace

void PassStep::configure(const Options &Opts) {
  Wanted.Verify |= Opts.Verify;
  Wanted.CrashAt = Opts.CrashAt;
  Wanted.Features.clear();
  for (auto [IsOn, Name] : {std::pair(Opts.Loop, "loop"), std::pair(Opts.Field, "field"),
                            std::pair(Opts.Block, "block"), std::pair(Opts.Label, "label"),
                            std::pair(Opts.Shadow, "shadow")})
    if (IsOn)
      Wanted.Features.push_back(Name);
}

/// How to go on compiling. Runs in the handler of the crash, too: nothing here looks at the code.
static void printWaysOut(raw_ostream &OS, StringRef Feature, StringRef Function) {
  OS << "This is a defect of Reticle, not of clang or of the program; please report it. To go on, "
        "leave out ";
  if (!Function.empty())
    OS << "the function (__attribute__((no_instrument_function)), or a line 'fun:" << Function
       << "' in a file for -fplugin-arg-reticle-ignorelist=FILE), or ";
  std::vector<std::string> Others = Wanted.Features;
  llvm::erase(Others, Feature.str());
  if (!Feature.empty() && !Others.empty())
    OS << "the feature (-fplugin-arg-reticle-features=" << join(Others, ",") << "), or ";
  OS << "the file (RETICLE=off, where reticle-clang compiles it)\n";
}

void PassStep::print(raw_ostream &OS) const {
  OS << "Reticle " << RETICLE_VERSION << ", ";
  if (!Feature.empty())
    OS << "feature '" << Feature << "': ";
  OS << What;
  if (F)
    OS << ", in function '" << F->getName() << "'";
  OS << "\n\t";
  printWaysOut(OS, Feature, F && Filtered ? F->getName() : "");
}

void PassStep::in(const Function &Next, bool FilterIsAsked) {
  if (F == &Next)
    return;
  leave();
  F = &Next;
  Filtered = FilterIsAsked;
  if (!Wanted.CrashAt.empty() && Wanted.CrashAt == (Feature + ":" + Next.getName()).str())
    LLVM_BUILTIN_TRAP;
}

void PassStep::leave() {
  if (!Wanted.Verify || !F)
    return;
  std::string Text;
  raw_string_ostream OS(Text);
  if (!verifyFunction(*F, &OS))
    return;
  OS << '\n';
  print(OS);
  report_fatal_error(Twine("reticle: a step left broken code:\n") + OS.str());
}
