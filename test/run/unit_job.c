// unit_job.c - what is taken from the log of a command that failed; work in a process of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/run/child/job.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[] = "/tmp/unit_job.XXXXXX";

static void write_log(const char *text, size_t repeats) {
  FILE *file = fopen(path, "w");
  CHECK(file != NULL);
  for (size_t i = 0; i < repeats; i++)
    fputs("reticle: run 1 of 10\n", file);
  fputs(text, file);
  fclose(file);
}

static void check_error(const char *text, size_t repeats, const char *expected) {
  write_log(text, repeats);
  char *error = job_last_error(path);
  if (expected)
    CHECK_TEXT(error ? error : "(none)", expected);
  else
    CHECK(error == NULL);
  free(error);
}

static void test_last_error(void) {
  check_error("reticle: error: try: struct station: it is small\n", 0,
              "try: struct station: it is small");
  check_error("reticle: error: one\nreticle: error: two", 500, "two"); // beyond what is read
  check_error("reticle: error: one\nreticle: warning: two\n", 3, "one");
  check_error("the program says reticle: error: x\n", 1, NULL);
  check_error("", 0, NULL);
  unlink(path);
  CHECK(job_last_error(path) == NULL);
}

static int work(void *context) {
  int *status = context;
  setenv("UNIT_JOB", "changed", 1);
  puts("to stdout");
  fputs("reticle: error: to stderr\n", stderr);
  if (*status < 0) {
    signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);
  }
  (*status)++;
  return *status;
}

static void test_call(void) {
  struct job job;
  int status = 2;
  setenv("UNIT_JOB", "as it was", 1);
  job_begin();
  job_call(work, &status, path, &job);
  CHECK(!job.failed && !job.stopped && WIFEXITED(job.status) && WEXITSTATUS(job.status) == 3);
  CHECK(status == 2);
  CHECK_TEXT(getenv("UNIT_JOB"), "as it was");
  char *error = job_last_error(path);
  CHECK_TEXT(error ? error : "(none)", "to stderr");
  free(error);
  // What ends the child leaves this process as it is.
  status = -1;
  job_call(work, &status, path, &job);
  CHECK(!job.failed && !job.stopped && WIFSIGNALED(job.status) && WTERMSIG(job.status) == SIGTERM);
  job_call(work, &status, "/nonexistent/log", &job);
  CHECK(!job.failed && WIFEXITED(job.status) && WEXITSTATUS(job.status) == 126);
  unlink(path);
}

int main(void) {
  int descriptor = mkstemp(path);
  CHECK(descriptor >= 0);
  close(descriptor);
  RUN(test_last_error);
  RUN(test_call);
  return unit_status();
}
