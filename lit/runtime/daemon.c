// What servers do to their process: the profile is whole, at its place, and no file of the program's is touched.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t/elsewhere %t/root/%t %t/cache/reticle && %reticle_cc -O2 -g %s -o %t/app
// A floor, so that no report measures one: that of this machine has this name.
// RUN: cd %t && RETICLE_OPTIONS=report=0:out=a.prof ./app plain && XDG_CACHE_HOME=%t/cache %reticle report --json a.prof > floor.json
// RUN: if ! ls cache/reticle/floor-*; then echo "busy" > cache/busy; fi
//
// Environment and arguments overwritten, or cleared: the report is as without. It names the arguments that the
// program was started with, and finds its floor and where to look for the tool.
// RUN: for m in title clearenv setenv; do rm -f b.prof; XDG_CACHE_HOME=%t/cache RETICLE_OPTIONS=out=b.prof ./app $m 2> err || exit 1; \
// RUN:   %reticle dump --text b.prof | grep '^env' > env; echo "mode $m"; cat err env; done > all; %FileCheck --check-prefix=TEXT %s < all
// TEXT: mode title
// TEXT-NOT: {{be stored|cache|PATH}}
// TEXT: app title
// TEXT: mode clearenv
// TEXT-NOT: {{be stored|cache|PATH}}
// TEXT: app clearenv
// TEXT: mode setenv
// TEXT-NOT: {{be stored|cache|PATH}}
// TEXT: app setenv
// RUN: if ! test -f cache/busy; then grep -q 'just measured\|be stored' all && exit 1; grep -c 'timer floor .* old' all | grep -x 3; fi
//
// Descriptors closed, and their numbers taken by files of the program: nothing is written into those, nor to its
// standard output when standard error is closed.
// RUN: RETICLE_OPTIONS=out=closed.prof ./app closed && cat 0 1 2 | %not grep . && test -s closed.prof
// RUN: RETICLE_OPTIONS=out=closed.prof ./app quiet > out && %not grep . out
// RUN: RETICLE_OPTIONS=out=data.prof ./app data && %not grep . data && test -s data.prof
// RUN: RETICLE_OPTIONS=out=log.prof ./app log && grep -E "^(HOTTEST|LOOPS)" log
// RUN: RETICLE_OPTIONS=out=both.prof ./app both && grep -E "^(HOTTEST|LOOPS)" both
//
// A filter that forbids all but memory and the end: the runtime's thread has none, and writes the last checkpoint.
// RUN: RETICLE_OPTIONS=out=filter.prof:report=0 ./app filter && %python %support/loops.py %reticle filter.prof > out && %FileCheck --check-prefix=FILTER %s < out
// FILTER: spin:{{.*}} executions 200
// FILTER: ended_by 1
//
// A daemon that leaves its folder before it forks: the child's file is where the program was started.
// RUN: RETICLE_OPTIONS=out=%%e.%%p.prof:report=0 ./app away && ls app.*.prof | grep -c . | grep -x 2
//
// As root: what the process may no longer reach is written all the same, up to the end, by exit and by _exit; below
// the new root there is nothing.
// RUN: if test $(id -u) = 0; then for m in chroot nobody child; do rm -f d.prof*; RETICLE_OPTIONS=out=d.prof:report=0 ./app $m 2> err || exit 1; \
// RUN:   echo "mode $m"; cat err; ls d.prof*; %python %support/loops.py %reticle d.prof*; done > all && %FileCheck --check-prefix=ROOT %s < all && ! find root -name '*.prof*' | grep .; fi
// ROOT: mode chroot
// ROOT-NEXT: d.prof
// ROOT: spin:{{.*}} executions 200
// ROOT: ended_by 1
// ROOT: mode nobody
// ROOT-NEXT: d.prof
// ROOT: spin:{{.*}} executions 200
// ROOT: ended_by 1
// ROOT: mode child
// ROOT-NEXT: d.prof
// ROOT-NEXT: d.prof.
// ROOT: spin:{{.*}} executions 200
// ROOT: ended_by 1 2
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

static void times(int n) {
  while (n--)
    spin(10);
}

static void overwrite(char **argv) {
  char *end = argv[0];
  for (char **v = argv; *v; v++)
    end = *v + strlen(*v);
  for (char **v = environ; *v; v++)
    end = *v + strlen(*v);
  memset(argv[0], 0, (size_t)(end - argv[0]));
  strcpy(argv[0], "x: y z");
}

static int take_numbers(int all) {
  char name[] = "0";
  for (int fd = all ? 0 : 2; fd < 3; fd++)
    close(fd);
  for (int fd = 0; all && fd < 3; fd++, name[0]++)
    if (open(name, O_RDWR | O_CREAT, 0600) != fd)
      return 1;
  return 0;
}

static int is_child;

// The parent does nothing more.
static int fork_one(void) {
  pid_t child = fork();
  int status = 0;
  is_child = child == 0;
  if (child > 0 && waitpid(child, &status, 0) == child)
    exit(status != 0);
  return child < 0;
}

static int forbid(void) {
  static const int allowed[] = {SYS_brk, SYS_mmap, SYS_munmap, SYS_futex, SYS_rt_sigprocmask, SYS_clock_gettime, SYS_exit_group};
  enum { COUNT = sizeof allowed / sizeof *allowed };
  struct sock_filter code[2 * COUNT + 2] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
  int n = 1;
  for (int i = 0; i < COUNT; i++) {
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[i], 0, 1);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  struct sock_fprog filter = {(unsigned short)n, code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static int become(const char *mode, char **argv) {
  if (!strcmp(mode, "title"))
    overwrite(argv);
  else if (!strcmp(mode, "clearenv"))
    return clearenv();
  else if (!strcmp(mode, "setenv"))
    return setenv("HOME", "/nonexistent/a/b", 1) || setenv("XDG_CACHE_HOME", "/nonexistent/a/b", 1) ||
           setenv("PATH", "/nonexistent/a/b", 1) || setenv("RETICLE_TOOL", "/bin/false", 1);
  else if (!strcmp(mode, "closed") || !strcmp(mode, "quiet"))
    return take_numbers(!strcmp(mode, "closed"));
  else if (!strcmp(mode, "data"))
    return close(2) || open("data", O_WRONLY | O_CREAT | O_TRUNC, 0600) != 2;
  else if (!strcmp(mode, "log"))
    return dup2(open("log", O_WRONLY | O_CREAT | O_APPEND, 0600), 2) != 2;
  else if (!strcmp(mode, "both"))
    return dup2(open("both", O_WRONLY | O_CREAT | O_TRUNC, 0600), 1) != 1 || dup2(1, 2) != 2;
  else if (!strcmp(mode, "filter"))
    return forbid();
  else if (!strcmp(mode, "away"))
    return chdir("/") || fork_one();
  else if (!strcmp(mode, "chroot"))
    return chroot("root") || chdir("/");
  else if (!strcmp(mode, "nobody"))
    return setgid(65534) || setuid(65534);
  else if (!strcmp(mode, "child"))
    return fork_one() || (is_child && (chroot("root") || chdir("/") || setgid(65534) || setuid(65534)));
  return 0;
}

int main(int argc, char **argv) {
  times(100);
  if (argc < 2 || become(argv[1], argv))
    return 1;
  times(100);
  if (is_child)
    _exit(0);
  return 0;
}
