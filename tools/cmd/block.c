// block.c - reticle block: how many cycles machine code needs in isolation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/block_options.h"
#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/cmd/report.h"
#include "tools/machine/machine.h"
#include "tools/model/block/block_outcome.h"
#include "tools/profile/regular.h"
#include "tools/render/json/block/block_json.h"
#include "tools/render/text/block/block_text.h"
#include "tools/run/block/block_csv.h"
#include "tools/run/block/block_elf.h"
#include "tools/run/block/block_hot.h"
#include "tools/run/block/block_input.h"
#include "tools/run/block/block_values.h"
#include "tools/support/messages.h"
#include "tools/ui/progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Blocks of a profile, unless --hottest says otherwise.
#define HOTTEST_DEFAULT 20

/// Where results go.
struct sink {
  const struct block_options *options;
  const struct block_request *request;
  const struct block_jobs *jobs;
  struct block_choice *choice; ///< of a profile; null where blocks come from elsewhere
  FILE *csv;
  struct json *report, *blocks;
  struct terminal terminal;
  struct table table;
  struct text text;
  struct progress progress;
  bool failed;
};

static bool is_card(const struct sink *sink) {
  return sink->jobs->count == 1 || sink->options->verbose;
}

static bool hear(const struct block_outcome *outcome, void *context) {
  struct sink *sink = context;
  progress_step(&sink->progress);
  if (sink->choice)
    block_choice_take(sink->choice, sink->jobs, outcome);
  if (sink->options->at_exit)
    return true;
  if (sink->csv) {
    text_clear(&sink->text);
    block_csv_row(outcome->job, &outcome->result, &sink->text);
    sink->failed |= fputs(text_get(&sink->text), sink->csv) < 0 || fflush(sink->csv);
    text_clear(&sink->text);
  }
  if (sink->report) {
    block_json_add(sink->blocks, outcome);
  } else if (!sink->csv && is_card(sink)) {
    block_card_add(outcome, &sink->request->settings, &sink->terminal, &sink->text);
    if (sink->options->verbose)
      block_code_add(outcome, &sink->terminal, &sink->text);
  } else if (!sink->csv) {
    block_table_add(outcome, &sink->table);
  }
  return !sink->failed;
}

static bool finish(struct sink *sink, const struct block_counts *counts) {
  struct text summary = {0};
  if (sink->options->at_exit)
    return true;
  if (sink->report) {
    block_json_end(sink->report, counts);
    sink->failed |= !json_write(sink->report, stdout);
  } else if (!sink->csv) {
    if (!is_card(sink))
      table_print(&sink->table, &sink->terminal, "", &sink->text);
    sink->failed |= fputs(text_get(&sink->text), stdout) < 0;
  }
  sink->failed |= fflush(stdout) != 0;
  if (counts->all > 1 && !sink->report) {
    block_counts_add(counts, &summary);
    fprintf(sink->csv ? stderr : stdout, "%s%s", sink->csv ? "reticle: block: " : "",
            text_get(&summary));
  }
  text_release(&summary);
  return !sink->failed;
}

/// The exit status that the results amount to.
static int judge(const struct block_counts *counts, size_t done) {
  if (counts->by_status[HARNESS_NOT_PERMITTED] || counts->broken)
    return EXIT_UNREADABLE;
  return counts->all && !counts->measured && !done ? EXIT_FINDING : EXIT_FINE;
}

