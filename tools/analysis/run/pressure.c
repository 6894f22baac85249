// pressure.c - what cgroup quotas, other programs and the kernel took while a program ran.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/run/pressure.h"

#include <errno.h>

static const char *const no_file = "the file of the kernel's could not be read";

static const char *quota_reason(uint32_t error) {
  return error == ENOENT ? "no cgroup files are here" : no_file;
}

static const char *pressure_reason(uint32_t error) {
  switch (error) {
  case ENOENT:
    return "the kernel was built without pressure (CONFIG_PSI)";
  case EOPNOTSUPP:
    return "the kernel was started without pressure (psi=1 turns it on)";
  default:
    return no_file;
  }
}

static struct quantity time_of(uint64_t ns, const char *reason) {
  double value = (double)ns;
  return ns == UINT64_MAX ? quantity_none(QUANTITY_UNSUPPORTED, reason)
                          : quantity_of(value, value, value);
}

/// Why the profile doesn't say; null where it does.
static const char *gap(const struct profile *profile) {
  if (profile_is_epochs_alone(profile))
    return "closed epochs alone: what went on beside is in the run's own file";
  if (profile->env.timer_flags & RETICLE_TIMER_SCRIPTED)
    return "the clock is a test's";
  if (profile->pressure_count != 1)
    return "not measured by this version of the runtime";
  if (profile->pressure->wall_ticks != profile->env.elapsed_ticks)
    return "not measured in all of the merged runs";
  return NULL;
}

struct pressure pressure_of(const struct profile *profile) {
  const char *none = gap(profile);
  struct pressure out = {.no_throttled = none, .no_memory = none};
  if (none) {
    out.throttled_ns = out.quota = out.cpu_ns = out.memory_ns = out.io_ns = out.interrupt_ns =
        quantity_none(QUANTITY_UNSUPPORTED, none);
    return out;
  }
  const struct profile_pressure *from = profile->pressure;
  out.throttled_ns = time_of(from->throttled_ns, quota_reason(from->quota_error));
  if (from->throttled == UINT64_MAX)
    out.no_throttled = quota_reason(from->quota_error);
  else
    out.throttled = from->throttled;
  double quota = (double)from->quota_ppm / 1e6;
  out.quota = from->quota_ppm
                  ? quantity_of(quota, quota, quota)
                  : quantity_none(QUANTITY_UNSUPPORTED,
                                  out.no_throttled ? out.no_throttled : "no quota is set");
  const char *reason = pressure_reason(from->pressure_error);
  out.cpu_ns = time_of(from->cpu_ns, reason);
  out.memory_ns = time_of(from->memory_ns, reason);
  out.io_ns = time_of(from->io_ns, reason);
  out.interrupt_ns = time_of(from->interrupt_ns, no_file);
  if (from->huge_pages == UINT64_MAX) {
    out.no_memory = from->memory_error == ENODATA ? "the kernel has no huge pages" : no_file;
    return out;
  }
  out.huge_pages = from->huge_pages;
  out.huge_misses = from->huge_misses;
  out.compactions = from->compactions;
  return out;
}
