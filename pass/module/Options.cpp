// Options.cpp - parses -fplugin-arg-reticle-<key>=<value>.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/module/Options.h"
#include "pass/module/LayoutFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace {

const StringRef Keys[] = {
#define RETICLE_COMPILE_OPTION(Key, Value, Words, Help) #Key,
#include "include/reticle/compile_options.def"
};
/// Of which a key's value is a list; empty for the other keys.
const StringRef WordsOfKeys[] = {
#define RETICLE_COMPILE_OPTION(Key, Value, Words, Help) Words,
#include "include/reticle/compile_options.def"
};
/// The words of two keys, in the order of their rows.
enum Feature { FeatureLoop, FeatureField, FeatureBlock, FeatureLabel, FeatureShadow, FeatureNone };
enum ShadowForm { ShadowMarks, ShadowAlways, ShadowDetail, ShadowBursts };
/// Keys that `shadow` is for now: their value, and what it is there.
const struct {
  StringRef Key, Value, Now;
} OldKeys[] = {{"duty", "0", "marks"},
               {"duty", "1", "bursts"},
               {"shadow_detail", "0", "marks"},
               {"shadow_detail", "1", "detail"},
               {"shadow_stores", "checked", "marks"},
               {"shadow_stores", "always", "always"}};
/// Features of a run, not of a build, and what to type.
const std::pair<StringRef, StringRef> RunFeatures[] = {
    {"sample", "RETICLE_OPTIONS=sample=1 ./PROGRAM"}, {"topdown", "reticle topdown -- ./PROGRAM"}};

std::string unknownKey(StringRef Key) {
  StringRef Nearest = Keys[0];
  for (StringRef Known : Keys)
    if (Key.edit_distance(Known) < Key.edit_distance(Nearest))
      Nearest = Known;
  return ("unknown key '" + Key + "' in -fplugin-arg-reticle-" + Key + "; did you mean '" +
          Nearest + "'? (keys: " + join(std::begin(Keys), std::end(Keys), ", ") + ")")
      .str();
}

StringRef wordsOf(StringRef Key) { return WordsOfKeys[find(Keys, Key) - std::begin(Keys)]; }

/// Positions of the listed words among the key's.
struct FoundWords {
  unsigned Bits = 0;
  std::optional<StringRef> Unknown; ///< the first that is none of them

  bool has(unsigned Word) const { return Bits >> Word & 1; }
};

FoundWords parseWords(StringRef Key, StringRef Value) {
  SmallVector<StringRef, 8> Known, Names;
  FoundWords Found;
  wordsOf(Key).split(Known, ',');
  Value.split(Names, ',');
  for (StringRef Name : Names) {
    const auto *Word = find(Known, Name);
    if (Word == Known.end()) {
      Found.Unknown = Name;
      break;
    }
    Found.Bits |= 1u << (Word - Known.begin());
  }
  return Found;
}

std::string parseFeatures(StringRef Value, reticle::Options &Opts) {
  FoundWords Found = parseWords("features", Value);
  if (Found.Unknown) {
    StringRef Name = *Found.Unknown;
    for (const auto &[Feature, Command] : RunFeatures)
      if (Feature == Name)
        return ("features: '" + Name + "' needs nothing at compile time: leave it out, and type " +
                Command)
            .str();
    return ("features: unknown feature '" + Name + "'; use features=" + wordsOf("features")).str();
  }
  if (Found.has(FeatureNone) && Value != "none")
    return "features: 'none' stands alone";
  Opts.Measures = !Found.has(FeatureNone);
  Opts.Loop = Found.has(FeatureLoop);
  Opts.Field = Found.has(FeatureField);
  Opts.Block = Found.has(FeatureBlock);
  Opts.Label = Found.has(FeatureLabel);
  Opts.Shadow = Found.has(FeatureShadow);
  return "";
}

