// The calls of reticle.h: samples are counted while the program runs, a report in mid-run says what the last one
// says, and without the plug-in, the feature or the shadow memory nothing is asked of anybody.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=shadow %s -o %t
// RUN: %env_reticle %t %t.prof %t.mid.prof | %FileCheck --check-prefix=ON %s
// RUN: %python %support/sites.py %reticle %t.mid.prof -- make > %t.mid && %python %support/sites.py %reticle %t.prof -- make > %t.end && diff %t.mid %t.end && %FileCheck --check-prefix=SITE %s < %t.end
// RUN: env SOON=1 %env_reticle:shadow_hz=1 %t %t.prof %t.mid.prof && %python %support/sites.py %reticle %t.mid.prof -- make | %FileCheck --check-prefix=SITE %s
// RUN: env RETICLE_OPTIONS=out=%t.prof %t %t.prof %t.mid.prof 2>&1 | grep -c 'HEAP AND GLOBALS' | %FileCheck --check-prefix=TWICE %s
// RUN: env RETICLE_OPTIONS=report=0:shadow=0:out=%t.prof %t %t.prof %t.mid.prof | %FileCheck --check-prefix=OFF %s
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=loop %s -o %t && %env_reticle %t %t.prof %t.mid.prof | %FileCheck --check-prefix=OFF %s
// RUN: %clang -O2 -std=c11 -pedantic-errors -Wall -Werror -I%src/include %s -o %t && %t %t.prof %t.mid.prof | %FileCheck --check-prefix=NONE %s
// RUN: %clang -O2 -S -I%src/include %s -o - | %FileCheck --check-prefix=FREE %s
// ON: samples grow, report 0
// SITE: heap make objects 100 live 50 touched 100 {{.*}} ever 50.0
// TWICE: {{^}}2{{$}}
// OFF: samples -1, report 0
// NONE: samples -1, report -1
// FREE-NOT: reticle_
#include <reticle.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile char *made[100];

__attribute__((noinline)) static volatile char *make(void) {
  volatile char *p = aligned_alloc(64, 64);
  int i;
  for (i = 0; i < 32; i++)
    p[i] = 1;
  return p;
}

static int copy(const char *from, const char *to) {
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  int c;
  if (!in || !out)
    return 1;
  while ((c = getc(in)) != EOF)
    putc(c, out);
  fclose(in);
  return fclose(out);
}

int main(int argc, char **argv) {
  time_t start = time(NULL);
  long first = RETICLE_SHADOW_SAMPLES(), now = -1;
  int i, r;
  int is_soon = getenv("SOON") != NULL; // a report right behind another, within the interval of samples
  if (is_soon)
    (void)RETICLE_REPORT();
  for (i = 0; i < 100; i++)
    made[i] = make();
  for (i = 0; i < 50; i++)
    free((void *)made[i]);
  while (!is_soon && (now = RETICLE_SHADOW_SAMPLES()) >= 0 && now < first + 3 && time(NULL) < start + 20)
    ;
  r = RETICLE_REPORT();
  if (now >= first + 3)
    printf("samples grow, report %d\n", r);
  else
    printf("samples %ld, report %d\n", now, r);
  fflush(stdout);
  return argc == 3 && r == 0 ? copy(argv[1], argv[2]) : 0;
}
