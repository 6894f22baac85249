// page_file.h - an HTML page into a file, whole or not at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_PAGE_FILE_H
#define RETICLE_TOOLS_CMD_PAGE_FILE_H

#include "tools/support/text.h"

#include <stdbool.h>

/// Writes the page and says where it is, or why it isn't. command: named in both messages
bool page_file_write(const char *command, const char *path, const struct text *page);

#endif
