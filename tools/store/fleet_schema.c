// fleet_schema.c - the tables, which are in the program, and bringing a database to them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/fleet.h"

#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

// In their order: file N makes version N of version N - 1. What is released stays as it is.
__asm__(".section .rodata\n"
        "fleet_sql_1: .incbin \"" RETICLE_FLEET_FOLDER "/001_tables.sql\"\n .byte 0\n"
        "fleet_sql_2: .incbin \"" RETICLE_FLEET_FOLDER "/002_views.sql\"\n .byte 0\n"
        ".previous\n");
extern const char fleet_sql_1[] __attribute__((visibility("hidden")));
extern const char fleet_sql_2[] __attribute__((visibility("hidden")));
static const char *const files[FLEET_VERSION] = {fleet_sql_1, fleet_sql_2};

/// One at a time, for whoever migrates; the number is ours by chance.
#define LOCK "SELECT pg_advisory_xact_lock(7306369, 0)"

static int number_of(struct postgres *postgres, const char *sql) {
  struct postgres_rows *rows = postgres_query(postgres, sql, NULL, 0);
  int number = postgres_rows_step(rows) ? (int)postgres_rows_count(rows, 0, 0) : 0;
  postgres_rows_finish(rows);
  return number;
}

/// Version 0 is a database without our tables.
static int version_of(struct postgres *postgres) {
  if (!number_of(postgres, "SELECT (to_regclass('reticle.version') IS NOT NULL)::int"))
    return 0;
  return number_of(postgres, "SELECT max(version) FROM reticle.version");
}

static bool is_utf8(struct fleet *fleet) {
  if (number_of(fleet->postgres, "SELECT (current_setting('server_encoding') = 'UTF8')::int"))
    return true;
  if (!postgres_problem(fleet->postgres))
    problem_error(
        fleet->problems,
        "%s: %s: the database's encoding isn't UTF8, which names of functions need: CREATE "
        "DATABASE ... ENCODING 'UTF8' TEMPLATE template0",
        fleet->command, fleet->shown);
  return false;
}

static bool bring_up(struct fleet *fleet, int from) {
  bool fine = true;
  for (int version = from; fine && version < FLEET_VERSION; version++) {
    struct text note = {0};
    text_format(&note, "INSERT INTO reticle.version(version) VALUES(%d)", version + 1);
    fine = postgres_run(fleet->postgres, files[version]) &&
           postgres_run(fleet->postgres, text_get(&note));
    text_release(&note);
  }
  return fine && postgres_run(fleet->postgres, "COMMIT");
}

bool fleet_set_up(const char *command, const struct postgres_url *url, int *from,
                  struct problems *problems) {
  struct fleet fleet = {.command = command, .problems = problems, .shown = url->shown};
  if (!postgres_is_built()) {
    fleet_say(&fleet, "");
    return false;
  }
  fleet.postgres = postgres_open(url->url);
  bool fine = postgres_run(fleet.postgres, "BEGIN") && postgres_run(fleet.postgres, LOCK) &&
              is_utf8(&fleet);
  *from = fine ? version_of(fleet.postgres) : 0;
  if (fine && *from > FLEET_VERSION) {
    problem_error(problems,
                  "%s: %s: its tables are of version %d, and this reticle knows version %d: use a "
                  "newer reticle",
                  command, url->shown, *from, FLEET_VERSION);
    fine = false;
  }
  fine = fine && bring_up(&fleet, *from);
  if (postgres_problem(fleet.postgres)) {
    if (strcmp(postgres_state(fleet.postgres), "42501") == 0)
      problem_error(problems,
                    "%s: %s: %s; who sets up needs CREATE on the database and CREATEROLE: take the "
                    "database's owner, or have an administrator CREATE ROLE reticle_writer and "
                    "reticle_reader first",
                    command, url->shown, postgres_problem(fleet.postgres));
    else
      fleet_say(&fleet, "");
  }
  fleet_close(&fleet);
  return fine;
}
