// layout_patch.c - from an advised layout to a diff: finds the source, changes it, writes the diff.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // strcasestr
#include "tools/rewrite/layout_patch.h"

#include "tools/binary/type_definitions.h"
#include "tools/model/struct/layout_visible.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/problem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Places by hand that are said among the problems; all are in front of the diff.
#define LEFT_SHOWN 20

static const char *short_name(const struct profile_struct *record) {
  const char *colon = strrchr(record->name, ':');
  return colon ? colon + 1 : record->name;
}

/// Why no patch can be made of any source; null: one may be.
static const char *refusal(const struct struct_advice *a, uint32_t align_bytes) {
  const struct profile_struct *record = a->use->record;
  if (strchr(record->name, '<'))
    return "it is a template's: its fields' sizes differ with the arguments; move the lines by "
           "hand";
  if (strchr(record->name, '(') || strchr(record->name, '.'))
    return "it has no name of its own; give it one, or move the lines by hand";
  if (!*record->file || !record->line)
    return "where it is defined isn't known; compile with -g";
  for (size_t i = 0; i < a->use->field_count; i++)
    if (a->use->fields[i].member->flags & (RETICLE_MEMBER_BASE | RETICLE_MEMBER_VPTR))
      return "it has a base class or virtual functions, which other code may rely on; move the "
             "lines by hand";
  if (a->order.kind == ADVICE_NONE && a->parts.kind == ADVICE_NONE && !align_bytes)
    return *a->reason ? a->reason : "no better layout was found";
  return NULL;
}

static int refuse(const struct struct_advice *a, const char *reason, int status,
                  struct problems *problems) {
  problem_error(problems, "layout: struct %s can't be patched: %s", a->use->record->name, reason);
  return status;
}

/// The file with the definition, by the debug information; null after saying why.
static const struct layout_source *
find_source(struct layout_patch *p, const struct type_definitions *types, const char *executable) {
  const struct profile_struct *record = p->advice->use->record;
  if (!types->count) {
    problem_error(p->problems,
                  "layout: struct %s can't be patched: the debug information of %s doesn't have "
                  "it at %s:%u; build with -g, and measure that program",
                  record->name, executable, record->file, record->line);
    return NULL;
  }
  if (types->count > 1) {
    problem_error(p->problems,
                  "layout: struct %s can't be patched: units define it differently: %llu bytes in "
                  "%s, %llu bytes in %s; what they are compiled with decides about its fields",
                  record->name, (unsigned long long)types->all[0].size_bytes, types->all[0].unit,
                  (unsigned long long)types->all[1].size_bytes, types->all[1].unit);
    return NULL;
  }
  const struct layout_source *found = NULL;
  for (size_t i = 0; i < p->sources.count; i++)
    if (strcmp(p->sources.all[i].path, types->all[0].file) == 0)
      found = &p->sources.all[i];
  if (!found)
    problem_error(p->problems,
                  "layout: struct %s can't be patched: %s, which defines it, is no source of the "
                  "program's line tables",
                  record->name, types->all[0].file);
  else if (!found->text)
    problem_error(p->problems,
                  "layout: struct %s can't be patched: %s: %s; call this where the program was "
                  "built",
                  record->name, found->path,
                  access(found->path, R_OK) ? strerror(errno) : "it doesn't have that name");
  else if (found->is_changed)
    problem_error(
        p->problems,
        "layout: struct %s can't be patched: %s has changed since %s was built; build and "
        "measure again",
        record->name, found->path, executable);
  return found && found->text && !found->is_changed ? found : NULL;
}

