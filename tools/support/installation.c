// installation.c - the folder of plug-ins and runtimes beside this program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/support/installation.h"

#include <string.h>
#include <unistd.h>

bool installation_add_library(struct text *out) {
  char executable[4096];
  ssize_t length = readlink("/proc/self/exe", executable, sizeof(executable) - 1);
  if (length <= 0)
    return false;
  executable[length] = 0;
  for (int i = 0; i < 2; i++) {
    char *slash = strrchr(executable, '/');
    if (!slash)
      return false;
    *slash = 0;
  }
  text_printf(out, "%s/lib/reticle", executable);
  return true;
}
