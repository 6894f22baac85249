// LayoutChange.cpp - reorders a struct's declarations, and refuses what can't be tried so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's own -frandomize-layout-seed works the same way: RecordDecl::reorderDecls when the
// definition is complete, and an error for initialisers that go by position.
#include "pass/front/LayoutChange.h"
#include "pass/front/RecordReader.h"
#include "pass/front/RecordUses.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace reticle;

/// What moves as one: a field, an anonymous struct with its fields, or bitfields in a row.
struct LayoutChange::Unit {
  llvm::SmallVector<FieldDecl *, 1> Fields;
  llvm::SmallVector<std::string, 1> Names; ///< as RecordReader has them; none for padding
  bool IsFlexible = false;
};

static void report(const RecordDecl &R, SourceLocation At, const llvm::Twine &Text,
                   DiagnosticsEngine::Level Level = DiagnosticsEngine::Error) {
  DiagnosticsEngine &Diags = R.getASTContext().getDiagnostics();
  bool AsErrors = Diags.getWarningsAsErrors();
  Diags.setWarningsAsErrors(false); // a build with -Werror must not fail by our warning
  Diags.Report(At, Diags.getCustomDiagID(Level, "reticle: layout: %0")) << Text.str();
  Diags.setWarningsAsErrors(AsErrors);
}

static std::vector<LayoutField> asWritten(const LayoutFile &File) {
  std::vector<LayoutField> Fields = File.Fields;
  std::sort(Fields.begin(), Fields.end(), [](const LayoutField &A, const LayoutField &B) {
    // A flexible array may start at the offset of nothing else; an empty one comes last.
    return std::make_tuple(A.OffsetBytes, A.BitOffset, A.SizeBytes == 0) <
           std::make_tuple(B.OffsetBytes, B.BitOffset, B.SizeBytes == 0);
  });
  return Fields;
}

bool LayoutChange::isInFile(const RecordDecl &R) const {
  PresumedLoc Place = R.getASTContext().getSourceManager().getPresumedLoc(R.getLocation());
  return Place.isValid() && llvm::sys::path::filename(Place.getFilename()) == File.File;
}

bool LayoutChange::isMeant(const RecordDecl &R) const {
  if (!isInFile(R))
    return false;
  // A struct that gets its name from a typedef has none yet.
  const SourceManager &Sources = R.getASTContext().getSourceManager();
  return R.getIdentifier() ? recordName(R) == File.Struct
                           : Sources.getPresumedLoc(R.getLocation()).getLine() == File.Line;
}

/// Cuts the definition into units, and compares it with what the file says of it.
std::string LayoutChange::check(const RecordDecl &R, std::vector<Unit> &Units) const {
  const ASTContext &Context = R.getASTContext();
  std::vector<LayoutField> Written = asWritten(File);
  size_t At = 0;
  bool AfterBitField = false;
  for (FieldDecl *F : R.fields()) {
    if (!F->isBitField() || !AfterBitField)
      Units.emplace_back();
    AfterBitField = F->isBitField();
    Unit &U = Units.back();
    U.Fields.push_back(F);
    U.IsFlexible = F->getType()->isIncompleteArrayType();
    llvm::SmallVector<std::string, 4> Names;
    memberNames(*F, Names);
    for (const std::string &Name : Names) {
      if (At == Written.size() || Written[At].Name != Name)
        return "field '" + Name + "' of the definition stands in another place in " + File.Path;
      ++At;
    }
    if (Names.size() == 1 && !F->isBitField() && !U.IsFlexible) {
      uint64_t Size = Context.getTypeSizeInChars(F->getType()).getQuantity();
      if (Size != Written[At - 1].SizeBytes)
        return "field '" + Names[0] + "' has " + std::to_string(Size) + " bytes, in " + File.Path +
               " " + std::to_string(Written[At - 1].SizeBytes);
    }
    U.Names.append(Names.begin(), Names.end());
  }
  return At == Written.size()
             ? ""
             : File.Path + " has a field '" + Written[At].Name + "' that the definition has not";
}

/// The units in the file's order; those without a name stay behind what they stood behind.
std::string LayoutChange::order(const std::vector<Unit> &Units,
                                std::vector<const Unit *> &New) const {
  for (size_t At = 0; At < File.Fields.size();) {
    const std::string &First = File.Fields[At].Name;
    size_t Found = 0;
    while (Found < Units.size() && (Units[Found].Names.empty() || Units[Found].Names[0] != First))
      ++Found;
    if (Found == Units.size())
      return "field '" + First +
             "' is torn from its declaration: bitfields in a row, and the fields of an anonymous "
             "struct, stay together and in their order";
    const Unit &U = Units[Found];
    for (const std::string &Name : U.Names)
      if (At == File.Fields.size() || File.Fields[At++].Name != Name)
        return "field '" + Name + "' is torn from '" + First +
               "': bitfields in a row, and the fields of an anonymous struct, stay together and in "
               "their order";
    New.push_back(&U);
    for (size_t Next = Found + 1; Next < Units.size() && Units[Next].Names.empty(); ++Next)
      New.push_back(&Units[Next]);
  }
  for (const Unit *U : New)
    if (U->IsFlexible && U != New.back())
      return "'" + U->Names[0] + "' is an array without a length: it must stay the last field";
  if (New.size() != Units.size())
    return "a field is listed twice, or a field without a name stands in front of all others";
  return "";
}

