// A program that closes standard error at its end, as GNU's do, has its report on the terminal.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && %reticle_cc -O2 -g %s -o %t/app && cd %t
// RUN: env RETICLE_OPTIONS=out=app.prof COLUMNS=200 %python -c "import pty; pty.spawn(['./app'])" </dev/null | %FileCheck %s
// No terminal: nothing is said, the profile is there.
// RUN: env RETICLE_OPTIONS=out=none.prof setsid ./app > none.txt 2>&1 </dev/null && %FileCheck %s --check-prefix=NONE < none.txt && ls none.prof
// CHECK: done
// CHECK: reticle[{{[0-9]+}}] {{.*}}./app
// CHECK: instrumented 1/1 function
// NONE: done
// NONE-NOT: reticle
#include <stdio.h>

static volatile long sum;

int main(void) {
  for (int i = 0; i < 1000000; i++)
    sum += i;
  puts("done");
  fclose(stderr);
  return 0;
}
