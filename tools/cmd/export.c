// export.c - reticle export: files for other tools: pprof, flame graphs, viewers, compilers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/export/cpuprofile.h"
#include "tools/export/export_chrome.h"
#include "tools/export/folded.h"
#include "tools/export/pprof.h"
#include "tools/export/remarks.h"
#include "tools/export/sample_profile.h"
#include "tools/model/block/line_counts_read.h"
#include "tools/model/block/uncounted.h"
#include "tools/model/doctor/gap.h"
#include "tools/model/join/measurement_load.h"
#include "tools/model/sample/sample_stacks.h"
#include "tools/profile/file.h"
#include "tools/profile/file_new.h"
#include "tools/render/text/sample/sample_report.h"
#include "tools/store/study/study_input.h"
#include "tools/support/memory.h"
#include "tools/support/messages.h"
#include "tools/support/units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct export_options {
  const char *pprof;
  const char *chrome;
  const char *cpuprofile;
  const char *remarks;
  const char *sample_profile;
  bool folded;
};

/// What makes names in the export doubtful, as the report says it.
static void say_notes(const struct measurement *m) {
  static const char *const about[] = {"loadfile_", "binary_", "different_", "repeated", "killed"};
  for (size_t i = 0; i < m->notes.count; i++)
    for (size_t k = 0; k < sizeof(about) / sizeof(*about); k++)
      if (strncmp(m->notes.items[i].code, about[k], strlen(about[k])) == 0)
        message_warning("%s", m->notes.items[i].text);
}

/// Returns the exit status.
static int write_file(const char *path, const void *bytes, size_t count) {
  struct profile_error error;
  if (file_write(path, bytes, count, &error) == 0)
    return EXIT_FINE;
  message_error("export: %s", error.text);
  return EXIT_UNREADABLE;
}

static int say_no_samples(const struct measurement *m) {
  struct terminal plain = {.width = 4096};
  struct text why = {0};
  sample_report_add(m, 0, &plain, &why);
  message_error("export: %.*s", (int)strcspn(text_get(&why), "\n"), text_get(&why));
  text_release(&why);
  return EXIT_UNREADABLE;
}

static int export_pprof(const struct measurement *m, const char *path) {
  struct sample_stacks stacks;
  unsigned char *bytes = NULL;
  size_t count = 0;
  sample_stacks_make(m, &stacks);
  if (pprof_encode(&stacks.stacks, &bytes, &count) != 0)
    memory_exhausted();
  int status = write_file(path, bytes, count);
  if (status == EXIT_FINE)
    printf("%s: %s samples, %s of CPU time, at %zu instructions; %s\nnext: go tool pprof -top %s\n",
           path, units_exact(m->samples.all).data, units_duration((double)m->samples.all_ns).data,
           stacks.stacks.location_count,
           stacks.stacks.has_callers
               ? "with call stacks"
               : "no call stacks: a stack is a function and what was inlined into it",
           path);
  free(bytes);
  sample_stacks_release(&stacks);
  return status;
}

static int export_folded(const struct measurement *m) {
  struct sample_stacks stacks;
  char *text = NULL;
  size_t length = 0;
  sample_stacks_make(m, &stacks);
  if (folded_encode(&stacks.stacks, &text, &length) != 0)
    memory_exhausted();
  struct text clean = {0};
  text_add_clean(&clean, text);
  bool written =
      fwrite(text_get(&clean), 1, clean.length, stdout) == clean.length && fflush(stdout) == 0;
  text_release(&clean);
  if (!written)
    message_error("export: not all of it could be written: %s", strerror(errno));
  else if (!stacks.stacks.has_callers)
    message_note("samples have no call stacks: a stack is a load file, a function and what was "
                 "inlined into it");
  free(text);
  sample_stacks_release(&stacks);
  return written ? EXIT_FINE : EXIT_UNREADABLE;
}

/// Says why it can't be written.
static bool write_json(const char *path, const struct json *json) {
  struct file_new file;
  int failed = file_new_open(path, &file);
  if (!failed)
    failed = file_new_close(&file, json_write(json, file.stream) ? 0 : errno ? errno : EIO);
  if (failed)
    message_error("export: %s: can't be written: %s", path, file_new_reason(failed));
  return !failed;
}

