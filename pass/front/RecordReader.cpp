// RecordReader.cpp - names, places and layouts of struct types, from clang's declarations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debug information would do for C at -g; but it leaves out types that another object file
// describes, and says nothing without -g.
#include "pass/front/RecordReader.h"
#include "include/reticle/abi.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Version.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace clang;
using namespace reticle;

static QualType typeOf(const ASTContext &Context, const RecordDecl &R) {
#if CLANG_VERSION_MAJOR >= 22
  return Context.getCanonicalTagType(&R);
#else
  return Context.getRecordType(&R);
#endif
}

class RecordReader::Impl {
public:
  explicit Impl(ASTContext &Context)
      : Context(Context), Mangler(ItaniumMangleContext::create(Context, Context.getDiagnostics())) {
  }
  void read(const RecordDecl &R, RecordFacts &Out);

private:
  std::string irName(const RecordDecl &R) const;
  void addBases(const CXXRecordDecl &R, uint64_t Start, RecordFact &Out) const;
  void addFields(const RecordDecl &R, uint64_t StartBits, RecordFact &Out) const;
  MemberFact describe(const FieldDecl &F, uint64_t Bits) const;
  uint32_t structFlags(const RecordDecl &R) const;

  ASTContext &Context;
  std::unique_ptr<MangleContext> Mangler;
};

/// As CodeGenTypes::addRecordTypeName spells it.
std::string RecordReader::Impl::irName(const RecordDecl &R) const {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  Out << R.getKindName() << '.';
  PrintingPolicy IRPolicy = Context.getPrintingPolicy();
#if CLANG_VERSION_MAJOR >= 22
  IRPolicy.SuppressInlineNamespace =
      llvm::to_underlying(PrintingPolicy::SuppressInlineNamespaceMode::None);
#else
  IRPolicy.SuppressInlineNamespace = false;
#endif
  if (R.getIdentifier())
    R.printQualifiedName(Out, IRPolicy);
  else if (const TypedefNameDecl *Typedef = R.getTypedefNameForAnonDecl())
    Typedef->printQualifiedName(Out, IRPolicy);
  else
    Out << "anon";
  return Text;
}

/// An array's innermost element type as a record, null if it is none.
static const RecordDecl *recordOf(QualType T) {
  const Type *Element = T->getBaseElementTypeUnsafe();
  const auto *Record = Element->getAs<RecordType>();
  return Record ? Record->getDecl()->getDefinition() : nullptr;
}

static PrintingPolicy namePolicy(const RecordDecl &R) {
  PrintingPolicy Policy = R.getASTContext().getPrintingPolicy();
  Policy.SuppressTagKeyword = true;
  return Policy;
}

std::string reticle::recordName(const RecordDecl &R) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  if (R.getIdentifier()) {
    R.getNameForDiagnostic(Out, namePolicy(R), /*Qualified=*/true);
    return Text;
  }
  if (const TypedefNameDecl *Typedef = R.getTypedefNameForAnonDecl()) {
    Typedef->printQualifiedName(Out, namePolicy(R));
    return Text;
  }
  // A struct without a name is called after the field that it is the type of.
  if (const auto *Parent = dyn_cast<RecordDecl>(R.getDeclContext()))
    for (const FieldDecl *F : Parent->fields())
      if (recordOf(F->getType()) == &R)
        return recordName(*Parent) + "." +
               (F->getIdentifier() ? F->getNameAsString() : "(anonymous)");
  return "(anonymous)";
}

/// The names of a union's fields, "a/b".
static std::string unionName(const RecordDecl &R) {
  std::string Text;
  for (const FieldDecl *F : R.fields()) {
    std::string Part = F->getNameAsString();
    if (const RecordDecl *Inner = recordOf(F->getType()); Part.empty() && Inner)
      Part = unionName(*Inner);
    Text += (Text.empty() || Part.empty() ? "" : "/") + Part;
  }
  return Text;
}

/// The type of an anonymous struct or union field, else null.
static const RecordDecl *anonymousRecord(const FieldDecl &F) {
  return F.isAnonymousStructOrUnion() ? recordOf(F.getType()) : nullptr;
}

