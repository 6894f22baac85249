// block_capture.c - calls walk() of block_capture.s, in a child where one is asked for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

long walk(long *const *pointers, long count);
extern long *pointers[];

int main(int argc, char **argv) {
  (void)argv;
  puts("the program's own words");
  if (argc > 1 && fork()) {
    wait(NULL);
    return 0;
  }
  return walk(pointers, 8) != 8;
}
