// study_trials.c - the tables of what was tried; studies of before have none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/study/study_trials.h"

#define CREATE_CHANGES                                                                             \
  "CREATE TABLE changes(id INTEGER PRIMARY KEY, form TEXT NOT NULL, setting TEXT NOT NULL,"        \
  " loop TEXT NOT NULL, finding TEXT NOT NULL, environment TEXT NOT NULL, flags TEXT NOT NULL,"    \
  " list TEXT NOT NULL, reason TEXT NOT NULL, lines TEXT NOT NULL,"                                \
  " difference REAL)"
#define CREATE_PAIRS                                                                               \
  "CREATE TABLE pairs(change INTEGER NOT NULL REFERENCES changes ON DELETE CASCADE,"               \
  " stage INTEGER NOT NULL, pair INTEGER NOT NULL, build INTEGER NOT NULL,"                        \
  " plain_cpu_s REAL NOT NULL, changed_cpu_s REAL NOT NULL, plain_wall_s REAL NOT NULL,"           \
  " changed_wall_s REAL NOT NULL, plain_rss_bytes INTEGER NOT NULL,"                               \
  " changed_rss_bytes INTEGER NOT NULL, PRIMARY KEY(change, stage, pair))"
#define CREATE_COPIES                                                                              \
  "CREATE TABLE copies(change INTEGER NOT NULL REFERENCES changes ON DELETE CASCADE,"              \
  " loop TEXT NOT NULL, run INTEGER NOT NULL, build INTEGER NOT NULL, bin INTEGER NOT NULL, work " \
  "REAL NOT NULL,"                                                                                 \
  " plain_ns REAL NOT NULL, changed_ns REAL NOT NULL, PRIMARY KEY(change, run, bin))"
static const char *const tables[] = {CREATE_CHANGES, CREATE_PAIRS, NULL};
static const char *const later_tables[] = {CREATE_COPIES, NULL};

bool study_trials_are(struct study_file *study) {
  return database_number(study->database,
                         "SELECT count(*) FROM sqlite_schema WHERE name IN ('changes', 'pairs')",
                         0) > 0;
}

/// Studies of the version before have none.
static bool has_copies(struct study_file *study) {
  return database_number(study->database, "SELECT count(*) FROM sqlite_schema WHERE name='copies'",
                         0) > 0;
}

bool study_trials_check(struct study_file *study) {
  return (!study_trials_are(study) || database_check(study->database, tables)) &&
         (!has_copies(study) || database_check(study->database, later_tables));
}

bool study_trials_begin(struct study_file *study) {
  if (study_trials_are(study)) {
    database_run(study->database, "DELETE FROM changes");
  } else {
    database_create(study->database, tables);
  }
  if (!has_copies(study))
    database_create(study->database, later_tables);
  return study_file_is_fine(study);
}

int64_t study_trial_add(struct study_file *study, const struct study_trial *trial) {
  struct statement *s = database_prepare(
      study->database, "INSERT INTO changes(form, setting, loop, finding, environment, flags, list,"
                       " reason, lines) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, '')");
  const char *const values[] = {trial->form,        trial->setting, trial->loop, trial->finding,
                                trial->environment, trial->flags,   trial->list, trial->reason};
  for (int i = 0; i < (int)(sizeof values / sizeof *values); i++)
    statement_text(s, i + 1, values[i]);
  statement_run(s);
  statement_finish(s);
  return study_file_is_fine(study) ? database_last_row(study->database) : 0;
}

static struct statement *begin_update(struct study_file *study, const char *sql, int64_t trial) {
  struct statement *s = database_prepare(study->database, sql);
  statement_count(s, 1, (uint64_t)trial);
  return s;
}

static bool end_update(struct study_file *study, struct statement *s) {
  statement_run(s);
  statement_finish(s);
  return study_file_is_fine(study);
}

static bool update(struct study_file *study, const char *sql, int64_t trial, const char *text) {
  struct statement *s = begin_update(study, sql, trial);
  statement_text(s, 2, text);
  return end_update(study, s);
}

bool study_trial_end(struct study_file *study, int64_t trial, const char *reason) {
  return update(study, "UPDATE changes SET reason=?2 WHERE id=?1", trial, reason);
}

bool study_trial_differs(struct study_file *study, int64_t trial, double difference) {
  struct statement *s = begin_update(
      study, "UPDATE changes SET difference=max(ifnull(difference, 0), ?2) WHERE id=?1", trial);
  statement_number(s, 2, difference);
  return end_update(study, s);
}

bool study_trial_made(struct study_file *study, int64_t trial, const char *lines) {
  return update(study, "UPDATE changes SET lines=?2 WHERE id=?1", trial, lines);
}