void LayoutChange::apply(RecordDecl &R, const std::vector<const Unit *> &New) const {
  llvm::SmallVector<FieldDecl *, 16> Fields;
  for (const Unit *U : New)
    Fields.append(U->Fields.begin(), U->Fields.end());
  if (!std::equal(Fields.begin(), Fields.end(), R.field_begin(), R.field_end())) {
    // Fields change places among each other; other declarations stay where they are.
    llvm::SmallVector<Decl *, 16> Decls;
    auto Next = Fields.begin();
    for (Decl *D : R.decls())
      Decls.push_back(isa<FieldDecl>(D) ? *Next++ : D);
    R.reorderDecls(Decls);
  }
  if (File.AlignBytes) {
    ASTContext &Context = R.getASTContext();
    Expr *Bytes = IntegerLiteral::Create(Context, llvm::APInt(32, File.AlignBytes), Context.IntTy,
                                         R.getLocation());
    R.addAttr(AlignedAttr::CreateImplicit(Context, /*IsAlignmentExpr=*/true, Bytes));
  }
}

/// Somebody may have asked for the layout before it was changed.
std::string LayoutChange::findStale(const RecordDecl &R) const {
  const ASTContext &Context = R.getASTContext();
  const ASTRecordLayout &Layout = Context.getASTRecordLayout(&R);
  const char *Used = "its layout is already used inside of its own definition (sizeof, offsetof or "
                     "a constant), so it can't be changed from outside; edit the source instead";
  uint64_t EndBits = 0;
  unsigned Index = 0;
  for (const FieldDecl *F : R.fields()) {
    if (F->getFieldIndex() != Index || Index >= Layout.getFieldCount())
      return Used;
    uint64_t Bits = Layout.getFieldOffset(Index++);
    uint64_t Align = Context.toBits(Context.getDeclAlign(F, /*ForAlignof=*/true));
    if (Bits < EndBits || (!F->isBitField() && Bits % Align != 0))
      return Used;
    if (F->isBitField())
      EndBits = Bits;
    else if (!F->getType()->isIncompleteArrayType() && !F->isZeroSize(Context))
      EndBits = Bits + Context.getTypeSize(F->getType());
  }
  if (static_cast<uint64_t>(Context.toBits(Layout.getSize())) < EndBits ||
      (File.AlignBytes && Layout.getAlignment().getQuantity() < File.AlignBytes))
    return Used;
  return "";
}

namespace reticle {

void LayoutChange::define(RecordDecl &R) {
  if (R.isDependentContext() || R.isInvalidDecl() || !R.isCompleteDefinition())
    return;
  if (R.getIdentifier() && !isInFile(R) && recordName(R) == File.Struct)
    Namesake = &R;
  if (!isMeant(R))
    return;
  const SourceManager &Sources = R.getASTContext().getSourceManager();
  if (Sources.getPresumedLoc(R.getLocation()).getLine() != File.Line) {
    Elsewhere = &R;
    return;
  }
  std::vector<Unit> Units;
  std::vector<const Unit *> New;
  std::string Mistake, Changes = check(R, Units);
  if (!R.getIdentifier() && !Changes.empty()) {
    Elsewhere = &R; // maybe another one on the same line
    return;
  }
  if (R.isUnion())
    Mistake = "'" + File.Struct + "' is a union: it has no order";
  else if (Sources.isInSystemHeader(R.getLocation()))
    Mistake = "'" + File.Struct +
              "' is defined in a system header: code that is not compiled here has its layout";
  else if (!Changes.empty())
    Mistake = "the definition of '" + File.Struct + "' has changed: " + Changes +
              "; measure again and write it anew with `reticle layout`";
  else
    Mistake = order(Units, New);
  Changed.push_back(&R);
  if (Mistake.empty())
    apply(R, New);
  else
    report(R, R.getLocation(), Mistake);
}

void LayoutChange::verify(const RecordDecl &R) const {
  if (!llvm::is_contained(Changed, &R) || R.isInvalidDecl() ||
      R.getASTContext().getDiagnostics().hasErrorOccurred())
    return;
  std::string Mistake = findStale(R);
  if (!Mistake.empty())
    report(R, R.getLocation(), Mistake);
}

void LayoutChange::finish(ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  if (!Changed.empty()) {
    // As written, nothing that goes by position is wrong.
    if (Changed[0]->isRandomized())
      findUses(Context, [this](const RecordDecl &R, uint32_t Use, SourceLocation At) {
        if (!llvm::is_contained(Changed, &R) || !describePositional(Use))
          return;
        report(R, At, "'" + File.Struct + "' " + describePositional(Use));
      });
    return;
  }
  if (Elsewhere) {
    report(*Elsewhere, Elsewhere->getLocation(),
           "the definition of '" + File.Struct + "' has changed: " + File.Path +
               " has other fields, or another line (" + llvm::Twine(File.Line) +
               "); measure again and write it anew with `reticle layout`");
    return;
  }
  // Another struct of the same name, or a mistake in the layout file: who knows.
  if (Namesake)
    report(*Namesake, Namesake->getLocation(),
           "'" + File.Struct + "' of this file stays as written: " + File.Path + " has that of " +
               File.File + ":" + llvm::Twine(File.Line),
           DiagnosticsEngine::Warning);
  // A header's struct need not be in every unit; one of this very file must.
  OptionalFileEntryRef Main = Sources.getFileEntryRefForID(Sources.getMainFileID());
  if (!Main || llvm::sys::path::filename(Main->getName()) != File.File)
    return;
  DiagnosticsEngine &Diags = Context.getDiagnostics();
  Diags.Report(Sources.getLocForStartOfFile(Sources.getMainFileID()),
               Diags.getCustomDiagID(DiagnosticsEngine::Error,
                                     "reticle: layout: there is no struct '%0' here, where %1 has "
                                     "it; write it anew with `reticle layout`"))
      << File.Struct << File.Path;
}

} // namespace reticle
