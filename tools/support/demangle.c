// demangle.c - calls __cxa_demangle, and drops return types and parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/support/demangle.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/// Of the C++ runtime. Source: Itanium C++ ABI, 3.4 "Demangler API".
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

char *demangle(const char *linkage_name) {
  int status;
  char *name = strncmp(linkage_name, "_Z", 2) == 0
                   ? __cxa_demangle(linkage_name, NULL, NULL, &status)
                   : demangle_fortran(linkage_name);
  if (!name)
    return strdup(linkage_name);
  demangle_rust(name);
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