/// Whether objects may go on behind it: an array without a length, or with one that says nothing,
/// also at the end of a struct, union or base class.
static bool endsOpen(ASTContext &Context, const RecordDecl &R) {
  auto IsOpen = [&Context](const FieldDecl *F) {
    if (const RecordDecl *Inner = F->getType()->isRecordType() ? recordOf(F->getType()) : nullptr)
      return endsOpen(Context, *Inner);
    auto Level = std::max(Context.getLangOpts().getStrictFlexArraysLevel(),
                          LangOptions::StrictFlexArraysLevelKind::OneZeroOrIncomplete);
    return F->getType()->isArrayType() &&
           Decl::isFlexibleArrayMemberLike(Context, F, F->getType(), Level,
                                           /*IgnoreTemplateOrMacroSubstitution=*/false);
  };
  if (R.isUnion())
    return llvm::any_of(R.fields(), IsOpen);
  const FieldDecl *Last = nullptr;
  for (const FieldDecl *F : R.fields())
    Last = F;
  if (Last)
    return IsOpen(Last);
  const auto *Class = dyn_cast<CXXRecordDecl>(&R);
  return Class && llvm::any_of(Class->bases(), [&Context](const CXXBaseSpecifier &Base) {
           const RecordDecl *B = recordOf(Base.getType());
           return B && endsOpen(Context, *B);
         });
}

void reticle::memberNames(const FieldDecl &F, llvm::SmallVectorImpl<std::string> &Out) {
  const RecordDecl *Inner = anonymousRecord(F);
  if (Inner && Inner->isUnion())
    Out.push_back(unionName(*Inner));
  else if (Inner)
    for (const FieldDecl *Part : Inner->fields())
      memberNames(*Part, Out);
  else if (!F.isUnnamedBitField() && !F.isZeroSize(F.getASTContext()))
    Out.push_back(F.getNameAsString());
}

/// Where RETICLE_*_ALIGN_SHIFT has the logarithm of an alignment, plus 1.
static uint32_t alignFlag(CharUnits Align, unsigned Shift) {
  return (llvm::Log2_64(static_cast<uint64_t>(Align.getQuantity())) + 1) << Shift;
}

MemberFact RecordReader::Impl::describe(const FieldDecl &F, uint64_t Bits) const {
  MemberFact M;
  QualType T = F.getType();
  M.Name = F.getNameAsString();
  M.TypeKey = recordOf(T);
  M.Type = T.getAsString(Context.getPrintingPolicy());
  M.OffsetBytes = static_cast<uint32_t>(Bits / 8);
  if (F.isBitField()) {
#if CLANG_VERSION_MAJOR >= 20
    M.BitSize = F.getBitWidthValue();
#else
    M.BitSize = F.getBitWidthValue(Context);
#endif
    M.BitOffset = Bits % 8;
    M.SizeBytes = (M.BitOffset + M.BitSize + 7) / 8;
    M.Flags = RETICLE_MEMBER_BITFIELD;
    return M;
  }
  if (!T->isIncompleteType())
    M.SizeBytes = static_cast<uint32_t>(Context.getTypeSizeInChars(T).getQuantity());
  if (T->isArrayType())
    M.Flags |= RETICLE_MEMBER_ARRAY;
  if (T->isStructureType() && !Context.getLangOpts().CPlusPlus)
    M.Flags |= RETICLE_MEMBER_STRUCT;
  return M;
}

void RecordReader::Impl::addFields(const RecordDecl &R, uint64_t StartBits, RecordFact &Out) const {
  const ASTRecordLayout &Layout = Context.getASTRecordLayout(&R);
  if (R.isUnion()) {
    MemberFact M;
    M.Name = unionName(R);
    M.OffsetBytes = static_cast<uint32_t>(StartBits / 8);
    M.SizeBytes = static_cast<uint32_t>(Layout.getSize().getQuantity());
    M.Flags = RETICLE_MEMBER_UNION;
    Out.Members.push_back(std::move(M));
    return;
  }
  for (const FieldDecl *F : R.fields()) {
    uint64_t Bits = StartBits + Layout.getFieldOffset(F->getFieldIndex());
    size_t First = Out.Members.size();
    if (const RecordDecl *Inner = anonymousRecord(*F))
      addFields(*Inner, Bits, Out);
    else if (!F->isUnnamedBitField() && !F->isZeroSize(Context))
      Out.Members.push_back(describe(*F, Bits));
    // The members of one declaration have its alignment.
    for (size_t I = First; I < Out.Members.size(); ++I) {
      uint32_t &Flags = Out.Members[I].Flags;
      Flags &= ~(RETICLE_MEMBER_ALIGN_MASK << RETICLE_MEMBER_ALIGN_SHIFT);
      Flags |= alignFlag(Context.getDeclAlign(F, /*ForAlignof=*/true), RETICLE_MEMBER_ALIGN_SHIFT);
      if (I > First)
        Flags |= RETICLE_MEMBER_CONTINUES;
    }
  }
}

