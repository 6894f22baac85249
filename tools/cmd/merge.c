// merge.c - reticle merge: several profiles become one file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/merge.h"

#include "tools/cmd/commands.h"
#include "tools/support/memory.h"
#include "tools/support/messages.h"

#include <stdlib.h>

struct merge_options {
  const char *output;
};

static const struct option_spec merge_specs[] = {
    {"output", 'o', OPTION_TEXT, "FILE", offsetof(struct merge_options, output),
     "the profile to write; it may be one of the inputs"},
};

/// Reports a failure of the library. Returns the exit status.
static int fail(const struct profile_error *error) {
  if (error->code == RETICLE_E_MEMORY)
    memory_exhausted();
  message_error("%s", error->text);
  return EXIT_UNREADABLE;
}

/// Merges and writes. profiles: [count], read.
static int merge_profiles(const struct profile *profiles, size_t count, const char *output) {
  const struct profile **in = memory_zeroed(count, sizeof(*in));
  for (size_t i = 0; i < count; i++)
    in[i] = &profiles[i];
  size_t runs = profile_drop_repeats(in, count);
  if (runs < count)
    message_warning("%zu of the %zu files repeat a run of the others: counted once", count - runs,
                    count);
  struct profile merged;
  struct profile_error error;
  int result = profile_merge(in, runs, &merged, &error);
  free(in);
  if (result)
    return fail(&error);
  for (size_t i = 0; i < merged.warning_count; i++)
    message_warning("%s", merged.warnings[i].text);
  result = profile_write(&merged, output, &error);
  profile_release(&merged);
  return result ? fail(&error) : EXIT_FINE;
}

static int merge_files(char *const *paths, size_t count, const char *output) {
  struct profile *profiles = memory_zeroed(count, sizeof(*profiles));
  int status = EXIT_FINE;
  // All unreadable files are named, not only the first.
  for (size_t i = 0; i < count; i++) {
    struct profile_error error;
    if (profile_read(paths[i], &profiles[i], &error))
      status = fail(&error);
  }
  if (status == EXIT_FINE)
    status = merge_profiles(profiles, count, output);
  for (size_t i = 0; i < count; i++)
    profile_release(&profiles[i]);
  free(profiles);
  return status;
}

static int merge_run(const struct command *command, int argc, char **argv) {
  struct merge_options options = {0};
  int operands = 0;
  enum options_result result = options_parse(command, argc, argv, &options, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (operands < 1)
    return options_misuse(command, "needs at least one file");
  if (!options.output)
    return options_misuse(command, "needs -o FILE");
  return merge_files(argv + 1, (size_t)operands, options.output);
}

const struct command command_merge = {
    .name = "merge",
    .operands = "FILE...",
    .summary = "add several profiles of one program up into one",
    .details = "Counts are added, loops are matched by their stable id, and raw samples are put "
               "together. Nothing is written when a file cannot be read. `reticle report` merges "
               "by itself when it gets several files.",
    .examples =
        (const struct command_example[]){
            {"reticle merge -o all.prof app.1.prof app.2.prof", "two runs in one file"}, {0}},
    .options = merge_specs,
    .option_count = sizeof(merge_specs) / sizeof(*merge_specs),
    .run = merge_run,
};
