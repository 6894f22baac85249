// fleet.c - connects with patience, compares versions, and words what PostgreSQL refuses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/fleet.h"

#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// The first wait, and the longest.
#define WAIT_FIRST_S 0.1
#define WAIT_MOST_S 10

double fleet_now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool fleet_wait(unsigned attempt, double start_s, double patience_s) {
  double wait_s = WAIT_FIRST_S;
  for (unsigned i = 1; i < attempt && wait_s < WAIT_MOST_S; i++)
    wait_s *= 2;
  wait_s = wait_s < WAIT_MOST_S ? wait_s : WAIT_MOST_S;
  // A thousand ranks that lost the same server don't come back at once.
  unsigned seed =
      (unsigned)getpid() * 2654435761u + attempt * 40503u + (unsigned)(fleet_now_s() * 1e6);
  wait_s *= 0.5 + (double)rand_r(&seed) / RAND_MAX;
  if (fleet_now_s() + wait_s - start_s > patience_s)
    return false;
  struct timespec nap = {(time_t)wait_s, (long)((wait_s - (double)(time_t)wait_s) * 1e9)};
  nanosleep(&nap, NULL);
  return true;
}

// --- what went wrong

#define CHECK_ACCESS "check the URL, PGHOST, PGPASSFILE and pg_hba.conf"

struct advice {
  const char *state; ///< SQLSTATE, or its class
  const char *fix;
};

static const struct advice advices[] = {
    {"53100",
     "make room on the server's disk; what was pushed before is in it, of this run nothing "
     "is: push again"},
    {"53200", "the server has no memory left; push again later: what is there already isn't pushed "
              "twice"},
    {"53", "push again when the server has room; what is there already isn't pushed twice"},
    {"28", CHECK_ACCESS},
    {"3D000", CHECK_ACCESS},
    {"42501", "the role lacks the right: its owner types GRANT reticle_writer (for push), or GRANT "
              "reticle_reader (for ranks, diff, check), TO the role"},
    {"3F000", "no tables of reticle are in this database: reticle push --set-up makes them"},
    {"42P01", "no tables of reticle are in this database: reticle push --set-up makes them"},
    {"22P05", "the database's encoding lacks some character: CREATE DATABASE ... ENCODING 'UTF8'"},
    {"22021", "the database's encoding lacks some character: CREATE DATABASE ... ENCODING 'UTF8'"},
    {"25006", "it is read-only, a replica perhaps: name the primary server"},
    {"22008", "set the clock of the machine that ran it"},
    {"54000", "ask for fewer runs: last=, since= and until= behind '#'"},
    {"57014", "the server's statement_timeout ended it: raise it for this role"},
};

static const char *fix_of(const struct fleet *fleet) {
  const struct postgres *postgres = fleet->postgres;
  const char *state = postgres_state(postgres);
  for (size_t i = 0; *state && i < sizeof advices / sizeof *advices; i++)
    if (strncmp(state, advices[i].state, strlen(advices[i].state)) == 0)
      return advices[i].fix;
  if (postgres_is_passing(postgres))
    return strcmp(fleet->command, "push") == 0
               ? "push again when the server is there; what is there already isn't pushed twice"
               : "try again when the server is there";
  if (*state)
    return "look into the server's log";
  return CHECK_ACCESS;
}

void fleet_say(const struct fleet *fleet, const char *what) {
  if (!postgres_is_built())
    problem_error(fleet->problems, "%s: %s: %s", fleet->command, fleet->shown,
                  postgres_problem(NULL));
  else
    problem_error(fleet->problems, "%s: %s: %s%s%s; %s", fleet->command, fleet->shown, what,
                  *what ? ": " : "", postgres_problem(fleet->postgres), fix_of(fleet));
}

// --- opening

/// Whether the tables are ours and of our version; says what to do where not, but for what failed
/// on the connection.
static bool check_version(struct fleet *fleet) {
  static const char question[] =
      "SELECT (SELECT max(version) FROM reticle.version), current_setting('server_version_num')";
  struct postgres_rows *rows = postgres_query(fleet->postgres, question, NULL, 0);
  bool is_known = postgres_rows_step(rows);
  uint64_t version = is_known ? postgres_rows_count(rows, 0, 0) : 0;
  if (!postgres_rows_finish(rows))
    return false;
  if (version > FLEET_VERSION)
    problem_error(fleet->problems,
                  "%s: %s: its tables are of version %llu, and this reticle knows version %d: use "
                  "a newer reticle",
                  fleet->command, fleet->shown, (unsigned long long)version, FLEET_VERSION);
  else if (version < FLEET_VERSION)
    problem_error(
        fleet->problems,
        "%s: %s: its tables are of version %llu, and this reticle needs version %d: their "
        "owner types reticle push --set-up URL, which keeps what is in them",
        fleet->command, fleet->shown, (unsigned long long)version, FLEET_VERSION);
  return version == FLEET_VERSION;
}

bool fleet_open(const char *command, const struct postgres_url *url, double patience_s,
                struct fleet *out, struct problems *problems) {
  *out = (struct fleet){.command = command, .problems = problems, .shown = url->shown};
  if (!postgres_is_built()) {
    fleet_say(out, "");
    return false;
  }
  double start_s = fleet_now_s();
  for (unsigned attempt = 1;; attempt++) {
    out->postgres = postgres_open(url->url);
    if (!postgres_problem(out->postgres) && check_version(out))
      return true;
    if (!postgres_problem(out->postgres))
      return false; // it was said
    if (!postgres_is_passing(out->postgres) || !fleet_wait(attempt, start_s, patience_s)) {
      fleet_say(out, "");
      return false;
    }
    // A mistake in the URL may look like a server that is away.
    if (attempt == 1)
      problem_note(problems, "%s: %s: %s; tried again for %.0f s", command, url->shown,
                   postgres_problem(out->postgres), patience_s);
    postgres_close(out->postgres);
    out->postgres = NULL;
  }
}

void fleet_close(struct fleet *fleet) {
  if (fleet->postgres)
    postgres_close(fleet->postgres);
  *fleet = (struct fleet){0};
}

bool fleet_begin_reading(struct fleet *fleet) {
  if (postgres_run(fleet->postgres, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
    return true;
  fleet_say(fleet, "");
  return false;
}
