// RecordReader.h - from clang's declarations to RecordFacts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_RECORDREADER_H
#define RETICLE_PASS_RECORDREADER_H

#include "pass/RecordFacts.h"
#include <memory>

namespace clang {
class ASTContext;
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

} // namespace reticle

#endif
