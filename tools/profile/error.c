// error.c - makes the sentence, with names escaped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/error.h"

#include <stdarg.h>
#include <stdio.h>

int profile_fail(struct profile_error *error, enum reticle_error code, const char *format, ...) {
  if (error) {
    error->code = code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
  }
  return code;
}