static int measure(const struct block_options *options, const struct block_request *request,
                   struct block_jobs *jobs, struct block_choice *choice) {
  struct sink sink = {.options = options, .request = request, .jobs = jobs, .choice = choice};
  struct block_counts counts;
  size_t done = 0;
  int status = EXIT_UNREADABLE;
  sink.terminal = terminal_inspect(STDOUT_FILENO);
  table_init(&sink.table, block_table_columns, block_table_column_count);
  if (options->out &&
      !(sink.csv = block_csv_open(options->out, jobs, options->resume, &done, problems_shown())))
    goto out;
  if (options->json) {
    struct machine machine;
    machine_read(&machine);
    sink.report = block_json_new(&request->settings, &machine, &sink.blocks);
  }
  if (done)
    message_note("block: %s: %zu of %zu blocks are there already", options->out, done, jobs->count);
  progress_begin(&sink.progress, "block", done, jobs->count);
  int refused = block_run(request, jobs, done, hear, &sink, &counts, problems_shown());
  progress_end(&sink.progress);
  if (refused < 0)
    goto out;
  if (refused) {
    message_error("block: nothing can be measured here: no memory shared with a child: %s",
                  strerror(refused));
    goto out;
  }
  status = judge(&counts, done);
  if (!finish(&sink, &counts)) {
    message_error("block: not all of it could be written: %s", strerror(errno));
    status = EXIT_UNREADABLE;
  }
out:
  if (sink.csv && sink.csv != stdout && fclose(sink.csv) && status == EXIT_FINE) {
    message_error("%s: not all of it could be written: %s", options->out, strerror(errno));
    status = EXIT_UNREADABLE;
  }
  json_free(sink.report);
  table_release(&sink.table);
  text_release(&sink.text);
  return status;
}

static bool assemble_file(struct block_jobs *jobs, const char *path) {
  FILE *stream = block_input_open(path);
  struct text text = {0};
  char part[4096];
  if (!stream) {
    message_error("%s: can't be read: %s", path, regular_problem(errno));
    return false;
  }
  for (size_t n; (n = fread(part, 1, sizeof(part), stream)) > 0;)
    text_add_bytes(&text, part, n);
  fclose(stream);
  bool good = block_jobs_assemble(jobs, text_get(&text), problems_shown());
  text_release(&text);
  return good;
}

/// One block on the command line: a mistake in it is wrong usage.
static int add_hex(const struct command *command, struct block_jobs *jobs, const char *hex) {
  const struct block_job *job = block_jobs_add_hex(jobs, hex, 0);
  return job->problem ? options_misuse(command, "hex '%.40s': %s", hex, job->problem) : EXIT_FINE;
}

/// What the operand is: a CSV file, assembly or hexadecimal digits.
static int add_operand(const struct command *command, struct block_jobs *jobs,
                       const char *operand) {
  const char *end = strrchr(operand, '.');
  if (end && strcmp(end, ".csv") == 0)
    return block_jobs_read_csv(jobs, operand, problems_shown()) ? EXIT_FINE : EXIT_UNREADABLE;
  if (end && (strcmp(end, ".s") == 0 || strcmp(end, ".S") == 0))
    return assemble_file(jobs, operand) ? EXIT_FINE : EXIT_UNREADABLE;
  return add_hex(command, jobs, operand);
}

/// Blocks of a profile, or of one loop in it. operands: [count]
static int add_hot(const struct command *command, const struct block_options *options,
                   char *const *operands, int count, struct block_hot *hot,
                   struct block_jobs *jobs) {
  bool has_id = count == 2 || (operands[0][0] == 'L' && !strchr(operands[0], '.'));
  const char *id = has_id ? operands[0] : NULL, *path = operands[count - 1];
  if (options->save && id && id[0] == 'B')
    return options_misuse(command, "--save keeps all blocks of a loop: name the loop");
  hot->choice.quiet = options->at_exit;
  return exit_status(block_hot_add(hot, id, has_id && count == 1 ? NULL : path,
                                   options->hottest ? options->hottest : HOTTEST_DEFAULT, jobs,
                                   problems_shown()));
}

static int add_input(const struct command *command, const struct block_options *options,
                     const char *operand, struct block_jobs *jobs) {
  unsigned given = !!options->hex + !!options->csv + !!options->assembly +
                   !!options->assembly_file + !!options->elf + !!operand;
  if (given != 1)
    return options_misuse(command, given ? "%u inputs given; one at a time" : "no block given",
                          given);
  if (!options->elf != !options->function)
    return options_misuse(command, "--elf FILE and --function NAME go together");
  if (options->save || options->hottest)
    return options_misuse(command, "--save and --hottest belong to a profile");
  if (options->elf)
    return block_jobs_read_elf(jobs, options->elf, options->function, problems_shown())
               ? EXIT_FINE
               : EXIT_UNREADABLE;
  if (options->hex)
    return add_hex(command, jobs, options->hex);
  if (options->csv)
    return block_jobs_read_csv(jobs, options->csv, problems_shown()) ? EXIT_FINE : EXIT_UNREADABLE;
  if (options->assembly)
    return block_jobs_assemble(jobs, options->assembly, problems_shown()) ? EXIT_FINE
                                                                          : EXIT_UNREADABLE;
  if (options->assembly_file)
    return assemble_file(jobs, options->assembly_file) ? EXIT_FINE : EXIT_UNREADABLE;
  return add_operand(command, jobs, operand);
}

