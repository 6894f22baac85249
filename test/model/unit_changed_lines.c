// unit_changed_lines.c - a diff and a coverage report, whole and damaged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // asprintf
#include "test/unit.h"
#include "tools/model/compare/changed_lines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *stream_of(const char *content) {
  FILE *stream = tmpfile();
  fputs(content, stream);
  rewind(stream);
  return stream;
}

static struct changed_lines read_diff(const char *content) {
  struct changed_lines lines;
  FILE *stream = stream_of(content);
  changed_lines_read(stream, &lines);
  fclose(stream);
  return lines;
}

/// A file of the folder, so that its path is a real one.
static char *make_file(char *folder, const char *name) {
  char *path = NULL;
  CHECK(asprintf(&path, "%s/%s", folder, name) > 0);
  FILE *stream = fopen(path, "w");
  CHECK(stream && fclose(stream) == 0);
  return path;
}

static const char diff[] = "warning: something\n"
                           "--- a.c\n+++ a.c\n@@ -1,0 +2,3 @@ int f(void)\n+x\n+y\n+z\n"
                           "@@ -9 +12 @@\n-a\n+b\n@@ -20,2 +22,0 @@\n-c\n-d\n"
                           "--- b b.c\t\n+++ ./b b.c\t\n@@ -0,0 +1 @@\n+x\n"
                           "--- gone.c\n+++ /dev/null\n@@ -1,2 +0,0 @@\n";

static void test_diff(void) {
  struct changed_lines lines = read_diff(diff);
  CHECK_EQUAL(lines.count, 2);
  CHECK_EQUAL(lines.files[0].range_count, 2);
  CHECK_EQUAL(lines.files[0].ranges[0].first, 2);
  CHECK_EQUAL(lines.files[0].ranges[0].last, 4);
  CHECK_EQUAL(lines.files[0].ranges[1].first, 12);
  CHECK_EQUAL(lines.files[0].ranges[1].last, 12);
  CHECK(strcmp(lines.files[1].path, "b b.c") == 0);
  changed_lines_release(&lines);
}

static void test_counts(void) {
  char folder[] = "/tmp/unit_changed_lines.XXXXXX", *lcov = NULL;
  CHECK(mkdtemp(folder) != NULL);
  char *a = make_file(folder, "a.c"), *b = make_file(folder, "b b.c");
  struct changed_lines lines = read_diff(diff);
  CHECK(asprintf(&lcov,
                 "SF:%s\nDA:1,0\nDA:2,7\nDA:3,0\nDA:4,0\nDA:12,1e3\nend_of_record\n"
                 "SF:/nowhere.c\nDA:2,0\nSF:%s\nDA:1,0\nDA:x\n",
                 a, b) > 0);
  FILE *stream = stream_of(lcov);
  changed_lines_count(stream, folder, &lines);
  fclose(stream);
  CHECK_EQUAL(lines.with_code, 5);
  CHECK_EQUAL(lines.executed, 2);
  struct text text = {0};
  changed_lines_add(&lines, &text);
  CHECK(strcmp(text_get(&text), "2 of 5 with code were executed; not a.c:3-4, b b.c:1") == 0);
  text_release(&text);
  changed_lines_release(&lines);
  unlink(a);
  unlink(b);
  rmdir(folder);
  free(a);
  free(b);
  free(lcov);
}

static void test_damaged(void) {
  static const char *const diffs[] = {"", "@@ -1 +2 @@\n", "+++ a\n@@ -1 +0 @@\n@@ nothing\n",
                                      "+++ a\n@@ -1 +99999999999999999999,5 @@\n",
                                      "+++ a\n@@ -1 +1,99999999999 @@\n@@ +"};
  for (size_t i = 0; i < sizeof diffs / sizeof *diffs; i++) {
    struct changed_lines lines = read_diff(diffs[i]);
    FILE *stream = stream_of("DA:1,1\nSF:\nDA:,\nDA:1\n");
    changed_lines_count(stream, "/", &lines);
    fclose(stream);
    CHECK_EQUAL(lines.with_code, 0);
    changed_lines_release(&lines);
  }
}

int main(void) {
  RUN(test_diff);
  RUN(test_counts);
  RUN(test_damaged);
  return unit_status();
}
