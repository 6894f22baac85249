// RecordReader.h - from clang's declarations to RecordFacts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FRONT_RECORDREADER_H
#define RETICLE_PASS_FRONT_RECORDREADER_H

#include "pass/front/RecordFacts.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace clang {
class ASTContext;
class FieldDecl;
class RecordDecl;
} // namespace clang

namespace reticle {

/// Reads definitions one by one; those without a layout (templates, mistakes) are left out.
class RecordReader {
public:
  explicit RecordReader(clang::ASTContext &Context);
  ~RecordReader();
  void read(const clang::RecordDecl &Definition, RecordFacts &Out);

private:
  class Impl;
  std::unique_ptr<Impl> Self;
};

/// The struct's name for people: with namespaces and template arguments.
std::string recordName(const clang::RecordDecl &R);
/// The names of the members that a field's declaration makes: those of an anonymous struct's
/// fields, one "a/b" for a union, none for padding.
void memberNames(const clang::FieldDecl &F, llvm::SmallVectorImpl<std::string> &Out);

} // namespace reticle

#endif
