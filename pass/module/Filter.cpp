// Filter.cpp - attributes, ignore lists and the option loops=.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/module/Filter.h"
#include "pass/module/Options.h"
#include "pass/module/SourceInfo.h"
#include "pass/target/ProbeTarget.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace llvm;

namespace reticle {

bool isSupportedTarget(const Module &M) { return ProbeTarget::of(M) != nullptr; }

bool isProgramFunction(const Function &F) {
  return !F.isDeclaration() && !F.hasAvailableExternallyLinkage() && !F.isPresplitCoroutine() &&
         !F.getName().starts_with("__reticle") && !F.getName().starts_with("rrt_");
}

Filter::Filter(const Module &M, const Options &Opts)
    : Opts(Opts), MainFile(describeModule(M).File) {
  for (const GlobalIFunc &IFunc : M.ifuncs())
    if (const Function *Resolver = IFunc.getResolverFunction())
      IFuncResolvers.insert(Resolver);
}

StringRef Filter::unsupported(const Function &F) const {
  if (F.hasFnAttribute(Attribute::Naked))
    return "a naked function has no frame for a call";
  if (IFuncResolvers.contains(&F))
    return "an ifunc resolver runs before thread-local variables exist";
  return "";
}

bool Filter::listed(StringRef Prefix, StringRef Name) const {
  return Opts.IgnoreList && !Name.empty() && Opts.IgnoreList->inSection("reticle", Prefix, Name);
}

StringRef Filter::ignored(const Function &F) const {
  if (F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation))
    return "attribute disable_sanitizer_instrumentation";
  if (Opts.NoInstrument.contains(F.getName()))
    return "attribute no_instrument_function";
  if (listed("fun", F.getName()) || listed("src", MainFile))
    return "ignorelist";
  return "";
}

/// A loop's id as reports and lists of `reticle gates` spell it.
static std::string hexId(uint64_t Id) { return utohexstr(Id, /*LowerCase=*/true, /*Width=*/16); }

StringRef Filter::ignored(const LoopSource &Source) const {
  if (Opts.NoInstrument.contains(Source.InlinedFrom))
    return "attribute no_instrument_function";
  if (listed("fun", Source.InlinedFrom) || listed("src", Source.File) ||
      listed("loop", hexId(Source.id())))
    return "ignorelist";
  if (!selected(Source))
    return "not among loops=";
  return "";
}

bool Filter::bound(const LoopSource &Source) const {
  auto Lists = [this](StringRef Prefix, StringRef Name) {
    return Opts.Bound && !Name.empty() && Opts.Bound->inSection("reticle", Prefix, Name);
  };
  return Lists("loop", hexId(Source.id())) || Lists("fun", Source.InlinedFrom) ||
         Lists("src", Source.File);
}

bool Filter::hasForm(const LoopSource &Source, StringRef Form) const {
  return Opts.Forms && Opts.Forms->inSection("reticle", "loop", hexId(Source.id()), Form);
}

/// Appends the names by which a user may call a function: as linked, and for C++ with and without
/// its namespaces, without parameters.
static void addFunctionNames(StringRef Linkage, SmallVectorImpl<std::string> &Names) {
  Names.push_back(Linkage.str());
  ItaniumPartialDemangler Demangler;
  if (Demangler.partialDemangle(Names.back().c_str()))
    return;
  for (auto Part :
       {&ItaniumPartialDemangler::getFunctionBaseName, &ItaniumPartialDemangler::getFunctionName}) {
    size_t Bytes = 0;
    if (char *Text = (Demangler.*Part)(nullptr, &Bytes)) {
      Names.push_back(Text);
      std::free(Text);
    }
  }
}

bool Filter::selected(const LoopSource &Source) const {
  if (Opts.Select.empty())
    return true;
  SmallVector<std::string, 10> Names;
  addFunctionNames(Source.Function, Names);
  if (Source.InlinedFrom != Source.Function)
    addFunctionNames(Source.InlinedFrom, Names);
  if (!Source.File.empty()) {
    std::string Line = ":" + std::to_string(Source.Line);
    for (StringRef File : {Source.File, sys::path::filename(Source.File)}) {
      Names.push_back(File.str());
      Names.push_back(File.str() + Line);
    }
  }
  for (const GlobPattern &Pattern : Opts.Select)
    for (const std::string &Name : Names)
      if (Pattern.match(Name))
        return true;
  return false;
}

} // namespace reticle