/// Cuts the body and orders it; false after saying why not.
static bool read_body(struct layout_patch *p) {
  const struct struct_use *use = p->advice->use;
  const char **fields = memory_zeroed(use->field_count + 1, sizeof *fields);
  struct layout_wanted wanted = {.name = short_name(use->record),
                                 .line = use->record->line,
                                 .fields = fields,
                                 .field_count = use->field_count,
                                 .is_cxx = use->record->flags & RETICLE_STRUCT_CXX};
  for (size_t i = 0; i < use->field_count; i++)
    fields[i] = use->fields[i].member->name;
  layout_body_read(&p->source->tokens, &wanted, &p->body);
  const char *problem = text_get(&p->body.problem);
  if (!*problem) {
    layout_units_match(&p->body, &p->source->tokens, p->advice, &p->units);
    problem = text_get(&p->units.problem);
  }
  if (!*problem && p->is_reordered)
    layout_units_order(&p->body, &p->source->tokens, p->advice, p->advice->best.order, &p->units);
  if (!*problem)
    problem = text_get(&p->units.problem);
  if (*problem)
    problem_error(p->problems, "layout: struct %s can't be patched: %s: %s", use->record->name,
                  p->source->path, problem);
  free(fields);
  return !*problem;
}

/// Whether the name stands in front of the brace.
static bool has_tag(const struct layout_patch *p) {
  const struct source_tokens *t = &p->source->tokens;
  const char *name = short_name(p->advice->use->record);
  for (size_t i = p->body.open; i-- > 0;) {
    if (source_token_is(t, i, ";") || source_token_is(t, i, "}") || source_token_is(t, i, "{"))
      return false;
    if (source_token_is(t, i, name))
      return true;
  }
  return false;
}

/// What the order that the source allows comes to; false after saying that it gains nothing.
static bool evaluate(struct layout_patch *p) {
  const struct struct_advice *a = p->advice;
  struct layout layout = {0};
  if (!p->is_reordered)
    return true;
  layout_evaluate(&a->problem, p->units.items, &layout);
  layout.order = p->units.items;
  p->lines = layout_lines(&a->problem, &layout);
  p->offsets = memory_zeroed(a->item_count + 1, sizeof *p->offsets);
  p->size_bytes = layout_offsets(&a->problem, p->units.items, p->offsets);
  if (p->align_bytes || p->units.is_exact || p->lines < a->lines_now)
    return true;
  if (a->parts.kind != ADVICE_NONE) {
    p->is_reordered = false;
    return true;
  }
  problem_error(p->problems,
                "layout: struct %s can't be patched: macros or conditions keep fields of it "
                "together, and no line is saved then; move the lines by hand",
                a->use->record->name);
  return false;
}

/// Behind the declaration and what follows it on its line.
static size_t end_of_declaration(const struct layout_patch *p) {
  const struct source_tokens *t = &p->source->tokens;
  size_t at = p->body.close + 1;
  while (at < t->count && !source_token_is(t, at, ";"))
    at = source_token_is(t, at, "(") || source_token_is(t, at, "[") || source_token_is(t, at, "{")
             ? source_token_behind(t, at)
             : at + 1;
  size_t end = at < t->count ? t->all[at].end : t->bytes;
  while (++at < t->count && t->all[at].kind == SOURCE_COMMENT &&
         !memchr(t->text + end, '\n', t->all[at].start - end))
    end = t->all[at].end;
  return end;
}

/// The alignment, behind "struct".
static void add_alignment(struct layout_patch *p, struct layout_source *source) {
  const struct source_tokens *t = &p->source->tokens;
  size_t at = p->body.open;
  struct text text = {0};
  while (at && !source_token_is(t, at, "struct") && !source_token_is(t, at, "class"))
    at--;
  text_format(&text, p->names.is_cxx ? " alignas(%u)" : " __attribute__((aligned(%u)))",
              p->align_bytes);
  source_edits_add(&source->edits, t->all[at].end, t->all[at].end, text_get(&text));
  text_release(&text);
}

