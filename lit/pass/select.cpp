// ignorelist=, loops= and attributes choose which loops are probed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: echo "fun:*parse*" > %t.fun; echo "src:*select.cpp" > %t.src; printf '[reticle]\nfun:_Z4scanPKi\n[address]\nsrc:*\n' > %t.own
// RUN: %clangxx -O1 -g -S -emit-llvm %s -o - -fplugin=%plugin | %FileCheck %s --check-prefix=ALL
// RUN: %clangxx -O1 -g -S -emit-llvm %s -o - -fplugin=%plugin -fplugin-arg-reticle-ignorelist=%t.fun | %FileCheck %s --check-prefix=SCAN
// RUN: %clangxx -O1 -g -S -emit-llvm %s -o - -fplugin=%plugin -fplugin-arg-reticle-ignorelist=%t.src | %FileCheck %s --check-prefix=NONE
// RUN: %clangxx -O1 -g -S -emit-llvm %s -o - -fplugin=%plugin -fplugin-arg-reticle-ignorelist=%t.own | %FileCheck %s --check-prefix=PARSE
// A loop's id, as `reticle gates` lists it: 16 hex digits.
// RUN: echo "loop:[0-9a-f]*" > %t.loops; echo "loop:0123456789abcdef" > %t.other
// RUN: %clangxx -O1 -g -S -emit-llvm %s -o - -fplugin=%plugin -fplugin-arg-reticle-ignorelist=%t.loops | %FileCheck %s --check-prefix=NONE
// RUN: %clangxx -O1 -g -S -emit-llvm %s -o - -fplugin=%plugin -fplugin-arg-reticle-ignorelist=%t.other | %FileCheck %s --check-prefix=ALL
// RUN: %clangxx -O1 -g -S -emit-llvm %s -o - -fplugin=%plugin -fplugin-arg-reticle-loops=par* | %FileCheck %s --check-prefix=PARSE
// RUN: %clangxx -O1 -g -S -emit-llvm %s -o - -fplugin=%plugin -fplugin-arg-reticle-loops=text::parse | %FileCheck %s --check-prefix=PARSE
// RUN: %clangxx -O1 -g -S -emit-llvm %s -o - -fplugin=%plugin -fplugin-arg-reticle-loops=nothing,select.cpp:23 | %FileCheck %s --check-prefix=PARSE
// RUN: %clangxx -O1 -g -S -emit-llvm %s -o - -fplugin=%plugin -fplugin-arg-reticle-loops=select.cpp | %FileCheck %s --check-prefix=ALL
// ALL-DAG: @__reticle_loops._ZN4text5parseEPKi
// ALL-DAG: @__reticle_loops._Z4scanPKi
// ALL-NOT: @__reticle_loops.{{.*}}{{asked|clean}}
#define NO_PROBES __attribute__((no_instrument_function))
namespace text {
int parse(const int *p) {
  int n = 0;
  while (p[n] != 6)
    n++;
  return n;
}
} // namespace text
int scan(const int *p) {
  int n = 0;
  while (p[n] != 7)
    n++;
  return n;
}
NO_PROBES int asked(const int *p) {
  int n = 0;
  while (p[n] != 8)
    n++;
  return n;
}
template <typename T> struct box {
  NO_PROBES int asked(const T *p) {
    int n = 0;
    while (p[n] != 9)
      n++;
    return n;
  }
};
template struct box<int>;
__attribute__((disable_sanitizer_instrumentation)) int clean(const int *p) {
  int n = 0;
  while (p[n] != 10)
    n++;
  return n;
}
// PARSE: @__reticle_loops._ZN4text5parseEPKi
// PARSE-NOT: @__reticle_loops._Z4scanPKi
// SCAN: @__reticle_loops._Z4scanPKi
// SCAN-NOT: @__reticle_loops._ZN4text5parseEPKi
// NONE-NOT: @__reticle_loops
// NONE: @__reticle_object = {{.*}} i32 0, i32 5, i32 0, i32 0, i32 5, i32 0, i32 1, ptr null }
