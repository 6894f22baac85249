// Begins and ends that don't fit together get a warning at their place; remarks=0 keeps it back.
// RUN: %clang -O2 -fplugin=%plugin -g -I%src/include -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %clang -O2 -fplugin=%plugin -g -I%src/include -c %s -o %t.o -fplugin-arg-reticle-remarks=0 2>&1 | %not grep .
// RUN: %clang -O2 -g -I%src/include -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %not %clang -O2 -g -I%src/include -DVARIABLE -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=LITERAL
#include <reticle.h>
#include <setjmp.h>

int work(int);
jmp_buf back;

// CHECK: [[#@LINE+4]]:5: warning: reticle: region 'early' (line [[#@LINE+2]]) is left here without RETICLE_REGION_END: it is taken to end here
int early(int n) {
  RETICLE_REGION_BEGIN("early");
  if (n)
    return 1;
  work(n);
  RETICLE_REGION_END;
  return 0;
}

// CHECK: [[#@LINE+2]]:3: warning: reticle: region 'loop' (line [[#@LINE+3]]) is left here
void in_loop(int n) {
  for (int i = 0; i < n; i++) {
    RETICLE_REGION_BEGIN("loop");
    work(i);
  }
}

// CHECK: [[#@LINE+3]]:3: warning: reticle: RETICLE_REGION_END without RETICLE_REGION_BEGIN
void no_begin(int n) {
  work(n);
  RETICLE_REGION_END;
}

// CHECK: [[#@LINE+4]]:5: warning: reticle: region 'gone' (line [[#@LINE+2]]) is left here
int gone(int n) {
  RETICLE_REGION_BEGIN("gone");
  if (n > 3)
    goto out;
  work(1);
  RETICLE_REGION_END;
out:
  return work(2);
}

// CHECK: [[#@LINE+4]]:5: warning: reticle: region 'jump' (line [[#@LINE+2]]) is left by longjmp without RETICLE_REGION_END: such an execution is counted but not timed
void jump(void) {
  RETICLE_REGION_BEGIN("jump");
  if (work(1))
    longjmp(back, 1);
  RETICLE_REGION_END;
}

// CHECK: [[#@LINE+3]]:3: warning: reticle: region 'never' (line [[#@LINE+2]]) is left here
int never(void) {
  RETICLE_REGION_BEGIN("never");
  return work(3);
}

// Nothing to say: both ways end it, and one of them returns.
// CHECK-NOT: right
int right(int n) {
  RETICLE_REGION_BEGIN("right");
  if (work(n)) {
    RETICLE_REGION_END;
    return 1;
  }
  RETICLE_REGION_END;
  return 0;
}

#ifdef VARIABLE
// LITERAL: error: expected
void variable(const char *name) { RETICLE_REGION_BEGIN(name); }
#endif
