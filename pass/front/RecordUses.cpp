// RecordUses.cpp - finds offsetof, initialisers by position, structs handed over as bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/front/RecordUses.h"
#include "include/reticle/abi.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using namespace reticle;

/// The definition of the struct that T is, arrays and pointers taken off as asked for.
static const RecordDecl *recordOf(QualType T) {
  if (T.isNull())
    return nullptr;
  const auto *Record = T->getBaseElementTypeUnsafe()->getAs<RecordType>();
  return Record ? Record->getDecl()->getDefinition() : nullptr;
}

static bool takesBytes(llvm::StringRef Function) {
  static const llvm::StringSet<> Names = {"fwrite", "fread",    "write",  "read",    "pwrite",
                                          "pread",  "send",     "recv",   "sendto",  "memcmp",
                                          "bcmp",   "recvfrom", "memcpy", "memmove", "mempcpy"};
  return Names.contains(Function);
}

namespace {

class Finder : public RecursiveASTVisitor<Finder> {
public:
  explicit Finder(UseVisitor Visit) : Visit(Visit) {}
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitOffsetOfExpr(OffsetOfExpr *E) {
    tell(E->getTypeSourceInfo()->getType(), RETICLE_STRUCT_OFFSETOF, E->getBeginLoc());
    return true;
  }

  /// Called with lists as they are written; what each value initialises says the other form.
  bool VisitInitListExpr(InitListExpr *List) {
    const InitListExpr *Semantic = List->isSemanticForm() ? List : List->getSemanticForm();
    const InitListExpr *Written =
        List->isSemanticForm() && List->getSyntacticForm() ? List->getSyntacticForm() : List;
    if (!Semantic || !Written->isExplicit() || isZero(*Written))
      return true;
    PlainValues Plain;
    for (const Expr *Init : Written->inits())
      if (!isa<DesignatedInitExpr>(Init) && !isa<ImplicitValueInitExpr>(Init))
        Plain.insert(valueOf(Init));
    if (!Plain.empty())
      findPositional(*Semantic, Plain);
    return true;
  }

  bool VisitCXXParenListInitExpr(CXXParenListInitExpr *E) {
    tell(E->getType(), RETICLE_STRUCT_POSITIONAL, E->getBeginLoc());
    return true;
  }

  bool VisitDecompositionDecl(DecompositionDecl *D) {
    tell(D->getType().getNonReferenceType(), RETICLE_STRUCT_POSITIONAL, D->getLocation());
    return true;
  }

  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !Callee->getIdentifier() || !takesBytes(Callee->getName()))
      return true;
    llvm::SmallVector<const RecordDecl *, 2> Found; // fwrite's FILE is one of them
    for (const Expr *Argument : Call->arguments()) {
      QualType T = Argument->IgnoreParenCasts()->getType();
      const RecordDecl *R = T->isPointerType() ? recordOf(T->getPointeeType())
                            : T->isArrayType() ? recordOf(T)
                                               : nullptr;
      if (R)
        Found.push_back(R);
    }
    // From one to another of the same type: no layout is seen.
    if (Found.size() == 2 && Found[0] == Found[1] && Callee->getName().starts_with("mem") &&
        Callee->getName() != "memcmp")
      return true;
    for (const RecordDecl *R : Found)
      Visit(*R, RETICLE_STRUCT_BYTES, Call->getBeginLoc());
    return true;
  }

  bool VisitFieldDecl(FieldDecl *F) {
    if (F->getParent()->isUnion())
      tell(F->getType(), RETICLE_STRUCT_IN_UNION, F->getLocation());
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (!F->isDefaulted() || F->getOverloadedOperator() == OO_None || F->getNumParams() == 0)
      return true;
    OverloadedOperatorKind Kind = F->getOverloadedOperator();
    if (Kind == OO_EqualEqual || Kind == OO_Spaceship || Kind == OO_Less)
      tell(F->getParamDecl(0)->getType().getNonReferenceType(), RETICLE_STRUCT_COMPARED,
           F->getLocation());
    return true;
  }

private:
  void tell(QualType T, uint32_t Use, SourceLocation At) {
    if (const RecordDecl *R = recordOf(T))
      Visit(*R, Use, At);
  }

  using PlainValues = llvm::SmallPtrSet<const Expr *, 8>;

  /// What was written for the value: without conversions, and a list as such.
  static const Expr *valueOf(const Expr *Init) {
    if (const auto *List = dyn_cast<InitListExpr>(Init))
      return List->isSemanticForm() && List->getSyntacticForm() ? List->getSyntacticForm() : List;
    return Init->IgnoreImplicit();
  }

  /// Structs that take values which stand in the list without a field's name: that of the list, and
  /// inner ones whose braces were left out. A single inner list or copy of a struct is found by
  /// itself.
  void findPositional(const InitListExpr &List, const PlainValues &Plain) {
    bool IsStruct = recordOf(List.getType()) && !List.getType()->isArrayType() &&
                    !List.getType()->isUnionType();
    for (const Expr *Init : List.inits()) {
      const auto *Inner = dyn_cast<InitListExpr>(Init);
      if (Inner && !Inner->getSyntacticForm() && !Plain.count(valueOf(Init)))
        findPositional(*Inner, Plain);
      else if (IsStruct && Plain.count(valueOf(Init)) && !copies(List, *Init)) {
        tell(List.getType(), RETICLE_STRUCT_POSITIONAL, Init->getBeginLoc());
        IsStruct = false;
      }
    }
  }

  /// {0}: all fields.
  static bool isZero(const InitListExpr &List) {
    const auto *Only = List.getNumInits() == 1
                           ? dyn_cast<IntegerLiteral>(List.getInit(0)->IgnoreParenImpCasts())
                           : nullptr;
    return Only && Only->getValue().isZero();
  }
  /// S{other}: a copy, no field by position.
  static bool copies(const InitListExpr &List, const Expr &Init) {
    return recordOf(List.getType()) == recordOf(Init.getType());
  }

  UseVisitor Visit;
};

} // namespace

namespace reticle {

void findUses(ASTContext &Context, UseVisitor Visit) {
  Finder(Visit).TraverseDecl(Context.getTranslationUnitDecl());
}

const char *describePositional(uint32_t Use) {
  if (Use == RETICLE_STRUCT_POSITIONAL)
    return "is initialised or taken apart by position here; name the fields (.x = ...), or edit "
           "the "
           "source instead";
  if (Use == RETICLE_STRUCT_COMPARED)
    return "has a defaulted comparison, which goes by the order of the fields; edit the source "
           "instead";
  return nullptr;
}

} // namespace reticle
