// layout.c - reticle layout: which order of a struct's fields touches fewer cache lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"
#include "tools/cmd/operands.h"
#include "tools/cmd/problems.h"
#include "tools/model/join/measurement_load.h"
#include "tools/model/struct/known_trial.h"
#include "tools/model/struct/layout_choose.h"
#include "tools/model/struct/layout_file.h"
#include "tools/model/struct/struct_summary.h"
#include "tools/profile/file.h"
#include "tools/render/json/struct/layout_json.h"
#include "tools/render/text/struct/layout_show.h"
#include "tools/rewrite/layout_assert.h"
#include "tools/rewrite/layout_patch.h"
#include "tools/store/input.h"
#include "tools/support/messages.h"
#include "tools/support/text.h"
#include "tools/support/units.h"

#include <errno.h>
#include <string.h>

struct layout_options {
  const char *write, *root;
  bool json, assert, patch;
  struct layout_wish wish;
};

static bool write_file(const char *path, const char *content) {
  struct profile_error error;
  bool fine = file_write(path, content, strlen(content), &error) == 0;
  if (!fine)
    message_error("layout: %s", error.text);
  return fine;
}

static void add_head(const struct struct_advice *a, const struct terminal *terminal,
                     struct text *out) {
  const struct profile_struct *record = a->use->record;
  struct text head = {0};
  text_printf(&head, "STRUCT %s  ", record->name);
  struct_bytes_add(a, &head);
  text_printf(&head, "  %s:%u", *record->file ? record->file : "?", record->line);
  if (a->useful.status == QUANTITY_OK)
    text_printf(&head, "  useful %.0f %% of fetched bytes", 100 * a->useful.value);
  terminal_printf(terminal, out, STYLE_HEADING, "%s\n", text_get(&head));
  text_release(&head);
}

static void add_source(const struct struct_advice *a, uint32_t align_bytes,
                       const struct terminal *terminal, struct text *out) {
  struct text source = {0}, command = {0};
  const char *unknown = layout_declaration_add(a, a->best.order, align_bytes, &source);
  terminal_add(terminal, out, STYLE_HEADING, "\nsource\n");
  if (unknown)
    terminal_printf(
        terminal, out, STYLE_FAINT,
        "  can't be spelled here ('%s' has no type with a name of its own, or the struct "
        "has bases or is a template's): move the lines of %s:%u by hand\n",
        unknown, a->use->record->file, a->use->record->line);
  else
    text_add_clean(out, text_get(&source));
  if (!align_bytes && layout_command_add(a, a->best.order, &command))
    terminal_printf(terminal, out, STYLE_COMMAND, "%s\n", text_get(&command));
  text_release(&source);
  text_release(&command);
}

/// What tries the order that is shown: by its file, or with the same wishes.
static void add_next(const struct struct_advice *a, const struct layout_options *options,
                     struct text *out) {
  const struct layout_wish *wish = &options->wish;
  if (!struct_is_named(a->use->record->name)) {
    text_add(out, "\nnext: ");
    struct_try_add(a->use->record->name, out);
    text_add(out, "\n");
    return;
  }
  text_add(out, "\nnext: reticle try");
  if (options->write) {
    text_add(out, " --layout ");
    text_add_quoted(out, options->write);
  } else {
    if (wish->pin)
      text_printf(out, " --pin %s", wish->pin);
    if (wish->align_bytes)
      text_printf(out, " --align %llu", (unsigned long long)wish->align_bytes);
    if (wish->apart)
      text_add(out, " --apart");
  }
  text_add(out, " ");
  text_add_quoted(out, a->use->record->name);
  text_add(out, " -- BUILD-AND-RUN\n");
}

static bool print_text(struct text *out) {
  bool written = fwrite(text_get(out), 1, out->length, stdout) == out->length && !fflush(stdout);
  text_release(out);
  return written;
}

/// Beside orders and parts.
static void suggest(const struct measurement *m, const struct struct_advice *a, struct json *json,
                    const struct terminal *terminal, struct text *out) {
  struct struct_sharing sharing = struct_sharing_find(m, a->use->record);
  struct struct_shrink shrink;
  struct_shrink_make(&m->input.profile, a, &shrink);
  if (json) {
    layout_json_put_sharing(&sharing, json);
    layout_json_put_shrink(&shrink, json);
  } else {
    layout_show_sharing(m, &sharing, terminal, out);
    layout_show_shrink(&shrink, a, terminal, out);
  }
  struct_shrink_release(&shrink);
}

static bool print(const struct measurement *m, const struct struct_advice *a,
                  const struct known_trial *replay, const struct layout_options *options) {
  if (options->json) {
    struct json *json = json_object_new();
    json_put_text(json, "schema", "reticle-layout/1");
    json_put_text(json, "name", a->use->record->name);
    layout_json_put(a, json);
    suggest(m, a, json, NULL, NULL);
    layout_json_put_replay(replay, json);
    bool written = json_write(json, stdout);
    json_free(json);
    return written;
  }
  struct text out = {0};
  if (options->assert) {
    layout_assert_add(a, (uint32_t)options->wish.align_bytes, &out);
    return print_text(&out);
  }
  struct terminal terminal = terminal_inspect(fileno(stdout));
  add_head(a, &terminal, &out);
  layout_show_advice(a, &terminal, &out);
  layout_show_replay(replay, &terminal, &out);
  suggest(m, a, NULL, &terminal, &out);
  layout_show_warnings(a, &terminal, &out);
  layout_show_loops(a, &terminal, &out);
  if (a->order.kind != ADVICE_NONE || options->wish.align_bytes) {
    add_source(a, (uint32_t)options->wish.align_bytes, &terminal, &out);
    add_next(a, options, &out);
  }
  return print_text(&out);
}

