// Processes with one out=: no file is lost, and what is where is said. The latest run has the name, unless another process
// that has it still runs.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %reticle_cc -O1 -g %s -o app
// RUN: %python %S/Inputs/shared.py %reticle > said || (cat said; false)
// RUN: %FileCheck %s < said
// CHECK: one after the other: out.prof 2nd, out.prof.PID1 1st; 2nd says: the profile of process PID1, which has ended, is no longer out.prof but out.prof.PID1
// CHECK-NEXT: one beside the other: out.prof 1st, out.prof.PID2 2nd; 2nd says: out.prof is the profile of process PID1, this one's is out.prof.PID2; %p in option out= names the process, %r the MPI rank
// CHECK-NEXT: started again beside it: out.prof 3rd, out.prof.PID1 1st, out.prof.PID2 2nd
// CHECK-NEXT: killed before: out.prof 2nd, out.prof.PID1 1st
// CHECK-NEXT: a first checkpoint of a process that is gone: out.prof 2nd; 2nd says nothing
// CHECK-NEXT: exec of itself: out.prof second, out.prof.PID1 first
// CHECK-NEXT: exec of itself, %p: PID1-2.prof second, PID1.prof first
// CHECK-NEXT: taken meanwhile by a run elsewhere: out.prof 2nd, out.prof.PID1 1st; 1st says: out.prof is the profile of process PID2, this one's is out.prof.PID1
// CHECK-NEXT: taken away meanwhile: out.prof 1st; 1st says nothing
// CHECK-NEXT: its own file with another time: out.prof 1st; 1st says nothing
// CHECK-NEXT: parent and child: out.prof parent, out.prof.PID2 child
// CHECK-NEXT: 16 at once: 16 profiles of 16 processes, out.prof among them, 15 have said so
// CHECK-NEXT: 16 at once behind a run: 17 profiles of 17 processes, out.prof among them
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

// Ends when its input does: "wait" after the first byte is out, so that the test knows where it is.
int main(int argc, char **argv) {
  const char *how = argc > 2 ? argv[2] : "";
  for (int i = 0; i < 1000; i++)
    spin(100);
  if (!strcmp(how, "exec")) {
    usleep(100000); // a checkpoint
    execl("./app", "./app", "second", (char *)0);
  }
  if (!strcmp(how, "fork")) {
    if (!fork()) {
      spin(100);
      _exit(0);
    }
    wait(0);
  }
  char byte;
  if (!strcmp(how, "wait") && write(1, "x", 1) == 1)
    while (read(0, &byte, 1) == 1)
      spin(100);
  return 0;
}