static int export_cpuprofile(const struct measurement *m, const char *path) {
  struct sample_stacks stacks;
  sample_stacks_make(m, &stacks);
  struct json *profile = cpuprofile_make(&stacks.stacks);
  bool written = write_json(path, profile);
  if (written)
    printf("%s: %s samples, %s of CPU time; to look at it: VS Code, or the Performance panel of "
           "Chrome's developer tools. Samples of an instruction stand together: their order isn't "
           "known\n",
           path, units_exact(m->samples.all).data, units_duration((double)m->samples.all_ns).data);
  json_free(profile);
  sample_stacks_release(&stacks);
  return written ? EXIT_FINE : EXIT_UNREADABLE;
}

/// Says why it can't be written.
static bool write_text(const char *path, const struct text *text) {
  struct file_new file;
  int failed = file_new_open(path, &file);
  if (!failed) {
    bool written = fwrite(text_get(text), 1, text->length, file.stream) == text->length;
    failed = file_new_close(&file, written ? 0 : errno ? errno : EIO);
  }
  if (failed)
    message_error("export: %s: can't be written: %s", path, file_new_reason(failed));
  return !failed;
}

static int export_remarks(const struct measurement *m, const char *path) {
  struct findings findings;
  struct text yaml = {0};
  findings_make(m, &findings);
  size_t count = remarks_add(m, &findings, &yaml);
  int status = EXIT_UNREADABLE;
  if (!count) {
    struct text why = {0};
    gap_add(&m->overview, &why);
    message_error("export: no loop was timed, and nothing was found: %s", text_get(&why));
    text_release(&why);
  } else if (write_text(path, &yaml)) {
    status = EXIT_FINE;
    printf("%s: remarks on %s, and %s; to look at it: opt-viewer.py, "
           "llvm-remarkutil\n",
           path, units_counted(m->loop_count, "loop").data,
           units_counted(findings.count, "finding").data);
  }
  findings_release(&findings);
  text_release(&yaml);
  return status;
}

static void say_lines(const struct measurement *m, const struct line_counts_read *lines,
                      size_t functions, const char *path) {
  printf("%s: %s, from %s of %s machine blocks", path, units_counted(functions, "function").data,
         lines->is_sampled ? "samples" : "executions", units_exact(lines->blocks).data);
  if (lines->unknown && !lines->is_sampled)
    printf("; those of %s blocks aren't known, and left out", units_exact(lines->unknown).data);
  if (lines->left_out)
    printf("; left out: %zu whose name another one has", lines->left_out);
  printf("\nnext: clang -O2 -g -fprofile-sample-use=%s\n", path);
  if (lines->is_sampled && m->input.study && uncounted_reason(m))
    message_note("samples are of time, not of executions: counts are estimates, as %s",
                 uncounted_reason(m));
  else if (lines->is_sampled)
    message_note("samples are of time, not of executions: counts are estimates; compile with "
                 "-fplugin-arg-reticle-features=loop,block for exact ones");
  if (lines->is_shared)
    message_note("threads shared counters: counts may be too low");
  if (!lines->counts.has_discriminators)
    message_note("blocks of one line aren't told apart, nor copies that unrolling made: compile "
                 "with -fdebug-info-for-profiling");
}

static int export_sample_profile(const struct measurement *m, const char *path) {
  struct line_counts_read lines;
  struct text profile = {0};
  line_counts_read(m, &lines);
  size_t functions =
      sample_profile_add(&lines.counts,
                         lines.is_sampled ? "reticle export: estimates, 1000 is a sample on each "
                                            "instruction of a machine block"
                                          : "reticle export: executions of machine blocks",
                         &profile);
  int status = EXIT_UNREADABLE;
  if (!functions)
    message_error("export: %s", text_get(&lines.reason));
  else if (write_text(path, &profile)) {
    status = EXIT_FINE;
    say_lines(m, &lines, functions, path);
  }
  line_counts_read_release(&lines);
  text_release(&profile);
  return status;
}

/// Each process by itself. Returns how many, 0 after saying why one can't be read; each is to be
/// released, and the array to be freed.
static size_t read_processes(const struct input *input, struct profile **out) {
  struct profile_error error;
  if (input->study)
    return study_input_processes(input->study, out);
  *out = memory_zeroed(input->count + 1, sizeof **out);
  for (size_t i = 0; i < input->count; i++) {
    if (profile_read(input->paths[i], &(*out)[i], &error) == 0)
      continue;
    message_error("%s", error.text);
    while (i)
      profile_release(&(*out)[--i]);
    return 0;
  }
  return input->count;
}

