// Files of forked children stay within keep_bytes, but for the last 24; nothing else is removed. children=none: there are none.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && %reticle_cc -O2 -g %s -o %t/app && cd %t
//
// A server that forks again and again: beyond the limit the oldest go. Files of other runs and programs stay.
// RUN: RETICLE_OPTIONS=report=0 ./app 2 && ls *.prof > before && cp before reticle.app.1.prof && cp before one.prof.1
// RUN: RETICLE_OPTIONS=report=0:keep_bytes=64K ./app 60 > pids && ls *.prof > after && comm -13 before after | grep -v '[.]1[.]prof' | wc -l > n; test $(cat n) -ge 25 -a $(cat n) -lt 40
// RUN: comm -23 before after | %not grep . && test -f reticle.app.1.prof -a -f one.prof.1
// RUN: for p in $(tail -n 24 pids); do test -f reticle.app.$p.prof || exit 1; done
// RUN: rm reticle.app.*.prof && RETICLE_OPTIONS=report=0:keep_bytes=64K:out=one.prof ./app 60 > pids && ls one.prof.* | wc -l > n; test $(cat n) -ge 24 -a $(cat n) -lt 40
// RUN: for p in $(tail -n 24 pids); do test -f one.prof.$p || exit 1; done
// Killed children count as ended, and have a file only if they lived long enough.
// RUN: rm one.prof* && RETICLE_OPTIONS=report=0:keep_bytes=64K:out=one.prof:checkpoint_ms=50 ./app 60 kill > pids; ls | grep -c 'one.prof[.]' > n; test $(cat n) -lt 40
//
// A pool of workers that run beside each other: all have a file, whatever the limit; so has everybody within it.
// RUN: rm -f one.prof* && RETICLE_OPTIONS=report=0:keep_bytes=64K:out=one.prof ./app 20 pool > pids && ls one.prof.* | wc -l | grep -x 20
// RUN: rm -f one.prof* && RETICLE_OPTIONS=report=0:out=one.prof ./app 60 > pids && ls one.prof.* | wc -l | grep -x 60
//
// RUN: rm -f one.prof* && RETICLE_OPTIONS=report=0:children=none:out=one.prof ./app 5 > pids && ls | grep -c 'one.prof' | grep -x 1
// RUN: %python %support/loops.py %reticle one.prof | %FileCheck --check-prefix=NONE %s
// NONE: spin:[[#]] executions 7
// RUN: RETICLE_OPTIONS=report=0:children=mine:out=one.prof ./app 1 2>&1 | %FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: warning: option children: own, merge or none is needed, and own used; not: mine
// Under reticle run those that have ended are added up in one file, whatever their number; what isn't of this run stays.
// RUN: rm -f one.prof* && cp before other && RETICLE_OPTIONS=children=merge:out=one.prof %reticle run --no-report -- ./app 60 > pids && ls | grep '^one.prof' > left; printf 'one.prof\none.prof.children\n' | cmp - left
// RUN: %python %support/loops.py %reticle one.prof.children | %FileCheck --check-prefix=MERGED %s
// MERGED: spin:[[#]] executions 180
// RUN: RETICLE_OPTIONS=children=merge %reticle run --no-report -o 'm.%%e.%%p.prof' -- ./app 30 > pids && ls | grep -c '^m.app' | grep -x 2 && ls m.app.children.prof
//
// A child's file has the loops that it executed, so it is small in a large program.
// RUN: rm -f one.prof* && RETICLE_OPTIONS=report=0:out=one.prof ./app 1 > pids && %python %support/loops.py %reticle one.prof.* | %FileCheck --check-prefix=SMALL %s
// SMALL-NOT: rare
// SMALL: spin:[[#]] executions 3
// SMALL-NOT: rare
// RUN: %python %support/loops.py %reticle one.prof one.prof.* | %FileCheck --check-prefix=BOTH %s
// BOTH-DAG: spin:[[#]] executions 10
// BOTH-DAG: rare:[[#]] executions 1
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

__attribute__((noinline)) void rare(int n) {
  for (int i = 0; i < n; i++)
    sink = i + 1;
}

static void child(int is_killed) {
  for (int k = 0; k < 3; k++)
    spin(10);
  if (is_killed) {
    usleep(20000);
    kill(getpid(), SIGKILL);
  }
  _exit(0);
}

int main(int argc, char **argv) {
  int is_pool = argc > 2 && !strcmp(argv[2], "pool"), is_killed = argc > 2 && !is_pool;
  for (int k = 0; k < 7; k++)
    spin(10);
  rare(10);
  for (int i = 0; i < atoi(argv[1]); i++) {
    pid_t pid = fork();
    if (!pid)
      child(is_killed);
    printf("%d\n", (int)pid);
    fflush(stdout);
    if (!is_pool)
      waitpid(pid, 0, 0);
  }
  while (wait(0) > 0)
    ;
  return 0;
}
