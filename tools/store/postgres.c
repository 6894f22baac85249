// postgres.c - connects, queries and copies through libpq; remembers what failed first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memmem, strchrnul
#include "tools/store/postgres.h"

#include "tools/store/libpq.h"
#include "tools/store/postgres_url.h"
#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct postgres {
  PGconn *connection;
  char *problem;
  char state[6];
  char *password; ///< which no message may have; null: none
  bool is_passing;
};

struct postgres_rows {
  struct postgres *postgres;
  PGresult *result; ///< of one row
  uint64_t bytes;   ///< of all rows so far
};

/// Bytes of the rows that answer one question; what is kept of them is about as much. A thousand
/// runs of a thousand loops have a tenth of it.
#define ANSWER_BYTES ((uint64_t)1 << 30)
/// What a row takes besides its columns.
#define ROW_BYTES 64

static struct libpq pq;

bool postgres_is_built(void) { return true; }

/// Also of a connection that never was.
static void clear(PGresult *result) {
  if (result)
    pq.PQclear(result);
}

static bool is_open(const struct postgres *p) {
  return p->connection && pq.PQstatus(p->connection) == CONNECTION_OK;
}

/// States that pass: what becomes of a server that restarts, or has too many connections; and
/// transactions that lost against others.
static bool state_passes(const char *state) {
  static const char *const states[] = {"57P01", "57P02", "57P03", "53300",
                                       "40001", "40P01", "55P03"};
  for (size_t i = 0; i < sizeof states / sizeof *states; i++)
    if (strcmp(state, states[i]) == 0)
      return true;
  return strncmp(state, "08", 2) == 0;
}

/// Notes a message of libpq: its first line, and the detail behind where there is one. One without
/// a state is libpq's own: the connection is lost, whatever PQstatus says; after a write that
/// failed it still says OK.
static bool failed(struct postgres *p, const char *message, const char *state) {
  if (p->problem)
    return false;
  struct text words = {0};
  size_t length = strlen(message);
  for (size_t i = 0; i < length; i++)
    text_add_bytes(&words, message[i] == '\n' || message[i] == '\t' ? " " : &message[i], 1);
  text_trim(&words);
  p->problem = postgres_url_without(text_get(&words), p->password);
  text_release(&words);
  snprintf(p->state, sizeof p->state, "%s", state ? state : "");
  p->is_passing = !*p->state || state_passes(p->state);
  return false;
}

static bool failed_result(struct postgres *p, const PGresult *result) {
  const char *state = result ? pq.PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
  const char *words = result ? pq.PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
  const char *severity =
      result ? pq.PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED) : NULL;
  if (p->problem)
    return false;
  failed(p, words ? words : pq.PQerrorMessage(p->connection), state);
  // The server ends the connection behind these.
  if (severity && (strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0))
    p->is_passing = true;
  return false;
}

static void quiet(void *unused, const char *message) {
  (void)unused;
  (void)message;
}

/// libpq keeps no state of what came before the connection stood, but puts it into verbose words:
/// "connection to server at ... failed: FATAL:  57P03: the database system is starting up", and a
/// line "LOCATION:  ..." behind. Several, where there are several hosts.
///
/// shown  gets the words without states
/// state  [6] gets one that passes, else the last; "": the server has refused nothing
static void read_states(const char *words, struct text *shown, char *state) {
  static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", before[] = ":  ";
  size_t gap = sizeof before - 1;
  for (const char *end; *words; words = *end ? end + 1 : end) {
    end = strchrnul(words, '\n');
    const char *at = memmem(words, (size_t)(end - words), before, gap);
    bool has_state = at && strspn(at + gap, digits) == 5 && strncmp(at + gap + 5, ": ", 2) == 0;
    if (has_state && !state_passes(state))
      snprintf(state, 6, "%.5s", at + gap);
    if (has_state) {
      text_add_bytes(shown, words, (size_t)(at + gap - words));
      text_add_bytes(shown, at + gap + 7, (size_t)(end - at) - gap - 7);
      text_add(shown, "\n");
    } else if (!*state || !at || strncmp(words, "LOCATION", 8) != 0) {
      text_add_bytes(shown, words, (size_t)(end - words));
      text_add(shown, "\n");
    }
  }
}

/// Tries once more, as the first time the words had no state in them. What has none then passes,
/// unless the server asks for a password, or libpq had nothing to try: then it says nothing more.
static void connect_again(struct postgres *p) {
  struct text first = {0}, shown = {0};
  char state[6] = "";
  text_add(&first, pq.PQerrorMessage(p->connection));
  pq.PQsetErrorVerbosity(p->connection, PQERRORS_VERBOSE);
  pq.PQreset(p->connection);
  pq.PQsetErrorVerbosity(p->connection, PQERRORS_DEFAULT);
  if (!is_open(p)) {
    const char *again = pq.PQerrorMessage(p->connection);
    read_states(*again ? again : text_get(&first), &shown, state);
    failed(p, text_get(&shown), state);
    if (!*state)
      p->is_passing = *again && !pq.PQconnectionNeedsPassword(p->connection);
  }
  text_release(&first);
  text_release(&shown);
}

/// Whether libpq can read the URL; a mistake in it is no reason to try again.
static bool can_be_read(struct postgres *p, const char *url) {
  char *problem = NULL;
  PQconninfoOption *options = pq.PQconninfoParse(url, &problem);
  if (!options) {
    failed(p, problem ? problem : "no memory", NULL);
    p->is_passing = false;
  }
  pq.PQconninfoFree(options);
  pq.PQfreemem(problem);
  return !p->problem;
}

