// Nothing at exit waits without a bound: pipes and devices in the place of files, a stderr that nobody reads, a tool
// that stops; and SIGTERM ends the program meanwhile.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %reticle_cc -O2 -g %s -o app
// RUN: %python %S/Inputs/bounded.py %reticle > said || (cat said; false)
// RUN: %FileCheck %s < said
// CHECK: out=pipe: status 7, profile pipe.PID, says: pipe is a pipe and stays as it is
// CHECK: out=socket: status 7, profile socket.PID, says: socket is a socket and stays as it is
// CHECK: out=/dev/full: status 7, no profile, says: /dev/full: cannot be written ({{not a place for files|permission denied}}); the profile is reticle.app.{{[0-9]+}}.prof; set option
// CHECK: out=/dev/null: status 7, no profile, says nothing
// CHECK: log_path=pipe: status 7, profile p.prof, says: log_path {{.*}}pipe can't be used (nobody reads that pipe)
// CHECK: log_path=full pipe: status 7, profile q.prof, says: log_path full can't be used (it took too long): messages go to stderr;
// CHECK: stderr a full pipe: status 7, profile r.prof
// CHECK: stderr a closed pipe: status 7, profile s.prof
// CHECK: a tool that stops: status 7, profile t.prof, says: the report failed; stopped, as a program must not wait longer
// CHECK: SIGTERM meanwhile: signal 15, profile u.prof, says nothing, tool gone
// CHECK: a handler of SIGTERM meanwhile: status 9, profile v.prof
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

static void on_term(int number) { _exit(number - 6); }

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1)
    signal(SIGTERM, on_term);
  for (int i = 0; i < 1000; i++)
    spin(100);
  return 7;
}
