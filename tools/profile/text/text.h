// text.h - the text form of a profile: everything in it, for people, diff and tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   reticle-profile 1
//   [env]                         the chunk's name starts each record
//   start_time_s 1700000000
//   executable "/usr/bin/app"
//   [loops]
//   id 81985529216486895
//   ...
//   hist bucket samples weight    rows of the loop's own, columns as named
//   8 3 3
//   raw duration_ticks work when weight thread flags
//   17 100 0 1 0 0
//
// Positions and numbers of a loop's hist and raw entries follow from the rows and are left out.
// Field names come from abi.def. Numbers are decimal or 0x...; `max` is the largest value of the
// field's type. Text is quoted as in C. `#` starts a comment outside quotes.
#ifndef RETICLE_TOOLS_PROFILE_TEXT_TEXT_H
#define RETICLE_TOOLS_PROFILE_TEXT_TEXT_H

#include "tools/profile/profile.h"

/// Gives the text form: profile_text_decode makes the same profile of it.
///
/// text   gets a terminated string of *count bytes (terminator not counted); the caller frees it
///        with free(). Unchanged on error
///
/// Returns 0 or RETICLE_E_MEMORY.
int profile_text_encode(const struct profile *profile, char **text, size_t *count);

/// Reads the text form.
///
/// text   [count], need not be terminated; not referred to afterwards
/// name   what messages call it
/// out    the caller releases it. Unchanged on error
///
/// Returns 0, RETICLE_E_SYNTAX (the message names line and what was expected; a record without one
/// of its fields is a mistake too), RETICLE_E_VERSION or RETICLE_E_MEMORY.
int profile_text_decode(const char *text, size_t count, const char *name, struct profile *out,
                        struct profile_error *error);

#endif