static void add_edits(struct layout_patch *p) {
  const struct source_tokens *t = &p->source->tokens;
  struct layout_source *source = &p->sources.all[p->source - p->sources.all];
  struct text body = {0}, behind = {0};
  if (p->align_bytes)
    add_alignment(p, source);
  if (p->is_reordered) {
    layout_units_add(&p->body, t, &p->units, &body);
    source_edits_add(&source->edits, t->all[p->body.open].end, t->all[p->body.close].start,
                     text_get(&body));
  }
  size_t end = end_of_declaration(p);
  layout_patch_add_asserts(p, &behind);
  layout_patch_add_parts(p, &behind);
  source_edits_add(&source->edits, end, end, text_get(&behind));
  text_release(&body);
  text_release(&behind);
}

/// Bytes that both paths begin with, up to a slash.
static size_t common_folder(const char *a, const char *b) {
  size_t common = 0;
  for (size_t i = 0; a[i] && a[i] == b[i]; i++)
    if (a[i] == '/')
      common = i + 1;
  return common;
}

/// What paths are relative to: how many bytes of them are left out.
static size_t root_bytes(const struct layout_patch *p, const char *root, struct text *folder) {
  char *here = root ? realpath(root, NULL) : getcwd(NULL, 0);
  size_t common = strlen(p->source->path);
  for (size_t i = 0; i < p->sources.count; i++) {
    size_t bytes = common_folder(p->source->path, p->sources.all[i].path);
    common = bytes > 1 && bytes < common ? bytes : common;
  }
  size_t length = here ? strlen(here) : 0;
  bool is_inside =
      here && strncmp(p->source->path, here, length) == 0 && p->source->path[length] == '/';
  if (is_inside)
    common = length + 1;
  text_add_bytes(folder, p->source->path, common - 1);
  free(here);
  return root && !is_inside ? 0 : common;
}

/// Comments that say that the order of fields matters.
static void say_comments(const struct layout_patch *p) {
  static const char *const phrases[] = {
      "must be first",      "must be the first", "must come first", "must be last",
      "must be the last",   "must come last",    "must remain",     "must stay",
      "do not reorder",     "don't reorder",     "do not move",     "order matters",
      "order is important", "fields above",      "fields below",    "fields that follow"};
  const struct source_tokens *t = &p->source->tokens;
  for (size_t i = p->body.open; i < p->body.close; i++) {
    if (t->all[i].kind != SOURCE_COMMENT)
      continue;
    char *comment = source_token_copy(t, i);
    for (size_t k = 0; k < sizeof phrases / sizeof *phrases; k++)
      if (strcasestr(comment, phrases[k])) {
        problem_warning(
            p->problems,
            "layout: %s:%u: a comment says '%s': look whether the new order keeps to it; "
            "--pin FIELD keeps fields in front",
            p->source->path, t->all[i].line, phrases[k]);
        break;
      }
    free(comment);
  }
}

/// What isn't sure, or left to do, among the problems; what is to be done with the patch as well.
static void say(const struct layout_patch *p, const struct layout_values *values,
                const char *folder) {
  const struct profile_struct *record = p->advice->use->record;
  if (p->is_reordered && !p->units.is_exact && p->lines > 1.005 * p->advice->order.lines)
    problem_warning(p->problems,
                    "layout: %s: macros, conditions or types keep fields together: %.2f lines a "
                    "visit, with the advised order %.2f",
                    record->name, p->lines, p->advice->order.lines);
  for (size_t i = 0; p->is_reordered && i < LAYOUT_VISIBLE; i++)
    if (record->flags & layout_visible[i].flag &&
        layout_visible[i].flag != RETICLE_STRUCT_POSITIONAL)
      problem_warning(p->problems, "layout: %s: its layout can be seen outside: %s", record->name,
                      layout_visible[i].text);
  for (size_t i = 0; i < values->left_count && i < LEFT_SHOWN; i++)
    problem_warning(p->problems, "layout: %s:%u: %s", values->left[i].source->path,
                    values->left[i].line, values->left[i].reason);
  if (values->left_count > LEFT_SHOWN)
    problem_warning(p->problems,
                    "layout: %zu more places by hand: they are listed in front of the diff",
                    values->left_count - LEFT_SHOWN);
  if (p->is_reordered && (record->flags & RETICLE_STRUCT_POSITIONAL || values->changed))
    problem_warning(p->problems,
                    "layout: %s: it is initialised by position; %zu places were changed%s. Places "
                    "in macros, calls and lists of other structs aren't found: reticle layout %s "
                    "--write FILE, then a build with RETICLE_LAYOUT=FILE names each",
                    record->name, values->changed,
                    values->left_count ? ", those above are left" : "", record->name);
  if (p->is_reordered)
    say_comments(p);
  problem_note(p->problems, "layout: apply it with: patch -p1 -d %s < FILE", folder);
}