void RecordReader::Impl::addBases(const CXXRecordDecl &R, uint64_t Start, RecordFact &Out) const {
  const ASTRecordLayout &Layout = Context.getASTRecordLayout(&R);
  auto Add = [&](const CXXBaseSpecifier &Base, CharUnits Offset) {
    const RecordDecl *B = recordOf(Base.getType());
    const auto *Class = dyn_cast_or_null<CXXRecordDecl>(B);
    if (!Class || Class->isEmpty())
      return;
    MemberFact M;
    M.Name = recordName(*Class);
    M.Type = M.Name;
    M.OffsetBytes = static_cast<uint32_t>(Start + Offset.getQuantity());
    M.SizeBytes =
        static_cast<uint32_t>(Context.getASTRecordLayout(Class).getNonVirtualSize().getQuantity());
    M.Flags = RETICLE_MEMBER_BASE;
    if (endsOpen(Context, *Class))
      M.Flags |= RETICLE_MEMBER_FLEXIBLE;
    Out.Members.push_back(std::move(M));
  };
  if (Layout.hasOwnVFPtr()) {
    MemberFact M;
    M.Name = "(vtable)";
    M.SizeBytes =
        static_cast<uint32_t>(Context.getTypeSizeInChars(Context.VoidPtrTy).getQuantity());
    M.Flags = RETICLE_MEMBER_VPTR;
    Out.Members.push_back(std::move(M));
  }
  for (const CXXBaseSpecifier &Base : R.bases())
    if (const RecordDecl *B = recordOf(Base.getType()); B && !Base.isVirtual())
      Add(Base, Layout.getBaseClassOffset(cast<CXXRecordDecl>(B)));
  for (const CXXBaseSpecifier &Base : R.vbases())
    if (const RecordDecl *B = recordOf(Base.getType()))
      Add(Base, Layout.getVBaseClassOffset(cast<CXXRecordDecl>(B)));
}

uint32_t RecordReader::Impl::structFlags(const RecordDecl &R) const {
  uint32_t Flags =
      alignFlag(Context.getASTRecordLayout(&R).getAlignment(), RETICLE_STRUCT_ALIGN_SHIFT);
  auto Set = [&Flags](bool Is, uint32_t Flag) { Flags |= Is ? Flag : 0; };
  Set(R.isUnion(), RETICLE_STRUCT_UNION);
  Set(isa<CXXRecordDecl>(R), RETICLE_STRUCT_CXX);
  Set(Context.getSourceManager().isInSystemHeader(R.getLocation()), RETICLE_STRUCT_SYSTEM);
  Set(R.hasAttr<PackedAttr>() || R.hasAttr<MaxFieldAlignmentAttr>(), RETICLE_STRUCT_PACKED);
  Set(isa<CXXRecordDecl>(R) && R.getDeclContext()->isExternCContext(), RETICLE_STRUCT_EXTERN_C);
  return Flags;
}

void RecordReader::Impl::read(const RecordDecl &R, RecordFacts &Out) {
  if (R.isDependentContext() || R.isInvalidDecl() || !R.isCompleteDefinition())
    return;
  RecordFact Fact;
  Fact.Key = &R;
  Fact.IRName = irName(R);
  Fact.Name = recordName(R);
  const auto *Class = dyn_cast<CXXRecordDecl>(&R);
  if (!Class) {
    Fact.TBAAName = R.getNameAsString();
  } else if (Class->hasNameForLinkage()) {
    llvm::raw_string_ostream Text(Fact.TBAAName);
    Mangler->mangleCanonicalTypeName(typeOf(Context, R), Text);
  }
  const SourceManager &Sources = Context.getSourceManager();
  if (PresumedLoc Place = Sources.getPresumedLoc(R.getLocation()); Place.isValid()) {
    Fact.File = Place.getFilename();
    Fact.Line = Place.getLine();
  }
  Fact.SizeBytes = static_cast<uint32_t>(Context.getASTRecordLayout(&R).getSize().getQuantity());
  Fact.Flags = structFlags(R);
  Fact.IsSpelling = R.getParentFunctionOrMethod() && R.hasAttr<MayAliasAttr>() &&
                    (Fact.Flags & RETICLE_STRUCT_SYSTEM);
  if (Class)
    addBases(*Class, 0, Fact);
  addFields(R, 0, Fact);
  if (!R.field_empty() && !Fact.Members.empty() && endsOpen(Context, R))
    Fact.Members.back().Flags |= RETICLE_MEMBER_FLEXIBLE;
  Out.Records.push_back(std::move(Fact));
}

RecordReader::RecordReader(ASTContext &Context) : Self(std::make_unique<Impl>(Context)) {}
RecordReader::~RecordReader() = default;
void RecordReader::read(const RecordDecl &R, RecordFacts &Out) { Self->read(R, Out); }
