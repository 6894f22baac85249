// study_daemon.c - prints something else each time, and leaves a process behind.
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  printf("%ld\n", now.tv_nsec);
  fflush(stdout);
  if (fork() == 0) {
    setsid();
    for (;;)
      pause();
  }
  return 0;
}
