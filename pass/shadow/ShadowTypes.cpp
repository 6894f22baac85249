// ShadowTypes.cpp - writes the section; its format is in include/reticle/abi.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   module asm ".pushsection .reticle_types,\22\22,@progbits"
//   module asm ".ascii \22reticle-types\\t1\\n ... \22"
//   module asm ".popsection"
//
// A variable's section would be loaded with the program, and nothing reads it there.
#include "pass/shadow/ShadowTypes.h"
#include "include/reticle/abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace reticle;

namespace {

class TypeText {
public:
  explicit TypeText(const RecordFacts &Facts) : Facts(Facts), Out(Text) {
    for (const RecordFact &Fact : Facts.Records)
      ByKey[Fact.Key] = &Fact;
  }
  std::string make() {
    Out << RETICLE_TYPES_HEAD << '\n';
    for (const AllocationFact &Fact : Facts.Allocations)
      if (Fact.Record)
        addStruct(Fact.Record);
    for (const AllocationFact &Fact : Facts.Allocations)
      add(Fact);
    return Text;
  }

private:
  /// Names come from the source, but a path may hold anything.
  static std::string plain(StringRef Name) {
    std::string Clean = Name.str();
    for (char &C : Clean)
      if (C == '\t' || C == '\n' || C == '\0')
        C = ' ';
    return Clean;
  }
  void addStruct(const void *Key) {
    const RecordFact *Fact = ByKey.lookup(Key);
    if (!Fact || !Numbers.try_emplace(Key, Numbers.size()).second)
      return;
    Out << "S\t" << Fact->SizeBytes << '\t' << Fact->Line << '\t' << plain(Fact->Name) << '\t'
        << plain(Fact->File) << '\n';
    for (const MemberFact &M : Fact->Members)
      Out << "M\t" << M.OffsetBytes << '\t' << M.SizeBytes << '\t' << plain(M.Name) << '\n';
  }
  void add(const AllocationFact &Fact) {
    bool IsGlobal = Fact.Column == 0;
    auto Number = Numbers.find(Fact.Record);
    Out << (IsGlobal ? "G\t" : "A\t") << Fact.Line << '\t';
    if (!IsGlobal)
      Out << Fact.Column << '\t';
    Out << Fact.Flags << '\t'
        << (Number == Numbers.end() ? std::string("-") : std::to_string(Number->second)) << '\t'
        << Fact.SizeBytes << '\t' << plain(Fact.Type) << '\t' << plain(Fact.Function) << '\t'
        << plain(Fact.File) << '\n';
  }

  const RecordFacts &Facts;
  DenseMap<const void *, const RecordFact *> ByKey;
  DenseMap<const void *, size_t> Numbers;
  std::string Text;
  raw_string_ostream Out;
};

} // namespace

void reticle::writeTypes(Module &M, const RecordFacts &Facts) {
  if (Facts.Allocations.empty())
    return;
  std::string Assembly;
  raw_string_ostream Out(Assembly);
  Out << ".pushsection " << RETICLE_TYPES_SECTION << ",\"\",@progbits\n";
  std::string Text = TypeText(Facts).make();
  for (StringRef Rest = Text; !Rest.empty();) {
    auto [Line, Behind] = Rest.split('\n');
    Out << ".ascii \"";
    for (char C : Line.str() + "\n")
      if (isPrint(C) && C != '"' && C != '\\')
        Out << C;
      else // three octal digits: a digit may follow
        Out << format("\\%03o", static_cast<unsigned char>(C));
    Out << "\"\n";
    Rest = Behind;
  }
  Out << ".popsection\n";
  M.appendModuleInlineAsm(Out.str());
}
