// FieldTags.h - reading, marking and resolving of fields, for one module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FIELD_FIELDTAGS_H
#define RETICLE_PASS_FIELD_FIELDTAGS_H

#include "pass/field/FieldMarker.h"
#include "pass/field/FieldReader.h"
#include "pass/field/FieldResolver.h"

namespace reticle {

/// When the pipeline starts the marker asks the reader and marks; at its end the resolver reads the
/// marks.
struct FieldTags {
  explicit FieldTags(std::shared_ptr<const RecordFacts> Facts)
      : Reader(std::move(Facts)), Marker(Reader), Resolver(Reader, Marker) {}
  FieldTags(const FieldTags &) = delete;

  FieldReader Reader;
  FieldMarker Marker;
  FieldResolver Resolver;
};

} // namespace reticle

#endif