std::string parseSwitch(StringRef Key, StringRef Value, bool &On) {
  if (Value != "0" && Value != "1")
    return (Key + ": '" + Value + "' is neither 0 nor 1").str();
  On = Value == "1";
  return "";
}

std::string addShadow(StringRef Value, reticle::Options &Opts) {
  FoundWords Found = parseWords("shadow", Value);
  if (Found.Unknown) {
    SmallVector<StringRef, 4> Known;
    wordsOf("shadow").split(Known, ',');
    return ("shadow: unknown '" + *Found.Unknown + "'; use shadow=" + join(Known, ", ") +
            ", or always,bursts")
        .str();
  }
  Opts.ShadowStoresAlways |= Found.has(ShadowAlways);
  Opts.ShadowDetail |= Found.has(ShadowDetail);
  Opts.ShadowBursts |= Found.has(ShadowBursts);
  return "";
}

std::string parseShadow(StringRef Value, reticle::Options &Opts) {
  Opts.ShadowStoresAlways = Opts.ShadowDetail = Opts.ShadowBursts = false;
  return addShadow(Value, Opts);
}

bool isOldKey(StringRef Key) {
  return any_of(OldKeys, [&](const auto &Old) { return Old.Key == Key; });
}

std::string parseOldKey(StringRef Key, StringRef Value, reticle::Options &Opts) {
  for (const auto &Old : OldKeys)
    if (Old.Key == Key && Old.Value == Value) {
      Opts.RenamedKey =
          (Key + "=" + Value + " is -fplugin-arg-reticle-shadow=" + Old.Now + " now").str();
      return addShadow(Old.Now, Opts);
    }
  return (Key + ": unknown value '" + Value +
          "'; use -fplugin-arg-reticle-shadow=marks, always, detail or bursts")
      .str();
}

std::string checkShadow(const reticle::Options &Opts) {
  if (Opts.ShadowDetail && Opts.ShadowStoresAlways)
    return "shadow=detail has to look at each mark first; leave out always";
  if (Opts.ShadowDetail && Opts.ShadowBursts)
    return "shadow=detail marks all the time; leave out bursts";
  if (Opts.ShadowBursts && !Opts.Shadow)
    return "shadow=bursts: bursts are of the feature shadow; add it: "
           "-fplugin-arg-reticle-features=loop,shadow";
  return "";
}

std::string parsePlacement(StringRef Value, uint64_t &Seed) {
  if (Value.getAsInteger(10, Seed))
    return ("placement: '" + Value +
            "' is no number; 0 leaves functions where the compiler puts them")
        .str();
  return "";
}

std::string parseRemarks(StringRef Value, reticle::Verbosity &Remarks) {
  bool On = false;
  std::string Mistake = parseSwitch("remarks", Value, On);
  Remarks = On ? reticle::Verbosity::Loops : reticle::Verbosity::Silent;
  return Mistake;
}

/// A pipe waits for who may never come, a device may have no end; and some files are read twice.
std::string refuseIrregular(StringRef Key, StringRef Path) {
  sys::fs::file_status Status;
  if (Path == "/dev/null" || sys::fs::status(Path, Status) || sys::fs::is_regular_file(Status) ||
      sys::fs::is_directory(Status))
    return "";
  return (Key + ": " + Path +
          " is no regular file (a FIFO, a device or a socket); copy what it holds into a file "
          "(cat), and name that")
      .str();
}

std::string loadLists(StringRef Key, const std::vector<std::string> &Paths,
                      std::unique_ptr<SpecialCaseList> &List) {
  if (Paths.empty())
    return "";
  for (const std::string &Path : Paths)
    if (std::string Mistake = refuseIrregular(Key, Path); !Mistake.empty())
      return Mistake;
  std::string Error;
  List = SpecialCaseList::create(Paths, *vfs::getRealFileSystem(), Error);
  if (List)
    return "";
  return (Key + ": " + Error + "; each line is 'src:GLOB', 'fun:GLOB' or 'loop:ID'").str();
}

