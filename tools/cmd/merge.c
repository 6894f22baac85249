// merge.c - reticle merge: several profiles become one file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/store/profile_gather.h"
#include "tools/store/profile_list.h"
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

static int merge_files(const struct profile_list *list, const char *output) {
  struct profile merged;
  struct profile_error error;
  size_t repeated = 0;
  // All unreadable files are named, not only the first.
  int status = exit_status(profile_gather(list->paths, list->count, true, NULL, NULL, &repeated,
                                          &merged, problems_shown()));
  if (status != EXIT_FINE)
    return status;
  if (repeated)
    message_warning("%zu of the %zu files repeat a run of the others: counted once", repeated,
                    list->count);
  for (size_t i = 0; i < merged.warning_count; i++)
    message_warning("%s", merged.warnings[i].text);
  int result = profile_write(&merged, output, &error);
  profile_release(&merged);
  return result ? fail(&error) : EXIT_FINE;
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
  struct profile_list list;
  int status = profile_list_make("merge", argv + 1, (size_t)operands, &list, problems_shown())
                   ? merge_files(&list, options.output)
                   : EXIT_UNREADABLE;
  profile_list_release(&list);
  return status;
}

const struct command command_merge = {
    .name = "merge",
    .operands = "FILE...|FOLDER",
    .summary = "add several profiles of one program up into one",
    .details = "Counts are added, loops are matched by their stable id, and raw samples are put "
               "together. Nothing is written when a file cannot be read. `reticle report` merges "
               "by itself when it gets several files. A FOLDER stands for the profiles in it.",
    .examples =
        (const struct command_example[]){
            {"reticle merge -o all.prof app.1.prof app.2.prof", "two runs in one file"},
            {"reticle merge -o all.prof run1", "all profiles in a folder, as of a parallel job"},
            {0}},
    .options = merge_specs,
    .option_count = sizeof(merge_specs) / sizeof(*merge_specs),
    .run = merge_run,
};
