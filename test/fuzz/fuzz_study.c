// fuzz_study.c - writes studies of a changed profile; changes their tables, blobs and bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/fuzz.h"
#include "tools/store/study/study_file.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const tables[] = {"facts", "builds", "programs", "runs", "profiles"};
static const char *const columns[][8] = {
    {"name", "value"},
    {"name", "features", "command", "started_s", "wall_s"},
    {"path", "build_id", "mode", "bytes", "deflated"},
    {"build", "round", "wall_s", "user_s", "system_s", "exit_status", "output_hash", "output_kept"},
    {"run", "executable", "cpu_s", "bytes", "deflated"}};
enum { TABLES = sizeof tables / sizeof *tables };

/// Rows without end.
#define ENDLESS "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n)"

/// Two builds with two runs each, whose profiles are the two.
static void make(const char *path, const struct fuzz_bytes *profile, const struct fuzz_bytes *other,
                 const struct fuzz_bytes *app) {
  static const char *const names[] = {"plain", "timing", "counts"};
  struct study_file study;
  unlink(path);
  if (!study_file_write(path, &study, NULL) || !study_file_begin(&study))
    fuzz_fail("no study can be made");
  for (unsigned b = 0; b < 3; b++) {
    const struct study_build build = {.name = names[b], .features = "loop", .command = "make"};
    int64_t id = study_build_add(&study, &build);
    if (app->count)
      study_program_add(&study, id, "/proc/self/cwd/app", "", 0755, app->data, app->count);
    for (unsigned round = 1; round <= 2; round++) {
      const struct study_run run = {.build = id,
                                    .round = round,
                                    .wall_s = 1.5,
                                    .user_s = 1 + 0.125 * round,
                                    .output = "fine\n",
                                    .output_kept = 5,
                                    .output_bytes = 5};
      int64_t number = study_run_add(&study, &run);
      const struct fuzz_bytes *left = round == 1 ? profile : other;
      if (b)
        study_profile_add(&study, number, "/proc/self/cwd/app", round, left->data, left->count);
    }
  }
  study_fact_set(&study, "finished", "yes");
  if (!study_file_commit(&study) || !study_file_finish(&study))
    fuzz_fail("no study can be written");
  study_file_close(&study);
}

/// Runs a statement of ours and frees it; what the tables' constraints forbid doesn't come about.
static void run(sqlite3 *file, char *sql) {
  sqlite3_exec(file, sql, NULL, NULL, NULL);
  sqlite3_free(sql);
}

static void put_value(sqlite3 *file, struct fuzz_random *random) {
  size_t table = fuzz_below(random, TABLES), column;
  do
    column = fuzz_below(random, 8);
  while (!columns[table][column]);
  const char *t = tables[table], *c = columns[table][column];
  uint64_t number = fuzz_number(random);
  switch (fuzz_below(random, 5)) {
  case 0:
    run(file, sqlite3_mprintf("UPDATE %s SET %s=%lld", t, c, (long long)number));
    break;
  case 1:
    run(file, sqlite3_mprintf("UPDATE %s SET %s=%g", t, c, (double)(int64_t)number * 1e-3));
    break;
  case 2:
    run(file, sqlite3_mprintf("UPDATE %s SET %s=x'1b5b33316dff00e280ae41'", t, c));
    break;
  case 3:
    run(file, sqlite3_mprintf("UPDATE %s SET %s=zeroblob(%u)", t, c, (unsigned)number & 0xfffff));
    break;
  default:
    run(file, sqlite3_mprintf("UPDATE %s SET %s=NULL", t, c));
  }
}

