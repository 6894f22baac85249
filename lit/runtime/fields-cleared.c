// Several fields of an array's elements that are set to 0 one by one, of which the optimiser makes one memset, are written once each.
// REQUIRES: plugin, runtime, tool
// RUN: for o in -O0 -O1 -O2 -O3 "-O3 -fno-strict-aliasing"; do %reticle_cc $o -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt
// RUN: for p in FIRST MIDDLE LAST WAS; do %FileCheck --check-prefix=$p %s < %t.txt || exit 1; done
// FIRST-COUNT-5: body:[[#]] 80 force @32 R 0 W 1600{{$}}
// MIDDLE-COUNT-5: body:[[#]] 80 torque @40 R 0 W 1600{{$}}
// LAST-COUNT-5: body:[[#]] 80 heat @48 R 0 W 1601{{$}}
// WAS-COUNT-5: body:[[#]] 80 x @0 R 1 W 100{{$}}
// So are the loops' ways through the elements, which is what the layout is advised by.
// RUN: %reticle layout body %t.prof | %FileCheck --check-prefix=WAY %s
// WAY: clear fields-cleared.c:[[#]] streaming 800 visits {{.*}}{force w, torque w, heat w}
#include <stdlib.h>

struct body {
  double x, y, z, mass;
  double force, torque, heat;
  long id, kind, flags;
};

__attribute__((noinline)) static void clear(struct body *bodies, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    bodies[i].force = 0;
    bodies[i].torque = 0;
    bodies[i].heat = 0;
  }
}

// Written from the last one to the first, in a loop of constant length, which is unrolled.
__attribute__((noinline)) static void clear_backwards(struct body *bodies) {
  for (unsigned i = 0; i < 100; i++) {
    bodies[i].heat = 0;
    bodies[i].torque = 0;
    bodies[i].force = 0;
  }
}

__attribute__((noinline)) static void fill(struct body *bodies, double value) {
  for (unsigned i = 0; i < 100; i++)
    bodies[i].x = value;
}

int main(void) {
  struct body *all = calloc(100, sizeof *all);
  if (!all)
    return 1;
  fill(all, 3);
  for (int k = 0; k < 8; k++) {
    clear(all, 100);
    clear_backwards(all);
    __asm__ volatile("" : : "r"(all) : "memory");
  }
  all[3].heat = 1;
  return all[99].x == 4;
}
