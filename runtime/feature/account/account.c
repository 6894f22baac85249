// account.c - where the time of the process went.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CPU time, faults and switches are the kernel's sums over all threads, ended ones too. What a
// thread waited for a processor it tells of living threads alone: so they are looked at in each
// checkpoint, and those that are gone at the next one count with what was last seen of them. A
// thread that executed a probed loop says it itself as it ends (rrt_account_ended).
#include "runtime/feature/account/account.h"

#include "runtime/feature/account/facts.h"
#include "runtime/feature/account/pressure.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/session/session.h"
#include "runtime/session/sideline.h"
#include "runtime/support/fork.h"
#include "runtime/support/stops.h"
#include "runtime/support/text.h"
#include "runtime/sys/scale.h"
#include "runtime/sys/sys.h"

#include <errno.h>

// TASKS_MAX: threads that are told apart. MIGRATIONS_TASKS: the file that tells migrations takes
// the kernel 10 us to write.
enum { TASKS_MAX = 4096, MIGRATIONS_TASKS = 256, TICK_NS = 10000000 };
static const uint64_t unknown = UINT64_MAX;

struct task {
  uint32_t tid; // 0: it is in the look that goes on
  uint32_t is_final;
  uint64_t birth; // as the kernel has it, in 1/100 s since boot: tells threads of one number apart
  uint64_t start_ticks, end_ticks; // end_ticks: if it is final
  uint64_t life_ns, stopped_ns, cpu_ns, runnable_ns, migrations;
};

struct sums {
  uint64_t life_ns, stopped_ns, cpu_ns, runnable_ns, migrations;
};

static struct {
  struct task *tasks, *next; // [TASKS_MAX] each: of the last look, and of the one that goes on
} state;
static struct {
  uint32_t is_watched;
  uint32_t task_count, next_count;
  struct rrt_sys_usage start;
  uint64_t start_cpu_ns, start_stolen, start_runnable_ns, start_migrations;
  uint32_t stolen_error, migrations_error;
  uint32_t forks;
  uint64_t fork_ns, fork_longest_ns;
  struct sums ended;
} process RRT_PER_PROCESS;

void rrt_account_start(void) {
  rrt_sys_usage(&process.start);
  process.start_cpu_ns = rrt_sys_cpu_ns();
}

void rrt_account_forked(uint64_t ns) {
  process.forks++;
  process.fork_ns += ns;
  if (process.fork_longest_ns < ns)
    process.fork_longest_ns = ns;
}

// --- files -------------------------------------------------------------------------------------

static int read_task_file(uint32_t tid, const char *name, char *out, size_t bytes) {
  char path[64];
  struct rrt_text text;
  rrt_text_init(&text, path, sizeof path);
  rrt_text_add(&text, "/proc/self/task/");
  rrt_text_add_number(&text, tid);
  rrt_text_add(&text, name);
  long n = rrt_sys_read_file(path, out, bytes);
  return n > 0 ? 0 : n < 0 ? (int)n : -EIO;
}

// Number n, from 0, of numbers that blanks separate.
static int read_number(const char *p, unsigned n, uint64_t *out) {
  for (; n && *p; p++)
    n -= *p == ' ';
  return n == 0 && rrt_parse_number(p, out) ? 0 : -EIO;
}

int rrt_account_parse_runnable(const char *schedstat, uint64_t *runnable_ns) {
  uint64_t times;
  if (read_number(schedstat, 2, &times) < 0 || read_number(schedstat, 1, runnable_ns) < 0)
    return -EIO;
  // A kernel without CONFIG_SCHED_INFO writes three zeros; the third is how often it went on.
  return times ? 0 : -ENOTSUP;
}

static int read_runnable(uint32_t tid, uint64_t *out) {
  char text[96];
  int r = read_task_file(tid, "/schedstat", text, sizeof text);
  return r < 0 ? r : rrt_account_parse_runnable(text, out);
}

