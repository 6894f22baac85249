// try.c - reticle try: does another layout of a struct make the program faster?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/cmd/report.h"
#include "tools/cmd/try_replay.h"
#include "tools/model/join/measurement_load.h"
#include "tools/model/struct/layout_choose.h"
#include "tools/model/struct/layout_file.h"
#include "tools/profile/file.h"
#include "tools/profile/regular.h"
#include "tools/render/json/struct/try_json.h"
#include "tools/render/text/struct/try_show.h"
#include "tools/run/child/plain_objects.h"
#include "tools/run/child/run_program.h"
#include "tools/run/trial/try_build.h"
#include "tools/run/trial/try_keep.h"
#include "tools/support/memory.h"
#include "tools/support/messages.h"
#include "tools/support/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAIRS_MAX 1000

struct try_options {
  const char *layout;
  const char *build;
  uint64_t pairs, placements;
  bool keep, json, replay;
  const char *array;
  struct layout_wish wish;
};

/// One trial from its start to its end.
struct trial {
  const struct try_options *options;
  char *structure;
  struct text source;    ///< the edit, "" if it can't be spelled
  struct text directory; ///< of all files
  struct text layout;    ///< the file
  struct try_side written, changed;
  bool placed; ///< the sides have a placement
  struct plain_objects objects;
  bool is_cut; ///< the last build may be of the other layout
};

static bool read_all(const char *path, struct text *out) {
  FILE *file = regular_fopen_text(path);
  char buffer[4096];
  size_t got;
  while (file && (got = fread(buffer, 1, sizeof buffer, file)) > 0)
    text_add_bytes(out, buffer, got);
  bool fine = file && !ferror(file);
  if (!fine)
    message_error("try: %s: %s", path, regular_problem(errno));
  if (file)
    fclose(file);
  return fine;
}

static bool write_all(const char *path, const char *content) {
  struct profile_error error;
  bool fine = file_write(path, content, strlen(content), &error) == 0;
  if (!fine)
    message_error("try: %s", error.text);
  return fine;
}

/// The layout to be tried, from a file or from what a profile advises. content gets its text.
static int choose_layout(struct trial *t, const char *name, char **files, size_t count,
                         struct text *content) {
  const struct try_options *o = t->options;
  if (o->layout) {
    if (!read_all(o->layout, content))
      return EXIT_UNREADABLE;
    t->structure = layout_file_struct(text_get(content));
    if (t->structure && strcmp(t->structure, name) == 0)
      return EXIT_FINE;
    if (t->structure)
      message_error("try: %s is of struct %s, not %s", o->layout, t->structure, name);
    else
      message_error("try: %s is no layout file; write one with `reticle layout %s --write %s`",
                    o->layout, name, o->layout);
    return EXIT_UNREADABLE;
  }
  struct measurement measurement;
  struct struct_advice advice = {0};
  int status = exit_status(measurement_load(files, count, &measurement, problems_shown()));
  if (status == EXIT_FINE)
    status =
        exit_status(layout_choose(&measurement, name, &o->wish, "try", &advice, problems_shown()));
  if (status == EXIT_FINE && advice.order.kind == ADVICE_NONE && !o->wish.align_bytes) {
    message_error("try: %s: there is no order to try: %s; --layout FILE tries one of your own",
                  name, *advice.reason ? advice.reason : "no better one was found");
    status = EXIT_USAGE;
  }
  if (status == EXIT_FINE) {
    uint32_t align = (uint32_t)o->wish.align_bytes;
    t->structure = text_copy(advice.use->record->name);
    layout_file_add(&advice, advice.best.order, align, content);
    if (layout_declaration_add(&advice, advice.best.order, align, &t->source))
      text_clear(&t->source);
  }
  struct_advice_release(&advice);
  measurement_release(&measurement);
  return status;
}

static bool make_directory(struct trial *t) {
  char *path = run_directory_make("try", problems_shown());
  if (path)
    text_add(&t->directory, path);
  free(path);
  return path != NULL;
}

static double last_of(const struct try_side *side) { return side->cpu[side->count - 1]; }

