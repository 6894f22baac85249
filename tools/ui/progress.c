// progress.c - draws the line on stderr, where that is a terminal and the work is long.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/ui/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// Seconds until work counts as long, and between two lines of progress.
#define LONG_S 2.0
#define PROGRESS_S 0.2

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void progress_begin(struct progress *progress, const char *what, size_t first, size_t all) {
  *progress = (struct progress){
      .what = what, .first = first, .done = first, .all = all, .start_s = now_s()};
}

void progress_step(struct progress *progress) {
  enum { BAR = 30 };
  double seconds = now_s() - progress->start_s;
  size_t done = ++progress->done, all = progress->all;
  if (!isatty(STDERR_FILENO) || seconds < LONG_S ||
      (progress->is_shown && seconds < progress->last_s + PROGRESS_S))
    return;
  progress->is_shown = true;
  progress->last_s = seconds;
  double rate = (double)(done - progress->first) / seconds;
  size_t filled = all ? done * BAR / all : BAR;
  char bar[BAR + 1];
  memset(bar, '.', BAR);
  memset(bar, '#', filled);
  bar[BAR] = 0;
  fprintf(stderr, "\rreticle: %s: [%s] %zu of %zu, %.0f a second, %.0f s left\033[K",
          progress->what, bar, done, all, rate, rate > 0 ? (double)(all - done) / rate : 0.0);
  fflush(stderr);
}

void progress_end(const struct progress *progress) {
  if (progress->is_shown)
    fputs("\r\033[K", stderr);
}
