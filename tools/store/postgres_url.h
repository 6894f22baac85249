// postgres_url.h - operands that name runs in a database: a URL, and behind "#" which runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_POSTGRES_URL_H
#define RETICLE_TOOLS_STORE_POSTGRES_URL_H

#include "tools/support/problem.h"

#include <stdbool.h>
#include <stddef.h>

/// Whether an operand names a database: postgresql://... or postgres://...
bool postgres_url_is(const char *operand);

/// What stands behind "#", a part for each key.
enum chosen_key {
  CHOSEN_RUN,     ///< start of its id
  CHOSEN_PROGRAM, ///< name without folders
  CHOSEN_COMMIT,  ///< start of it
  CHOSEN_BUILD,   ///< start of the build id
  CHOSEN_LABEL,
  CHOSEN_HOST,
  CHOSEN_JOB,
  CHOSEN_SINCE, ///< a time as PostgreSQL reads it
  CHOSEN_UNTIL,
  CHOSEN_LAST, ///< so many, the newest ones
  CHOSEN_KEYS,
};

/// Name of a key as it is typed.
const char *chosen_key_name(enum chosen_key key);

/// An operand taken apart. Start with postgres_url_parse, end with postgres_url_release.
struct postgres_url {
  char *url;                 ///< for libpq
  char *shown;               ///< all of it without the password
  char *chosen[CHOSEN_KEYS]; ///< null: any
};

/// Takes `postgresql://...#KEY=VALUE,KEY=VALUE` apart; values are as in URLs ("%2C" is a comma).
///
/// command  named in messages
///
/// Returns false after saying what is wrong; `out` can be released in any case.
bool postgres_url_parse(const char *command, const char *operand, struct postgres_url *out,
                        struct problems *problems);
void postgres_url_release(struct postgres_url *url);

/// The password in a URL as it is meant, to be freed; null: there is none.
char *postgres_url_password(const char *url);

/// The text with "***" for the password, to be freed.
///
/// password  null: none
char *postgres_url_without(const char *text, const char *password);

/// Overwrites passwords in the arguments of the process, so that `ps` doesn't show it.
///
/// argv  [argc]; arguments with a password become copies, which live as long as the process
void postgres_url_hide_all(int argc, char **argv);

#endif
