// case.c - one execution of a loop, run again in children: as it is, and with its accesses moved.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   program --copy--> case --copy--> child: one form, run once or several times; then it is gone
//      |                |--copy--> child: ...
//      waits            waits for each
//
// A child begins with the values and the memory that the program has at the loop's entry. Its first
// run also pays for the fork: empty TLBs, and a page fault at each first store to a page. Its
// memory is its own (copy on write).
#include "runtime/feature/bound/case.h"

#include "runtime/probe/clock/timer.h"
#include "runtime/probe/loop.h"
#include "runtime/sys/copy.h"
#include "runtime/sys/sys.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>

#define MS UINT64_C(1000000)
#define ALL (UINT64_C(1) << 62)
enum {
  RUNS = 4,
  RUNS_MOST = 8, // of an execution that is over long before its child
  ROUNDS_MOST = 2,
  OUTCOMES = 1 << 25,
  PAGE = 4096,
  FIRST_BYTES = 4096,
  SECOND_BYTES = 128 * 1024,
  STORE_GAP = 2048 + 64 // stores don't lie where loads do, modulo 4 KB
};
/// An execution that takes longer than LONG_NS is cut to about CUT_NS.
#define LONG_NS (60 * MS)
#define CUT_NS (20 * MS)
#define QUICK_NS 100000
#define PART_NS 50000 ///< of an execution that can't come to its end here: a part that is worth it
#define SHORT_NS 1000 ///< what is timed around an execution takes some tens of ns
#define CASE_NS (5000 * MS)
#define FORM_NS (40 * MS) ///< for one form in a case

/// Where loads and stores go: behind each a page, as an access may cross an end.
struct room {
  uint8_t loads[SECOND_BYTES + PAGE], stores[SECOND_BYTES + 2 * PAGE];
};
struct run {
  uint64_t ticks, left;
  uint32_t is_done;
};
struct shared {
  struct rrt_case found;
  struct run runs[RUNS_MOST];
  uint64_t outcome_bytes[2]; ///< bytes that the last two recording runs wrote
  struct room rooms[2];      ///< of 4 KB and of 128 KB
  uint8_t outcomes[2][OUTCOMES];
};

static struct {
  struct shared *shared;
  uint64_t ticks_per_us;
  // In a child:
  struct reticle_bound_desc *site;
  uint32_t copy, run, runs;
  uint64_t begin_ticks;
} state;

int rrt_case_open(uint64_t ticks_per_us) {
  state.ticks_per_us = ticks_per_us;
  if (!state.shared)
    state.shared = rrt_sys_map_family(sizeof *state.shared);
  return state.shared ? 0 : -ENOMEM;
}

void rrt_case_forked(void) {
  if (state.shared)
    state.shared = rrt_sys_map_family(sizeof *state.shared);
}

int rrt_case_is_child(void) { return state.copy != 0; }

// --- in a child ----------------------------------------------------------------------------------

static void begin_run(struct reticle_bound_desc *site, uint64_t iterations) {
  uint32_t cpu;
  site->copy = state.copy;
  site->outcomes =
      state.shared->outcomes[state.copy == RETICLE_BOUND_RECORDING ? state.run & 1 : 0];
  site->iterations = iterations;
  state.begin_ticks = rrt_timer_begin(&cpu);
}

void rrt_case_next(struct reticle_bound_desc *site, uint64_t end_ticks) {
  if (site != state.site)
    return; // one in a function that the loop calls: itself
  struct run *r = &state.shared->runs[state.run];
  r->ticks = end_ticks - state.begin_ticks;
  r->left = site->left;
  if (state.copy == RETICLE_BOUND_RECORDING)
    state.shared->outcome_bytes[state.run & 1] =
        (uint64_t)((const uint8_t *)site->outcomes_end - (const uint8_t *)site->outcomes);
  r->is_done = 1;
  if (++state.run == state.runs)
    rrt_sys_exit_group(0);
  begin_run(site, site->iterations);
}

