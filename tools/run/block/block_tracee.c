// block_tracee.c - sets breakpoints by ptrace, follows threads, children and libraries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address randomization is off, so that all processes of the program have the code at one address.
// Breakpoints are set when a program was loaded, again at its entry point, by when the dynamic
// linker has mapped the libraries that it was linked with, and whenever that says that its
// libraries changed.
#define _GNU_SOURCE // waitpid's __WALL
#include "tools/run/block/block_tracee.h"

#include "tools/binary/elf_load.h"
#include "tools/run/block/block_linker.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { BREAKPOINT = 0xcc, XSTATE_BYTES = 16384 };
enum { XMM_OFFSET = 160, FEATURES_OFFSET = 512, UPPER_OFFSET = 576, UPPER = 4 };

struct tracee {
  struct block_site *sites; ///< [count]
  size_t count, done;
  struct block_site entry;  ///< of the program that was loaded last
  struct block_site change; ///< what its dynamic linker calls when libraries come or go
  bool (*arrived)(size_t site, const struct harness_state *state, void *context);
  void *context;
  pid_t *pids; ///< [pid_count] all that stopped and did not end
  size_t pid_count, pid_capacity;
  bool is_traced; ///< the first process stopped, as it should
};

// --- memory and registers of a stopped process

static int open_memory(pid_t pid) {
  char name[64];
  snprintf(name, sizeof(name), "/proc/%d/mem", (int)pid);
  return open(name, O_RDWR | O_CLOEXEC);
}

static bool poke(pid_t pid, uint64_t address, uint8_t byte, uint8_t *before) {
  int memory = open_memory(pid);
  bool good = memory >= 0 && (!before || pread(memory, before, 1, (off_t)address) == 1) &&
              pwrite(memory, &byte, 1, (off_t)address) == 1;
  if (memory >= 0)
    close(memory);
  return good;
}

static bool read_page(uint64_t page, uint8_t bytes[HARNESS_PAGE_BYTES], void *context) {
  const struct block_tracee_state *state = context;
  return pread(state->memory, bytes, HARNESS_PAGE_BYTES, (off_t)page) == HARNESS_PAGE_BYTES;
}

static bool read_state(pid_t pid, struct block_tracee_state *out) {
  struct user_regs_struct regs;
  static uint8_t area[XSTATE_BYTES];
  struct iovec vectors = {area, sizeof(area)};
  struct harness_state *state = &out->state;
  memset(out, 0, sizeof(*out));
  out->memory = -1;
  if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
    return false;
  const uint64_t order[HARNESS_REGISTERS] = {
      regs.rax, regs.rcx, regs.rdx, regs.rbx, regs.rsp, regs.rbp, regs.rsi, regs.rdi,
      regs.r8,  regs.r9,  regs.r10, regs.r11, regs.r12, regs.r13, regs.r14, regs.r15};
  memcpy(state->registers, order, sizeof(order));
  state->fs_base = regs.fs_base;
  state->gs_base = regs.gs_base;
  state->flags = regs.eflags;
  if (!ptrace(PTRACE_GETREGSET, pid, (void *)NT_X86_XSTATE, &vectors) &&
      vectors.iov_len > UPPER_OFFSET) {
    state->has_upper_halves =
        area[FEATURES_OFFSET] & UPPER && vectors.iov_len >= UPPER_OFFSET + 256;
    for (size_t i = 0; i < 16; i++) {
      memcpy(state->vectors[i], area + XMM_OFFSET + 16 * i, 16);
      if (state->has_upper_halves)
        memcpy(state->vectors[i] + 16, area + UPPER_OFFSET + 16 * i, 16);
    }
  }
  state->read_page = read_page;
  state->context = out;
  return (out->memory = open_memory(pid)) >= 0;
}

static bool go_to(pid_t pid, uint64_t address) {
  struct user_regs_struct regs;
  if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
    return false;
  regs.rip = address;
  return !ptrace(PTRACE_SETREGS, pid, NULL, &regs);
}

// --- breakpoints

static void set_site(struct block_site *site, pid_t pid) {
  uint8_t before = 0;
  if (site->is_done || !poke(pid, site->address + site->bias, BREAKPOINT, &before))
    return;
  site->is_loaded = true;
  if (before != BREAKPOINT)
    site->byte = before;
}

