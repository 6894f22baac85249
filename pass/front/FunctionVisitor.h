// FunctionVisitor.h - walks clang's statements and knows in which function it is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FRONT_FUNCTIONVISITOR_H
#define RETICLE_PASS_FRONT_FUNCTIONVISITOR_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/PrettyDeclStackTrace.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include <map>
#include <string>
#include <vector>

namespace reticle {

/// Visits instances of templates, too; in the templates themselves Function isn't theirs.
template <typename Derived> class FunctionVisitor : public clang::RecursiveASTVisitor<Derived> {
protected:
  using Base = clang::RecursiveASTVisitor<Derived>;

public:
  explicit FunctionVisitor(clang::ASTContext &Context) : Context(Context), Namer(Context) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(clang::Decl *D) {
    auto *F = llvm::dyn_cast_or_null<clang::FunctionDecl>(D);
    if (!F)
      return Base::TraverseDecl(D);
    if (F->isDependentContext()) // its instances come by themselves
      return Base::TraverseDecl(D);
    return inFunction(F, [&] { return Base::TraverseDecl(D); });
  }
  bool TraverseLambdaExpr(clang::LambdaExpr *E) {
    return inFunction(E->getCallOperator(), [&] { return Base::TraverseLambdaExpr(E); });
  }

protected:
  /// Calls Body(name, line, column) for each linkage name of the function, with the place as debug
  /// information has it.
  template <typename Body> void at(clang::SourceLocation Where, Body Go) {
    clang::PresumedLoc Place = Context.getSourceManager().getPresumedLoc(Where);
    if (Place.isInvalid() || !Function)
      return;
    for (const std::string &Name : names())
      Go(Name, Place.getLine(), Place.getColumn());
  }

  clang::ASTContext &Context;
  const clang::FunctionDecl *Function = nullptr; ///< null: outside of all

private:
  template <typename Body> bool inFunction(const clang::FunctionDecl *F, Body Go) {
    clang::PrettyDeclStackTraceEntry Reading(Context, const_cast<clang::FunctionDecl *>(F),
                                             F->getLocation(), "Reticle reads");
    const clang::FunctionDecl *Outer = Function;
    Function = F;
    bool Result = Go();
    Function = Outer;
    return Result;
  }

  /// Constructors and destructors have several.
  const std::vector<std::string> &names() {
    auto [It, IsNew] = Names.try_emplace(Function);
    if (IsNew) {
      if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(Function))
        It->second = Namer.getAllManglings(Function);
      else
        It->second.push_back(Namer.getName(Function));
    }
    return It->second;
  }

  clang::ASTNameGenerator Namer;
  std::map<const clang::FunctionDecl *, std::vector<std::string>> Names;
};

} // namespace reticle

#endif