// --- in the case's process -----------------------------------------------------------------------

struct plan {
  uint32_t copy, runs;
  int room; ///< -1: no address is moved
  int moves_loads, moves_stores;
  uint64_t iterations, limit_ns;
};

static void set_addresses(struct reticle_bound_desc *site, const struct plan *p) {
  site->load_mask = site->store_mask = UINT64_MAX;
  site->load_base = site->store_base = 0;
  if (p->room < 0)
    return;
  uint64_t mask = (p->room ? SECOND_BYTES : FIRST_BYTES) - 1;
  struct room *room = &state.shared->rooms[p->room];
  if (p->moves_loads) {
    site->load_mask = mask;
    site->load_base = (uint64_t)(uintptr_t)room->loads;
  }
  if (p->moves_stores) {
    site->store_mask = mask;
    // One room for both: store-to-load forwarding stays as it was.
    site->store_base =
        p->moves_loads ? site->load_base : (uint64_t)(uintptr_t)room->stores + STORE_GAP;
  }
}

/// In a child: no probes, no system calls, bounded time.
static void become_child(struct reticle_bound_desc *site, const struct plan *p) {
  state.site = site;
  state.copy = p->copy;
  state.run = 0;
  state.runs = p->runs;
  rrt_probe.on = 0;
  set_addresses(site, p);
  rrt_sys_limit_copy(p->limit_ns, CASE_NS);
  if (rrt_sys_confine_copy() < 0)
    rrt_sys_exit_group(1);
  begin_run(site, p->iterations);
}

/// 1: we are its child. 0: *status is how it ended.
static int run_child(struct reticle_bound_desc *site, const struct plan *p, int *status) {
  rrt_zero(state.shared->runs, sizeof state.shared->runs);
  long pid = rrt_sys_copy();
  if (pid == 0) {
    become_child(site, p);
    return 1;
  }
  *status = pid < 0 ? 256 : rrt_sys_wait_copy(pid);
  return 0;
}

static void add_rows(const struct plan *p, uint32_t form, uint32_t child, int status) {
  struct rrt_case *found = &state.shared->found;
  for (uint32_t i = 0; i < p->runs && found->count < RRT_CASE_ROWS; i++) {
    const struct run *r = &state.shared->runs[i];
    struct reticle_file_boundtime *row = &found->rows[found->count++];
    rrt_zero(row, sizeof *row);
    row->form = form;
    row->child = child;
    row->run = i;
    row->status = (uint32_t)status;
    if (!r->is_done)
      return;
    row->ticks = r->ticks;
    row->iterations = p->iterations - r->left;
    row->flags = (r->left ? 0 : RETICLE_BOUND_CUT) |
                 (state.shared->outcome_bytes[0] ? RETICLE_BOUND_DECIDES : 0);
  }
}

static uint32_t reason_of(int status) {
  return status == SIGPROF || status == SIGALRM  ? RETICLE_BOUND_LONG
         : status >= 256                         ? RETICLE_BOUND_DENIED
         : status == SIGILL || status == SIGTRAP ? RETICLE_BOUND_CALLS // in place of one
                                                 : RETICLE_BOUND_FAULTS;
}

/// Where the case's process stands; every step may return in a child.
struct walk {
  struct reticle_bound_desc *site;
  uint64_t iterations; ///< of an execution: it is ended after so many
  uint64_t done;       ///< that one has had
  uint64_t run_ns;     ///< that it takes, about
  uint32_t child;
  int is_child;
};

/// One of its runs came to its end: what ended it came later.
static int has_first_run(void) { return state.shared->runs[0].is_done; }

static int walk_run(struct walk *w, const struct plan *p, int *status) {
  w->is_child = run_child(w->site, p, status);
  return w->is_child;
}

static uint64_t ns_of(uint64_t ticks) { return ticks * 1000 / state.ticks_per_us; }

