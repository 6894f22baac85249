// AllocationReader.cpp - finds in clang's statements what allocations are cast to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the source does with a call's void *:
//   struct order *o = malloc(n * sizeof *o);   it is converted: the type
//   void *p = malloc(n); return p;             it is returned: the caller's call says
//   pool->memory = malloc(n);                  neither: not known
// by way of conditionals, assignments and local variables. Any call that gives a void * is taken,
// so wrappers of malloc need no list.
#include "pass/front/AllocationReader.h"
#include "include/reticle/abi.h"
#include "pass/front/FunctionVisitor.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;
using namespace reticle;

namespace {

/// What becomes of a value.
struct Fate {
  llvm::SmallVector<QualType, 1> Types; ///< it is converted to pointers to them
  bool IsRaw = false;                   ///< to one to bytes
  bool Returned = false;
  llvm::SmallVector<const VarDecl *, 1> Variables; ///< it may be their value
};

struct Call {
  std::vector<std::string> Functions;
  std::string File;
  unsigned Lines[2], Columns[2]; ///< of the expression, and of its start
  Fate What;
};

class AllocationFinder : public FunctionVisitor<AllocationFinder> {
public:
  AllocationFinder(ASTContext &Context, RecordFacts &Out,
                   llvm::function_ref<void(const RecordDecl &)> Needed)
      : FunctionVisitor(Context), Out(Out), Needed(Needed) {}

  bool VisitCallExpr(CallExpr *E) {
    if (isPlain(E) && E->getType()->isVoidPointerType())
      callAt(*E);
    return true;
  }
  bool VisitCXXNewExpr(CXXNewExpr *E) {
    if (!isPlain(E))
      return true;
    callAt(*E).Types.push_back(E->getAllocatedType());
    if (E->getNumPlacementArgs() == 1 && E->getPlacementArg(0)->getType()->isPointerType())
      flow(E->getPlacementArg(0), [&](Fate &What) { What.Types.push_back(E->getAllocatedType()); });
    return true;
  }
  bool VisitCastExpr(CastExpr *E) {
    if (!isPlain(E) || !E->getType()->isPointerType() || Seen.contains(E))
      return true;
    QualType T = E->getType()->getPointeeType();
    if (T->isVoidType() || T->isFunctionType())
      return true;
    for (Expr *Inner = E->getSubExpr(); auto *Cast = dyn_cast<CastExpr>(Inner->IgnoreParens());
         Inner = Cast->getSubExpr())
      Seen.insert(Cast);
    flow(E->getSubExpr(), [&](Fate &What) {
      if (T->isCharType() || T->isStdByteType())
        What.IsRaw = true;
      else
        What.Types.push_back(T);
    });
    return true;
  }
  bool VisitVarDecl(VarDecl *D) {
    if (!Function && D->hasGlobalStorage() && D->isThisDeclarationADefinition() &&
        !D->getType()->isDependentType() && !D->getDeclContext()->isDependentContext())
      addGlobal(*D);
    else if (Function && D->hasInit() && isCarrier(*D))
      flow(D->getInit(), [&](Fate &What) { What.Variables.push_back(D); });
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    const VarDecl *To = E->getOpcode() == BO_Assign ? variableOf(E->getLHS()) : nullptr;
    if (To && isPlain(E) && isCarrier(*To))
      flow(E->getRHS(), [&](Fate &What) { What.Variables.push_back(To); });
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *S) {
    if (Function && S->getRetValue() && isPlain(S->getRetValue()))
      flow(S->getRetValue(), [](Fate &What) { What.Returned = true; });
    return true;
  }

  void finish() {
    for (auto &[E, C] : Calls)
      for (const VarDecl *V : C.What.Variables)
        Givers[V]++;
    for (auto &[E, C] : Calls)
      addCall(*E, C);
  }

private:
  bool isPlain(const Expr *E) const { return Function && !E->isTypeDependent(); }

  /// A local variable that holds memory without a type.
  static bool isCarrier(const VarDecl &D) {
    QualType T = D.getType();
    return D.hasLocalStorage() && T->isPointerType() &&
           (T->isVoidPointerType() || T->getPointeeType()->isCharType());
  }
  static const VarDecl *variableOf(const Expr *E) {
    const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
    return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  }

  Fate &callAt(const Expr &E) {
    Call &C = Calls[&E];
    if (!C.Functions.empty())
      return C.What;
    const SourceManager &Sources = Context.getSourceManager();
    if (PresumedLoc Place = Sources.getPresumedLoc(E.getExprLoc()); Place.isValid())
      C.File = Place.getFilename();
    unsigned Which = 0;
    for (SourceLocation Where : {E.getExprLoc(), E.getBeginLoc()}) {
      C.Functions.clear();
      at(Where, [&](const std::string &Name, unsigned Line, unsigned Column) {
        C.Functions.push_back(Name);
        C.Lines[Which] = Line;
        C.Columns[Which] = Column;
      });
      Which++;
    }
    return C.What;
  }

  /// Calls Note with the fate of each call and variable that may give the value.
  template <typename Body> void flow(const Expr *E, Body Note) {
    E = E->IgnoreParenCasts();
    if (const auto *Either = dyn_cast<AbstractConditionalOperator>(E)) {
      flow(Either->getTrueExpr(), Note);
      flow(Either->getFalseExpr(), Note);
    } else if (const auto *Binary = dyn_cast<BinaryOperator>(E);
               Binary && (Binary->isAssignmentOp() || Binary->isCommaOp())) {
      flow(Binary->getRHS(), Note);
    } else if (isa<CallExpr>(E) && E->getType()->isVoidPointerType()) {
      Note(callAt(*E));
    } else if (const VarDecl *V = variableOf(E); V && isCarrier(*V)) {
      Note(Carriers[V]);
    }
  }

