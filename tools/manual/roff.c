// roff.c - pieces of a manual page: escapes, fonts, paragraphs and lists.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/manual/roff.h"

#include "include/reticle/abi.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// What roff would change, and what prints it as it is. A plain - is a hyphen in some outputs,
/// which nobody could paste into a shell; quotes become typographic.
static const struct {
  char character;
  const char *escape;
} escapes[] = {{'-', "\\-"},   {'\\', "\\e"},  {'\'', "\\(aq"}, {'"', "\\(dq"},
               {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};

static void add_character(char character, struct text *out) {
  for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++)
    if (escapes[i].character == character) {
      text_add(out, escapes[i].escape);
      return;
    }
  bool starts_line = !out->length || out->data[out->length - 1] == '\n';
  if (starts_line && character == '.') // a request otherwise
    text_add(out, "\\&");
  text_add_bytes(out, &character, 1);
}

static void add_font(const char *font, const char *string, struct text *out) {
  text_add(out, font);
  for (; *string; string++)
    add_character(*string, out);
  text_add(out, "\\fR");
}

void roff_bold(const char *string, struct text *out) { add_font("\\fB", string, out); }
void roff_italic(const char *string, struct text *out) { add_font("\\fI", string, out); }

void roff_add(const char *string, struct text *out) {
  bool is_bold = false;
  for (; *string; string++) {
    if (*string == '`' && (is_bold || strchr(string + 1, '`'))) {
      is_bold = !is_bold;
      text_add(out, is_bold ? "\\fB" : "\\fR");
    } else {
      add_character(*string, out);
    }
  }
}

void roff_typed(const char *string, struct text *out) {
  static const char punctuation[] = "[]| .,=()";
  while (*string) {
    size_t length = strcspn(string, punctuation);
    bool is_capital = isupper((unsigned char)*string);
    for (size_t i = 0; i < length; i++)
      is_capital &= isupper((unsigned char)string[i]) || string[i] == '_';
    if (length)
      text_add(out, is_capital ? "\\fI" : "\\fB");
    for (size_t i = 0; i < length; i++)
      add_character(string[i], out);
    if (length)
      text_add(out, "\\fR");
    string += length;
    for (; *string && strchr(punctuation, *string); string++)
      add_character(*string, out);
  }
}

static const char *page_date(void) {
  static char date[32];
  const char *epoch = getenv("SOURCE_DATE_EPOCH"); // builds that can be repeated set it
  time_t when = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
  struct tm parts;
  if (!gmtime_r(&when, &parts) || !strftime(date, sizeof(date), "%Y-%m-%d", &parts))
    return "1970-01-01";
  return date;
}

void roff_begin(const char *name, const char *section, const char *summary, struct text *out) {
  text_add(out, ".\\\" Written by reticle_manual (tools/manual) from the tables behind the help.\n"
                ".TH ");
  for (const char *c = name; *c && *c != ','; c++)
    add_character((char)toupper((unsigned char)*c), out);
  text_format(out, " %s %s \"Reticle %s\" \"Reticle\"\n.nh\n.ad l\n", section, page_date(),
              RETICLE_VERSION);
  roff_section("NAME", out);
  roff_add(name, out);
  text_add(out, " \\- ");
  roff_add(summary, out);
  text_add(out, "\n");
}

void roff_section(const char *title, struct text *out) { text_format(out, ".SH %s\n", title); }

/// Whether the last line is a heading, behind which a paragraph needs no mark.
static bool follows_heading(const struct text *out) {
  const char *line = text_get(out) + out->length;
  if (line > out->data)
    for (line--; line > out->data && line[-1] != '\n'; line--)
      ;
  return strncmp(line, ".SH ", 4) == 0;
}

void roff_paragraph(const char *string, struct text *out) {
  if (!follows_heading(out))
    text_add(out, ".PP\n");
  char *sentence = text_copy(string);
  *sentence = (char)toupper((unsigned char)*sentence);
  roff_add(sentence, out);
  free(sentence);
  if (!strchr(".:!?", string[strlen(string) - 1]))
    text_add(out, ".");
  text_add(out, "\n");
}

void roff_item(struct text *out) { text_add(out, ".TP\n"); }

void roff_meaning(const char *string, struct text *out) {
  text_add(out, "\n");
  roff_add(string, out);
  text_add(out, "\n");
}

void roff_example(const char *line, struct text *out) {
  text_format(out, "%s.RS 4\n.nf\n", follows_heading(out) ? "" : ".PP\n");
  roff_bold(line, out);
  text_add(out, "\n.fi\n.RE\n");
}

void roff_see_also(const char *const *references, size_t count, struct text *out) {
  roff_section("SEE ALSO", out);
  for (size_t i = 0; i < count; i++) {
    const char *open = strchr(references[i], '(');
    struct text name = {0};
    text_add_bytes(&name, references[i], (size_t)(open - references[i]));
    roff_bold(text_get(&name), out);
    text_format(out, "%s%s\n", open, i + 1 < count ? "," : "");
    text_release(&name);
  }
}
