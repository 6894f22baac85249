// pprof.h - samples as a file for pprof; the one part that knows protobuf-c and zlib.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_EXPORT_PPROF_H
#define RETICLE_TOOLS_EXPORT_PPROF_H

#include "tools/model/sample/stacks.h"

/// False where Reticle was built without protobuf-c or zlib.
bool pprof_is_built(void);

/// Makes the file's bytes.
///
/// bytes  out: [*count], the caller frees them with free()
///
/// Returns 0, or -1 without memory or where pprof_is_built says no.
int pprof_encode(const struct stacks *stacks, unsigned char **bytes, size_t *count);

#endif
