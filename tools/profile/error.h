// error.h - what can go wrong with a profile, and the sentence that says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_ERROR_H
#define RETICLE_TOOLS_PROFILE_ERROR_H

/// Results of library functions: 0 is success, below 0 an error, each with its cause.
enum reticle_error {
  RETICLE_E_OPEN = -1,      ///< no such file, no permission, or a directory
  RETICLE_E_READ = -2,      ///< the system failed while reading
  RETICLE_E_WRITE = -3,     ///< the system failed while writing: no space, no permission
  RETICLE_E_MEMORY = -4,    ///< no memory
  RETICLE_E_EMPTY = -5,     ///< the file has no bytes
  RETICLE_E_FOREIGN = -6,   ///< the magic is that of something else
  RETICLE_E_ENDIAN = -7,    ///< written on a machine of the other byte order
  RETICLE_E_VERSION = -8,   ///< written by a newer format than this program knows
  RETICLE_E_TRUNCATED = -9, ///< something ends behind the end of the file
  RETICLE_E_CHECKSUM = -10, ///< bytes differ from those that were written
  RETICLE_E_DAMAGED = -11,  ///< a count, an index or an offset makes no sense
  RETICLE_E_SYNTAX = -12,   ///< the text form breaks its grammar
  RETICLE_E_LIMIT = -13,    ///< more than the format can hold, or than is read
  RETICLE_E_VALUE = -14,    ///< a number is not finite, or outside of what the function takes
};

/// One failure, in words.
struct profile_error {
  enum reticle_error code;
  /// One line without "reticle: error: " and without a newline: file first, then what is wrong,
  /// with have and need, then the fix. Always terminated; cut off when longer.
  char text[1024];
};

/// Fills in an error.
///
/// error   may be null: nothing is written then
/// code    also the result
///
/// Returns code, so that `return profile_fail(error, ...)` ends a function.
int profile_fail(struct profile_error *error, enum reticle_error code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
