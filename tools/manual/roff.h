// roff.h - pieces of a manual page, in the macros of man(7).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MANUAL_ROFF_H
#define RETICLE_TOOLS_MANUAL_ROFF_H

#include "tools/support/text.h"

/// The beginning of a page: its title, and the section NAME.
///
/// name     "reticle-report"; several with commas, the first of which is the title
/// section  "1"
/// summary  one line, without a full stop
void roff_begin(const char *name, const char *section, const char *summary, struct text *out);

/// A heading, in capitals.
void roff_section(const char *title, struct text *out);

/// A string inside a line: nothing in it is taken for roff. What stands in `backquotes` is bold.
void roff_add(const char *string, struct text *out);
void roff_bold(const char *string, struct text *out);
void roff_italic(const char *string, struct text *out);

/// What one types: words in capitals are italic, as they stand for something else; all others bold.
void roff_typed(const char *string, struct text *out);

/// A paragraph of this text; it gets a capital at its beginning and a full stop at its end.
void roff_paragraph(const char *string, struct text *out);

/// The beginning of an item of a list: its term follows, by the functions above, then roff_meaning.
void roff_item(struct text *out);
void roff_meaning(const char *string, struct text *out);

/// A line that is printed as it is, between two paragraphs.
void roff_example(const char *line, struct text *out);

/// The section SEE ALSO. references: "reticle(1)" and so on, [count].
void roff_see_also(const char *const *references, size_t count, struct text *out);

#endif
