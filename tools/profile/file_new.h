// file_new.h - a file that appears whole, and in nobody else's place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_FILE_NEW_H
#define RETICLE_TOOLS_PROFILE_FILE_NEW_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct file_new {
  FILE *stream;
  char *path, *temporary; ///< null: what is there is written to, as it is no regular file
  mode_t mode;            ///< when it is whole; 0600 until then
};

/// Opens a new file with a name of its own beside `path`, whose mode it gets, or that of new files.
/// What isn't regular is opened as it is: pipes with a reader (else ENXIO), devices. /dev/stdout
/// and the like go on where they are. Links of this user's and of root's are followed; those of
/// others may be traps (ELOOP), and files and pipes of others stay as they are (EPERM).
///
/// Returns 0 or errno.
int file_new_open(const char *path, struct file_new *out);

/// Closes it and gives it the name, in the place of what is there; if it failed, or `failed` says
/// so, it goes. A hard link elsewhere keeps what it had.
///
/// Returns 0 or errno: `failed` if that was set.
int file_new_close(struct file_new *file, int failed);

/// What such an errno means, and what to do.
const char *file_new_reason(int failed);

/// Opens what is written as it comes, creating it where needed: as above, but a regular file is
/// opened to be read, too, and must have no other name (EPERM). What isn't regular can't be read.
///
/// empty  what is in it goes
///
/// Returns null with errno.
FILE *file_open_in_place(const char *path, bool empty);

#endif