/// Puts both sides' functions where pair i has them, and builds them if that is apart.
static int place(struct trial *t, size_t i) {
  const struct try_options *o = t->options;
  size_t pairs = (size_t)o->pairs, builds = (size_t)o->placements;
  size_t placement = builds - 1 - paired_build(i, pairs, builds);
  bool same = t->placed && placement == t->written.placement;
  int status = EXIT_FINE;
  t->placed = true;
  t->written.placement = t->changed.placement = placement;
  if (o->build && !same) {
    status =
        exit_status(try_build(&t->changed, o->build, text_get(&t->directory), problems_shown()));
    if (status == EXIT_FINE)
      status =
          exit_status(try_build(&t->written, o->build, text_get(&t->directory), problems_shown()));
  }
  return status;
}

/// Runs all pairs. The last build of all is the one as written, where the compiler puts functions.
static int run_pairs(struct trial *t) {
  const char *directory = text_get(&t->directory);
  struct try_side *a = &t->written, *b = &t->changed;
  size_t pairs = (size_t)t->options->pairs;
  int status = place(t, 0);
  // First runs fill caches, and show whether the command does what it must.
  for (int i = 0; status == EXIT_FINE && i < 2; i++) {
    message_note("try: first run, %s", (i ? a : b)->name);
    status = exit_status(try_run(i ? a : b, directory, 0, false, problems_shown()));
  }
  for (size_t i = 0; status == EXIT_FINE && i < pairs; i++) {
    struct try_side *first = i % 2 ? b : a, *second = i % 2 ? a : b;
    status = place(t, i);
    if (status == EXIT_FINE)
      status = exit_status(try_run(first, directory, i + 1, true, problems_shown()));
    if (status == EXIT_FINE)
      status = exit_status(try_run(second, directory, i + 1, true, problems_shown()));
    if (status == EXIT_FINE)
      message_note("try: pair %zu of %zu: as written %.3f s of CPU, changed %.3f s", i + 1, pairs,
                   last_of(a), last_of(b));
  }
  return status;
}

static int print(struct trial *t, const struct paired *paired,
                 const struct comparison *comparison) {
  bool fine;
  if (t->options->json) {
    fine = try_show_json(t->structure, &t->written, &t->changed, paired);
  } else {
    struct terminal terminal = terminal_inspect(fileno(stdout));
    struct text out = {0};
    try_show_add(t->structure, &t->written, &t->changed, paired, comparison, &terminal, &out);
    if (paired->verdict == PAIRED_GAIN && t->source.length) {
      text_add(&out, "\nsource\n");
      text_add_clean(&out, text_get(&t->source));
    }
    fine = fwrite(text_get(&out), 1, out.length, stdout) == out.length && !fflush(stdout);
    text_release(&out);
  }
  if (!fine)
    message_error("try: not all of it could be written: %s", strerror(errno));
  return !fine ? EXIT_UNREADABLE : paired->verdict == PAIRED_WORSE ? EXIT_FINDING : EXIT_FINE;
}

/// Runs all pairs, and leaves the folder with the objects and programs that it has: those of
/// another layout, linked with others, would be a wrong program.
static int measure(struct trial *t) {
  t->objects =
      (struct plain_objects){.command = "try", .has_programs = true, .has_instrumented = true};
  try_run_begin();
  if (!plain_objects_put_back("try", problems_shown()) ||
      !plain_objects_keep(&t->objects, problems_shown()))
    return EXIT_UNREADABLE;
  int status = run_pairs(t);
  if (!plain_objects_put_back("try", problems_shown()) && status == EXIT_FINE)
    status = EXIT_UNREADABLE;
  t->is_cut = status != EXIT_FINE;
  return status;
}

/// Prints the result, and keeps it for `reticle show`.
static int finish(struct trial *t, const char *layout, const struct paired *paired,
                  char *const *files, size_t count) {
  struct comparison comparison;
  bool compared =
      exit_status(comparison_load(t->written.profiles, t->written.count, t->changed.profiles,
                                  t->changed.count, 1, &comparison, problems_shown())) == EXIT_FINE;
  const struct try_result result = {.structure = t->structure,
                                    .layout = layout,
                                    .written = &t->written,
                                    .changed = &t->changed,
                                    .paired = paired,
                                    .comparison = compared ? &comparison : NULL};
  int status = print(t, paired, result.comparison);
  try_keep(&result, files, count, problems_shown());
  if (count && !report_store_again(files[0]) && status == EXIT_FINE)
    status = EXIT_UNREADABLE;
  comparison_release(&comparison);
  return status;
}

