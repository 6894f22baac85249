// pressure.h - what cgroup quotas, other programs and the kernel took from the process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/decisions/0040. Of the cgroup or the machine as a whole: cpu.stat, /proc/pressure,
// /proc/stat, /proc/vmstat, read without privileges. What can't be read is UINT64_MAX with an
// errno.
#ifndef RETICLE_RUNTIME_FEATURE_ACCOUNT_PRESSURE_H
#define RETICLE_RUNTIME_FEATURE_ACCOUNT_PRESSURE_H

#include "include/reticle/abi.h"

#include <stddef.h>

/// What was before doesn't count; at the first call. Needs the drain lock.
void rrt_pressure_watch(void);

/// Since the first look. Needs the drain lock.
///
/// elapsed_ticks  of this checkpoint
void rrt_pressure_read(uint64_t elapsed_ticks, struct reticle_file_pressure *out);

/// Time that the hypervisor gave others since boot, in 1/100 s, at the last look. 0 or -errno.
int rrt_pressure_stolen(uint64_t *out);

/// Where the files of the process's cgroup lie.
///
/// cgroup  text of /proc/self/cgroup
/// out     the folder; where there is a cpu controller of version 1, its
/// root_length  characters of it that are where the hierarchy is mounted
/// 0, or -ENOENT: no line has it, or the path is too long
int rrt_pressure_parse_cgroup(const char *cgroup, char *out, size_t bytes, size_t *root_length);
/// The number behind `key` and blanks, '=' or ':' in a line that starts with `line`. 0, or
/// -ENODATA.
int rrt_pressure_parse(const char *text, const char *line, const char *key, uint64_t *out);

#endif
