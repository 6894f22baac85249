// installation.h - where this program is installed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_SUPPORT_INSTALLATION_H
#define RETICLE_TOOLS_SUPPORT_INSTALLATION_H

#include "tools/support/text.h"

#include <stdbool.h>

/// Adds PREFIX/lib/reticle, as this program lies in PREFIX/bin. False if that can't be found out.
bool installation_add_library(struct text *out);

#endif
