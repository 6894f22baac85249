// The program's signals are its own: masks, handlers and their stack are what it set, also after samples; a fault of its own
// comes to it with its address, and without a handler ends it as ever; marks of what handlers touch are set.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=shadow %s -o %t
// RUN: %env_reticle:shadow_hz=100 %t | %FileCheck --check-prefix=OUT %s
// RUN: %python %support/sites.py %reticle %t.prof -- by_handler | %FileCheck %s
// RUN: %env_reticle:shadow_hz=100 bash -c '%t die; echo status $?' 2>/dev/null | %FileCheck --check-prefix=DIES %s
// RUN: %env_reticle:shadow_hz=100 bash -c '%t handled-once; echo status $?' 2>/dev/null | %FileCheck --check-prefix=ONCE %s
// OUT: mask SEGV USR1 blocked, others not
// OUT-NEXT: handler mine, on its stack
// OUT-NEXT: fault at 8, 3 times
// OUT-NEXT: mask as before
// CHECK: heap by_handler objects 1 live 1 touched 1 {{.*}} words 0 64{{$}}
// DIES: status 139
// ONCE: handled
// ONCE-NEXT: status 139
#define _GNU_SOURCE
#include <reticle.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf back;
static char stack[1 << 16];
static volatile int *object;
static uintptr_t fault;
static int faults, on_stack;

__attribute__((noinline)) static volatile int *by_handler(void) {
  volatile int *p = aligned_alloc(64, 256);
  __asm__ volatile("" : "+r"(p)::"memory");
  return p;
}

static void handler(int number, siginfo_t *info, void *context) {
  char here;
  fault = (uintptr_t)info->si_addr;
  on_stack = &here >= stack && &here < stack + sizeof stack;
  object[16 * (faults++ > 0)]++;
  siglongjmp(back, 1);
}
static void once(int number) { (void)!write(1, "handled\n", 8); }

static void samples(int count) {
  for (long start = RETICLE_SHADOW_SAMPLES(); RETICLE_SHADOW_SAMPLES() < start + count;)
    object[0]++;
}

int main(int argc, char **argv) {
  sigset_t some, now;
  struct sigaction mine = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK}, is;
  stack_t mine_stack = {.ss_sp = stack, .ss_size = sizeof stack};
  object = by_handler();
  if (argc > 1) {
    struct sigaction reset = {.sa_handler = once, .sa_flags = SA_RESETHAND};
    if (!strcmp(argv[1], "handled-once"))
      sigaction(SIGSEGV, &reset, NULL);
    samples(2);
    *(volatile int *)8 = 1;
    return 0;
  }
  sigemptyset(&some);
  sigaddset(&some, SIGSEGV);
  sigaddset(&some, SIGUSR1);
  sigprocmask(SIG_BLOCK, &some, NULL);
  samples(3);
  sigprocmask(SIG_BLOCK, NULL, &now);
  int others = 0;
  for (int i = 1; i < 32; i++)
    others += i != SIGSEGV && i != SIGUSR1 && sigismember(&now, i);
  printf("mask %s%s blocked, others%s\n", sigismember(&now, SIGSEGV) ? "SEGV " : "", sigismember(&now, SIGUSR1) ? "USR1" : "",
         others ? "" : " not");
  sigprocmask(SIG_UNBLOCK, &some, NULL);
  sigaltstack(&mine_stack, NULL);
  sigaction(SIGSEGV, &mine, NULL);
  samples(3);
  for (volatile int i = 0; i < 3; i++)
    if (!sigsetjmp(back, 1))
      *(volatile int *)8 = 1;
  sigaction(SIGSEGV, NULL, &is);
  printf("handler %s, %s its stack\n", is.sa_sigaction == handler ? "mine" : "another", on_stack ? "on" : "not on");
  printf("fault at %ld, %d times\n", (long)fault, faults);
  sigprocmask(SIG_BLOCK, NULL, &now);
  printf("mask %s\n", sigismember(&now, SIGSEGV) || sigismember(&now, SIGUSR1) ? "changed" : "as before");
  return 0;
}
