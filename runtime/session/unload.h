// unload.h - a library that carries the runtime is closed, and the process goes on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_UNLOAD_H
#define RETICLE_RUNTIME_SESSION_UNLOAD_H

/// Looks whether the end of the library is that of the process. Once, at the start.
void rrt_unload_watch(void);

/// Last of all, behind rrt_session_finish: where the process goes on, all memory of the runtime is
/// unmapped, and profiles of this library's earlier times in the process are kept as those of
/// children are. At the end of the process nothing happens.
void rrt_unload(void);

#endif
