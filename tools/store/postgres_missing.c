// postgres_missing.c - postgres.h where libpq was not there to build with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/postgres.h"

#include <math.h>

#define MISSING                                                                                    \
  "this reticle was built without libpq: install libpq-dev and build it again, or take the "       \
  "package of your system"

bool postgres_is_built(void) { return false; }

struct postgres *postgres_open(const char *url) {
  (void)url;
  return NULL;
}
void postgres_close(struct postgres *postgres) { (void)postgres; }

const char *postgres_problem(const struct postgres *postgres) {
  (void)postgres;
  return MISSING;
}
const char *postgres_state(const struct postgres *postgres) {
  (void)postgres;
  return "";
}
bool postgres_is_passing(const struct postgres *postgres) {
  (void)postgres;
  return false;
}

bool postgres_run(struct postgres *postgres, const char *sql) {
  (void)postgres;
  (void)sql;
  return false;
}

struct postgres_rows *postgres_query(struct postgres *postgres, const char *sql,
                                     const char *const *values, size_t count) {
  (void)postgres;
  (void)sql;
  (void)values;
  (void)count;
  return NULL;
}
bool postgres_rows_step(struct postgres_rows *rows) {
  (void)rows;
  return false;
}
const char *postgres_rows_text(const struct postgres_rows *rows, int column) {
  (void)rows;
  (void)column;
  return NULL;
}
double postgres_rows_number(const struct postgres_rows *rows, int column) {
  (void)rows;
  (void)column;
  return NAN;
}
uint64_t postgres_rows_count(const struct postgres_rows *rows, int column, uint64_t missing) {
  (void)rows;
  (void)column;
  return missing;
}
bool postgres_rows_finish(struct postgres_rows *rows) {
  (void)rows;
  return false;
}
bool postgres_copy(struct postgres *postgres, const char *sql, const char *bytes, size_t count) {
  (void)postgres;
  (void)sql;
  (void)bytes;
  (void)count;
  return false;
}
