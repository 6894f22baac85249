// block_csv.c - blocks from a CSV file, and results into one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/block/block_csv.h"

#include "tools/profile/file_new.h"
#include "tools/profile/regular.h"
#include "tools/run/block/block_input.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FIELD_MOST = 1 << 16, REPORTED_MOST = 20 };

static const char heading[] =
    "hex,status,cycles,low,high,accepted,unroll_low,unroll_high,pages,frames,faults\n";

/// Takes the next field off a line: unquoted, blanks around it removed. False behind the last one.
static bool next_field(const char **line, struct text *out) {
  const char *at = *line;
  if (!at)
    return false;
  text_clear(out);
  while (*at == ' ' || *at == '\t')
    at++;
  if (*at == '"') {
    for (at++; *at && !(*at == '"' && at[1] != '"'); at++) {
      at += *at == '"';
      text_add_bytes(out, at, 1);
    }
    at += strcspn(at, ",");
  } else {
    size_t length = strcspn(at, ",\r\n");
    text_add_bytes(out, at, length);
    at += length;
    text_trim(out);
  }
  *line = *at == ',' ? at + 1 : NULL;
  return true;
}

/// Position of the column "hex" in the heading; -1 if it has none.
static long find_column(const char *line) {
  static const char mark[] = "\xef\xbb\xbf"; // UTF-8's, as spreadsheets write it
  struct text field = {0};
  long found = -1;
  line += strncmp(line, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
  for (long column = 0; found < 0 && next_field(&line, &field); column++)
    found = strcmp(text_get(&field), "hex") == 0 ? column : -1;
  text_release(&field);
  return found;
}

static bool is_blank(const char *line) { return !line[strspn(line, " \t\r\n")]; }

static void add_line(struct block_jobs *jobs, const char *path, const char *line, size_t number,
                     long column, size_t *broken, struct problems *problems) {
  struct text field = {0};
  bool there = true;
  for (long i = 0; i <= column && there; i++)
    there = next_field(&line, &field);
  const struct block_job *job = block_jobs_add_hex(jobs, there ? text_get(&field) : "", number);
  if (job->problem && (*broken)++ < REPORTED_MOST)
    problem_error(problems, "%s:%zu: hex '%.40s': %s; the line is left out", path, number, job->hex,
                  job->problem);
  text_release(&field);
}

bool block_jobs_read_csv(struct block_jobs *jobs, const char *path, struct problems *problems) {
  FILE *stream = block_input_open(path);
  if (!stream) {
    problem_error(problems, "%s: can't be read: %s", path, regular_problem(errno));
    return false;
  }
  char *line = NULL;
  size_t capacity = 0, number = 0, broken = 0;
  long column = -1;
  errno = 0;
  for (ssize_t length; (length = getline(&line, &capacity, stream)) >= 0;) {
    number++;
    if (strlen(line) != (size_t)length) // a zero byte would hide the rest
      memset(line, '?', 1);
    if (is_blank(line))
      continue;
    if (column >= 0) {
      add_line(jobs, path, line, number, column, &broken, problems);
      continue;
    }
    column = find_column(line);
    if (column < 0) {
      problem_error(problems,
                    "%s:%zu: no column 'hex' in the heading; its first line names the columns",
                    path, number);
      break;
    }
  }
  bool failed = ferror(stream);
  if (failed)
    problem_error(problems, "%s: can't be read: %s", path, strerror(errno));
  else if (!number || (column < 0 && !broken && jobs->count == 0 && number && is_blank(line)))
    problem_error(problems, "%s: is empty; a line 'hex' and blocks below it are needed", path);
  if (broken > REPORTED_MOST)
    problem_error(problems, "%s: %zu more broken lines", path, broken - REPORTED_MOST);
  free(line);
  fclose(stream);
  return !failed && column >= 0;
}

static void add_quoted(struct text *out, const char *field) {
  if (!field[strcspn(field, ",\"\r\n")]) {
    text_add(out, field);
    return;
  }
  text_add(out, "\"");
  for (; *field; field++) {
    if (*field == '"')
      text_add(out, "\"");
    text_add_bytes(out, field, 1);
  }
  text_add(out, "\"");
}

void block_csv_row(const struct block_job *job, const struct harness_result *result,
                   struct text *out) {
  add_quoted(out, job->hex);
  if (job->is_broken) {
    text_add(out, ",invalid,,,,,,,,,\n");
    return;
  }
  text_printf(out, ",%s,", harness_status_name(result->status));
  if (harness_status_has_value(result->status) && result->cycles == result->cycles)
    text_printf(out, "%.4f,%.4f,%.4f,", result->cycles, result->low, result->high);
  else
    text_add(out, ",,,");
  if (result->accepted == result->accepted)
    text_printf(out, "%.3f,%u,%u,", result->accepted, result->unroll_low, result->unroll_high);
  else
    text_add(out, ",,,");
  if (block_has_run(result))
    text_printf(out, "%u,%u,%u\n", result->pages, result->frames, result->faults);
  else
    text_add(out, ",,\n");
}

/// Whether a line of results is whole and belongs to the job.
static bool belongs(const char *line, const struct block_job *job) {
  struct text field = {0};
  size_t fields = 0;
  bool same = line[0] && line[strlen(line) - 1] == '\n';
  for (const char *at = line; next_field(&at, &field); fields++)
    same &= fields > 0 || strcmp(text_get(&field), job->hex) == 0;
  text_release(&field);
  return same && fields == 11;
}

FILE *block_csv_open(const char *path, const struct block_jobs *jobs, bool resume, size_t *done,
                     struct problems *problems) {
  *done = 0;
  if (strcmp(path, "-") == 0) {
    fputs(heading, stdout);
    return stdout;
  }
  FILE *stream = file_open_in_place(path, !resume);
  if (!stream) {
    problem_error(problems, "%s: can't be written: %s", path, file_new_reason(errno));
    return NULL;
  }
  struct stat status;
  if (fstat(fileno(stream), &status) != 0 || !S_ISREG(status.st_mode)) {
    fputs(heading, stream);
    return stream;
  }
  if (status.st_size > REGULAR_TEXT_BYTES) {
    problem_error(problems, "%s: %s", path, regular_problem(EFBIG));
    fclose(stream);
    return NULL;
  }
  char *line = NULL;
  size_t capacity = 0;
  long good = 0;
  bool is_ours = getline(&line, &capacity, stream) > 0 && strcmp(line, heading) == 0;
  if (is_ours) {
    good = ftell(stream);
    while (*done < jobs->count && getline(&line, &capacity, stream) > 0 &&
           belongs(line, &jobs->items[*done])) {
      good = ftell(stream);
      ++*done;
    }
  }
  free(line);
  if (fseek(stream, good, SEEK_SET) || ftruncate(fileno(stream), good)) {
    problem_error(problems, "%s: can't be written: %s", path, strerror(errno));
    fclose(stream);
    return NULL;
  }
  if (!is_ours)
    fputs(heading, stream);
  return stream;
}
