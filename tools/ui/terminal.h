// terminal.h - what the reader's screen can show, and coloured text for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_UI_TERMINAL_H
#define RETICLE_TOOLS_UI_TERMINAL_H

#include "tools/support/text.h"

#include <stdbool.h>

/// Width of reports that go into a file or a pipe.
#define TERMINAL_REPORT_COLUMNS 100

struct terminal {
  bool colour;    ///< a terminal that is not "dumb", and NO_COLOR is not set
  bool utf8;      ///< a terminal with a UTF-8 locale
  unsigned width; ///< columns: at least 40; COLUMNS or TERMINAL_REPORT_COLUMNS if it is no terminal
  unsigned height; ///< lines; 0: no terminal, or not known
  bool is_endless; ///< no terminal, and COLUMNS isn't set: names in tables are never shortened
};

/// What a string means; the terminal decides how that looks.
enum style {
  STYLE_PLAIN,
  STYLE_HEADING,
  STYLE_FAINT,   ///< context, can be skipped
  STYLE_BAD,     ///< needs attention
  STYLE_GOOD,    ///< all right
  STYLE_CAUTION, ///< true with a reservation
  STYLE_COMMAND, ///< something to type
};

/// Looks at the file descriptor and the environment (NO_COLOR, TERM, LC_ALL, LC_CTYPE, LANG,
/// COLUMNS).
struct terminal terminal_inspect(int fd);

/// Adds the string in the style; control characters in it become "?" (text_add_clean).
void terminal_add(const struct terminal *terminal, struct text *out, enum style style,
                  const char *string);

/// As terminal_add, with a format.
void terminal_printf(const struct terminal *terminal, struct text *out, enum style style,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
