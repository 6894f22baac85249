// json_section.h - the columns of a section as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_JSON_SECTION_H
#define RETICLE_TOOLS_RENDER_JSON_JSON_SECTION_H

#include "tools/model/report/section.h"
#include "tools/ui/json.h"

/// Puts each column of the row under its key.
///
/// row  of the section's type; null where it has a single row
void json_put_columns(struct json *object, const struct section *section,
                      const struct measurement *m, const void *row);

/// Puts an object with the columns of a section of a single row under its key; returns it.
struct json *json_put_section(struct json *report, const struct section *section,
                              const struct measurement *m);

#endif