/// Sets breakpoints in what is mapped by now.
static void set_sites(struct tracee *t, pid_t pid) {
  const char *path = NULL;
  uint64_t bias = 0;
  bool is_mapped = false;
  for (size_t i = 0; i < t->count; i++) {
    struct block_site *site = &t->sites[i];
    if (!path || strcmp(path, site->module) != 0) {
      struct elf_file *file;
      path = site->module;
      is_mapped = elf_file_open(path, &file) == ELF_FILE_OK;
      if (is_mapped) {
        is_mapped = elf_load_bias(file, path, pid, &bias);
        elf_file_close(file);
      }
    }
    if (!is_mapped)
      continue;
    site->bias = bias;
    set_site(site, pid);
  }
}

static void loaded(struct tracee *t, pid_t pid) {
  set_sites(t, pid);
  t->entry = (struct block_site){.address = block_linker_aux(pid, AT_ENTRY)};
  t->change = (struct block_site){0};
  if (t->entry.address)
    set_site(&t->entry, pid);
}

static void watch_linker(struct tracee *t, pid_t pid) {
  int memory = open_memory(pid);
  t->change = (struct block_site){.address = memory >= 0 ? block_linker_break(pid, memory) : 0};
  if (memory >= 0)
    close(memory);
  if (t->change.address)
    set_site(&t->change, pid);
}

/// Executes the instruction under the breakpoint. Signals that come meanwhile are returned, to be
/// delivered afterwards.
static int step_over(pid_t pid, const struct block_site *site) {
  enum { TRIES = 16 };
  uint64_t at = site->address + site->bias;
  int status = 0, signal = 0;
  poke(pid, at, site->byte, NULL);
  for (int i = 0; i < TRIES; i++) {
    if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) || waitpid(pid, &status, __WALL) != pid ||
        !WIFSTOPPED(status) || WSTOPSIG(status) == SIGTRAP)
      break;
    if (WSTOPSIG(status) != SIGSTOP)
      signal = WSTOPSIG(status);
  }
  poke(pid, at, BREAKPOINT, NULL);
  return signal;
}

/// A process stands behind the breakpoint of the site. Returns a signal for it.
static int arrive(struct tracee *t, pid_t pid, struct block_site *site) {
  uint64_t at = site->address + site->bias;
  struct block_tracee_state state;
  go_to(pid, at);
  if (site == &t->entry) {
    poke(pid, at, site->byte, NULL);
    set_sites(t, pid);
    watch_linker(t, pid);
    return 0;
  }
  if (site == &t->change) {
    set_sites(t, pid);
    return step_over(pid, site);
  }
  if (!site->is_done) {
    site->hits++;
    poke(pid, at, site->byte, NULL); // the block may read its own code
    if (read_state(pid, &state))
      site->is_done = t->arrived((size_t)(site - t->sites), &state.state, t->context);
    if (state.memory >= 0)
      close(state.memory);
    t->done += site->is_done;
  }
  if (!site->is_done)
    return step_over(pid, site);
  poke(pid, at, site->byte, NULL);
  return 0;
}

static struct block_site *site_at(struct tracee *t, pid_t pid) {
  struct user_regs_struct regs;
  if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
    return NULL;
  if (t->entry.is_loaded && t->entry.address + 1 == regs.rip)
    return &t->entry;
  if (t->change.is_loaded && t->change.address + 1 == regs.rip)
    return &t->change;
  for (size_t i = 0; i < t->count; i++)
    if (t->sites[i].is_loaded && t->sites[i].address + t->sites[i].bias + 1 == regs.rip)
      return &t->sites[i];
  return NULL;
}

/// What a stop means. Returns the signal to go on with.
static int stopped(struct tracee *t, pid_t pid, int status) {
  int signal = WSTOPSIG(status), event = status >> 16;
  if (event == PTRACE_EVENT_EXEC)
    loaded(t, pid);
  if (event || signal == SIGSTOP) // new threads and processes start with one
    return 0;
  if (signal != SIGTRAP)
    return signal;
  struct block_site *site = site_at(t, pid);
  return site ? arrive(t, pid, site) : signal;
}

// --- the program