static bool open_side(struct try_side *side, size_t pairs) {
  side->profiles = calloc(pairs, sizeof *side->profiles);
  side->wall = calloc(pairs, sizeof *side->wall);
  side->cpu = calloc(pairs, sizeof *side->cpu);
  return side->profiles && side->wall && side->cpu;
}

static void close_side(struct try_side *side) {
  for (size_t i = 0; i < side->count; i++)
    free(side->profiles[i]);
  free(side->profiles);
  free(side->build_id);
  free(side->wall);
  free(side->cpu);
}

static void close_trial(struct trial *t) {
  try_build_end(&t->written);
  try_build_end(&t->changed);
  if (t->objects.builds.tv_sec)
    plain_objects_check(&t->objects,
                        t->is_cut ? "before you build: they may have the other layout"
                                  : "before you build without Reticle",
                        problems_shown());
  if (t->directory.length && t->options->keep)
    message_note("try: profiles, layout and the last output are kept in %s", t->directory.data);
  else if (t->directory.length)
    run_directory_remove(t->directory.data);
  close_side(&t->written);
  close_side(&t->changed);
  text_release(&t->directory);
  text_release(&t->layout);
  text_release(&t->source);
  free(t->structure);
}

static int try_struct(const struct try_options *options, char **operands, size_t count,
                      char **command) {
  struct trial t = {.options = options};
  struct text content = {0};
  t.written = (struct try_side){.name = "as written", .letter = "a", .argv = command};
  t.changed = (struct try_side){.name = "changed", .letter = "b", .argv = command};
  if (!open_side(&t.written, options->pairs) || !open_side(&t.changed, options->pairs))
    memory_exhausted();
  int status = choose_layout(&t, operands[0], operands + 1, count - 1, &content);
  if (status == EXIT_FINE && !make_directory(&t))
    status = EXIT_UNREADABLE;
  if (status == EXIT_FINE) {
    text_format(&t.layout, "%s/%s", text_get(&t.directory), "changed.layout");
    t.changed.layout = text_get(&t.layout);
    t.changed.hash = layout_file_hash(text_get(&content));
    if (!write_all(t.changed.layout, text_get(&content)))
      status = EXIT_UNREADABLE;
  }
  if (status == EXIT_FINE)
    status = measure(&t);
  if (status == EXIT_FINE) {
    double *scratch = memory_zeroed(options->pairs, sizeof *scratch);
    const double *a = try_side_times(&t.written, &t.changed),
                 *b = try_side_times(&t.changed, &t.written);
    struct paired paired =
        paired_compare(a, b, t.written.count, (size_t)options->placements, scratch);
    free(scratch);
    status = finish(&t, text_get(&content), &paired, operands + 1, count - 1);
  }
  text_release(&content);
  close_trial(&t);
  return status;
}

/// program: [..., NULL]
static int replay(const struct command *command, const struct try_options *o, char *const *program,
                  char **operands, size_t count) {
  struct text layout = {0};
  if (o->build || o->placements || o->wish.align_bytes)
    return options_misuse(command, "--build, --placements and --align aren't of --replay");
  if (o->array && o->layout)
    return options_misuse(command, "--array and --layout both say what to replay: give one");
  if (o->layout && !read_all(o->layout, &layout))
    return EXIT_UNREADABLE;
  struct try_replay_options options = {.layout = o->layout ? text_get(&layout) : NULL,
                                       .array = o->array,
                                       .command = *program ? program : NULL,
                                       .wish = o->wish,
                                       .pairs = (size_t)o->pairs,
                                       .json = o->json};
  int status = try_replay(&options, operands[0], operands + 1, count - 1);
  text_release(&layout);
  return status;
}

