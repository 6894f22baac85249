// libpq.h - libpq, which is loaded once a database is named.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With the 25 libraries that it needs it took two thirds of the time in which each command starts
// (17 ms, then 6), also of those that run at the exit of a program.
#ifndef RETICLE_TOOLS_STORE_LIBPQ_H
#define RETICLE_TOOLS_STORE_LIBPQ_H

#include <libpq-fe.h>

/// What is used of it.
#define LIBPQ_FUNCTIONS(FUNCTION)                                                                  \
  FUNCTION(PQclear)                                                                                \
  FUNCTION(PQconnectdbParams)                                                                      \
  FUNCTION(PQconnectionNeedsPassword)                                                              \
  FUNCTION(PQconninfoFree)                                                                         \
  FUNCTION(PQconninfoParse)                                                                        \
  FUNCTION(PQerrorMessage)                                                                         \
  FUNCTION(PQexec)                                                                                 \
  FUNCTION(PQfinish)                                                                               \
  FUNCTION(PQfreemem)                                                                              \
  FUNCTION(PQgetResult)                                                                            \
  FUNCTION(PQgetisnull)                                                                            \
  FUNCTION(PQgetlength)                                                                            \
  FUNCTION(PQgetvalue)                                                                             \
  FUNCTION(PQnfields)                                                                              \
  FUNCTION(PQntuples)                                                                              \
  FUNCTION(PQputCopyData)                                                                          \
  FUNCTION(PQputCopyEnd)                                                                           \
  FUNCTION(PQreset)                                                                                \
  FUNCTION(PQresultErrorField)                                                                     \
  FUNCTION(PQresultStatus)                                                                         \
  FUNCTION(PQsendQueryParams)                                                                      \
  FUNCTION(PQsetErrorVerbosity)                                                                    \
  FUNCTION(PQsetNoticeProcessor)                                                                   \
  FUNCTION(PQsetSingleRowMode)                                                                     \
  FUNCTION(PQsocket)                                                                               \
  FUNCTION(PQstatus)

/// Its functions, by their own names.
struct libpq {
#define LIBPQ_MEMBER(name) __typeof__(&name) name;
  LIBPQ_FUNCTIONS(LIBPQ_MEMBER)
#undef LIBPQ_MEMBER
};

/// Loads it, at the first call. Returns null, or why it can't be, which the caller frees.
char *libpq_load(struct libpq *out);

#endif