static _Noreturn void become(char *const *command, int report) {
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0)
    dup2(nowhere, STDOUT_FILENO);
  // Instrumented or not, it is to measure nothing now.
  setenv("RETICLE_OPTIONS", "loop=0:field=0:chain=0:report=0:verbosity=0:out=/dev/null", 1);
  personality(ADDR_NO_RANDOMIZE);
  int failed = ptrace(PTRACE_TRACEME, 0, NULL, NULL) ? errno : 0, what = 0;
  if (!failed) {
    raise(SIGSTOP); // the tracer sets its options
    execvp(command[0], command);
    failed = errno;
    what = 1;
  }
  int words[2] = {failed, what};
  if (write(report, words, sizeof(words)) < 0)
    _exit(126);
  _exit(127);
}

static void keep_pid(struct tracee *t, pid_t pid) {
  for (size_t i = 0; i < t->pid_count; i++)
    if (t->pids[i] == pid)
      return;
  if (t->pid_count == t->pid_capacity) {
    t->pid_capacity = 2 * t->pid_capacity + 16;
    t->pids = memory_resized(t->pids, t->pid_capacity, sizeof(*t->pids));
  }
  t->pids[t->pid_count++] = pid;
}

static void drop_pid(struct tracee *t, pid_t pid) {
  for (size_t i = 0; i < t->pid_count; i++)
    if (t->pids[i] == pid)
      t->pids[i] = t->pids[--t->pid_count];
}

static int start(char *const *command, int report[2], struct problems *problems) {
  if (pipe2(report, O_CLOEXEC)) {
    problem_error(problems, "block: no program can be started: %s", strerror(errno));
    return -1;
  }
  pid_t leader = fork();
  if (leader == 0)
    become(command, report[1]);
  close(report[1]);
  if (leader > 0)
    return 0;
  problem_error(problems, "block: no program can be started: %s", strerror(errno));
  close(report[0]);
  return -1;
}

/// Follows all processes until they have ended, or all sites are done.
static void follow(struct tracee *t) {
  const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                       PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;
  while (t->done < t->count) {
    int status;
    pid_t pid = waitpid(-1, &status, __WALL);
    if (pid < 0 && errno != EINTR)
      return;
    if (pid < 0)
      continue;
    if (!WIFSTOPPED(status)) {
      drop_pid(t, pid);
      continue;
    }
    keep_pid(t, pid);
    int signal = t->is_traced ? stopped(t, pid, status) : 0;
    if (!t->is_traced)
      t->is_traced = !ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)options);
    if (t->done < t->count)
      ptrace(PTRACE_CONT, pid, NULL, (void *)(long)signal);
  }
}

static void end_all(struct tracee *t) {
  int status;
  for (size_t i = 0; i < t->pid_count; i++)
    kill(t->pids[i], SIGKILL);
  for (pid_t pid; (pid = waitpid(-1, &status, __WALL)) > 0;)
    if (WIFSTOPPED(status)) // started meanwhile
      kill(pid, SIGKILL);
  free(t->pids);
}

int block_tracee_run(char *const *command, struct block_site *sites, size_t count,
                     bool (*arrived)(size_t site, const struct harness_state *state, void *context),
                     void *context, struct problems *problems) {
  struct tracee t = {.sites = sites, .count = count, .arrived = arrived, .context = context};
  int report[2], words[2];
  if (start(command, report, problems))
    return -1;
  follow(&t);
  end_all(&t);
  bool failed = read(report[0], words, sizeof(words)) == (ssize_t)sizeof(words);
  close(report[0]);
  if (failed && words[1])
    problem_error(problems, "%s: can't be run: %s", command[0], strerror(words[0]));
  else if (failed)
    problem_error(problems, "block: the program can't be traced: ptrace: %s", strerror(words[0]));
  else if (!t.is_traced)
    problem_error(problems, "block: the program can't be traced: it was ended at its first step");
  return failed || !t.is_traced ? -1 : 0;
}
#else
int block_tracee_run(char *const *command, struct block_site *sites, size_t count,
                     bool (*arrived)(size_t site, const struct harness_state *state, void *context),
                     void *context, struct problems *problems) {
  (void)sites, (void)count, (void)arrived, (void)context;
  problem_error(problems, "%s: values are captured on x86-64 only", command[0]);
  return -1;
}
#endif
