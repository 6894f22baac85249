// out.h - the name of a profile where none was given, or the given one can't be written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_OUT_H
#define RETICLE_OUT_H

/// As option out has it; with the letters of that option.
#define RETICLE_OUT_DEFAULT "reticle.%e.%p.prof"

#endif
