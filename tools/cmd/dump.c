// dump.c - reticle dump: a profile as text, and text as a profile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"
#include "tools/profile/file.h"
#include "tools/profile/text/text.h"
#include "tools/support/memory.h"
#include "tools/support/messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dump_options {
  bool text;
  bool binary;
  const char *output;
};

static const struct option_spec dump_specs[] = {
    {"text", 0, OPTION_FLAG, NULL, offsetof(struct dump_options, text),
     "print the text form (this is the default)"},
    {"binary", 0, OPTION_FLAG, NULL, offsetof(struct dump_options, binary),
     "the other way: read the text form and write a profile; needs -o"},
    {"output", 'o', OPTION_TEXT, "FILE", offsetof(struct dump_options, output),
     "write to FILE instead of the standard output"},
};

/// Reports a failure of the library. Returns the exit status.
static int fail(const struct profile_error *error) {
  if (error->code == RETICLE_E_MEMORY)
    memory_exhausted();
  message_error("%s", error->text);
  return EXIT_UNREADABLE;
}

static int write_text(const char *text, size_t count, const char *output) {
  struct profile_error error;
  if (output)
    return file_write(output, text, count, &error) ? fail(&error) : EXIT_FINE;
  if (fwrite(text, 1, count, stdout) != count || fflush(stdout) != 0) {
    message_error("standard output: cannot be written: %s", strerror(errno));
    return EXIT_UNREADABLE;
  }
  return EXIT_FINE;
}

static int dump_text(const char *path, const char *output) {
  struct profile profile;
  struct profile_error error;
  if (profile_read(path, &profile, &error))
    return fail(&error);
  for (size_t i = 0; i < profile.warning_count; i++)
    message_warning("%s", profile.warnings[i].text);
  char *text;
  size_t count;
  if (profile_text_encode(&profile, &text, &count))
    memory_exhausted();
  int status = write_text(text, count, output);
  free(text);
  profile_release(&profile);
  return status;
}

static int dump_binary(const char *path, const char *output) {
  struct bytes text = {0};
  struct profile profile;
  struct profile_error error;
  if (file_read(path, &text, &error))
    return fail(&error);
  int result = profile_text_decode(text.count ? (const char *)text.data : "", text.count, path,
                                   &profile, &error);
  bytes_release(&text);
  if (result)
    return fail(&error);
  result = profile_write(&profile, output, &error);
  profile_release(&profile);
  return result ? fail(&error) : EXIT_FINE;
}

static int dump_run(const struct command *command, int argc, char **argv) {
  struct dump_options options = {0};
  int operands = 0;
  enum options_result result = options_parse(command, argc, argv, &options, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (operands != 1)
    return options_misuse(command, "needs one file but has %d", operands);
  if (options.text && options.binary)
    return options_misuse(command, "takes --text or --binary, not both");
  if (options.binary && !options.output)
    return options_misuse(command, "--binary needs -o FILE");
  return options.binary ? dump_binary(argv[1], options.output) : dump_text(argv[1], options.output);
}

const struct command command_dump = {
    .name = "dump",
    .operands = "FILE",
    .summary = "print all that is in a profile, as text that can be turned back",
    .details = "The text form holds everything that the profile holds; names are those of the "
               "format. `--binary` makes the same profile of it again, so one can also edit it.",
    .examples =
        (const struct command_example[]){
            {"reticle dump app.prof > app.text", "a profile as text"},
            {"reticle dump --binary -o app.prof app.text", "the text as a profile again"},
            {0}},
    .options = dump_specs,
    .option_count = sizeof(dump_specs) / sizeof(*dump_specs),
    .run = dump_run,
};