uint64_t rrt_account_own_runnable_ns(void) {
  char text[96];
  uint64_t ns;
  if (rrt_sys_read_file("/proc/thread-self/schedstat", text, sizeof text) <= 0 ||
      rrt_account_parse_runnable(text, &ns) < 0)
    return unknown;
  return ns;
}

static int read_birth(uint32_t tid, uint64_t *out) {
  enum { STARTTIME = 20 }; // blanks behind the name in parentheses, which may hold anything
  char text[1024];
  const char *p = text;
  int r = read_task_file(tid, "/stat", text, sizeof text);
  for (const char *q = text; r == 0 && *q; q++)
    if (*q == ')')
      p = q;
  return r < 0 ? r : read_number(p, STARTTIME, out);
}

static int read_migrations(uint32_t tid, uint64_t *out) {
  static const char key[] = "nr_migrations";
  char text[1024];
  int r = read_task_file(tid, "/sched", text, sizeof text);
  if (r < 0)
    return r;
  for (const char *p = text; *p; p++) {
    size_t n = 0;
    while (n < sizeof key - 1 && p[n] == key[n])
      n++;
    if (n < sizeof key - 1)
      continue;
    for (p += n; *p == ' ' || *p == ':';)
      p++;
    return rrt_parse_number(p, out) ? 0 : -EIO;
  }
  return -ENOENT;
}

void rrt_account_watch(void) {
  if (process.is_watched)
    return;
  process.is_watched = 1;
  rrt_pressure_watch();
  process.stolen_error = (uint32_t)-rrt_pressure_stolen(&process.start_stolen);
  if (rrt_session.is_child) // it starts with zeros
    return;
  if (read_runnable(rrt_session.pid, &process.start_runnable_ns) < 0)
    process.start_runnable_ns = 0;
  if (read_migrations(rrt_session.pid, &process.start_migrations) < 0)
    process.start_migrations = 0;
}

// --- threads -----------------------------------------------------------------------------------

static void add(struct sums *sums, const struct task *t) {
  sums->life_ns = rrt_add(sums->life_ns, t->life_ns);
  sums->stopped_ns = rrt_add(sums->stopped_ns, t->stopped_ns);
  sums->cpu_ns = rrt_add(sums->cpu_ns, t->cpu_ns);
  sums->runnable_ns = rrt_add(sums->runnable_ns, t->runnable_ns);
  sums->migrations = rrt_add(sums->migrations, t->migrations);
}

struct look {
  const struct reticle_file_env *env;
  uint64_t now_ticks, boot_ns;
  uint32_t expected; // where in the last look the next one is likely to be: both are in one order
  uint32_t sideline;
  int error;
};

// Both lists are in the order of creation, so this is one step nearly always.
static struct task *find_before(struct look *look, uint32_t tid) {
  for (uint32_t i = 0; i < process.task_count; i++) {
    uint32_t at = (look->expected + i) % process.task_count;
    if (state.tasks[at].tid != tid)
      continue;
    look->expected = at + 1;
    return &state.tasks[at];
  }
  return NULL;
}

static uint64_t ns_of(const struct look *look, uint64_t ticks) {
  return rrt_scale(ticks, 1000000000, look->env->timer_hz);
}

// The kernel knows to 1/100 s when a thread was born; never before the session, for us.
static uint64_t start_of(const struct look *look, const struct task *t) {
  uint64_t birth_ns = rrt_multiply(t->birth, TICK_NS) + TICK_NS / 2;
  uint64_t age_ns = look->boot_ns > birth_ns ? look->boot_ns - birth_ns : 0;
  uint64_t age = rrt_scale(age_ns, look->env->timer_hz, 1000000000);
  if (t->tid == rrt_session.pid || age >= look->env->elapsed_ticks)
    return rrt_session.start_ticks;
  return look->now_ticks - age;
}

// When it was born isn't known well, and the parts were read a little later.
static void raise_life(struct task *t) {
  uint64_t least = t->cpu_ns + t->runnable_ns + t->stopped_ns;
  t->life_ns = t->life_ns < least ? least : t->life_ns;
}

