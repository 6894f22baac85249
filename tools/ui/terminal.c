// terminal.c - looks at locale, NO_COLOR, COLUMNS and the device; writes styled text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // strcasestr
#include "tools/ui/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

/// Lines longer than this are hard to follow with the eye.
#define WIDEST 160u
#define NARROWEST 40u
/// Of a file or a pipe, if COLUMNS says so.
#define WIDEST_FILE 4096u

/// True if the character set of the user's locale is UTF-8. The environment is read directly: the
/// program itself stays in the C locale, so that numbers always have a decimal point.
static bool locale_is_utf8(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    const char *value = getenv(names[i]);
    if (value && *value)
      return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
  }
  return false;
}

struct terminal terminal_inspect(int fd) {
  struct terminal terminal = {.width = TERMINAL_REPORT_COLUMNS};
  if (!isatty(fd)) {
    const char *columns = getenv("COLUMNS");
    unsigned long wanted = columns ? strtoul(columns, NULL, 10) : 0;
    terminal.is_endless = !wanted;
    if (wanted)
      terminal.width = wanted < NARROWEST     ? NARROWEST
                       : wanted > WIDEST_FILE ? WIDEST_FILE
                                              : (unsigned)wanted;
    return terminal;
  }
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  terminal.colour = !(no_color && *no_color) && term && *term && strcmp(term, "dumb") != 0;
  terminal.utf8 = locale_is_utf8();
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col) {
    terminal.width = size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
    if (terminal.width > WIDEST)
      terminal.width = WIDEST;
    terminal.height = size.ws_row;
  }
  return terminal;
}

static const char *style_code(enum style style) {
  switch (style) {
  case STYLE_PLAIN:
    return "";
  case STYLE_HEADING:
    return "\033[1m";
  case STYLE_FAINT:
    return "\033[2m";
  case STYLE_BAD:
    return "\033[31m";
  case STYLE_GOOD:
    return "\033[32m";
  case STYLE_CAUTION:
    return "\033[33m";
  case STYLE_COMMAND:
    return "\033[36m";
  }
  return "";
}

void terminal_add(const struct terminal *terminal, struct text *out, enum style style,
                  const char *string) {
  bool coloured = terminal->colour && style != STYLE_PLAIN && *string;
  if (coloured)
    text_add(out, style_code(style));
  text_add_clean(out, string);
  if (coloured)
    text_add(out, "\033[0m");
}

void terminal_printf(const struct terminal *terminal, struct text *out, enum style style,
                     const char *format, ...) {
  struct text string = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&string, format, arguments);
  va_end(arguments);
  terminal_add(terminal, out, style, text_get(&string));
  text_release(&string);
}