static int run(const struct command *command, int argc, char **argv) {
  struct try_options chosen = {.pairs = PAIRED_LEAST};
  int divider = options_divider(argc, argv), operands;
  enum options_result result = options_parse(command, divider, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (!operands)
    return options_misuse(command, "name a struct, as reticle report --structs lists them");
  if (chosen.pairs < PAIRED_LEAST || chosen.pairs > PAIRS_MAX)
    return options_misuse(command, "--pairs: %d to %d", PAIRED_LEAST, PAIRS_MAX);
  if (chosen.replay && divider + 1 == argc)
    return options_misuse(command, "give the program, as it is without Reticle, behind --");
  if (chosen.replay)
    return replay(command, &chosen, argv + (divider < argc ? divider + 1 : argc), argv + 1,
                  (size_t)operands);
  if (chosen.array)
    return options_misuse(command, "--array is of --replay: a compiler can't take a struct apart");
  if (divider + 1 >= argc)
    return options_misuse(command, "give the command that builds and runs the program behind --");
  chosen.pairs += chosen.pairs % 2; // the last build is then the one as written
  if (!chosen.placements)
    chosen.placements = chosen.pairs;
  if (chosen.placements > chosen.pairs)
    return options_misuse(command, "--placements: 1 to the number of pairs, %d", (int)chosen.pairs);
  return try_struct(&chosen, argv + 1, (size_t)operands, argv + divider + 1);
}

static const struct option_spec options[] = {
    {"layout", 'l', OPTION_TEXT, "FILE", offsetof(struct try_options, layout),
     "this layout file, instead of what the profile advises"},
    {"build", 'b', OPTION_TEXT, "COMMAND", offsetof(struct try_options, build),
     "build by this shell command, each side once a placement; what is behind -- then only runs "
     "the "
     "program"},
    {"pairs", 'n', OPTION_COUNT, "N", offsetof(struct try_options, pairs),
     "N runs of each, in turn (default 10, at least 10)"},
    {"placements", 0, OPTION_COUNT, "N", offsetof(struct try_options, placements),
     "N builds of each, with functions at other places (default: one a pair; 1 saves builds, and "
     "takes the luck of one for the layout's doing)"},
    {"pin", 0, OPTION_TEXT, "FIELD", offsetof(struct try_options, wish.pin),
     "fields up to this one stay where they are"},
    {"align", 0, OPTION_COUNT, "BYTES", offsetof(struct try_options, wish.align_bytes),
     "align the struct, e.g. 64: it must then be allocated with aligned_alloc"},
    {"apart", 0, OPTION_FLAG, NULL, offsetof(struct try_options, wish.apart),
     "keep fields that are written away from those that are only read"},
    {"replay", 0, OPTION_FLAG, NULL, offsetof(struct try_options, replay),
     "build nothing: run the visits that the profile has over memory in both layouts, splits and "
     "arrays too"},
    {"array", 0, OPTION_TEXT, "FIELD,...", offsetof(struct try_options, array),
     "with --replay: these fields in an array of their own, instead of what the profile advises"},
    {"keep", 0, OPTION_FLAG, NULL, offsetof(struct try_options, keep),
     "keep the profiles and the layout file"},
    {"json", 'j', OPTION_FLAG, NULL, offsetof(struct try_options, json),
     "JSON on stdout (schema reticle-try/1; of --replay reticle-replay/1)"},
};

const struct command command_try = {
    .name = "try",
    .operands = "STRUCT [F...] [-- COMMAND [ARGUMENT...]]",
    .summary = "builds and runs a program with a struct as written and as advised, in turn",
    .details =
        "COMMAND compiles all of the program with reticle-clang and runs it; the layout travels in "
        "RETICLE_LAYOUT. Time is the program's own, from its profile, without the build. The "
        "verdict is gain, worse, or no measurable gain. --replay takes the visits of a profile "
        "of the features loop, field and shadow: its proof is weaker, and it takes structs apart. "
        "COMMAND then runs the program as it is without Reticle, whose CPU time the gain is of; "
        "without COMMAND it is the profile's, which counters make longer.",
    .finding = "the layout is worse",
    .examples =
        (const struct command_example[]){
            {"reticle try order --build 'make -B' -- ./app input", "does the advised order pay?"},
            {"reticle try order --layout order.layout -- ./build-and-run.sh",
             "that of a file, with a script that builds and runs"},
            {"reticle try order --replay -- ./app input", "would the advised split or array pay?"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
