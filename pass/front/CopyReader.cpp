// CopyReader.cpp - walks the syntax tree for copies of structs, bitfields and unions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy is known again by its function, line and column. Code generation takes the place of the
// expression or of the statement's start, so both are noted. A bitfield's load has the place of its
// name; where it is assigned to, load and store have the operator's. So has any field's: that of a
// union has no other mark.
#include "pass/front/CopyReader.h"
#include "pass/front/FunctionVisitor.h"
#include "clang/Basic/Builtins.h"

using namespace clang;
using namespace reticle;

namespace {

class CopyFinder : public FunctionVisitor<CopyFinder> {
public:
  CopyFinder(ASTContext &Context, RecordFacts &Out) : FunctionVisitor(Context), Out(Out) {}

  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (!Callee || !Function || E->isTypeDependent())
      return true;
    unsigned Known = Callee->getMemoryFunctionKind();
    bool Clears = Known == Builtin::BImemset || Known == Builtin::BIbzero;
    bool Copies =
        Known == Builtin::BImemcpy || Known == Builtin::BImemmove || Known == Builtin::BImempcpy;
    if ((Clears && E->getNumArgs() >= 1) || (Copies && E->getNumArgs() >= 2))
      add(*E, behind(E->getArg(0)), Copies ? behind(E->getArg(1)) : nullptr);
    for (const Expr *Argument : E->arguments()) // in registers: loads with the place of the call
      if (Argument->isPRValue())
        add(*E, nullptr, recordOf(Argument->getType()));
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *E) { // C: each value of a struct is one
    if (E->getCastKind() == CK_LValueToRValue)
      addValue(*E, E->getType());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    if (!E->getConstructor()->isDependentContext() &&
        E->getConstructor()->isCopyOrMoveConstructor() && E->getConstructor()->isTrivial())
      addValue(*E, E->getType());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *E) {
    if (E->getOperator() == OO_Equal)
      addValue(*E, E->getType());
    return true;
  }

  bool VisitMemberExpr(MemberExpr *E) {
    addField(E, E->getExprLoc());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    if (E->isAssignmentOp())
      addField(E->getLHS(), E->getExprLoc());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *E) {
    if (E->isIncrementDecrementOp())
      addField(E->getSubExpr(), E->getExprLoc());
    if (E->getOpcode() == UO_Deref)
      addPlain(*E);
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) {
    addPlain(*E);
    if (E->isTypeDependent())
      return true;
    // What is behind a pointer may have the place of the pointer.
    const Expr *Pointer = E->getBase()->IgnoreParenImpCasts();
    if (Pointer->getType()->isPointerType() && unionAround(*Pointer))
      addUnion(nullptr, E->getExprLoc());
    if (const RecordDecl *Union = unionAround(*E))
      addUnion(E->getExprLoc().isMacroID() ? nullptr : Union, E->getExprLoc(), true);
    return true;
  }
  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) {
    if (const FieldDecl *Field = Init->getMember(); Field && Field->isBitField())
      addBitField(*Field, Init->getSourceLocation());
    return Base::TraverseConstructorInitializer(Init);
  }

private:
  static const RecordDecl *recordOf(QualType T) {
    if (T.isNull() || T->isDependentType())
      return nullptr;
    const auto *Record = T->getBaseElementTypeUnsafe()->getAs<RecordType>();
    return Record ? Record->getDecl()->getDefinition() : nullptr;
  }
  /// The struct that a pointer leads to; casts to void * and char * don't hide it.
  static const RecordDecl *behind(const Expr *E) {
    QualType T = E->IgnoreParenCasts()->getType();
    if (T.isNull() || T->isDependentType())
      return nullptr;
    return recordOf(T->isPointerType() ? T->getPointeeType() : T);
  }
  void addValue(const Expr &E, QualType T) {
    const RecordDecl *Record = recordOf(T->isReferenceType() ? T->getPointeeType() : T);
    if (Function)
      add(E, Record, Record);
  }

  void add(const Expr &E, const RecordDecl *To, const RecordDecl *From) {
    if (!To && !From)
      return;
    auto Note = [&](const std::string &Name, unsigned Line, unsigned Column) {
      Out.Copies.push_back({Name, Line, Column, To, From});
    };
    at(E.getExprLoc(), Note);
    if (E.getBeginLoc() != E.getExprLoc())
      at(E.getBeginLoc(), Note);
  }

  void addField(const Expr *E, SourceLocation Where) {
    const auto *Member = dyn_cast<MemberExpr>(E->IgnoreParens());
    const auto *Field = Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
    if (Field && Field->isBitField() && !Member->isTypeDependent())
      addBitField(*Field, Where);
    if (const RecordDecl *Union = E->isTypeDependent() ? nullptr : unionAround(*E))
      addUnion(Where.isMacroID() ? nullptr : Union, Where);
  }
  /// The innermost union with a name that the expression is a field of, or an element or a part of
  /// one; null if it is none.
  static const RecordDecl *unionAround(const Expr &E) {
    const Expr *At = E.IgnoreParens();
    for (;;) {
      if (const auto *Element = dyn_cast<ArraySubscriptExpr>(At)) {
        At = Element->getBase()->IgnoreParenImpCasts();
        if (!At->getType()->isArrayType())
          return nullptr;
        continue;
      }
      const auto *Member = dyn_cast<MemberExpr>(At);
      const auto *Field = Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
      if (!Field)
        return nullptr;
      const RecordDecl *Parent = Field->getParent();
      if (Parent->isUnion() && (Parent->getIdentifier() || Parent->getTypedefNameForAnonDecl()))
        return Parent->getDefinition();
      if (Member->isArrow())
        return nullptr;
      At = Member->getBase()->IgnoreParens();
    }
  }
  void addUnion(const RecordDecl *Union, SourceLocation Where, bool IsElement = false) {
    at(Where, [&](const std::string &Name, unsigned Line, unsigned Column) {
      Out.Unions.push_back({Name, Line, Column, IsElement, Union});
    });
  }
  /// All of a macro has one place: a number that it takes from memory looks like a bitfield there.
  void addPlain(const Expr &E) {
    if (E.getExprLoc().isMacroID() && !E.isTypeDependent() &&
        E.getType()->isIntegralOrEnumerationType())
      at(E.getExprLoc(), [&](const std::string &Name, unsigned Line, unsigned Column) {
        Out.BitFields.push_back({Name, Line, Column, nullptr, true});
      });
  }
  void addBitField(const FieldDecl &Field, SourceLocation Where) {
    const RecordDecl *Record = Field.getParent()->getDefinition();
    at(Where, [&](const std::string &Name, unsigned Line, unsigned Column) {
      Out.BitFields.push_back({Name, Line, Column, Record, Where.isMacroID()});
    });
  }

  RecordFacts &Out;
};

} // namespace

void reticle::readCopies(ASTContext &Context, RecordFacts &Out) {
  CopyFinder(Context, Out).TraverseDecl(Context.getTranslationUnitDecl());
}
