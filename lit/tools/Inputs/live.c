// live.c - runs one loop until a file is there, then another one; ends after a minute.
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile long sum;

__attribute__((noinline)) void first(int n) {
  for (int i = 0; i < n; i++)
    sum += i;
}

__attribute__((noinline)) void second(int n) {
  for (int i = 0; i < n; i++)
    sum ^= i;
}

int main(int argc, char **argv) {
  time_t start = time(NULL);
  while (argc > 1 && time(NULL) - start < 60) {
    if (access(argv[1], F_OK) != 0)
      first(3000000);
    else
      second(3000000);
    usleep(2000);
  }
  return 0;
}
