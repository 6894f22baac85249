// Bursts: the same sites come first as when the program marks all the time, with shares near by; objects are exact where
// each is looked at, and near where one in 8 is, as bursts have it;
// a program that stays in one loop, threads and a child process have bursts, too. The report says what isn't known.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow=bursts %s -o %t -lpthread
// RUN: %env_reticle:shadow_hz=100 %t all && %python %support/sites.py %reticle %t.prof -- site6 site25 site50 site100 never | %FileCheck --check-prefix=SITES %s
// RUN: %reticle report --heap %t.prof | %FileCheck --check-prefix=FULL %s
// RUN: %env_reticle:shadow_hz=100:duty=20%%:shadow_objects=1 %t all && %python %support/sites.py %reticle %t.prof -- site6 site25 site50 site100 never | %FileCheck --check-prefix=SITES %s
// RUN: %reticle report --heap %t.prof | %FileCheck --check-prefix=REPORT %s
// RUN: %reticle show A1 %t.prof | %FileCheck --check-prefix=CARD %s
// RUN: %reticle report --json %t.prof | %FileCheck --check-prefix=JSON %s
// RUN: %env_reticle:shadow_hz=100:duty=20%% %t all && %python %support/sites.py %reticle %t.prof -- site6 site25 site50 site100 never | %FileCheck --check-prefix=DRAWN %s
// RUN: %reticle report --json %t.prof | %FileCheck --check-prefix=EIGHT %s
// RUN: %env_reticle:shadow_hz=100:duty=20%%:shadow_objects=1 %t loop && %python %support/sites.py %reticle %t.prof -- site25 | %FileCheck --check-prefix=LOOP %s
// One site for a call that has two addresses.
// RUN: %env_reticle:shadow_hz=100:duty=50%%:shadow_objects=1 %t churn > %t.count && %python %support/sites.py %reticle %t.prof -- churn > %t.churn && grep "objects $(cat %t.count) live 0" %t.churn && %FileCheck --check-prefix=CHURN %s < %t.churn
// CHURN-COUNT-1: heap churn objects
// CHURN-NOT: churn
// RUN: rm -f %t.fork.*; env RETICLE_OPTIONS=report=0:shadow_hz=100:duty=20%%:out=%t.fork.%%p %t fork
// RUN: for p in %t.fork.*; do %python %support/sites.py %reticle $p -- site25; done | %FileCheck --check-prefix=FORK %s
// RUN: %env_reticle:shadow_hz=1:duty=0.1%%:shadow_objects=1 %t none && %reticle report --heap %t.prof | %FileCheck --check-prefix=NONE %s
// RUN: %reticle show A1 %t.prof | %FileCheck --check-prefix=NONECARD %s
// RUN: for d in 0 0%% 101%% much; do %env_reticle:verbosity=1:duty=$d %t none; done 2>&1 | %FileCheck --check-prefix=WRONG %s
// Code without the second copy isn't measured then, and that is said.
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=shadow %s -o %t -lpthread
// RUN: %env_reticle:shadow_hz=100:duty=20%%:verbosity=1 %t all 2>&1 | %FileCheck --check-prefix=UNFIT %s
// RUN: %reticle report --heap %t.prof | %FileCheck --check-prefix=HINT %s
// UNFIT-COUNT-1: warning: option duty: what code touches that was compiled without -fplugin-arg-reticle-shadow=bursts isn't measured
// SITES: heap site6 objects 2000 live 1000 touched {{.*}} useful {{[4-8]}}.{{[0-9]}} ever 6.2 words 0 64 128 192{{$}}
// SITES-NEXT: heap site25 objects 2000 live 1000 touched {{.*}} useful 2{{[3-7]}}.{{[0-9]}} ever 25.0
// SITES-NEXT: heap site50 objects 2000 live 1000 touched {{.*}} useful {{48|49|50|51|52}}.{{[0-9]}} ever {{50.0|49.9}}
// SITES-DAG: heap never objects 2000 live 1000 touched 0 {{.*}} useful none ever none words
// SITES-DAG: heap site100 objects 2000 live 1000 touched {{.*}} useful {{9[89]|100}}.{{[0-9]}} ever
// DRAWN: heap site6 objects {{1[4-9][0-9][0-9]|2[0-6][0-9][0-9]}} {{.*}} useful {{[4-8]}}.{{[0-9]}} ever 6.2 words 0 64 128 192{{$}}
// DRAWN-NEXT: heap site25 objects {{1[4-9][0-9][0-9]|2[0-6][0-9][0-9]}} {{.*}} useful 2{{[3-7]}}.{{[0-9]}} ever 25.0
// DRAWN-NEXT: heap site50 objects {{1[4-9][0-9][0-9]|2[0-6][0-9][0-9]}} {{.*}} useful {{48|49|50|51|52}}.{{[0-9]}} ever {{50.0|49.9}}
// DRAWN-DAG: heap never objects {{1[4-9][0-9][0-9]|2[0-6][0-9][0-9]}} live {{.*}} touched 0 {{.*}} useful none ever none words
// DRAWN-DAG: heap site100 objects {{1[4-9][0-9][0-9]|2[0-6][0-9][0-9]}}
// EIGHT: "objects_error": {{[12][0-9][0-9]}}
// EIGHT: "objects_every": 8
// FULL-NOT: marked in
// REPORT: marked in [[#]] bursts of {{.*}} of the time: useful, ever
// REPORT-NOT: of the marks
// REPORT: sampled [[#]] times
// CARD: of them touched in bursts, 1000 alive at the end
// JSON: "duty": 0.2
// JSON: "bursts": {{[1-9]}}
// JSON: "objects_every": 1,
// LOOP: heap site25 objects 2000 live 2000 touched {{[1-9].*}} useful 2{{[3-7]}}.{{[0-9]}} ever 25.0
// FORK: heap site25 objects {{.*}} touched {{[1-9].*}} useful 2{{[3-7]}}.{{[0-9]}} ever 25.0
// FORK: marked True sites some
// FORK: heap site25 objects {{.*}} touched {{[1-9].*}} useful 2{{[3-7]}}.{{[0-9]}} ever 25.0
// FORK: marked True sites some
// NONE: no burst took place, so that what was touched isn't
// NONECARD: 2000, no burst shows which were touched
// NONECARD: useful of fetched {{.*}}no burst took place
// NONECARD: waste {{.*}}no burst took place
// WRONG-COUNT-4: warning: option duty: '{{0|0%|101%|much}}' is not a share from 0.1 % to 100 % (give 1 or 0.5%); ignored
// HINT: 100 % of the marks have no effect
#include <pthread.h>
#include <reticle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 2000, LINES = 4, SAMPLES = 8 };
struct object {
  volatile int word[16 * LINES];
};