static void measure(const struct look *look, struct task *t, int with_migrations) {
  uint64_t first_ns = t->tid == rrt_session.pid ? process.start_cpu_ns : 0;
  uint64_t cpu_ns = rrt_sys_thread_cpu_ns(t->tid);
  t->cpu_ns = cpu_ns > first_ns ? cpu_ns - first_ns : 0;
  t->life_ns = ns_of(look, rrt_timer_between(t->start_ticks, look->now_ticks));
  t->stopped_ns = ns_of(look, rrt_stops_between(t->start_ticks, look->now_ticks, 0));
  if (t->tid == rrt_session.pid)
    t->runnable_ns -=
        t->runnable_ns > process.start_runnable_ns ? process.start_runnable_ns : t->runnable_ns;
  raise_life(t);
  t->migrations = 0;
  int r = with_migrations ? read_migrations(t->tid, &t->migrations) : -E2BIG;
  if (r < 0)
    process.migrations_error = (uint32_t)-r;
  else if (t->tid == rrt_session.pid)
    t->migrations -= process.start_migrations;
}

static void visit_task(const char *name, void *context) {
  struct look *look = context;
  uint64_t tid;
  size_t digits = rrt_parse_number(name, &tid);
  if (!digits || name[digits] || tid == look->sideline)
    return;
  if (process.next_count == TASKS_MAX) {
    look->error = -E2BIG;
    return;
  }
  struct task *before = find_before(look, (uint32_t)tid);
  struct task *t = &state.next[process.next_count];
  rrt_zero(t, sizeof *t);
  t->tid = (uint32_t)tid;
  int r = read_birth(t->tid, &t->birth);
  if (r == 0)
    r = read_runnable(t->tid, &t->runnable_ns);
  if (r == -ENOTSUP && rrt_sys_thread_cpu_ns(t->tid) < TICK_NS / 10)
    r = 0; // it has only just begun
  if (r == -ENOENT || r == -ESRCH)
    return; // it ended meanwhile
  if (r < 0) {
    look->error = r;
    return;
  }
  t->start_ticks = start_of(look, t);
  int is_same =
      before && (before->birth ? before->birth == t->birth : t->start_ticks <= before->end_ticks);
  if (is_same && before->is_final) // it has told, and goes on for a moment
    *t = *before;
  else if (is_same)
    t->start_ticks = before->start_ticks;
  if (is_same)
    before->tid = 0;
  if (!t->is_final)
    measure(look, t, process.next_count < MIGRATIONS_TASKS);
  process.next_count++;
}

// Those of the last look that are gone count with what was seen then.
static int look_at_tasks(struct look *look) {
  if (!state.tasks) {
    state.tasks = rrt_sys_map(TASKS_MAX * sizeof *state.tasks);
    state.next = rrt_sys_map(TASKS_MAX * sizeof *state.next);
  }
  if (!state.tasks || !state.next)
    return -ENOMEM;
  look->boot_ns = rrt_sys_boot_ns();
  look->now_ticks = rrt_session.start_ticks + look->env->elapsed_ticks;
  look->sideline = rrt_sideline_tid();
  process.next_count = 0;
  rrt_sys_visit_folder("/proc/self/task", UINT32_MAX, visit_task, look);
  if (!process.next_count)
    return look->error ? look->error : -ENOENT;
  for (uint32_t i = 0; i < process.task_count; i++)
    if (state.tasks[i].tid)
      add(&process.ended, &state.tasks[i]);
  struct task *old = state.tasks;
  state.tasks = state.next;
  state.next = old;
  process.task_count = process.next_count;
  return look->error;
}

static struct task *place_of(uint32_t tid) {
  struct look look = {0};
  struct task *t = find_before(&look, tid);
  if (t || !state.tasks || process.task_count == TASKS_MAX)
    return t;
  t = &state.tasks[process.task_count++];
  rrt_zero(t, sizeof *t);
  return t;
}

