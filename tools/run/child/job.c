// job.c - starts a command, passes signals on, waits for it and for its orphans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // wait4
#include "tools/run/child/job.h"

#include "tools/profile/regular.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/// Lines of a failed command's output that are shown.
#define TAIL_BYTES 2000
/// What a command leaves behind may end by itself for so long; then SIGTERM, then SIGKILL.
#define ORPHANS_END_S 1.0
#define ORPHANS_TERM_S 5.0
#define POLL_NS 10000000
/// As a shell tells that a command was not begun.
#define NOT_BEGUN 126

static volatile sig_atomic_t stopped, expired;
static volatile pid_t child;
static bool adopts;

static void stop(int number) {
  stopped = number;
  if (child > 0)
    kill(child, number);
}

/// Time ran out.
static void expire(int number) {
  (void)number;
  expired = 1;
  if (child > 0)
    kill(child, SIGTERM);
}

void job_begin(void) {
  static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = stop};
  for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
    sigaction(caught[i], &action, NULL);
  struct sigaction late = {.sa_handler = expire};
  sigaction(SIGALRM, &late, NULL);
}

void job_adopt_orphans(void) { adopts = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0; }

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int start(char *const *argv, const char *log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t pid;
  int failed = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (!failed)
    child = pid;
  return failed;
}

/// In the forked child: files and signals as a program that is started finds them.
static bool become_job(const char *log) {
  static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int written = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
    signal(caught[i], SIG_DFL);
  child = 0;
  stopped = expired = 0;
  adopts = false;
  return nothing >= 0 && written >= 0 && dup2(nothing, 0) == 0 && dup2(written, 1) == 1 &&
         dup2(written, 2) == 2;
}

static int start_call(int (*work)(void *context), void *context, const char *log) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    int status = become_job(log) ? work(context) : NOT_BEGUN;
    fflush(NULL);
    _exit(status);
  }
  if (pid > 0)
    child = pid;
  return pid < 0 ? errno : 0;
}

/// Sends a signal to all children of this process, and counts them.
static size_t signal_children(int number) {
  char path[64];
  size_t count = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *list = fopen(path, "re");
  for (int pid; list && fscanf(list, "%d", &pid) == 1; count++)
    if (number)
      kill(pid, number);
  if (list)
    fclose(list);
  return count;
}

/// Waits until no child is left, or time is up. True if none is.
static bool reap(double limit_s) {
  double until = now_s() + limit_s;
  for (;;) {
    pid_t got = waitpid(-1, NULL, WNOHANG);
    if (got < 0 && errno == ECHILD)
      return true;
    if (got > 0 || (got < 0 && errno == EINTR))
      continue;
    if (now_s() > until)
      return false;
    nanosleep(&(struct timespec){0, POLL_NS}, NULL);
  }
}

static size_t end_orphans(void) {
  if (!adopts || reap(ORPHANS_END_S))
    return 0;
  size_t left = signal_children(SIGTERM);
  if (!reap(ORPHANS_TERM_S)) {
    signal_children(SIGKILL);
    reap(ORPHANS_TERM_S);
  }
  return left;
}

static double seconds_of(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/// Waits for what was started, if it was.
static void finish(double began, double limit_s, struct job *out) {
  if (!out->failed) {
    struct rusage used = {0};
    // Again and again, until it has heard it.
    time_t whole_s = (time_t)limit_s;
    struct timespec limit = {whole_s, (long)((limit_s - (double)whole_s) * 1e9)};
    struct itimerspec spec = {.it_value = limit, .it_interval = {1, 0}};
    timer_t timer;
    bool timed = limit_s >= 1 && timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0 &&
                 timer_settime(timer, 0, &spec, NULL) == 0;
    while (wait4(child, &out->status, 0, &used) < 0 && errno == EINTR)
      ;
    child = 0;
    if (timed)
      timer_delete(timer);
    out->wall_s = now_s() - began;
    out->is_late = expired;
    out->user_s = seconds_of(used.ru_utime);
    out->system_s = seconds_of(used.ru_stime);
    out->max_rss_bytes = 1024 * (uint64_t)used.ru_maxrss;
    out->left = end_orphans();
  }
  out->stopped = (int)stopped;
}

void job_run(char *const *argv, const char *log, double limit_s, struct job *out) {
  double began = now_s();
  expired = 0;
  *out = (struct job){.failed = start(argv, log)};
  finish(began, limit_s, out);
}

void job_call(int (*work)(void *context), void *context, const char *log, struct job *out) {
  double began = now_s();
  expired = 0;
  *out = (struct job){.failed = start_call(work, context, log)};
  finish(began, 0, out);
}

/// The end of a log, "" where it can't be read. tail: [TAIL_BYTES + 1]
static void read_tail(const char *path, char *tail) {
  FILE *log = regular_fopen(path);
  *tail = 0;
  if (!log)
    return;
  if (fseek(log, -TAIL_BYTES, SEEK_END) != 0)
    rewind(log);
  tail[fread(tail, 1, TAIL_BYTES, log)] = 0;
  fclose(log);
}

void job_show_log(const char *path, struct problems *problems) {
  char tail[TAIL_BYTES + 1];
  read_tail(path, tail);
  size_t got = strlen(tail);
  struct text lines = {0};
  text_add(&lines, tail);
  text_add(&lines, got && tail[got - 1] != '\n' ? "\n" : "");
  problem_lines(problems, text_get(&lines));
  text_release(&lines);
}

char *job_last_error(const char *path) {
  static const char head[] = "reticle: error: ";
  char tail[TAIL_BYTES + 1];
  const char *found = NULL;
  read_tail(path, tail);
  for (const char *line = tail; line && *line;) {
    if (strncmp(line, head, sizeof head - 1) == 0)
      found = line + sizeof head - 1;
    const char *end = strchr(line, '\n');
    line = end ? end + 1 : NULL;
  }
  return found ? strndup(found, strcspn(found, "\n")) : NULL;
}