/// How many iterations an execution may take. 0, or a reason.
static uint32_t find_length(struct walk *w) {
  struct plan p = {RETICLE_BOUND_PLAIN, 2, -1, 0, 0, ALL, 2 * LONG_NS};
  int status;
  if (walk_run(w, &p, &status))
    return 0;
  // The second run has no page faults of stores; of a loop that changes what it works on it may
  // fail.
  const struct run *r = &state.shared->runs[status ? 0 : 1];
  p.runs = 1;
  if (!status || has_first_run()) {
    w->iterations = ALL;
    w->done = ALL - r->left;
    w->run_ns = ns_of(r->ticks);
    return w->run_ns < SHORT_NS ? RETICLE_BOUND_SHORT : RETICLE_BOUND_DONE;
  }
  uint32_t reason = reason_of(status);
  if (reason == RETICLE_BOUND_DENIED)
    return reason;
  // Too long; or what it can't do here comes later than at its begin.
  r = &state.shared->runs[0];
  for (p.iterations = 1; p.iterations < ALL; p.iterations *= 4) {
    if (walk_run(w, &p, &status))
      return 0;
    if (status)
      break;
    uint64_t ns = ns_of(r->ticks), more = reason == RETICLE_BOUND_LONG ? CUT_NS / (ns + 1) + 1 : 1;
    w->iterations = w->done = p.iterations;
    w->run_ns = ns;
    if (ns * 8 < CUT_NS)
      continue;
    w->iterations *= more;
    w->done = w->iterations;
    w->run_ns *= more;
    return RETICLE_BOUND_DONE;
  }
  if (w->run_ns >= PART_NS)
    return RETICLE_BOUND_DONE;
  return status ? reason_of(status) : RETICLE_BOUND_LONG;
}

/// Records branch outcomes, and what is loaded into both rooms. 0, or a reason.
static uint32_t record(struct walk *w, int *is_repeated) {
  int status;
  for (int room = 0; room < 2; room++) {
    struct plan p = {RETICLE_BOUND_RECORDING,     room ? 1 : 2, room, 1, 0, w->iterations,
                     4 * LONG_NS + 20 * w->run_ns};
    if (walk_run(w, &p, &status))
      return 0;
    if (status && !has_first_run())
      return reason_of(status);
    const struct shared *s = state.shared;
    const struct run *r = s->runs;
    if (s->outcome_bytes[0] > OUTCOMES)
      return RETICLE_BOUND_LONG;
    if (room)
      continue;
    *is_repeated =
        r[1].is_done && s->outcome_bytes[0] == s->outcome_bytes[1] && r[0].left == r[1].left;
    for (uint64_t i = 0; i < s->outcome_bytes[0] && *is_repeated; i++)
      *is_repeated = s->outcomes[0][i] == s->outcomes[1][i];
  }
  return RETICLE_BOUND_DONE;
}

static const struct {
  uint32_t form, copy;
  int room, moves_loads, moves_stores;
} forms[] = {
    {RETICLE_BOUND_AS_IS, RETICLE_BOUND_PLAIN, -1, 0, 0},
    {RETICLE_BOUND_REPLAYED, RETICLE_BOUND_REPLAYING, -1, 0, 0},
    {RETICLE_BOUND_FIRST, RETICLE_BOUND_REPLAYING, 0, 1, 1},
    {RETICLE_BOUND_SECOND, RETICLE_BOUND_REPLAYING, 1, 1, 1},
    {RETICLE_BOUND_LOADS, RETICLE_BOUND_REPLAYING, 0, 1, 0},
    {RETICLE_BOUND_STORES, RETICLE_BOUND_REPLAYING, 0, 0, 1},
};
enum { FORMS = sizeof forms / sizeof *forms };

/// The last child's time, per run.
static uint64_t last_run_ns(void) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < RUNS_MOST; i++)
    most = state.shared->runs[i].ticks > most ? state.shared->runs[i].ticks : most;
  return ns_of(most);
}