  /// What becomes of the value by way of variables, too.
  Fate followed(const Fate &Start) {
    Fate All = Start;
    llvm::DenseSet<const VarDecl *> Done;
    for (size_t I = 0; I < All.Variables.size(); I++) {
      const VarDecl *V = All.Variables[I];
      if (!Done.insert(V).second)
        continue;
      Fate Of = Carriers.lookup(V); // a copy: none without an entry
      All.IsRaw |= Of.IsRaw;
      All.Returned |= Of.Returned;
      All.Variables.append(Of.Variables.begin(), Of.Variables.end());
      if (!V->getType()->isVoidPointerType()) // a buffer may hold anything, one behind the other
        continue;
      // Which of several calls a variable's value is from isn't known.
      if (Givers.lookup(V) <= 1)
        All.Types.append(Of.Types.begin(), Of.Types.end());
    }
    return All;
  }

  /// How the size is written: enum reticle_allocation_flags, 0 if T's isn't in it.
  uint32_t shapeOf(const Expr *E, QualType T) const {
    E = E->IgnoreParenImpCasts();
    if (const auto *Size = dyn_cast<UnaryExprOrTypeTraitExpr>(E))
      return Size->getKind() == UETT_SizeOf && !Size->getTypeOfArgument()->isDependentType() &&
                     Context.hasSameUnqualifiedType(Size->getTypeOfArgument(), T)
                 ? uint32_t(RETICLE_ALLOCATION_ONE)
                 : 0u;
    const auto *Binary = dyn_cast<BinaryOperator>(E);
    if (!Binary || (Binary->getOpcode() != BO_Mul && Binary->getOpcode() != BO_Add))
      return 0;
    uint32_t Found = shapeOf(Binary->getLHS(), T) | shapeOf(Binary->getRHS(), T);
    if (!Found)
      return 0;
    return Binary->getOpcode() == BO_Mul ? RETICLE_ALLOCATION_ARRAY : RETICLE_ALLOCATION_MORE;
  }
  uint32_t shapeOf(const Expr &Call, QualType T) const {
    if (const auto *New = dyn_cast<CXXNewExpr>(&Call))
      return New->isArray() ? RETICLE_ALLOCATION_ARRAY : RETICLE_ALLOCATION_ONE;
    uint32_t Found = 0;
    for (const Expr *Argument : cast<CallExpr>(Call).arguments())
      Found |= shapeOf(Argument, T);
    return Found;
  }

  void addCall(const Expr &E, const Call &C) {
    AllocationFact Fact;
    Fate What = followed(C.What);
    QualType T;
    for (QualType Found : What.Types)
      if (Found.isNull() || (!T.isNull() && !Context.hasSameUnqualifiedType(Found, T)))
        Fact.Flags |= RETICLE_ALLOCATION_SEVERAL;
      else
        T = Found;
    if (Fact.Flags)
      T = QualType();
    if (!T.isNull())
      Fact.Flags |= shapeOf(E, T);
    else if (What.IsRaw && !Fact.Flags)
      Fact.Flags |= RETICLE_ALLOCATION_BYTES;
    if (What.Returned)
      Fact.Flags |= RETICLE_ALLOCATION_RETURNED;
    describe(T, Fact);
    Fact.File = C.File;
    bool IsOne = C.Lines[0] == C.Lines[1] && C.Columns[0] == C.Columns[1];
    for (const std::string &Name : C.Functions)
      for (unsigned I = 0; I < (IsOne ? 1u : 2u); I++) {
        Fact.Function = Name;
        Fact.Line = C.Lines[I];
        Fact.Column = C.Columns[I];
        Out.Allocations.push_back(Fact);
      }
  }

  void addGlobal(const VarDecl &D) {
    PresumedLoc Place = Context.getSourceManager().getPresumedLoc(D.getLocation());
    QualType T = D.getType();
    AllocationFact Fact;
    if (Place.isInvalid() || T->isIncompleteType())
      return;
    Fact.Flags = RETICLE_ALLOCATION_ONE;
    if (const ArrayType *Array = Context.getAsArrayType(T)) {
      Fact.Flags = RETICLE_ALLOCATION_ARRAY;
      T = Context.getBaseElementType(Array);
    }
    describe(T, Fact);
    Fact.Function = D.getNameAsString();
    Fact.File = Place.getFilename();
    Fact.Line = Place.getLine();
    Out.Allocations.push_back(Fact);
  }

  void describe(QualType T, AllocationFact &Fact) {
    if (T.isNull())
      return;
    Fact.Type = T.getUnqualifiedType().getAsString(Context.getPrintingPolicy());
    if (T->isIncompleteType())
      return;
    Fact.SizeBytes = static_cast<uint32_t>(Context.getTypeSizeInChars(T).getQuantity());
    const auto *Record = T->getAs<RecordType>();
    if (const RecordDecl *D = Record ? Record->getDecl()->getDefinition() : nullptr) {
      Fact.Record = D;
      Needed(*D);
    }
  }

  RecordFacts &Out;
  llvm::function_ref<void(const RecordDecl &)> Needed;
  llvm::MapVector<const Expr *, Call> Calls;
  llvm::DenseMap<const VarDecl *, Fate> Carriers;
  llvm::DenseMap<const VarDecl *, unsigned> Givers; ///< calls that may give its value
  llvm::DenseSet<const CastExpr *> Seen;            ///< below one that was looked at
};

} // namespace

void reticle::readAllocations(ASTContext &Context, RecordFacts &Out,
                              llvm::function_ref<void(const RecordDecl &)> Needed) {
  AllocationFinder Finder(Context, Out, Needed);
  Finder.TraverseDecl(Context.getTranslationUnitDecl());
  Finder.finish();
}
