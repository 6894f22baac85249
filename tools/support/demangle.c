// demangle.c - calls __cxa_demangle, and drops return types and parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // asprintf
#include "tools/support/demangle.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Of the C++ runtime. Source: Itanium C++ ABI, 3.4 "Demangler API".
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/// A copy without the number of a module that ThinLTO puts behind what other modules may call:
/// "work.llvm.4711.cold" becomes "work.cold".
static char *without_module(const char *linkage_name) {
  static const char module[] = ".llvm.";
  char *name = strdup(linkage_name), *at = name ? strstr(name, module) : NULL;
  size_t length = at ? sizeof module - 1 : 0, digits = at ? strspn(at + length, "0123456789") : 0;
  if (digits && (!at[length + digits] || at[length + digits] == '.'))
    memmove(at, at + length + digits, strlen(at + length + digits) + 1);
  return name;
}

/// What a compiler puts behind a name (".cold", ".part.0") is a mistake to the demangler, unless
/// the name has parameters. It stays behind names of C++; those of Rust are demangled without.
static char *demangle_cloned(char *linkage_name) {
  int status;
  char *suffix = strchr(linkage_name, '.'), *whole = NULL;
  if (!suffix)
    return NULL;
  *suffix = 0;
  char *name = __cxa_demangle(linkage_name, NULL, NULL, &status);
  *suffix = '.';
  if (!name || demangle_rust(name) || asprintf(&whole, "%s%s", name, suffix) < 0)
    return name;
  free(name);
  return whole;
}

char *demangle(const char *linkage_name) {
  int status;
  char *plain = without_module(linkage_name), *name = NULL;
  if (plain && strncmp(plain, "_Z", 2) == 0)
    name = __cxa_demangle(plain, NULL, NULL, &status);
  else if (plain)
    name = demangle_fortran(plain);
  if (name)
    demangle_rust(name);
  else if (plain && strncmp(plain, "_Z", 2) == 0)
    name = demangle_cloned(plain);
  if (!name)
    return plain;
  free(plain);
  return name;
}

static int starts_with(const char *string, const char *prefix) {
  return strncmp(string, prefix, strlen(prefix)) == 0;
}

/// Templates are demangled with their return type in front: takes it off.
static void drop_return_type(char *name) {
  int depth = 0;
  if (strstr(name, "operator"))
    return; // "operator new", "operator bool"
  for (char *at = name + strlen(name); at > name; at--) {
    depth += (at[-1] == '>' || at[-1] == ')') - (at[-1] == '<' || at[-1] == '(');
    if (at[-1] == ' ' && !depth) {
      memmove(name, at, strlen(at) + 1);
      return;
    }
  }
}

/// True if the word "operator" stands at `at`, and is no part of a longer name.
static int is_operator(const char *name, const char *at) {
  int inside = at > name && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
  char next = at[strlen("operator")];
  return !inside && !isalnum((unsigned char)next) && next != '_';
}

static void drop_parameters(char *name) {
  int angles = 0;
  for (char *at = name; *at; at++) {
    if (starts_with(at, "(anonymous namespace)")) {
      at += strlen("(anonymous namespace)") - 1;
    } else if (starts_with(at, "operator") && is_operator(name, at)) {
      // The operator's own signs: <, <<, <=>, (), ->.
      at += strlen("operator");
      if (starts_with(at, "()"))
        at += 2;
      else
        at += strspn(at, "<>=-");
      at--;
    } else if (*at == '<') {
      angles++;
    } else if (*at == '>') {
      angles--;
    } else if (*at == '(' && angles == 0 && at > name) {
      // "f(int)::{lambda(int)#1}::operator()": a local name goes on behind the list.
      int depth = 0;
      char *end = at;
      do {
        depth += (*end == '(') - (*end == ')');
        end++;
      } while (*end && depth);
      if (strstr(end, "::")) {
        at = end - 1;
        continue;
      }
      *at = 0;
      return;
    }
  }
}

void demangle_shorten(char *name) {
  drop_parameters(name);
  drop_return_type(name);
}