/// Whether all blocks belong to a program.
static bool has_module(const struct block_jobs *jobs) {
  bool all = true;
  for (size_t i = 0; i < jobs->count; i++)
    all &= jobs->items[i].module != NULL;
  return all;
}

static int set_address(const struct command *command, struct block_jobs *jobs, const char *text) {
  char *end;
  uint64_t address = strtoull(text, &end, 16);
  if (!*text || *end)
    return options_misuse(command, "--address: '%s' is no hexadecimal number", text);
  for (size_t i = 0; i < jobs->count; i++)
    jobs->items[i].address = address;
  return EXIT_FINE;
}

#define AT(field) offsetof(struct block_options, field)

static const struct option_spec options[] = {
    {"hex", 'x', OPTION_TEXT, "HEX", AT(hex), "one block as hexadecimal digits"},
    {"csv", 0, OPTION_TEXT, "FILE", AT(csv),
     "blocks in the column 'hex' of a CSV file; - for stdin"},
    {"asm", 'a', OPTION_TEXT, "TEXT", AT(assembly),
     "one block as assembly text, statements separated by ';', for llvm-mc"},
    {"asm-file", 0, OPTION_TEXT, "FILE", AT(assembly_file), "the same from a file; - for stdin"},
    {"elf", 0, OPTION_TEXT, "FILE", AT(elf),
     "all blocks of a function in an executable, library or object file"},
    {"function", 0, OPTION_TEXT, "NAME", AT(function),
     "that function, or an address in it, as in 0x1234"},
    {"hottest", 'n', OPTION_COUNT, "N", AT(hottest), "of a profile: blocks at most (default 20)"},
    {"save", 0, OPTION_FLAG, NULL, AT(save),
     "keep the results in the profile, for report --blocks and show"},
    {"at-exit", 0, OPTION_FLAG, NULL, AT(at_exit), NULL},
    {"out", 'o', OPTION_TEXT, "FILE", AT(out),
     "results as CSV, a row a block in the order of the input; - for stdout"},
    {"resume", 0, OPTION_FLAG, NULL, AT(resume), "go on where the file of -o ends"},
    {"json", 'j', OPTION_FLAG, NULL, AT(json), "JSON on stdout (schema reticle-block/1)"},
    {"verbose", 'v', OPTION_FLAG, NULL, AT(verbose),
     "the instructions, with the pages that each touches first, and faults"},
    {"loop", 0, OPTION_FLAG, NULL, AT(loop), "run one copy in a loop instead of rows of copies"},
    {"decode", 0, OPTION_FLAG, NULL, AT(decode),
     "copies in a row, decoded in each run, like code that runs now and then; not like a hot loop"},
    {"values", 0, OPTION_CHOICE, "constant|spread|captured", AT(values),
     "what registers and memory hold at first: one value (default), another one in each register, "
     "or what the program has: of COMMAND behind --, or of --values-file"},
    {"values-file", 0, OPTION_TEXT, "FILE", AT(values_file),
     "lines like 'rax 0x10', 'xmm0 0011...', 'mem 0x7f0000 0011...'"},
    {"hit", 0, OPTION_COUNT, "N", AT(hit),
     "take the values at the N-th time that COMMAND comes to the block (default 1)"},
    {"address", 0, OPTION_TEXT, "HEX", AT(address),
     "where the block lies in its program (default 0): its place in a cache line is kept with "
     "--loop and --decode; rows in a loop are tried in eight"},
    {"cpu", 0, OPTION_COUNT, "N", AT(cpu),
     "run on this processor (default: where the caller runs, or on another one where a neighbour "
     "disturbs)"},
    {"rounds", 0, OPTION_COUNT, "N", AT(rounds),
     "rounds at most (default 384); at full effort 40 accepted ones count"},
    {"frames", 0, OPTION_COUNT, "N", AT(frames), NULL},
    {"attempts", 0, OPTION_COUNT, "N", AT(attempts), NULL},
    {"copies", 0, OPTION_COUNT, "N", AT(copies), NULL},
    {"map", 0, OPTION_SWITCH, NULL, AT(map), NULL},
    {"adapt", 0, OPTION_SWITCH, NULL, AT(adapt), NULL},
};

