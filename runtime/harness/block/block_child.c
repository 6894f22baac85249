// block_child.c - the traced child in which a block runs: start, confinement, calls, end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Life of a child: fork; ask to be traced; map code and control; close all other files; confine
// itself to the few calls that the parent makes it do, from one instruction alone; go to the ready
// breakpoint. From there on the parent drives it: restartable sequences off (the kernel would write
// to what is unmapped next), all else unmapped, two alarm clocks on. An alarm stops the child like
// any other signal, so the parent never waits for nothing.
#include "runtime/harness/block/block_child.h"

#include "runtime/harness/block/block_code.h"
#include "runtime/harness/block/block_registers.h"
#include "runtime/sys/sys.h"
#include "runtime/sys/syscall.h"
#include "runtime/sys/trace.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>

#ifndef PTRACE_GET_RSEQ_CONFIGURATION
#define PTRACE_GET_RSEQ_CONFIGURATION 0x420f
#endif
enum { RSEQ_UNREGISTER = 1, STRANGE_SIGNALS_MOST = 100 };

/// CPU time in user mode after which a block counts as endless.
#define ENDLESS_US 500000

// Sanitizers make calls of their own in front of a call that does not return, and by then the child
// is confined.
__attribute__((no_sanitize("address", "undefined"))) static _Noreturn void
run_child(const struct harness_blocks *blocks, int cpu) {
  static const uint32_t calls[] = {SYS_mmap, SYS_munmap, SYS_rseq, SYS_setitimer, SYS_getrusage};
  long failed = rrt_sys_become_traced(cpu, blocks->fd);
  if (failed >= 0)
    failed = rrt_sys_map_shared(BLOCK_CODE_AT, BLOCK_CODE_BYTES, PROT_READ | PROT_EXEC, blocks->fd,
                                BLOCK_CODE_OFFSET);
  if (failed >= 0)
    failed = rrt_sys_map_shared(BLOCK_CONTROL_AT, BLOCK_CONTROL_BYTES, PROT_READ | PROT_WRITE,
                                blocks->fd, BLOCK_CONTROL_OFFSET);
  if (failed >= 0)
    failed = rrt_sys_confine(BLOCK_CODE_AT + blocks->image.call_end, calls,
                             sizeof(calls) / sizeof(calls[0]));
  if (failed < 0) {
    blocks->control->child_error = failed;
    rrt_sys_exit_group(1);
  }
  block_arch_go(BLOCK_CODE_AT + blocks->image.ready);
}

static void refuse(struct block_stop *stop, const char *detail) {
  *stop = (struct block_stop){BLOCK_STOP_FAILED, HARNESS_NOT_PERMITTED, detail, 0, 0};
}

static void gone(struct harness_blocks *blocks, struct block_stop *stop) {
  blocks->pid = 0;
  refuse(stop, "the child was ended from outside");
}

/// Waits for the next stop that tells something about the block.
static void wait_stop(struct harness_blocks *blocks, size_t done, struct block_stop *stop) {
  for (int strange = 0;; strange++) {
    int status = 0;
    if (rrt_sys_wait_child(blocks->pid, &status) != blocks->pid || !WIFSTOPPED(status)) {
      gone(blocks, stop);
      return;
    }
    siginfo_t info;
    uint64_t where;
    rrt_zero(&info, sizeof(info));
    rrt_sys_ptrace(PTRACE_GETSIGINFO, blocks->pid, NULL, &info);
    block_arch_where(blocks->pid, &where);
    int signal = WSTOPSIG(status);
    // Sent by somebody, the terminal for instance: not the block's doing.
    bool is_from_outside = info.si_code <= 0 && signal != SIGALRM && signal != SIGVTALRM;
    bool is_job_control = signal == SIGSTOP || signal == SIGTSTP || signal == SIGCONT;
    if (strange < STRANGE_SIGNALS_MOST && (is_from_outside || is_job_control)) {
      rrt_sys_ptrace(PTRACE_CONT, blocks->pid, NULL, NULL);
      continue;
    }
    block_stop_classify(signal, info.si_code, (uint64_t)info.si_addr, where, BLOCK_CODE_AT + done,
                        &blocks->image, stop);
    return;
  }
}

void block_child_go_on(struct harness_blocks *blocks, size_t done, struct block_stop *stop) {
  if (!blocks->pid || rrt_sys_ptrace(PTRACE_CONT, blocks->pid, NULL, NULL) < 0)
    gone(blocks, stop);
  else
    wait_stop(blocks, done, stop);
}

