// report_html.c - writes the report as a page.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/report.h"

#include "tools/cmd/page_file.h"
#include "tools/render/html/page.h"
#include "tools/render/json/report/report_json.h"
#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

/// A page with more data than this keeps the tables alone.
#define JSON_MOST (3 << 20)

/// The report as JSON; "" where it is too much for a page, or can't be made. The caller frees it.
static char *json_of(const struct measurement *m, const struct findings *findings) {
  char *data = NULL;
  size_t size = 0, *rows = memory_zeroed(m->loop_count + 1, sizeof *rows), count = 0;
  FILE *stream = open_memstream(&data, &size);
  for (size_t i = 0; i < m->loop_count; i++)
    if (m->loops[i].stats.executions)
      rows[count++] = i;
  bool fine = stream && report_json_write(m, findings, rows, count, NULL, stream);
  if (stream)
    fine = fclose(stream) == 0 && fine;
  free(rows);
  if (fine && size <= JSON_MOST)
    return data;
  free(data);
  return text_copy("");
}

bool report_html_write(const struct measurement *m, const struct findings *findings,
                       const char *path) {
  struct text page = {0};
  char *json = json_of(m, findings);
  html_page_add(&(struct report){m, findings}, json, &page);
  bool written = page_file_write("report", path, &page);
  text_release(&page);
  free(json);
  return written;
}