void rrt_account_ended(uint32_t tid, uint64_t start_ticks, uint64_t end_ticks, uint64_t cpu_ns,
                       uint64_t runnable_ns, uint32_t weight) {
  struct task *t = place_of(tid);
  uint64_t hz = rrt_session_hz();
  if (!t || !hz || tid == rrt_session.pid) // the first thread stays in the list
    return;
  // A look took its birth from the kernel, to 5 ms: as late as behind its end.
  t->start_ticks = t->tid && t->start_ticks < start_ticks ? t->start_ticks : start_ticks;
  t->end_ticks = end_ticks;
  t->is_final = 1;
  t->tid = tid;
  t->cpu_ns = cpu_ns;
  t->life_ns = rrt_scale(rrt_timer_between(t->start_ticks, end_ticks), 1000000000, hz);
  t->stopped_ns = rrt_scale(rrt_stops_between(t->start_ticks, end_ticks, 0), 1000000000, hz);
  t->runnable_ns = runnable_ns != unknown ? runnable_ns : t->runnable_ns;
  raise_life(t);
  t->runnable_ns = rrt_multiply(t->runnable_ns, weight);
}

// --- all of it ---------------------------------------------------------------------------------

static void read_usage(struct reticle_file_account *out) {
  struct rrt_sys_usage now;
  rrt_sys_usage(&now);
  out->user_ns = now.user_ns - process.start.user_ns;
  out->system_ns = now.system_ns - process.start.system_ns;
  out->minor_faults = now.minor_faults - process.start.minor_faults;
  out->major_faults = now.major_faults - process.start.major_faults;
  out->waits = now.waits - process.start.waits;
  out->preemptions = now.preemptions - process.start.preemptions;
}

// A hypervisor that has told none since the machine started may tell none at all.
static void read_stolen_since(int has_hypervisor, struct reticle_file_account *out) {
  uint64_t now = 0;
  int r = process.stolen_error ? -(int)process.stolen_error : rrt_pressure_stolen(&now);
  if (r == 0 && !now && has_hypervisor)
    r = -ENOTSUP;
  else if (r == 0 && now < process.start_stolen) // on another machine by now
    r = -ERANGE;
  out->stolen_error = (uint32_t)-r;
  out->stolen_ns = r < 0 ? unknown : rrt_multiply(now - process.start_stolen, TICK_NS);
}

void rrt_account_read(const struct reticle_file_env *env, int has_hypervisor,
                      struct reticle_file_account *out) {
  struct look look = {.env = env};
  rrt_zero(out, sizeof *out);
  rrt_account_watch();
  out->facts_error = rrt_facts_error();
  out->wall_ticks = env->elapsed_ticks;
  uint64_t cpu_ns = rrt_sys_cpu_ns() - process.start_cpu_ns;
  read_usage(out);
  read_stolen_since(has_hypervisor, out);
  out->counts_forks = 1;
  out->forks = process.forks;
  out->fork_ns = process.fork_ns;
  out->fork_longest_ns = process.fork_longest_ns;
  process.migrations_error = 0;
  int r = env->timer_hz ? look_at_tasks(&look) : -EAGAIN;
  out->runnable_error = (uint32_t)-r;
  out->threads_ns = out->runnable_ns = out->stopped_ns = out->migrations = unknown;
  out->migrations_error = r < 0 ? (uint32_t)-r : process.migrations_error;
  if (r < 0)
    return;
  struct sums all = process.ended;
  for (uint32_t i = 0; i < process.task_count; i++)
    add(&all, &state.tasks[i]);
  out->unseen_ns = cpu_ns > all.cpu_ns ? cpu_ns - all.cpu_ns : 0;
  out->threads_ns = rrt_add(all.life_ns, out->unseen_ns);
  out->runnable_ns = all.runnable_ns;
  if (env->stop_watch)
    out->stopped_ns = all.stopped_ns;
  if (!out->migrations_error)
    out->migrations = all.migrations;
}
