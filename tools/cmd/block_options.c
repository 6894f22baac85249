// block_options.c - checks the options of reticle block, and makes settings of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // sched_getaffinity, CPU_ISSET
#include "tools/cmd/block_options.h"

#include <sched.h>
#include <stddef.h>

#define CPU_NOT_GIVEN UINT64_MAX

const struct block_options block_options_default = {.map = true,
                                                    .adapt = true,
                                                    .frames = HARNESS_FRAMES_MOST,
                                                    .attempts = 8,
                                                    .rounds = HARNESS_ROUNDS_MOST,
                                                    .hit = 1,
                                                    .cpu = CPU_NOT_GIVEN};

/// Where captured values come from: a file or a command, neither without the option.
static int check_values(const struct command *command, const struct block_options *options) {
  bool wants = options->values == HARNESS_CAPTURED;
  if (options->values_file && options->command)
    return options_misuse(command, "--values-file and a command: values come from one of them");
  if (wants && !options->values_file && !options->command)
    return options_misuse(command, "--values captured needs the program's command line behind --, "
                                   "or --values-file FILE");
  if (!wants && options->values_file)
    return options_misuse(command, "--values-file needs --values captured");
  if (!wants && options->command)
    return options_misuse(command, "a command behind -- needs --values captured");
  if (options->command && !*options->command)
    return options_misuse(command, "no command behind --");
  if (!options->command && options->hit != 1)
    return options_misuse(command, "--hit needs a command behind --");
  if (!options->hit)
    return options_misuse(command, "--hit: at least 1, but got 0");
  if (options->command && options->resume)
    return options_misuse(command, "--resume can't go on with captured values: each run of the "
                                   "command may have others");
  return EXIT_FINE;
}

/// Whether this process may run on the processor.
static bool may_use(uint64_t cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set))
    return true; // more processors than the set has room for
  return cpu < CPU_SETSIZE && CPU_ISSET(cpu, &set);
}

int block_options_check(const struct command *command, const struct block_options *options) {
  if (options->frames < 1 || options->frames > HARNESS_FRAMES_MOST)
    return options_misuse(command, "--frames: 1 to %d, but got %llu", HARNESS_FRAMES_MOST,
                          (unsigned long long)options->frames);
  if (options->attempts < 1)
    return options_misuse(command, "--attempts: at least 1, but got 0");
  if (options->cpu != CPU_NOT_GIVEN && !may_use(options->cpu))
    return options_misuse(command, "--cpu: there is no processor %llu to run on",
                          (unsigned long long)options->cpu);
  if (options->rounds < 4 || options->rounds > HARNESS_ROUNDS_LIMIT)
    return options_misuse(command, "--rounds: 4 to %d, but got %llu", HARNESS_ROUNDS_LIMIT,
                          (unsigned long long)options->rounds);
  if (options->decode && options->loop)
    return options_misuse(command,
                          "--decode and --loop: the iterations of a loop are decoded once");
  if (options->resume && (!options->out || options->json))
    return options_misuse(command, "--resume continues the CSV file of -o, without --json");
  return check_values(command, options);
}

struct harness_settings block_options_settings(const struct block_options *options) {
  struct harness_settings settings = harness_settings_default();
  settings.values = (enum harness_values)options->values;
  settings.loop = options->loop;
  settings.decode = options->decode;
  settings.map_pages = options->map;
  settings.adapt_copies = options->adapt;
  settings.frames = (unsigned)options->frames;
  settings.attempts = options->attempts > 100 ? 100 : (unsigned)options->attempts;
  settings.copies = options->copies > 100000 ? 100000 : (unsigned)options->copies;
  settings.rounds_most = (unsigned)options->rounds;
  settings.cpu = options->cpu == CPU_NOT_GIVEN ? -1 : (int)(options->cpu & 0xffff);
  return settings;
}
