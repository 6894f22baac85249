// run_child.c - forks, executes, forwards signals, waits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // pipe2
#include "tools/run/child/run_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_S 10

static const int forwarded[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM};
#define FORWARDED (sizeof(forwarded) / sizeof(forwarded[0]))

/// The running program, 0 before and after; read by the handler.
static volatile pid_t child;

static void forward(int number, siginfo_t *info, void *context) {
  (void)context;
  int saved = errno;
  // SI_KERNEL: Ctrl-C and the like, which the whole foreground gets.
  if (child && info->si_code != SI_KERNEL)
    kill(child, number);
  errno = saved;
}

/// Executes the program in the new process; tells the reason through the pipe if that fails.
static _Noreturn void become(const char *path, char *const *argv, int report,
                             const struct sigaction *before, const sigset_t *mask) {
  for (size_t i = 0; i < FORWARDED; i++)
    sigaction(forwarded[i], &before[i], NULL);
  sigprocmask(SIG_SETMASK, mask, NULL);
  execv(path, argv);
  int failed = errno;
  // A short write can't happen: an int is less than PIPE_BUF.
  if (write(report, &failed, sizeof(failed)) < 0)
    _exit(126);
  _exit(127);
}

/// A handle of the process that can be waited for with a limit; where the kernel has none, no tick.
static void tick_until_end(pid_t pid, void (*tick)(void *context, pid_t pid), void *context) {
  int handle = (int)syscall(SYS_pidfd_open, pid, 0);
  struct pollfd wanted = {.fd = handle, .events = POLLIN};
  while (handle >= 0) {
    int ready = poll(&wanted, 1, TICK_S * 1000);
    if (ready > 0 || (ready < 0 && errno != EINTR))
      break;
    if (ready == 0)
      tick(context, pid);
  }
  if (handle >= 0)
    close(handle);
}

static void wait_for(pid_t pid, int *status) {
  while (waitpid(pid, status, 0) < 0 && errno == EINTR)
    ;
}

int run_child(const char *path, char *const *argv, pid_t *pid, int *status,
              void (*tick)(void *context, pid_t pid), void *context) {
  int report[2];
  struct sigaction before[FORWARDED];
  struct sigaction action = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigset_t all, mask;
  if (pipe2(report, O_CLOEXEC) != 0)
    return errno;
  sigfillset(&action.sa_mask);
  // Nothing is delivered until `child` is known: a signal in between would be swallowed.
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &mask);
  for (size_t i = 0; i < FORWARDED; i++) {
    sigaction(forwarded[i], NULL, &before[i]);
    // What was ignored (nohup) stays so.
    if (before[i].sa_handler != SIG_IGN)
      sigaction(forwarded[i], &action, NULL);
  }
  *pid = fork();
  if (*pid == 0)
    become(path, argv, report[1], before, &mask);
  int failed = *pid < 0 ? errno : 0;
  close(report[1]);
  child = *pid > 0 ? *pid : 0;
  sigprocmask(SIG_SETMASK, &mask, NULL);
  int reason;
  if (!failed && read(report[0], &reason, sizeof(reason)) == (ssize_t)sizeof(reason))
    failed = reason;
  close(report[0]);
  if (child && tick)
    tick_until_end(*pid, tick, context);
  if (child)
    wait_for(*pid, status);
  child = 0;
  for (size_t i = 0; i < FORWARDED; i++)
    sigaction(forwarded[i], &before[i], NULL);
  return failed;
}