bool study_pair_add(struct study_file *study, int64_t trial, const struct study_pair *pair) {
  struct statement *s = database_prepare(
      study->database, "INSERT INTO pairs VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
  statement_count(s, 1, (uint64_t)trial);
  statement_count(s, 2, pair->stage);
  statement_count(s, 3, pair->pair);
  statement_count(s, 4, pair->build);
  statement_number(s, 5, pair->plain_cpu_s);
  statement_number(s, 6, pair->changed_cpu_s);
  statement_number(s, 7, pair->plain_wall_s);
  statement_number(s, 8, pair->changed_wall_s);
  statement_count(s, 9, pair->plain_rss_bytes);
  statement_count(s, 10, pair->changed_rss_bytes);
  statement_run(s);
  statement_finish(s);
  return study_file_is_fine(study);
}

bool study_copy_add(struct study_file *study, int64_t trial, const struct study_copy *copy) {
  struct statement *s = database_prepare(
      study->database, "INSERT INTO copies VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
  statement_count(s, 1, (uint64_t)trial);
  statement_text(s, 2, copy->loop);
  statement_count(s, 3, copy->run);
  statement_count(s, 4, copy->build);
  statement_count(s, 5, copy->bin);
  statement_number(s, 6, copy->work);
  statement_number(s, 7, copy->plain_ns);
  statement_number(s, 8, copy->changed_ns);
  statement_run(s);
  statement_finish(s);
  return study_file_is_fine(study);
}

static void read_copies(struct study_file *study, int64_t trial,
                        const struct study_trials_reader *reader) {
  struct statement *s = database_prepare(
      study->database, "SELECT loop, run, build, bin, work, plain_ns, changed_ns FROM copies WHERE "
                       "change=?1 ORDER BY run, bin");
  statement_count(s, 1, (uint64_t)trial);
  while (statement_step(s)) {
    const struct study_copy copy = {.loop = statement_get_text(s, 0),
                                    .run = (unsigned)statement_get_count(s, 1),
                                    .build = (unsigned)statement_get_count(s, 2),
                                    .bin = (unsigned)statement_get_count(s, 3),
                                    .work = statement_get_number(s, 4),
                                    .plain_ns = statement_get_number(s, 5),
                                    .changed_ns = statement_get_number(s, 6)};
    reader->take_copy(reader->context, &copy);
  }
  statement_finish(s);
}

static void read_pairs(struct study_file *study, int64_t trial,
                       const struct study_trials_reader *reader) {
  struct statement *s = database_prepare(
      study->database,
      "SELECT stage, pair, build, plain_cpu_s, changed_cpu_s, plain_wall_s, changed_wall_s,"
      " plain_rss_bytes, changed_rss_bytes FROM pairs WHERE change=?1 ORDER BY stage, pair");
  statement_count(s, 1, (uint64_t)trial);
  while (statement_step(s)) {
    const struct study_pair pair = {.stage = (unsigned)statement_get_count(s, 0),
                                    .pair = (unsigned)statement_get_count(s, 1),
                                    .build = (unsigned)statement_get_count(s, 2),
                                    .plain_cpu_s = statement_get_number(s, 3),
                                    .changed_cpu_s = statement_get_number(s, 4),
                                    .plain_wall_s = statement_get_number(s, 5),
                                    .changed_wall_s = statement_get_number(s, 6),
                                    .plain_rss_bytes = statement_get_count(s, 7),
                                    .changed_rss_bytes = statement_get_count(s, 8)};
    reader->take_pair(reader->context, &pair);
  }
  statement_finish(s);
}

void study_trials_read(struct study_file *study, const struct study_trials_reader *reader) {
  bool are_copies = has_copies(study);
  if (!study_trials_are(study))
    return;
  struct statement *s = database_prepare(
      study->database, "SELECT id, form, setting, loop, finding, environment, flags, list, reason, "
                       "lines, difference FROM changes ORDER BY id");
  while (statement_step(s)) {
    const struct study_trial trial = {.id = (int64_t)statement_get_count(s, 0),
                                      .form = statement_get_text(s, 1),
                                      .setting = statement_get_text(s, 2),
                                      .loop = statement_get_text(s, 3),
                                      .finding = statement_get_text(s, 4),
                                      .environment = statement_get_text(s, 5),
                                      .flags = statement_get_text(s, 6),
                                      .list = statement_get_text(s, 7),
                                      .reason = statement_get_text(s, 8),
                                      .lines = statement_get_text(s, 9),
                                      .difference = statement_get_number(s, 10)};
    reader->take(reader->context, &trial);
    read_pairs(study, trial.id, reader);
    if (are_copies)
      read_copies(study, trial.id, reader);
  }
  statement_finish(s);
}
