// doctor_installation.c - what is installed beside this program, and compilers to use it with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/doctor/doctor.h"

#include "include/reticle/abi.h"
#include "tools/support/installation.h"
#include "tools/support/text.h"

#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char part[] = "installation";

/// Sets of LLVM majors are numbers here, a bit for each.
#define MAJORS_MAX 64

/// The number behind the prefix, where the suffix follows it; -1 if the name is another.
static int major_of(const char *name, const char *prefix, const char *suffix) {
  size_t length = strlen(prefix);
  if (strncmp(name, prefix, length) != 0)
    return -1;
  char *end;
  long number = strtol(name + length, &end, 10);
  bool fine = end != name + length && strcmp(end, suffix) == 0;
  return fine && number > 0 && number < MAJORS_MAX ? (int)number : -1;
}

/// Majors of all entries of the directory that look like PREFIX<major>SUFFIX.
static uint64_t scan(const char *directory, const char *prefix, const char *suffix) {
  uint64_t found = 0;
  DIR *stream = opendir(directory);
  struct dirent *entry;
  while (stream && (entry = readdir(stream))) {
    int major = major_of(entry->d_name, prefix, suffix);
    if (major > 0)
      found |= UINT64_C(1) << major;
  }
  if (stream)
    closedir(stream);
  return found;
}

static uint64_t find_clangs(void) {
  uint64_t found = 0;
  const char *path = getenv("PATH");
  for (const char *at = path ? path : ""; *at;) {
    size_t length = strcspn(at, ":");
    struct text directory = {0};
    text_add_bytes(&directory, at, length);
    found |= scan(text_get(&directory), "clang-", "");
    text_release(&directory);
    at += length + (at[length] == ':');
  }
  return found;
}

static void add_majors(struct text *out, uint64_t some) {
  for (unsigned i = 0; i < MAJORS_MAX; i++)
    if (some >> i & 1)
      text_printf(out, "%s%u", out->length ? ", " : "", i);
}

static bool has_file(const struct text *directory, const char *name) {
  struct text path = {0};
  text_format(&path, "%s/%s", text_get(directory), name);
  bool there = access(text_get(&path), R_OK) == 0;
  text_release(&path);
  return there;
}

static void check_compilers(uint64_t plugins, struct checks *checks) {
  uint64_t clangs = find_clangs();
  struct text have = {0}, usable = {0}, wanted = {0};
  add_majors(&have, clangs);
  add_majors(&usable, clangs & plugins);
  add_majors(&wanted, plugins);
  if (usable.length) {
    checks_add(checks, CHECK_OK, part, "clang", "in PATH: %s; with a plug-in: %s", text_get(&have),
               text_get(&usable));
  } else {
    checks_add(checks, CHECK_PROBLEM, part, "clang", "in PATH: %s; none has a plug-in",
               have.length ? text_get(&have) : "none");
    checks_remedy(checks, "install clang %s", wanted.length ? text_get(&wanted) : "19 or 22");
  }
  text_release(&have);
  text_release(&usable);
  text_release(&wanted);
}

void doctor_installation(struct checks *checks) {
  struct text directory = {0}, plugin_directory = {0}, list = {0};
  if (!installation_add_library(&directory)) {
    checks_add(checks, CHECK_NOTE, part, "files", "not looked for: /proc is not mounted");
    checks_remedy(checks, "mount -t proc proc /proc");
    return;
  }
  text_format(&plugin_directory, "%s/plugins", text_get(&directory));
  uint64_t plugins = scan(text_get(&plugin_directory), "ReticlePass-", ".so");
  add_majors(&list, plugins);
  bool shim = has_file(&directory, "reticle.so"), runtime = has_file(&directory, "libreticle_rt.a");
  if (shim && runtime && plugins) {
    checks_add(checks, CHECK_OK, part, "files", "reticle %s, plug-ins for clang %s, runtime (%s)",
               RETICLE_VERSION, text_get(&list), text_get(&directory));
  } else {
    checks_add(checks, CHECK_PROBLEM, part, "files", "missing in %s:%s%s%s", text_get(&directory),
               shim ? "" : " reticle.so", runtime ? "" : " libreticle_rt.a",
               plugins ? "" : " plugins/ReticlePass-<major>.so");
    checks_remedy(checks, "install all of Reticle: cmake --install BUILD");
  }
  check_compilers(plugins, checks);
  text_release(&directory);
  text_release(&plugin_directory);
  text_release(&list);
}