/// Prints the diff, or says why there is none.
static int print_patch(const struct measurement *m, const struct struct_advice *a,
                       const struct layout_options *options) {
  struct text out = {0};
  int status = exit_status(layout_patch_add(m, a, (uint32_t)options->wish.align_bytes,
                                            options->root, &out, problems_shown()));
  if (status != EXIT_FINE) {
    text_release(&out);
    return status;
  }
  if (print_text(&out))
    return EXIT_FINE;
  message_error("layout: not all of it could be written: %s", strerror(errno));
  return EXIT_UNREADABLE;
}

static int advise(const struct layout_options *options, char **argv, size_t files) {
  struct measurement measurement;
  struct struct_advice advice = {0};
  int status = exit_status(measurement_load(argv + 2, files, &measurement, problems_shown()));
  if (status == EXIT_FINE)
    status = exit_status(
        layout_choose(&measurement, argv[1], &options->wish, "layout", &advice, problems_shown()));
  struct known_trial replay = {0};
  if (status == EXIT_FINE)
    replay = known_replay_find(&measurement.input, advice.use, NULL);
  if (status == EXIT_FINE && options->patch)
    status = print_patch(&measurement, &advice, options);
  else if (status == EXIT_FINE && !print(&measurement, &advice, &replay, options)) {
    message_error("layout: not all of it could be written: %s", strerror(errno));
    status = EXIT_UNREADABLE;
  }
  if (status == EXIT_FINE && options->write) {
    struct text file = {0};
    layout_file_add(&advice, advice.best.order, (uint32_t)options->wish.align_bytes, &file);
    if (!write_file(options->write, text_get(&file)))
      status = EXIT_UNREADABLE;
    text_release(&file);
  }
  struct_advice_release(&advice);
  measurement_release(&measurement);
  return status;
}

static int run(const struct command *command, int argc, char **argv) {
  struct layout_options chosen = {0};
  int operands;
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (!operands)
    return options_misuse(command, "name a struct, as reticle report --structs lists them");
  operands_name_first(argv + 1, (size_t)operands);
  if (chosen.patch + chosen.assert + chosen.json > 1)
    return options_misuse(command, "--patch, --assert and --json write to stdout: choose one");
  return advise(&chosen, argv, (size_t)operands - 1);
}

static const struct option_spec options[] = {
    {"write", 'w', OPTION_TEXT, "FILE", offsetof(struct layout_options, write),
     "write the order as a layout file, for -fplugin-arg-reticle-layout=FILE"},
    {"pin", 0, OPTION_TEXT, "FIELD", offsetof(struct layout_options, wish.pin),
     "fields up to this one stay where they are"},
    {"align", 0, OPTION_COUNT, "BYTES", offsetof(struct layout_options, wish.align_bytes),
     "align the struct, e.g. 64: then allocate it with aligned_alloc"},
    {"apart", 0, OPTION_FLAG, NULL, offsetof(struct layout_options, wish.apart),
     "keep fields that are written away from those that are only read (threads share elements)"},
    {"assert", 0, OPTION_FLAG, NULL, offsetof(struct layout_options, assert),
     "a header with static_assert of size and offsets on stdout: it fails where the order is "
     "another than advised"},
    {"patch", 0, OPTION_FLAG, NULL, offsetof(struct layout_options, patch),
     "the change of the source as a unified diff on stdout, for patch -p1: declaration, "
     "initialisers "
     "by position, assertions; splits and arrays as declarations and a list of accesses to change"},
    {"root", 0, OPTION_TEXT, "FOLDER", offsetof(struct layout_options, root),
     "with --patch: what its paths are relative to; else the current folder, or the one that holds "
     "all sources"},
    {"json", 'j', OPTION_FLAG, NULL, offsetof(struct layout_options, json),
     "JSON on stdout (schema reticle-layout/1)"},
};

const struct command command_layout = {
    .name = "layout",
    .operands = "STRUCT [F...]",
    .summary = "which order of a struct's fields, split or array touches fewer cache lines",
    .details =
        "STRUCT is its name, number (S1) or place (book.c:8). F are profile files as for "
        "report, of a program compiled with -fplugin-arg-reticle-features=loop,field. What "
        "is printed is an expectation: reticle try measures orders, and reticle try --replay also "
        "splits and arrays.",
    .examples =
        (const struct command_example[]){
            {"reticle layout order", "what to do about struct order"},
            {"reticle layout order --write order.layout",
             "the advised order as a file, for reticle try and the compiler"},
            {"reticle layout order --patch > order.patch",
             "the change of the source: patch -p1 < order.patch"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