/// operands  [count]
/// is_hot    they are a profile, and what is meant in it
static int block(const struct command *command, const struct block_options *chosen,
                 char *const *operands, int count, bool is_hot) {
  int status;
  struct block_jobs jobs = {0};
  struct block_hot hot = {0};
  struct block_values *values = NULL;
  struct block_request request = {
      .settings = block_options_settings(chosen), .command = chosen->command, .hit = chosen->hit};
  if (is_hot)
    status = add_hot(command, chosen, operands, count, &hot, &jobs);
  else
    status = add_input(command, chosen, count ? operands[0] : NULL, &jobs);
  if (status == EXIT_FINE && chosen->values_file) {
    values = block_values_read(chosen->values_file, problems_shown());
    request.state = values ? &values->state : NULL;
    status = values ? EXIT_FINE : EXIT_UNREADABLE;
  }
  if (status == EXIT_FINE && chosen->command && !has_module(&jobs))
    status = options_misuse(command, "a command behind -- goes with a profile, or with --elf and "
                                     "--function: where else would it come to the block?");
  if (status == EXIT_FINE && chosen->address)
    status = set_address(command, &jobs, chosen->address);
  if (status == EXIT_FINE)
    status = measure(chosen, &request, &jobs, hot.choice.count ? &hot.choice : NULL);
  // A profile without hot blocks: an empty list, for who reads JSON.
  if (status == EXIT_FINDING && chosen->json && !jobs.count &&
      measure(chosen, &request, &jobs, NULL) != EXIT_FINE)
    status = EXIT_UNREADABLE;
  if (status != EXIT_USAGE && chosen->save && hot.choice.count &&
      !(block_hot_save(&hot, problems_shown()) &&
        report_store_again(hot.measurement.input.paths[0])))
    status = EXIT_UNREADABLE;
  block_hot_release(&hot);
  block_jobs_release(&jobs);
  free(values);
  return status;
}

static int run(const struct command *command, int argc, char **argv) {
  struct block_options chosen = block_options_default;
  int operands;
  for (int i = 1; i < argc && !chosen.command; i++)
    if (strcmp(argv[i], "--") == 0) {
      chosen.command = argv + i + 1;
      argc = i;
    }
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  bool is_hot = operands == 2 || (operands == 1 && block_hot_is_meant(argv[1]));
  if (operands > 2 || (operands == 2 && !block_hot_is_meant(argv[2])))
    return options_misuse(command, "takes one operand, or a name and a profile, but got '%s' too",
                          argv[2]);
  int status = block_options_check(command, &chosen);
  return status == EXIT_FINE ? block(command, &chosen, argv + 1, operands, is_hot) : status;
}

int block_save_hottest(const char *path, uint64_t most) {
  struct block_options chosen = block_options_default;
  chosen.save = true;
  chosen.hottest = most;
  return block(&command_block, &chosen, (char *const *)&path, 1, true);
}

const struct command command_block = {
    .name = "block",
    .operands = "[HEX|FILE.csv|FILE.s|[ID] FILE.prof] [-- COMMAND...]",
    .summary = "the cycles that a basic block needs in isolation, its memory in the first cache",
    .details = "Runs copies of the block in a child process that has nothing mapped but the pages "
               "the block touches, and compares a long run with a short one. Needs no PMU and no "
               "root, but ptrace. Of a profile the blocks of the hottest loops are measured, or "
               "those of the loop ID (L1). Exit status 3 also where "
               "ptrace is not permitted.",
    .finding = "no block has a value",
    .examples =
        (const struct command_example[]){
            {"reticle block --hex 4801d8", "one instruction, add rax, rbx"},
            {"reticle block --elf app --function main", "each block of a function"},
            {"reticle block --save app.prof",
             "the blocks of a run's hottest loops, kept for its report"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
