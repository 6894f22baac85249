// ranks.c - reticle ranks: which rank of a parallel job is slow, in which loops, and why.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/rank/ranks.h"

#include "tools/cmd/commands.h"
#include "tools/cmd/page_file.h"
#include "tools/cmd/problems.h"
#include "tools/render/html/ranks_page.h"
#include "tools/render/json/rank/ranks_json.h"
#include "tools/render/text/rank/ranks_text.h"
#include "tools/store/postgres_url.h"
#include "tools/store/profile_list.h"
#include "tools/store/study/study_processes.h"
#include "tools/support/messages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// Slow ranks, and loops, in text.
#define TOP_DEFAULT 20
/// Ranks up to which JSON has each loop's numbers of each of them.
#define CELLS_MOST 256

struct ranks_options {
  const char *html, *save;
  bool json, all;
  uint64_t top;
};

static bool print(const struct ranks *ranks, const struct ranks_options *options) {
  if (options->json)
    return ranks_json_write(ranks, options->all || ranks->count <= CELLS_MOST, stdout);
  struct terminal terminal = terminal_inspect(fileno(stdout));
  struct text out = {0};
  size_t most = options->all ? SIZE_MAX : options->top ? options->top : TOP_DEFAULT;
  ranks_text_add(ranks, most, &terminal, &out);
  bool written = fwrite(text_get(&out), 1, out.length, stdout) == out.length && fflush(stdout) == 0;
  text_release(&out);
  return written;
}

static bool write_page(const struct ranks *ranks, const char *path) {
  struct text page = {0};
  ranks_page_add(ranks, &page);
  bool written = page_file_write("ranks", path, &page);
  text_release(&page);
  return written;
}

static int load_files(char *const *operands, size_t count, const char *save, struct ranks *out) {
  struct profile_list list;
  int status = profile_list_make("ranks", operands, count, &list, problems_shown())
                   ? exit_status(ranks_load(list.paths, list.count, out, problems_shown()))
                   : EXIT_UNREADABLE;
  if (status == EXIT_FINE && save &&
      !study_processes_save(save, list.paths, list.count, problems_shown()))
    status = EXIT_UNREADABLE;
  profile_list_release(&list);
  return status;
}

static int run(const struct command *command, int argc, char **argv) {
  struct ranks_options chosen = {0};
  int operands;
  postgres_url_hide_all(argc, argv);
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (!operands)
    return options_misuse(command, "name the profiles of the ranks, or their folder");
  bool is_fleet = postgres_url_is(argv[1]);
  if (is_fleet && operands > 1)
    return options_misuse(command, "a database stands alone: choose its runs behind #");
  if (is_fleet && chosen.save)
    return options_misuse(command, "--save is for files: a database has no profiles");
  struct ranks ranks = {0};
  int status = is_fleet ? exit_status(ranks_load_fleet(argv[1], &ranks, problems_shown()))
                        : load_files(argv + 1, (size_t)operands, chosen.save, &ranks);
  if (status == EXIT_FINE && chosen.html && !write_page(&ranks, chosen.html))
    status = EXIT_UNREADABLE;
  if (status == EXIT_FINE && (!chosen.html || chosen.json) && !print(&ranks, &chosen)) {
    message_error("ranks: not all of it could be written: %s", strerror(errno));
    status = EXIT_UNREADABLE;
  }
  if (status == EXIT_FINE && ranks.slow_count)
    status = EXIT_FINDING;
  ranks_release(&ranks);
  return status;
}

static const struct option_spec options[] = {
    {"html", 0, OPTION_TEXT, "FILE", offsetof(struct ranks_options, html),
     "write a page: slow ranks, loops by ranks as a picture, waits, each rank's account"},
    {"save", 0, OPTION_TEXT, "FILE", offsetof(struct ranks_options, save),
     "keep all of the profiles in one new file, which ranks, report and the others read"},
    {"json", 'j', OPTION_FLAG, NULL, offsetof(struct ranks_options, json),
     "JSON on stdout (schema reticle-ranks/1); of up to 256 ranks with each loop's numbers of "
     "each"},
    {"all", 'a', OPTION_FLAG, NULL, offsetof(struct ranks_options, all),
     "every slow rank and every loop; in JSON each loop's numbers of each rank"},
    {"top", 'n', OPTION_POSITIVE, "N", offsetof(struct ranks_options, top),
     "N slow ranks and N loops at most (default 20)"},
};

const struct command command_ranks = {
    .name = "ranks",
    .operands = "PROFILE...|FOLDER|STUDY|postgresql://...#KEY=VALUE,...",
    .summary = "which rank of a parallel job is slow, in which loops, and why",
    .details =
        "Reads one profile a rank, as Open MPI, MPICH and Slurm number them. Each loop is compared "
        "over the ranks by its iterations, by CPU time for the same iterations and by waiting for "
        "a processor. A rank is named only beyond what the others differ by, all comparisons "
        "taken together. From a database of reticle push: '#job=4711', or the newest job.",
    .finding = "a rank is slow",
    .examples =
        (const struct command_example[]){
            {"reticle ranks profiles", "all profiles in the folder that a job wrote into"},
            {"reticle ranks --json app.*.prof", "the same for a script"},
            {"reticle ranks --html ranks.html profiles", "the same as a page for a browser"},
            {"reticle ranks --save job.reticle profiles", "one file for all ranks of a node"},
            {"reticle ranks app.reticle", "the ranks of a study of `mpirun -n 8 ./app`"},
            {"reticle ranks 'postgresql://db.example/perf#job=4711'",
             "a job whose runs were pushed"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(*options),
    .run = run,
};