static int export_trace(const struct measurement *m, const char *path) {
  size_t events = 0;
  struct profile *profiles;
  size_t count = read_processes(&m->input, &profiles);
  struct json *trace = export_chrome(m, profiles, count, &events, problems_shown());
  int status = EXIT_UNREADABLE;
  if (count && !events) {
    struct text why = {0};
    gap_add(&m->overview, &why);
    message_error("export: no loop was timed: %s", text_get(&why));
    text_release(&why);
  } else if (count && write_json(path, trace)) {
    status = EXIT_FINE;
    printf("%s: %s executions of loops, a choice among all; to look at it: ui.perfetto.dev, or "
           "chrome://tracing\n",
           path, units_exact(events).data);
  }
  json_free(trace);
  for (size_t i = 0; i < count; i++)
    profile_release(&profiles[i]);
  free(profiles);
  return status;
}

static int run(const struct command *command, int argc, char **argv) {
  struct export_options chosen = {0};
  int operands;
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (!!chosen.pprof + !!chosen.chrome + !!chosen.cpuprofile + !!chosen.remarks +
          !!chosen.sample_profile + chosen.folded !=
      1)
    return options_misuse(
        command, "say what to write: one of --pprof FILE, --folded, "
                 "--chrome FILE, --cpuprofile FILE, --remarks FILE, --sample-profile FILE");
  if (chosen.pprof && !pprof_is_built()) {
    message_error("export: built without protobuf-c: install libprotobuf-c-dev and "
                  "protobuf-c-compiler, and build Reticle again; or --folded");
    return EXIT_USAGE;
  }
  struct measurement measurement;
  int status =
      exit_status(measurement_load(argv + 1, (size_t)operands, &measurement, problems_shown()));
  if (status == EXIT_FINE)
    say_notes(&measurement);
  if (status == EXIT_FINE && chosen.chrome)
    status = export_trace(&measurement, chosen.chrome);
  else if (status == EXIT_FINE && chosen.remarks)
    status = export_remarks(&measurement, chosen.remarks);
  else if (status == EXIT_FINE && chosen.sample_profile)
    status = export_sample_profile(&measurement, chosen.sample_profile);
  else if (status == EXIT_FINE && !measurement.samples.all)
    status = say_no_samples(&measurement);
  else if (status == EXIT_FINE && chosen.cpuprofile)
    status = export_cpuprofile(&measurement, chosen.cpuprofile);
  else if (status == EXIT_FINE)
    status = chosen.pprof ? export_pprof(&measurement, chosen.pprof) : export_folded(&measurement);
  measurement_release(&measurement);
  return status;
}

static const struct option_spec options[] = {
    {"pprof", 'p', OPTION_TEXT, "FILE", offsetof(struct export_options, pprof),
     "samples of the program counter for pprof (protocol buffer, gzip)"},
    {"folded", 'f', OPTION_FLAG, NULL, offsetof(struct export_options, folded),
     "the same on stdout as folded stacks, for flame graphs"},
    {"cpuprofile", 0, OPTION_TEXT, "FILE", offsetof(struct export_options, cpuprofile),
     "the same as .cpuprofile, for VS Code and Chrome's developer tools"},
    {"chrome", 'c', OPTION_TEXT, "FILE", offsetof(struct export_options, chrome),
     "timed executions of loops as a trace, for Perfetto and chrome://tracing"},
    {"remarks", 'r', OPTION_TEXT, "FILE", offsetof(struct export_options, remarks),
     "loops and findings as LLVM's optimisation remarks (YAML), for opt-viewer"},
    {"sample-profile", 's', OPTION_TEXT, "FILE", offsetof(struct export_options, sample_profile),
     "executions of lines, for clang -fprofile-sample-use"},
};

const struct command command_export = {
    .name = "export",
    .operands = "[F...]",
    .summary = "files for other tools: pprof, flame graphs, viewers, clang's sample profiles",
    .details =
        "F are profile files as for report; pprof, folded and cpuprofile need runs with "
        "RETICLE_OPTIONS=sample=1. Without call stacks (stacks=0) a stack is a function "
        "and what was inlined into it. Their sums are those of the report. A sample profile is of "
        "machine blocks with debug information: exact with the feature block, else estimated from "
        "samples; compile with -g -fdebug-info-for-profiling.",
    .examples =
        (const struct command_example[]){
            {"reticle export --pprof app.pb.gz app.prof", "for go tool pprof"},
            {"reticle export --folded app.prof > app.folded", "for flame graphs"},
            {"reticle export --sample-profile app.profile app.prof",
             "then: clang -O2 -g -fprofile-sample-use=app.profile"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
