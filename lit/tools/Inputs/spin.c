// spin.c - a loop that is worth timing; with "kill" it ends itself by SIGKILL, else after so many rounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
volatile int sink;
__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink += i;
}
int main(int argc, char **argv) {
  int kills = argc > 1 && argv[1][0] == 'k';
  int rounds = kills ? 2000 : argc > 1 ? atoi(argv[1]) : 1;
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < 200; i++)
      spin(2000);
  if (kills)
    raise(SIGKILL);
  puts("done");
}
