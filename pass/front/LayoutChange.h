// LayoutChange.h - the what-if: lays a struct out as a layout file says; the source stays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FRONT_LAYOUTCHANGE_H
#define RETICLE_PASS_FRONT_LAYOUTCHANGE_H

#include "pass/module/LayoutFile.h"
#include <vector>

namespace clang {
class ASTContext;
class RecordDecl;
} // namespace clang

namespace reticle {

/// Reorders the fields of the struct that the file names. Whatever doesn't fit is an error of the
/// compilation, so no program comes from a layout that was applied in part.
class LayoutChange {
public:
  explicit LayoutChange(const LayoutFile &File) : File(File) {}

  /// To be called for each definition before anybody asks for its layout.
  void define(clang::RecordDecl &Definition);
  /// To be called when its attributes are known, too: whether the layout has become what was asked.
  void verify(const clang::RecordDecl &Definition) const;
  /// At the end of the translation unit: the uses that go by position, and the definition that
  /// should have come.
  void finish(clang::ASTContext &Context);
  /// Whether the translation unit has the struct.
  bool applied() const { return !Changed.empty(); }

private:
  struct Unit;
  bool isInFile(const clang::RecordDecl &R) const;
  bool isMeant(const clang::RecordDecl &R) const;
  std::string check(const clang::RecordDecl &R, std::vector<Unit> &Units) const;
  std::string order(const std::vector<Unit> &Units, std::vector<const Unit *> &New) const;
  void apply(clang::RecordDecl &R, const std::vector<const Unit *> &New) const;
  std::string findStale(const clang::RecordDecl &R) const;

  const LayoutFile &File;
  std::vector<const clang::RecordDecl *> Changed;
  const clang::RecordDecl *Elsewhere = nullptr; ///< like it, but another line or other fields
  const clang::RecordDecl *Namesake = nullptr;  ///< of another file
};

} // namespace reticle

#endif
