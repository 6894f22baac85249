// maps.h - what is mapped into the process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SUPPORT_MAPS_H
#define RETICLE_RUNTIME_SUPPORT_MAPS_H

#include <stddef.h>
#include <stdint.h>

struct rrt_mapping {
  uint64_t low, high, offset;
  int is_code;      ///< may be executed
  const char *path; ///< of a file: starts with '/'; else "[vdso]", "" and so on
};

/// Calls `visit` with every mapping until it returns 1.
void rrt_maps_visit(int (*visit)(const struct rrt_mapping *, void *), void *context);

/// Where the module whose file header is mapped there was linked to, and its build id into the
/// string table. -1 if there is no ELF header.
///
/// bias      out: run-time less link-time addresses
/// build_id  out: in the string table, 0 if there is none
int rrt_maps_identify(const struct rrt_mapping *head, uint64_t *bias, uint32_t *build_id);

/// 1 if this copy of the runtime is the executable's own, so that only the end of the process can
/// take it away; 0 if it is in a library.
int rrt_maps_in_executable(void);

/// File name of the module that this copy of the runtime is in, without its folder; "" if unknown.
void rrt_maps_own_module(char *out, size_t bytes);

#endif
