// postgres_url.c - takes URLs apart without libpq, whose messages would repeat a password.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/postgres_url.h"

#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[CHOSEN_KEYS] = {"run",  "program", "commit", "build", "label",
                                              "host", "job",     "since",  "until", "last"};

const char *chosen_key_name(enum chosen_key key) { return keys[key]; }

bool postgres_url_is(const char *operand) {
  return strncmp(operand, "postgresql://", 13) == 0 || strncmp(operand, "postgres://", 11) == 0;
}

// --- the password

struct span {
  const char *at;
  size_t length;
};

/// Where the passwords of a URL stand: behind the user, and as a parameter. Returns how many, at
/// most 2.
static size_t find_passwords(const char *url, struct span *out) {
  size_t count = 0;
  const char *user = strstr(url, "://");
  if (!user)
    return 0;
  user += 3;
  // A password may hold what should have been escaped; what is in front of the last "@" of the
  // authority is no host.
  const char *end = user + strcspn(user, "?#");
  const char *at = NULL;
  for (const char *c = user; c < end; c++)
    at = *c == '@' ? c : at;
  if (!at) // it may have a "?", "/" or "#" that should have been escaped: rather too much is hidden
    at = strrchr(user, '@');
  const char *colon = at ? memchr(user, ':', (size_t)(at - user)) : NULL;
  if (colon)
    out[count++] = (struct span){colon + 1, (size_t)(at - colon - 1)};
  for (const char *c = strchr(url, '?'); c && count < 2; c = strpbrk(c + 1, "?&"))
    if (strncmp(c + 1, "password=", 9) == 0 && (!count || c + 10 > out[0].at + out[0].length))
      out[count++] = (struct span){c + 10, strcspn(c + 10, "&#")};
  return count;
}

static int hex(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/// Resolves "%2C". A NUL ends it.
static char *unescape(const char *text, size_t length) {
  char *out = memory_zeroed(length + 1, 1);
  size_t n = 0;
  for (size_t i = 0; i < length; i++) {
    bool is_escape =
        text[i] == '%' && length - i > 2 && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0;
    out[n++] = is_escape ? (char)(hex(text[i + 1]) * 16 + hex(text[i + 2])) : text[i];
    i += is_escape ? 2 : 0;
  }
  return out;
}

char *postgres_url_password(const char *url) {
  struct span spans[2];
  size_t count = find_passwords(url, spans);
  return count ? unescape(spans[count - 1].at, spans[count - 1].length) : NULL;
}

char *postgres_url_without(const char *text, const char *password) {
  struct text out = {0};
  size_t length = password ? strlen(password) : 0;
  for (const char *found; length && (found = strstr(text, password)); text = found + length) {
    text_add_bytes(&out, text, (size_t)(found - text));
    text_add(&out, "***");
  }
  text_add(&out, text);
  return out.data ? out.data : text_copy("");
}

/// The URL with "***" for its passwords.
static char *shown(const char *url) {
  struct span spans[2];
  struct text out = {0};
  size_t count = find_passwords(url, spans);
  const char *at = url;
  for (size_t i = 0; i < count; i++) {
    text_add_bytes(&out, at, (size_t)(spans[i].at - at));
    text_add(&out, "***");
    at = spans[i].at + spans[i].length;
  }
  text_add(&out, at);
  return out.data;
}

void postgres_url_hide_all(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    struct span spans[2];
    size_t count = postgres_url_is(argv[i]) ? find_passwords(argv[i], spans) : 0;
    if (!count)
      continue;
    char *copy = text_copy(argv[i]);
    for (size_t k = 0; k < count; k++)
      memset(argv[i] + (spans[k].at - argv[i]), '*', spans[k].length);
    argv[i] = copy;
  }
}

// --- which runs

static bool set(const char *command, const char *part, size_t length, struct postgres_url *out,
                struct problems *problems) {
  const char *equals = memchr(part, '=', length);
  size_t name = equals ? (size_t)(equals - part) : length;
  for (size_t k = 0; equals && k < CHOSEN_KEYS; k++) {
    if (strlen(keys[k]) != name || strncmp(keys[k], part, name) != 0)
      continue;
    free(out->chosen[k]);
    out->chosen[k] = unescape(equals + 1, length - name - 1);
    return true;
  }
  struct text list = {0};
  if (memchr(part, '@', length)) {
    problem_error(problems,
                  "%s: the URL has # in front of @: in a user's name or password write %%23 for #, "
                  "or leave the password out and use PGPASSFILE",
                  command);
    return false;
  }
  for (size_t k = 0; k < CHOSEN_KEYS; k++)
    text_format(&list, "%s%s", k ? ", " : "", keys[k]);
  problem_error(
      problems,
      "%s: '%.*s' behind # says nothing: put KEY=VALUE there, divided by commas; keys are "
      "%s",
      command, (int)length, part, text_get(&list));
  text_release(&list);
  return false;
}

static bool check_last(const char *command, const char *last, struct problems *problems) {
  char *end;
  unsigned long count = last ? strtoul(last, &end, 10) : 1;
  if (count && count < 1000000000 && (!last || (!*end && *last != '-')))
    return true;
  problem_error(problems, "%s: 'last=%s' behind # takes a number of runs, from 1", command, last);
  return false;
}

bool postgres_url_parse(const char *command, const char *operand, struct postgres_url *out,
                        struct problems *problems) {
  const char *chosen = strchr(operand, '#');
  size_t length = chosen ? (size_t)(chosen - operand) : strlen(operand);
  *out = (struct postgres_url){.url = memory_zeroed(length + 1, 1), .shown = shown(operand)};
  memcpy(out->url, operand, length);
  bool fine = true;
  for (const char *part = chosen ? chosen + 1 : ""; fine && *part;) {
    size_t size = strcspn(part, ",");
    fine = set(command, part, size, out, problems);
    part += size + (part[size] == ',');
  }
  return fine && check_last(command, out->chosen[CHOSEN_LAST], problems);
}

void postgres_url_release(struct postgres_url *url) {
  if (url->url)
    explicit_bzero(url->url, strlen(url->url));
  free(url->url);
  free(url->shown);
  for (size_t k = 0; k < CHOSEN_KEYS; k++)
    free(url->chosen[k]);
  *url = (struct postgres_url){0};
}
