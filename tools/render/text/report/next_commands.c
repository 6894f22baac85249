// next_commands.c - prints what to type next: the commands, and the options of sections.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/report/next_commands.h"

#include "tools/model/rank/rank_names.h"
#include "tools/model/report/part.h"
#include "tools/model/trial/program_trials.h"
#include "tools/support/names.h"

#include <string.h>

void next_commands_add_ranks(const struct measurement *m, const struct terminal *terminal,
                             struct text *out) {
  if (!rank_names_has_others(&m->input.profile) || m->input.study || !m->input.count)
    return;
  const char *path = m->input.paths[0], *name = base_name(path);
  struct text folder = {0}, command = {0};
  text_add_bytes(&folder, name > path ? path : ".", name > path ? (size_t)(name - path) : 1);
  text_add(&command, "reticle ranks ");
  text_add_quoted(&command, text_get(&folder));
  text_add(out, "all ranks: ");
  terminal_add(terminal, out, STYLE_COMMAND, text_get(&command));
  text_add(out, "\n");
  text_release(&folder);
  text_release(&command);
}

static void add_command(const char *before, const char *command, const struct measurement *m,
                        const struct terminal *terminal, struct text *out) {
  struct text line = {0};
  text_add(&line, command);
  input_add_operands(&m->input, &line);
  text_add(out, before);
  terminal_add(terminal, out, STYLE_COMMAND, text_get(&line));
  text_add(out, "\n");
  text_release(&line);
}

static void add_annotate(const char *function, struct text *out) {
  text_add(out, "annotate ");
  text_add_quoted(out, function);
}

/// "show R1": of what pays, what costs, or else the hottest loop.
static void add_subject(const struct measurement *m, const struct finding *const *rows,
                        size_t count, const struct measured_loop *hottest, struct text *out) {
  const struct program_trials *trials = program_trials_get(m);
  if (trials->paying)
    text_printf(out, "show %s", trials->items[0].id);
  for (size_t i = 0; i < count && !out->length; i++)
    if (*rows[i]->about)
      text_printf(out, "show %s", rows[i]->about);
    else if (*rows[i]->function)
      add_annotate(rows[i]->function, out);
  if (hottest && !out->length)
    text_printf(out, "show L%zu", hottest->rank);
}

/// The sections that have something, by their options.
static void add_sections(const struct measurement *m, const struct terminal *terminal,
                         struct text *out) {
  static const char *const names[] = {
#define PART(name, most, help) #name,
#include "tools/model/report/parts.def"
  };
  struct text line = {0};
  for (int part = 0; part < REPORT_PARTS; part++)
    if (part_has_something(m, (enum report_part)part))
      text_printf(&line, " --%s", names[part]);
  text_add(out, "sections:");
  text_add_short(out, text_get(&line), terminal->width - strlen("sections:"));
  text_add(out, "\n");
  text_release(&line);
}

void next_commands_add(const struct measurement *m, const struct finding *const *rows, size_t count,
                       const struct measured_loop *hottest, const struct terminal *terminal,
                       struct text *out) {
  struct text subject = {0}, command = {0};
  add_subject(m, rows, count, hottest, &subject);
  add_sections(m, terminal, out);
  next_commands_add_ranks(m, terminal, out);
  text_printf(&command, "reticle %s", text_get(&subject));
  if (subject.length)
    add_command("next: ", text_get(&command), m, terminal, out);
  add_command(subject.length ? "      " : "next: ", "reticle report --all", m, terminal, out);
  text_release(&subject);
  text_release(&command);
}
