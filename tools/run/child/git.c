// git.c - asks git about the current folder.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/child/git.h"

#include "tools/profile/regular.h"
#include "tools/run/child/job.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool git_ask(const char *temporary, char *const *argv, struct text *out) {
  struct text log = {0};
  struct job job;
  char line[4096] = "";
  text_format(&log, "%s/git.log", temporary);
  job_run(argv, text_get(&log), 0, &job);
  FILE *stream = regular_fopen(text_get(&log));
  if (stream && !fgets(line, sizeof line, stream))
    line[0] = 0;
  if (stream)
    fclose(stream);
  line[strcspn(line, "\n")] = 0;
  text_clear(out);
  text_add(out, job.failed ? strerror(job.failed) : line);
  unlink(text_get(&log));
  text_release(&log);
  return !job.failed && !job.status;
}

char *git_head(const char *temporary) {
  struct text head = {0}, changes = {0};
  char *const parse[] = {(char *)"git", (char *)"rev-parse", (char *)"--verify",
                         (char *)"-q",  (char *)"HEAD",      NULL};
  char *const ask[] = {(char *)"git", (char *)"status", (char *)"--porcelain", (char *)"-uno",
                       NULL};
  if (!git_ask(temporary, parse, &head))
    text_clear(&head);
  else if (git_ask(temporary, ask, &changes) && changes.length)
    text_add(&head, "+changes");
  char *known = text_copy(text_get(&head));
  text_release(&head);
  text_release(&changes);
  return known;
}
