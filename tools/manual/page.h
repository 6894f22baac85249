// page.h - the manual pages, each as the text of a file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MANUAL_PAGE_H
#define RETICLE_TOOLS_MANUAL_PAGE_H

#include "tools/support/text.h"
#include "tools/ui/options.h"

/// reticle-NAME(1), of one command.
void page_add_command(const struct command *command, struct text *out);

/// reticle(1), which lists the commands.
void page_add_reticle(struct text *out);

/// reticle-options(7), of RETICLE_OPTIONS.
void page_add_options(struct text *out);

/// reticle-clang(1), of the compiler.
void page_add_clang(struct text *out);

/// reticle-flang(1), of the compiler for Fortran.
void page_add_flang(struct text *out);

/// The section EXIT STATUS of a command, or of all of them for null.
void page_add_status(const struct command *command, struct text *out);

#endif
