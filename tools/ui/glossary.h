// glossary.h - what the words of reports mean: the pages glossary, findings and columns of docs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_UI_GLOSSARY_H
#define RETICLE_TOOLS_UI_GLOSSARY_H

#include "tools/support/text.h"

#include <stdbool.h>
#include <stddef.h>

/// Adds each entry on a term, a finding's code, a heading or option that an entry names in
/// backquotes, and a column by its title or key, whatever the case. False: there is none.
///
/// width    columns of a line
/// nearest  gets a known word of which it may be a slip, which the caller frees, or null
bool glossary_explain(const char *word, size_t width, struct text *out, char **nearest);

/// Adds all terms and codes.
void glossary_list(size_t width, struct text *out);

#endif
