// papi.c - the timer of the library PAPI, found at run time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/papi.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

long long (*harness_papi_real_ns)(void);

// The library refuses another version than its own in the first two of four bytes, and there is no
// function that says which it is: the file name does, and the header of each has major.minor.
static int start(void *library, int major) {
  int (*init)(int) = (int (*)(int))dlsym(library, "PAPI_library_init");
  harness_papi_real_ns = (long long (*)(void))dlsym(library, "PAPI_get_real_nsec");
  if (!init || !harness_papi_real_ns)
    return -1;
  for (int minor = 0; minor < 10; minor++) {
    int version = major << 24 | minor << 16;
    if (init(version) > 0)
      return 0;
  }
  return -1;
}

const char *harness_papi_open(void) {
  static const char not_installed[] = "not installed (Debian: package libpapi-dev)";
  static char found[96];
  for (int major = 9; major >= 5; major--) {
    char name[32];
    snprintf(name, sizeof(name), "libpapi.so.%d", major);
    void *library = NULL;
    for (int minor = -1; minor < 10 && !library; minor++) {
      if (minor >= 0)
        snprintf(name, sizeof(name), "libpapi.so.%d.%d", major, minor);
      library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (!library)
      continue;
    if (start(library, major) == 0)
      return NULL;
    snprintf(found, sizeof(found), "%s is there but doesn't start (papi_avail says why)", name);
    return found;
  }
  return not_installed;
}
