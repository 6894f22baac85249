// messages.h - what the tools say on stderr: one line, one write, the fix in the same line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_SUPPORT_MESSAGES_H
#define RETICLE_TOOLS_SUPPORT_MESSAGES_H

/// Prints "reticle: error: ...". Object first, lower case, have/need numbers, then the fix.
void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Prints "reticle: warning: ...".
void message_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Prints "reticle: ...": what is being done, where that is not obvious.
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