void block_child_run(struct harness_blocks *blocks, uint64_t from, size_t done,
                     struct block_stop *stop) {
  if (!blocks->pid || block_arch_jump(blocks->pid, from, blocks->control) < 0)
    gone(blocks, stop);
  else
    block_child_go_on(blocks, done, stop);
}

bool block_child_calls(struct harness_blocks *blocks, size_t count, struct block_stop *stop) {
  blocks->control->call_count = count;
  block_child_run(blocks, BLOCK_CODE_AT + blocks->image.call, blocks->image.ready + 1, stop);
  return stop->kind == BLOCK_STOP_DONE;
}

static void add_call(struct block_control *control, size_t *count, uint64_t number, uint64_t a,
                     uint64_t b, uint64_t c, uint64_t d) {
  control->calls[(*count)++] = (struct block_call){number, {a, b, c, d}, 0};
}

/// The child's own: what it needs its parent's memory for is over.
static bool strip_child(struct harness_blocks *blocks, double seconds, struct block_stop *stop) {
  struct {
    uint64_t address;
    uint32_t bytes, signature, flags, unused;
  } rseq = {0, 0, 0, 0, 0};
  struct block_control *control = blocks->control;
  const uint64_t code_end = BLOCK_CODE_AT + BLOCK_CODE_BYTES;
  const uint64_t control_end = BLOCK_CONTROL_AT + BLOCK_CONTROL_BYTES;
  size_t n = 0;
  rrt_sys_ptrace(PTRACE_SETOPTIONS, blocks->pid, NULL, (void *)PTRACE_O_EXITKILL);
  rrt_sys_ptrace(PTRACE_GET_RSEQ_CONFIGURATION, blocks->pid, (void *)sizeof(rseq), &rseq);
  if (rseq.address)
    add_call(control, &n, SYS_rseq, rseq.address, rseq.bytes, RSEQ_UNREGISTER, rseq.signature);
  size_t unmaps = n;
  add_call(control, &n, SYS_munmap, 0, BLOCK_CODE_AT, 0, 0);
  add_call(control, &n, SYS_munmap, code_end, BLOCK_CONTROL_AT - code_end, 0, 0);
  add_call(control, &n, SYS_munmap, control_end, BLOCK_USER_END - control_end, 0, 0);
  struct itimerval wall = {{0, 0}, {(time_t)seconds, (long)((seconds - (long)seconds) * 1e6)}};
  struct itimerval cpu = {{0, 0}, {ENDLESS_US / 1000000, ENDLESS_US % 1000000}};
  uint64_t at = BLOCK_CONTROL_AT + offsetof(struct block_control, usage);
  rrt_copy(control->usage[0], &wall, sizeof(wall));
  rrt_copy(control->usage[0] + sizeof(wall), &cpu, sizeof(cpu));
  add_call(control, &n, SYS_setitimer, ITIMER_REAL, at, 0, 0);
  add_call(control, &n, SYS_setitimer, ITIMER_VIRTUAL, at + sizeof(wall), 0, 0);
  if (!block_child_calls(blocks, n, stop))
    return false;
  for (size_t i = unmaps; i < unmaps + 3; i++)
    if (control->calls[i].result < 0) {
      refuse(stop, "the child's memory can't be unmapped");
      return false;
    }
  return true;
}

bool block_child_start(struct harness_blocks *blocks, int cpu, double seconds,
                       struct block_stop *stop, int *error) {
  blocks->control->child_error = 0;
  *error = 0;
  long pid = rrt_sys_fork();
  if (pid == 0)
    run_child(blocks, cpu);
  if (pid < 0) {
    *error = (int)-pid;
    refuse(stop, "no child process can be started");
    return false;
  }
  blocks->pid = pid;
  wait_stop(blocks, blocks->image.ready + 1, stop);
  if (stop->kind != BLOCK_STOP_DONE) {
    *error = (int)-blocks->control->child_error;
    refuse(stop, *error ? "the child can't be traced and confined (ptrace, mmap, seccomp)"
                        : "the child was ended before the block ran");
    block_child_end(blocks);
    return false;
  }
  if (strip_child(blocks, seconds, stop))
    return true;
  block_child_end(blocks);
  return false;
}

void block_child_end(struct harness_blocks *blocks) {
  if (blocks->pid)
    rrt_sys_kill_child(blocks->pid);
  blocks->pid = 0;
}
