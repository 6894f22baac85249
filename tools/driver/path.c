// path.c - wrappers of malloc, printf and stat for the driver; failure ends it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/path.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *driver_name = "reticle-clang";

void *driver_allocate(size_t bytes) {
  void *memory = calloc(1, bytes);
  if (!memory)
    driver_fail("no memory for %zu bytes; end other programs or raise ulimit -v", bytes);
  return memory;
}

char *driver_format(const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (length < 0)
    driver_fail("no memory for a string; end other programs or raise ulimit -v");
  return text;
}

void driver_fail(const char *format, ...) {
  char message[4096];
  int used = snprintf(message, sizeof message, "%s: error: ", driver_name);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message + used, sizeof message - (size_t)used - 1, format, arguments);
  va_end(arguments);
  strcat(message, "\n");
  // Parallel builds share stderr: one write keeps the line whole. Nothing can be reported if it
  // fails.
  ssize_t written = write(STDERR_FILENO, message, strlen(message));
  (void)written;
  exit(1);
}

const char *path_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

char *path_directory(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    return driver_format(".");
  return driver_format("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

char *path_self(void) { return realpath("/proc/self/exe", NULL); }

bool path_exists(const char *path) { return access(path, F_OK) == 0; }

static bool is_program(const char *path) {
  struct stat there, self;
  if (stat(path, &there) != 0 || !S_ISREG(there.st_mode) || access(path, X_OK) != 0)
    return false;
  return stat("/proc/self/exe", &self) != 0 || there.st_dev != self.st_dev ||
         there.st_ino != self.st_ino;
}

char *path_program(const char *name) {
  if (strchr(name, '/'))
    return is_program(name) ? driver_format("%s", name) : NULL;
  const char *directory = getenv("PATH");
  if (!directory)
    directory = "/usr/local/bin:/usr/bin:/bin";
  for (;;) {
    size_t length = strcspn(directory, ":");
    // An empty entry of PATH is the current directory.
    char *path = length ? driver_format("%.*s/%s", (int)length, directory, name)
                        : driver_format("./%s", name);
    if (is_program(path))
      return path;
    if (!directory[length])
      return NULL;
    directory += length + 1;
  }
}
