// sysfs.c - a library to preload: one file of the kernel's says what a test wants it to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   SYSFS_FILE=/sys/devices/cpu_core/cpus SYSFS_TEXT=0-3 LD_PRELOAD=./sysfs.so reticle topdown ...
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FILE *fopen(const char *path, const char *mode) {
  FILE *(*real)(const char *, const char *) = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
  const char *file = getenv("SYSFS_FILE"), *text = getenv("SYSFS_TEXT");
  if (file && text && strcmp(path, file) == 0)
    return fmemopen((void *)text, strlen(text), "r");
  return real(path, mode);
}
