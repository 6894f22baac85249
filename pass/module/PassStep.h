// PassStep.h - what the plug-in is doing: for who sees it crash, and for checks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's stack dump lists what is under way. A line of ours:
//
//   4.  Reticle 0.1.0, feature 'field': planning counters, in function 'arena_new'
//       This is a defect of Reticle, not of clang or of the program; please report it. To go on,
//       leave out the function (...), or the feature (...), or the file (...)
#ifndef RETICLE_PASS_MODULE_PASSSTEP_H
#define RETICLE_PASS_MODULE_PASSSTEP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/PrettyStackTrace.h"

namespace llvm {
class Function;
class Module;
class raw_ostream;
} // namespace llvm

namespace reticle {

struct Options;

class PassStep : public llvm::PrettyStackTraceEntry {
public:
  /// For the whole process, whose translation units are compiled with the same options.
  static void configure(const Options &Opts);

  /// Feature: empty where the step belongs to none. Both texts outlive the step.
  PassStep(llvm::StringRef Feature, llvm::StringRef What) : Feature(Feature), What(What) {}
  /// With verify=1, and where assertions are on, stops the compiler if the function that was worked
  /// on is broken.
  ~PassStep() override { leave(); }
  PassStep(const PassStep &) = delete;
  PassStep &operator=(const PassStep &) = delete;

  /// From now on it works on Next; the function before that is checked. FilterIsAsked: attributes
  /// and the ignorelist keep the step out of functions.
  void in(const llvm::Function &Next, bool FilterIsAsked = true);
  void print(llvm::raw_ostream &OS) const override;

private:
  void leave();

  llvm::StringRef Feature, What;
  const llvm::Function *F = nullptr;
  bool Filtered = false;
};

} // namespace reticle

#endif
