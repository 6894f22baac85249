// SourceInfo.cpp - reads debug information into names, places and ids.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/module/SourceInfo.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <dlfcn.h>

using namespace llvm;

/// Metadata of a loop's copy: its id, in two halves.
static constexpr const char *CopyHighName = "reticle.copy.high", *CopyLowName = "reticle.copy.low";

/// The location the front end noted in the loop's metadata.
static const DILocation *notedLocation(const Loop &L) {
  const MDNode *Id = L.getLoopID();
  if (!Id)
    return nullptr;
  for (const MDOperand &Operand : drop_begin(Id->operands()))
    if (auto *Location = dyn_cast_or_null<DILocation>(Operand.get()))
      return Location;
  return nullptr;
}

/// The places of an instruction: in the function that holds it, then in each that was inlined
/// there.
static SmallVector<const DILocation *, 8> placesOf(const DILocation *Location) {
  SmallVector<const DILocation *, 8> Places;
  for (; Location; Location = Location->getInlinedAt())
    Places.insert(Places.begin(), Location);
  return Places;
}

/// The place of `Start` in the innermost function that has all of the loop: a loop's header may
/// have come from one that was inlined into its body, as an iterator's step is.
static const DILocation *placeOfWhole(const Loop &L, const DILocation *Start) {
  auto Places = placesOf(Start);
  size_t Common = Places.size();
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      const DILocation *Location = I.getDebugLoc().get();
      if (!Location || !Location->getLine())
        continue;
      auto Others = placesOf(Location);
      size_t Same = 0;
      while (Same < Common && Same < Others.size() &&
             Places[Same]->getInlinedAt() == Others[Same]->getInlinedAt() &&
             Places[Same]->getScope()->getSubprogram() == Others[Same]->getScope()->getSubprogram())
        Same++;
      Common = std::max<size_t>(Same, 1);
    }
  return Places[Common - 1];
}

/// Loops of goto, of eliminated recursion, of rustc and flang have no metadata: their header's
/// first located instruction stands for them.
static const DILocation *startOfLoop(const Loop &L) {
  if (const DILocation *Noted = notedLocation(L))
    return Noted;
  for (const Instruction &I : *L.getHeader())
    if (const DILocation *Location = I.getDebugLoc().get(); Location && Location->getLine())
      return placeOfWhole(L, Location);
  return nullptr;
}

namespace reticle {

void markCopy(Loop &L, uint64_t Id) {
  addStringMetadataToLoop(&L, CopyHighName, (uint32_t)(Id >> 32));
  addStringMetadataToLoop(&L, CopyLowName, (uint32_t)Id);
}

/// 0: it is none.
static uint64_t copyIdOf(const Loop &L) {
  std::optional<int> High = getOptionalIntLoopAttribute(&L, CopyHighName),
                     Low = getOptionalIntLoopAttribute(&L, CopyLowName);
  return High && Low ? (uint64_t)(uint32_t)*High << 32 | (uint32_t)*Low : 0;
}

LoopSource describeLoop(const Loop &L, const Function &F) {
  LoopSource Source;
  Source.CopyId = copyIdOf(L);
  Source.Function = Source.InlinedFrom = F.getName();
  Source.Depth = L.getLoopDepth();
  const DILocation *Start = startOfLoop(L);
  if (!Start)
    return Source;
  Source.File = Start->getFilename();
  Source.Line = Start->getLine();
  Source.Column = Start->getColumn();
  const DISubprogram *Owner = Start->getScope()->getSubprogram();
  if (Owner && Owner != F.getSubprogram())
    Source.InlinedFrom =
        Owner->getLinkageName().empty() ? Owner->getName() : Owner->getLinkageName();
  return Source;
}

LoopSource describeRegion(const CallInst &Begin, StringRef Name) {
  LoopSource Source;
  Source.Function = Begin.getFunction()->getName();
  Source.InlinedFrom = Name;
  const DILocation *Start = Begin.getDebugLoc().get();
  if (!Start)
    return Source;
  Source.File = Start->getFilename();
  Source.Line = Start->getLine();
  Source.Column = Start->getColumn();
  if (const DISubprogram *Owner = Start->getScope()->getSubprogram())
    Source.Function = Owner->getLinkageName().empty() ? Owner->getName() : Owner->getLinkageName();
  return Source;
}

uint64_t LoopSource::id() const {
  if (CopyId)
    return CopyId;
  // Zero bytes between the strings: they can't be part of one.
  SmallString<256> Facts;
  for (StringRef Text : {Function, InlinedFrom, File}) {
    Facts += Text;
    Facts.push_back('\0');
  }
  for (unsigned Number : {Line, Column, Depth}) {
    Facts += std::to_string(Number);
    Facts.push_back('\0');
  }
  if (OfIteration)
    Facts += "iteration";
  return xxh3_64bits(Facts.str());
}

ObjectSource describeModule(const Module &M) {
  for (const DICompileUnit *Unit : M.debug_compile_units())
    return {Unit->getFilename(), Unit->getDirectory()};
  return {M.getSourceFileName(), ""};
}

std::string compilerVersion() {
  // Asked of the running LLVM, not of the headers: they may differ in the minor version.
  unsigned Major, Minor, Patch;
  LLVMGetVersion(&Major, &Minor, &Patch);
  std::string Host = sys::fs::getMainExecutable(nullptr, nullptr);
  StringRef Name = sys::path::filename(Host).starts_with("flang") ? "flang " : "clang ";
  return (Name + Twine(Major) + "." + Twine(Minor) + "." + Twine(Patch)).str();
}

std::string toolBesidePlugin() {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&toolBesidePlugin), &Info) || !Info.dli_fname)
    return "";
  SmallString<256> Path;
  if (sys::fs::real_path(Info.dli_fname, Path))
    return "";
  for (int Level = 0; Level < 4; Level++) // the file, plugins, reticle, lib
    sys::path::remove_filename(Path);
  sys::path::append(Path, "bin", "reticle");
  return std::string(Path);
}

void pinLinkageNames(Module &M) {
  for (Function &F : M) {
    DISubprogram *Subprogram = F.getSubprogram();
    if (Subprogram && Subprogram->isDistinct() && Subprogram->getLinkageName().empty() &&
        Subprogram->getName() != F.getName())
      Subprogram->replaceLinkageName(MDString::get(M.getContext(), F.getName()));
  }
}

} // namespace reticle
