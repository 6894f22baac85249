// account.c - where the time of a run went, from chunk "account".
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/run/account.h"

#include <errno.h>
#include <math.h>

static const char *reason_of(uint32_t error) {
  switch (error) {
  case ENOTSUP:
    return "the kernel keeps no such times";
  case E2BIG:
    return "too many threads to look at each";
  case EAGAIN:
    return "the run was too short";
  case ERANGE:
    return "the kernel's count fell";
  default:
    return "/proc could not be read";
  }
}

static struct quantity time_of(uint64_t ns, uint32_t error) {
  double value = (double)ns;
  return ns == UINT64_MAX ? quantity_none(QUANTITY_UNSUPPORTED, reason_of(error))
                          : quantity_of(value, value, value);
}

static double value_or_0(struct quantity quantity) {
  return quantity.status == QUANTITY_OK ? quantity.value : 0;
}

/// What a wait adds to the kernel's count when it ends, it may have waited before: in an interval
/// between two checkpoints a thread can have waited for longer than that is.
static void fit(struct account *account) {
  double own = account->user_ns.value + account->system_ns.value + value_or_0(account->stopped_ns);
  struct quantity *threads = &account->threads_ns, *runnable = &account->runnable_ns;
  if (threads->status != QUANTITY_OK)
    return;
  if (threads->value < own)
    *threads = quantity_of(own, own, own);
  double room = threads->value - own;
  if (runnable->status == QUANTITY_OK && runnable->value > room) {
    *runnable = quantity_of(room, room, room);
    runnable->reason = "waits are counted as they end: some began before";
  }
}

/// The rest. What isn't known is in it, which its reason says.
static struct quantity blocked(const struct account *account) {
  if (account->threads_ns.status != QUANTITY_OK || account->runnable_ns.status != QUANTITY_OK)
    return account->threads_ns.status != QUANTITY_OK ? account->threads_ns : account->runnable_ns;
  double rest = account->threads_ns.value - account->user_ns.value - account->system_ns.value -
                account->runnable_ns.value - value_or_0(account->stopped_ns);
  rest = fmax(0, rest);
  struct quantity out = quantity_of(rest, rest, rest);
  if (account->stopped_ns.status != QUANTITY_OK)
    out.reason = "stopped time, which was not looked for, is in it";
  return out;
}

/// Why the profile doesn't say; null where it does.
static const char *gap(const struct profile *profile) {
  if (profile_is_epochs_alone(profile))
    return "closed epochs alone: times are in the run's own file";
  if (profile->env.timer_flags & RETICLE_TIMER_SCRIPTED)
    return "the clock is a test's";
  if (profile->account_count != 1)
    return "not measured by this version of the runtime";
  if (profile->account->wall_ticks != profile->env.elapsed_ticks)
    return "not measured in all of the merged runs";
  return NULL;
}

struct account account_of(const struct profile *profile, const struct overview *overview) {
  struct account out = {.no_counts = gap(profile)};
  if (out.no_counts) {
    struct quantity none = quantity_none(QUANTITY_UNSUPPORTED, out.no_counts);
    out.threads_ns = out.user_ns = out.system_ns = out.runnable_ns = out.blocked_ns = none;
    out.stolen_ns = out.fork_ns = out.fork_longest_ns = none;
    out.stopped_ns = overview->stopped_ns;
    return out;
  }
  const struct profile_account *from = profile->account;
  out.threads_ns = time_of(from->threads_ns, from->runnable_error);
  out.user_ns = time_of(from->user_ns, 0);
  out.system_ns = time_of(from->system_ns, 0);
  out.runnable_ns = time_of(from->runnable_ns, from->runnable_error);
  out.stopped_ns = !profile->env.stop_watch
                       ? quantity_none(QUANTITY_UNSUPPORTED, "stops were not looked for")
                       : time_of(from->stopped_ns, from->runnable_error);
  out.stolen_ns = from->stolen_ns == UINT64_MAX && from->stolen_error == ENOTSUP
                      ? quantity_none(QUANTITY_UNSUPPORTED, "the hypervisor tells none")
                      : time_of(from->stolen_ns, from->stolen_error);
  fit(&out);
  out.blocked_ns = blocked(&out);
  out.minor_faults = from->minor_faults;
  out.major_faults = from->major_faults;
  out.switches = from->waits + from->preemptions;
  out.preemptions = from->preemptions;
  out.has_migrations = from->migrations != UINT64_MAX;
  out.migrations = from->migrations;
  out.has_forks = from->counts_forks;
  out.forks = from->forks;
  const char *older = "not counted by this version of the runtime";
  out.fork_ns = out.fork_longest_ns = quantity_none(QUANTITY_UNSUPPORTED, older);
  if (out.has_forks) {
    out.fork_ns = time_of(from->fork_ns, 0);
    out.fork_longest_ns = time_of(from->fork_longest_ns, 0);
  }
  return out;
}