#define SITE(name, call)                                                                           \
  __attribute__((noinline)) static struct object *name(void) {                                     \
    struct object *made = call;                                                                    \
    __asm__ volatile("" ::: "memory");                                                             \
    return made;                                                                                   \
  }
SITE(make, aligned_alloc(64, sizeof(struct object)))
SITE(site6, make())
SITE(site25, make())
SITE(site50, make())
SITE(site100, make())
SITE(never, make())

static struct object *objects[5][N];
static volatile int stop;

static void touch(struct object *o, int words) {
  for (int line = 0; line < LINES; line++)
    for (int i = 0; i < words; i++)
      o->word[16 * line + i]++;
}

static void make_all(void) {
  for (int i = 0; i < N; i++) {
    objects[0][i] = site6();
    objects[1][i] = site25();
    objects[2][i] = site50();
    objects[3][i] = site100();
    objects[4][i] = never();
  }
}

// Until there have been some samples, the first of which may be of a part of an interval.
static int is_enough(void) { return RETICLE_SHADOW_SAMPLES() >= SAMPLES; }

// Two threads, of which only one touches at a time what the other does, too.
static void *touch_all(void *unused) {
  while (!is_enough())
    for (int i = 0; i < N; i++) {
      touch(objects[0][i], 1);
      touch(objects[1][i], 4);
      touch(objects[2][i], 8);
      touch(objects[3][i], 16);
    }
  return unused;
}

static void all(void) {
  pthread_t other;
  make_all();
  pthread_create(&other, NULL, touch_all, NULL);
  touch_all(NULL);
  pthread_join(other, NULL);
  for (int i = 0; i < N; i += 2)
    for (int k = 0; k < 5; k++)
      free(objects[k][i]);
}

static void *wait_for_samples(void *unused) {
  while (!is_enough())
    usleep(1000);
  stop = 1;
  return unused;
}

// One loop without a call, entered before the first burst, as good as sure, and left behind the last.
__attribute__((noinline)) static void stay(struct object **site) {
  for (unsigned i = 0; !stop; i = (i + 1) % N) {
    volatile int *word = site[i]->word;
    word[0]++, word[1]++, word[2]++, word[3]++;
    word[16]++, word[17]++, word[18]++, word[19]++;
    word[32]++, word[33]++, word[34]++, word[35]++;
    word[48]++, word[49]++, word[50]++, word[51]++;
  }
}

static void loop(void) {
  pthread_t other;
  make_all();
  pthread_create(&other, NULL, wait_for_samples, NULL);
  stay(objects[1]);
  pthread_join(other, NULL);
}

// Born and freed in bursts, in rests, and across their ends.
__attribute__((noinline)) static void churn(void) {
  long count = 0;
  for (; !is_enough(); count++) {
    volatile int *o = malloc(40);
    o[0] = 1;
    free((void *)o);
  }
  printf("%ld\n", count);
}

int main(int argc, char **argv) {
  int status = 0;
  (void)argc;
  if (!strcmp(argv[1], "all"))
    all();
  else if (!strcmp(argv[1], "loop"))
    loop();
  else if (!strcmp(argv[1], "churn"))
    churn();
  else if (!strcmp(argv[1], "none"))
    make_all();
  else if (fork() == 0)
    loop();
  else {
    loop();
    wait(&status);
  }
  return status != 0;
}
