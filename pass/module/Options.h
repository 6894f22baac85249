// Options.h - what the user asked for at compile time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_MODULE_OPTIONS_H
#define RETICLE_PASS_MODULE_OPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/SpecialCaseList.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace reticle {

struct LayoutFile;
struct RecordFacts;

/// How much the pass says while it compiles; docs/decisions/0003 has the reasons.
enum class Verbosity {
  Silent, ///< remarks=0: errors alone
  Notes,  ///< default: one line when a build can't give representative or located results
  Loops,  ///< remarks=1: also why each loop was left out
};

struct Options {
  bool Loop = true;
  bool Field = false;   ///< docs/decisions/0009 says why it is off unless asked for
  bool Block = false;   ///< docs/decisions/0013
  bool Label = false;   ///< labels alone, over which the counts of another build are laid
  bool Shadow = false;  ///< docs/decisions/0017
  bool Measures = true; ///< false, features=none: nothing is measured, and no runtime needed
  /// Loads mark without a look, too.
  bool ShadowStoresAlways = false;
  /// Marks say whether a word was read or written, and by which thread: docs/decisions/0021.
  bool ShadowDetail = false;
  bool ShadowBursts = false; ///< code with marks has a plain copy: docs/decisions/0020
  /// To be told once: a key that has another name now; empty if there is none.
  std::string RenamedKey;
  Verbosity Remarks = Verbosity::Notes;
  /// Objects get the BB address map.
  bool BlockMap = true;
  bool AllTripCounts = false; ///< also where reading them costs the loop something
  bool Stacks = false;        ///< functions keep a frame pointer: samples with call stacks
  bool Iterations = true;     ///< of loops that run seldom and long are timed, too
  bool Visits = true;         ///< with Field and Shadow: the order of visits is noted
  /// Where the program `reticle` lies; unset: beside the plug-in.
  std::optional<std::string> Tool;
  /// Null if there is none.
  std::unique_ptr<llvm::SpecialCaseList> IgnoreList;
  /// Loops that get copies; null: none do.
  std::unique_ptr<llvm::SpecialCaseList> Bound;
  /// Loops that get another form (include/reticle/form.def), and the list's path; null: none do.
  std::unique_ptr<llvm::SpecialCaseList> Forms;
  std::string FormsPath;
  /// Patterns of loops=; empty selects all loops.
  std::vector<llvm::GlobPattern> Select;
  /// Linkage names of functions with the attribute no_instrument_function, which leaves no trace
  /// in the IR.
  llvm::StringSet<> NoInstrument;
  /// What the front end knows of struct types; null without clang's action.
  std::shared_ptr<const RecordFacts> Records;
  /// The what-if; null without one.
  std::shared_ptr<const LayoutFile> Layout;
  bool LayoutApplied = false; ///< the translation unit has the struct
  bool Verify = false;        ///< check the code after each step
  std::string CrashAt;        ///< test aid: FEATURE:FUNCTION
  uint64_t Placement = 0;     ///< seed of the functions' places; 0: the compiler's own

private:
  friend std::string parseOptions(llvm::ArrayRef<std::string>, Options &);
  /// Keeps the text that GlobPattern refers to.
  std::vector<std::unique_ptr<std::string>> PatternTexts;
};

/// Sets Opts from arguments "key=value". Returns an empty string, or the first mistake and its
/// fix; Opts is then half set and must not be used.
std::string parseOptions(llvm::ArrayRef<std::string> Args, Options &Opts);

} // namespace reticle

#endif