static void add_head(const struct layout_patch *p, const struct layout_values *values,
                     struct text *out) {
  const struct profile_struct *record = p->advice->use->record;
  text_printf(out, "# reticle layout %s --patch\n", record->name);
  for (size_t i = 0; i < values->left_count; i++)
    text_printf(out, "# by hand: %s:%u: %s\n", base_name(values->left[i].source->path),
                values->left[i].line, values->left[i].reason);
  layout_patch_add_accesses(p, out);
}

static int add_diff(struct layout_patch *p, const char *root, struct text *out) {
  struct layout_values values = {0};
  struct text folder = {0};
  size_t skipped = root_bytes(p, root, &folder);
  if (!skipped) {
    problem_error(p->problems, "layout: --root %s: %s isn't below it", root, p->source->path);
    text_release(&folder);
    return PROBLEM_USAGE;
  }
  if (p->is_reordered)
    layout_values_change(&p->sources, &p->names, p->advice, p->units.items, &values);
  add_edits(p);
  add_head(p, &values, out);
  for (size_t i = 0; i < p->sources.count; i++) {
    struct layout_source *source = &p->sources.all[i];
    if (source->edits.count)
      source_diff_add(source->path + (strlen(source->path) > skipped ? skipped : 1), source->text,
                      source->bytes, &source->edits, out);
  }
  say(p, &values, text_get(&folder));
  layout_values_release(&values);
  text_release(&folder);
  return PROBLEM_NONE;
}

int layout_patch_add(const struct measurement *m, const struct struct_advice *a,
                     uint32_t align_bytes, const char *root, struct text *out,
                     struct problems *problems) {
  const struct profile_struct *record = a->use->record;
  const char *why = refusal(a, align_bytes);
  struct layout_patch p = {.measurement = m,
                           .problems = problems,
                           .advice = a,
                           .align_bytes = align_bytes,
                           .is_reordered = a->order.kind != ADVICE_NONE || align_bytes};
  struct type_definitions types = {0};
  if (why)
    return refuse(a, why, PROBLEM_USAGE, problems);
  const char *executable = program_files_path(m->files, m->input.profile.env.executable);
  int status = PROBLEM_UNREADABLE;
  if (!executable ||
      !type_definitions_read(executable, short_name(record), record->file, record->line, &types) ||
      !layout_sources_read(executable, &p.sources))
    problem_error(problems,
                  "layout: struct %s can't be patched: %s: %s; its debug information says where "
                  "the sources are",
                  record->name, executable ? executable : m->input.profile.env.executable,
                  strerror(errno));
  else if ((p.source = find_source(&p, &types, executable)) && read_body(&p) && evaluate(&p)) {
    p.has_tag = has_tag(&p);
    p.names = (struct layout_names){.tag = p.has_tag ? short_name(record) : NULL,
                                    .typedefs = types.typedefs,
                                    .typedef_count = types.typedef_count,
                                    .aggregates = types.all[0].aggregates,
                                    .is_cxx = record->flags & RETICLE_STRUCT_CXX};
    status = add_diff(&p, root, out);
  }
  layout_body_release(&p.body);
  layout_units_release(&p.units);
  layout_sources_release(&p.sources);
  type_definitions_release(&types);
  free(p.offsets);
  return status;
}
