// check_junit.c - writes a check as JUnit XML: each loop a test case.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/export/check_forms.h"

#include <stdlib.h>

static void put_attribute(const char *name, const char *value, FILE *stream) {
  struct text text = {0};
  text_add_markup(&text, value);
  fprintf(stream, " %s=\"%s\"", name, text_get(&text));
  text_release(&text);
}

static void put_case(const struct check_row *row, const char *here, FILE *stream) {
  const struct profile_loop *loop = check_row_loop(row);
  struct text message = {0}, name = {0};
  char *function = check_row_name(row);
  text_add(&name, function);
  if (loop)
    text_printf(&name, " line %u:%u", loop->line, loop->column);
  check_row_message(row, &message);
  fputs("    <testcase", stream);
  put_attribute("classname", loop ? check_row_file(row, here) : "program", stream);
  put_attribute("name", text_get(&name), stream);
  if (check_row_is_listed(row)) {
    bool is_failure = row->judged.verdict == CHECK_REGRESSION;
    fprintf(stream, ">\n      <%s", is_failure ? "failure" : "skipped");
    put_attribute("message", text_get(&message), stream);
    fputs("/>\n    </testcase>\n", stream);
  } else {
    fputs("/>\n", stream);
  }
  text_release(&message);
  text_release(&name);
  free(function);
}

bool check_junit_write(const struct check_result *result, const char *here, FILE *stream) {
  fprintf(stream,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
          "  <testsuite name=\"reticle check\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
          "skipped=\"%zu\">\n",
          result->count, result->verdicts[CHECK_REGRESSION], result->verdicts[CHECK_INCONCLUSIVE]);
  for (size_t i = 0; i < result->count; i++)
    put_case(&result->rows[i], here, stream);
  fputs("  </testsuite>\n</testsuites>\n", stream);
  return fflush(stream) == 0 && !ferror(stream);
}