static void replace_table(sqlite3 *file, struct fuzz_random *random) {
  static const char *const bodies[] = {
      (" AS " ENDLESS " SELECT i id, i build, i run, 'timing' name, 'a' executable, 1.0 cpu_s, "
       "9 bytes, zeroblob(99) deflated FROM n"),
      " AS SELECT * FROM sqlite_schema", "(id INTEGER PRIMARY KEY)",
      ("(id, build, run, name, executable, cpu_s, bytes, deflated AS "
       "(zeroblob(100000000)))")};
  size_t body = fuzz_below(random, sizeof bodies / sizeof *bodies);
  const char *table = tables[fuzz_below(random, TABLES)];
  run(file, sqlite3_mprintf("DROP TABLE %s", table));
  if (!fuzz_once_in(random, 5))
    run(file, sqlite3_mprintf("CREATE %s %s%s", body < 2 ? "VIEW" : "TABLE", table, bodies[body]));
}

static void change_blob(sqlite3 *file, struct fuzz_random *random) {
  const char *table = fuzz_once_in(random, 3) ? "programs" : "profiles";
  long long number = (long long)fuzz_number(random), least = (long long)fuzz_below(random, 4000);
  switch (fuzz_below(random, 4)) {
  case 0:
    run(file, sqlite3_mprintf("UPDATE %s SET deflated=substr(deflated, 1, %lld)", table, least));
    break;
  case 1:
    run(file, sqlite3_mprintf("UPDATE %s SET bytes=%lld", table, number));
    break;
  case 2:
    run(file, sqlite3_mprintf("UPDATE %s SET bytes=bytes+%lld", table, least - 2000));
    break;
  default:
    run(file, sqlite3_mprintf("UPDATE %s SET deflated=substr(deflated, 1, %lld) || x'%08x' || "
                              "substr(deflated, %lld)",
                              table, least, (unsigned)number, least + 5));
  }
}

static void change(sqlite3 *file, struct fuzz_random *random) {
  switch (fuzz_below(random, 6)) {
  case 0:
    replace_table(file, random);
    break;
  case 1:
    run(file, sqlite3_mprintf("DELETE FROM %s WHERE rowid > %u",
                              tables[1 + fuzz_below(random, TABLES - 1)],
                              (unsigned)fuzz_below(random, 3)));
    break;
  case 2: // processes of a run, more than are held at once
    run(file, sqlite3_mprintf(ENDLESS
                              " INSERT INTO profiles(run, executable, cpu_s, bytes, deflated) "
                              "SELECT run, executable, i, bytes, deflated FROM profiles, (SELECT i "
                              "FROM n LIMIT %u) WHERE id < 3",
                              (unsigned)fuzz_below(random, fuzz_once_in(random, 4) ? 70 : 4)));
    break;
  case 3:
    change_blob(file, random);
    break;
  default:
    put_value(file, random);
  }
}

void fuzz_study_write(const char *path, const struct fuzz_bytes *profile,
                      const struct fuzz_bytes *other, const struct fuzz_bytes *app, bool is_changed,
                      struct fuzz_random *random) {
  sqlite3 *file;
  make(path, profile, other, app);
  if (!is_changed)
    return;
  if (sqlite3_open(path, &file) != SQLITE_OK)
    fuzz_fail("a study can't be opened: %s", sqlite3_errmsg(file));
  run(file, sqlite3_mprintf("PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF"));
  for (uint64_t n = fuzz_below(random, 4); n; n--)
    change(file, random);
  sqlite3_close(file);
  if (!fuzz_once_in(random, 4))
    return;
  struct fuzz_bytes bytes = fuzz_read(path);
  for (uint64_t n = 1 + fuzz_below(random, 8); n && bytes.count > 8; n--) {
    uint64_t value = fuzz_number(random);
    size_t reach = fuzz_once_in(random, 3) ? 200 : bytes.count - 8;
    memcpy(bytes.data + fuzz_below(random, reach), &value, 1 + fuzz_below(random, 8));
  }
  if (fuzz_once_in(random, 8))
    bytes.count = fuzz_below(random, bytes.count);
  fuzz_write(path, bytes.data, bytes.count);
  free(bytes.data);
}