struct postgres *postgres_open(const char *url) {
  struct postgres *p = memory_zeroed(1, sizeof *p);
  p->password = postgres_url_password(url);
  char *missing = libpq_load(&pq);
  if (missing) {
    failed(p, missing, NULL);
    p->is_passing = false;
    free(missing);
  }
  if (p->problem || !can_be_read(p, url))
    return p;
  // Options of ours come first, so that those of the URL win.
  const char *const keys[] = {"fallback_application_name", "connect_timeout", "client_encoding",
                              "keepalives_idle",           "dbname",          NULL};
  const char *const values[] = {"reticle", "10", "UTF8", "30", url, NULL};
  p->connection = pq.PQconnectdbParams(keys, values, 1);
  if (!p->connection)
    memory_exhausted();
  if (!is_open(p))
    connect_again(p);
  pq.PQsetNoticeProcessor(p->connection, quiet, NULL);
  return p;
}

void postgres_close(struct postgres *p) {
  if (!p)
    return;
  if (p->connection)
    pq.PQfinish(p->connection);
  if (p->password)
    explicit_bzero(p->password, strlen(p->password));
  free(p->password);
  free(p->problem);
  free(p);
}

const char *postgres_problem(const struct postgres *p) { return p->problem; }
const char *postgres_state(const struct postgres *p) { return p->state; }
bool postgres_is_passing(const struct postgres *p) { return p->is_passing; }

bool postgres_run(struct postgres *p, const char *sql) {
  if (p->problem)
    return false;
  PGresult *result = pq.PQexec(p->connection, sql);
  ExecStatusType status = pq.PQresultStatus(result);
  bool fine = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || failed_result(p, result);
  clear(result);
  return fine;
}

// --- queries

struct postgres_rows *postgres_query(struct postgres *p, const char *sql, const char *const *values,
                                     size_t count) {
  struct postgres_rows *rows = memory_zeroed(1, sizeof *rows);
  rows->postgres = p;
  if (p->problem)
    return rows;
  if (!pq.PQsendQueryParams(p->connection, sql, (int)count, NULL, values, NULL, NULL, 0) ||
      !pq.PQsetSingleRowMode(p->connection))
    failed(p, pq.PQerrorMessage(p->connection), NULL);
  return rows;
}

/// Counts a row. False, and the server is left, where there are too many.
static bool count_row(struct postgres_rows *rows, const PGresult *result) {
  struct postgres *p = rows->postgres;
  rows->bytes += ROW_BYTES;
  for (int i = 0; pq.PQntuples(result) && i < pq.PQnfields(result); i++)
    rows->bytes += (uint64_t)pq.PQgetlength(result, 0, i);
  if (rows->bytes <= ANSWER_BYTES)
    return true;
  failed(p, "its answer has more than 1 GB", "54000"); // program_limit_exceeded
  shutdown(pq.PQsocket(p->connection), SHUT_RDWR);
  return false;
}

bool postgres_rows_step(struct postgres_rows *rows) {
  struct postgres *p = rows->postgres;
  clear(rows->result);
  rows->result = NULL;
  while (!p->problem && (rows->result = pq.PQgetResult(p->connection))) {
    ExecStatusType status = pq.PQresultStatus(rows->result);
    if (status == PGRES_SINGLE_TUPLE)
      return count_row(rows, rows->result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
      failed_result(p, rows->result);
    clear(rows->result);
    rows->result = NULL;
  }
  return false;
}

const char *postgres_rows_text(const struct postgres_rows *rows, int column) {
  return pq.PQgetisnull(rows->result, 0, column) ? NULL : pq.PQgetvalue(rows->result, 0, column);
}

double postgres_rows_number(const struct postgres_rows *rows, int column) {
  const char *text = postgres_rows_text(rows, column);
  return text ? strtod(text, NULL) : NAN;
}

uint64_t postgres_rows_count(const struct postgres_rows *rows, int column, uint64_t missing) {
  const char *text = postgres_rows_text(rows, column);
  return text ? strtoull(text, NULL, 10) : missing;
}

bool postgres_rows_finish(struct postgres_rows *rows) {
  struct postgres *p = rows->postgres;
  clear(rows->result);
  // What is left, so that the connection can go on.
  for (PGresult *rest; is_open(p) && (rest = pq.PQgetResult(p->connection));) {
    count_row(rows, rest);
    clear(rest);
  }
  free(rows);
  return !p->problem;
}

// --- rows to the server

bool postgres_copy(struct postgres *p, const char *sql, const char *bytes, size_t count) {
  if (p->problem)
    return false;
  PGresult *result = pq.PQexec(p->connection, sql);
  bool fine = pq.PQresultStatus(result) == PGRES_COPY_IN || failed_result(p, result);
  clear(result);
  // PQputCopyData takes an int.
  for (size_t at = 0, step; fine && at < count; at += step) {
    step = count - at < (1 << 20) ? count - at : 1 << 20;
    fine = pq.PQputCopyData(p->connection, bytes + at, (int)step) == 1 ||
           failed(p, pq.PQerrorMessage(p->connection), NULL);
  }
  if (fine && pq.PQputCopyEnd(p->connection, NULL) != 1)
    fine = failed(p, pq.PQerrorMessage(p->connection), NULL);
  for (PGresult *rest; is_open(p) && (rest = pq.PQgetResult(p->connection));) {
    if (pq.PQresultStatus(rest) != PGRES_COMMAND_OK)
      fine = failed_result(p, rest);
    bool is_stuck = pq.PQresultStatus(rest) == PGRES_COPY_IN;
    clear(rest);
    if (is_stuck)
      break;
  }
  if (!is_open(p))
    fine = failed(p, pq.PQerrorMessage(p->connection), NULL);
  return fine;
}
