// A region's gate is a loop's gate; names and helpers leave nothing behind; loops= and ignorelist choose.
// REQUIRES: x86_64
// RUN: %clangxx -O2 -g -fPIE -fplugin=%plugin -I%src/include -S %s -o - | grep -vE "^\s*[.#]|^.Ltmp" | %FileCheck %s
// CHECK-LABEL: region:
// CHECK:      decl %fs:__reticle_cells.region@TPOFF
// CHECK-NEXT: js
// CHECK:      call{{.*}}work
// CHECK:      cmpl $0, %fs:__reticle_cells.region@TPOFF
// CHECK-NEXT: js
//
// RUN: for level in 0 2; do %clangxx -O$level -w -g -fplugin=%plugin -I%src/include -c %s -o %t.o && \
// RUN:   nm -C %t.o | %not grep -E "reticle_region|reticle::region" || exit 1; done
//
// Which are chosen: by name, by function, by place.
// RUN: %clangxx -O2 -g -fplugin=%plugin -fplugin-arg-reticle-loops=parse -I%src/include -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=ONE
// RUN: %clangxx -O2 -g -fplugin=%plugin -fplugin-arg-reticle-loops=region -I%src/include -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=ONE
// ONE: {{^}}@__reticle_unit.
// ONE-NOT: {{^}}@__reticle_unit.
// RUN: echo 'fun:parse' > %t.ignore
// RUN: %clangxx -O2 -g -fplugin=%plugin -fplugin-arg-reticle-ignorelist=%t.ignore -I%src/include -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=ONE
// RUN: %clangxx -O2 -g -fplugin=%plugin -fplugin-arg-reticle-ignorelist=%t.ignore -Rpass-missed=reticle -I%src/include -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=WHY
// WHY: [[#@LINE+7]]:3: remark: region parse is not probed: ignorelist
#include <reticle.h>

extern "C" {
void work(int n);

void region(int n) {
  RETICLE_REGION_BEGIN("parse");
  work(n);
  RETICLE_REGION_END;
}

void object(int n) {
  reticle::region r("other");
  work(n);
}
}