std::string loadLayout(StringRef Path, std::shared_ptr<const reticle::LayoutFile> &Layout) {
  auto File = std::make_shared<reticle::LayoutFile>();
  std::string Mistake = refuseIrregular("layout", Path);
  if (Mistake.empty())
    Mistake = reticle::readLayoutFile(Path, *File);
  if (!Mistake.empty())
    return Mistake;
  if (Layout && Layout->Hash != File->Hash)
    return "layout: " + Layout->Path + " and " + File->Path + ": one layout at a time can be tried";
  Layout = std::move(File);
  return "";
}

} // namespace

namespace reticle {

std::string parseOptions(ArrayRef<std::string> Args, Options &Opts) {
  std::vector<std::string> IgnoreLists, Bounds, Forms;
  for (const std::string &Arg : Args) {
    auto [Key, Value] = StringRef(Arg).split('=');
    std::string Mistake;
    if (Key == "crash") { // a test aid, and none of the keys that a message lists
      Opts.CrashAt = Value.str();
      continue;
    }
    if (!is_contained(Keys, Key) && !isOldKey(Key))
      return unknownKey(Key);
    // An empty tool= is meant: it keeps the build's paths out of the program.
    if (Value.empty() && Key != "tool")
      return (Key + ": a value is missing; write -fplugin-arg-reticle-" + Key + "=VALUE").str();
    if (Key == "features")
      Mistake = parseFeatures(Value, Opts);
    else if (Key == "remarks")
      Mistake = parseRemarks(Value, Opts.Remarks);
    else if (Key == "block_map")
      Mistake = parseSwitch(Key, Value, Opts.BlockMap);
    else if (Key == "trip_counts")
      Mistake = parseSwitch(Key, Value, Opts.AllTripCounts);
    else if (Key == "iterations")
      Mistake = parseSwitch(Key, Value, Opts.Iterations);
    else if (Key == "stacks")
      Mistake = parseSwitch(Key, Value, Opts.Stacks);
    else if (Key == "visits")
      Mistake = parseSwitch(Key, Value, Opts.Visits);
    else if (Key == "ignorelist")
      IgnoreLists.push_back(Value.str());
    else if (Key == "bound")
      Bounds.push_back(Value.str());
    else if (Key == "forms") {
      Forms.push_back(Value.str());
      Opts.FormsPath = Value.str();
    } else if (Key == "layout")
      Mistake = loadLayout(Value, Opts.Layout);
    else if (Key == "placement")
      Mistake = parsePlacement(Value, Opts.Placement);
    else if (Key == "shadow")
      Mistake = parseShadow(Value, Opts);
    else if (isOldKey(Key))
      Mistake = parseOldKey(Key, Value, Opts);
    else if (Key == "verify")
      Mistake = parseSwitch(Key, Value, Opts.Verify);
    else if (Key == "tool")
      Opts.Tool = Value.str();
    else { // loops
      SmallVector<StringRef, 8> Patterns;
      Value.split(Patterns, ',', -1, false);
      for (StringRef Text : Patterns) {
        Opts.PatternTexts.push_back(std::make_unique<std::string>(Text));
        Expected<GlobPattern> Pattern = GlobPattern::create(*Opts.PatternTexts.back());
        if (!Pattern)
          return ("loops: '" + Text + "' is no glob: " + toString(Pattern.takeError())).str();
        Opts.Select.push_back(std::move(*Pattern));
      }
    }
    if (!Mistake.empty())
      return Mistake;
  }
  if (std::string Mistake = checkShadow(Opts); !Mistake.empty())
    return Mistake;
  if (std::string Mistake = loadLists("bound", Bounds, Opts.Bound); !Mistake.empty())
    return Mistake;
  if (std::string Mistake = loadLists("forms", Forms, Opts.Forms); !Mistake.empty())
    return Mistake;
  return loadLists("ignorelist", IgnoreLists, Opts.IgnoreList);
}

} // namespace reticle