/// Its shortest run behind the first, which has page faults of stores; all of them: it had one
/// alone.
static uint64_t last_shortest_ns(void) {
  uint64_t least = state.shared->runs[0].ticks;
  for (uint32_t i = 1; i < RUNS_MOST && state.shared->runs[i].is_done; i++)
    least = state.shared->runs[i].ticks < least ? state.shared->runs[i].ticks : least;
  return ns_of(least);
}

/// Each form in children of its own, in another order each round; what is quick more often. 0, or a
/// reason.
static uint32_t run_forms(struct walk *w, int is_repeated) {
  uint64_t spent_ns[FORMS] = {0}, run_ns[FORMS] = {0};
  for (uint32_t round = 0; round < ROUNDS_MOST; round++)
    for (uint32_t i = 0; i < FORMS; i++) {
      uint32_t k = (i * (round & 1 ? FORMS - 1 : 1) + round) % FORMS;
      uint32_t runs = w->run_ns < QUICK_NS ? RUNS_MOST : RUNS;
      int is_plain = forms[k].copy == RETICLE_BOUND_PLAIN, status;
      if (is_plain && !is_repeated)
        runs = 1;
      if (round && spent_ns[k] + runs * run_ns[k] > FORM_NS)
        continue;
      struct plan p = {forms[k].copy,
                       runs,
                       forms[k].room,
                       forms[k].moves_loads,
                       forms[k].moves_stores,
                       w->iterations,
                       (LONG_NS + 4 * w->run_ns) * RUNS_MOST};
      if (walk_run(w, &p, &status))
        return 0;
      // What the others are compared with; its first run alone may be long by page faults.
      if (forms[k].form == RETICLE_BOUND_REPLAYED && (status || last_shortest_ns() < SHORT_NS)) {
        state.shared->found.count = 0;
        return status ? reason_of(status) : RETICLE_BOUND_SHORT;
      }
      add_rows(&p, forms[k].form, w->child++, status);
      run_ns[k] = last_run_ns();
      spent_ns[k] += runs * run_ns[k];
    }
  return RETICLE_BOUND_DONE;
}

/// 1: we are in a child.
static int run_case(struct reticle_bound_desc *site) {
  struct shared *s = state.shared;
  struct walk w = {.site = site};
  uint64_t begin = (uint64_t)(uintptr_t)s;
  int is_repeated = 0;
  rrt_sys_limit_copy(CASE_NS, CASE_NS);
  if (rrt_sys_unshare_memory(begin, begin + sizeof *s) < 0) {
    s->found.reason = RETICLE_BOUND_DENIED;
    return 0;
  }
  uint32_t reason = find_length(&w);
  if (!w.is_child && !reason)
    reason = record(&w, &is_repeated);
  // A call of code that has no copy may come later than at its begin.
  while (!w.is_child && reason == RETICLE_BOUND_CALLS && w.run_ns >= 4 * PART_NS && w.done >= 4) {
    w.iterations = w.done /= 4;
    w.run_ns /= 4;
    reason = record(&w, &is_repeated);
  }
  if (!w.is_child && !reason)
    reason = run_forms(&w, is_repeated);
  if (w.is_child)
    return 1;
  s->found.reason = reason;
  return 0;
}

// --- in the program ------------------------------------------------------------------------------

int rrt_case_run(struct reticle_bound_desc *site, const struct rrt_case **out) {
  *out = NULL;
  if (!state.shared)
    return 0;
  struct rrt_case *found = &state.shared->found;
  uint64_t signals = rrt_sys_block_handled_signals();
  *out = found;
  found->reason = RETICLE_BOUND_LONG; // unless it comes to its end
  found->count = 0;
  long pid = rrt_sys_copy();
  if (pid == 0) {
    if (run_case(site))
      return 1;
    rrt_sys_exit_group(0);
  }
  if (pid < 0)
    found->reason = RETICLE_BOUND_DENIED;
  else
    rrt_sys_wait_copy(pid);
  rrt_sys_restore_signals(signals);
  return 0;
}
