// A failing operator new does what it does in the plain program, static or not: the new handler is called until it
// gives up, std::bad_alloc is thrown and can be caught by its type or by anything, nothrow forms return null.
// REQUIRES: plugin, runtime, x86_64, static-libc
// RUN: for o in "" -static "-static -DANY"; do %clangxx -O2 $o %s -o %t && %t > %t.plain && %reticle_cxx -O2 -g $o -fplugin-arg-reticle-features=shadow %s -o %t && %env_reticle %t > %t.out && diff %t.plain %t.out || exit 1; done
// RUN: %FileCheck %s < %t.out
// CHECK: handlers 3, caught
// CHECK: aligned: handlers 0, caught
// CHECK: nothrow: handlers 2, null
// CHECK: none: caught
// Without anything that could catch, it ends the program.
// RUN: %reticle_cxx -O2 -g -static -fno-exceptions -DNOTHING -fplugin-arg-reticle-features=shadow %s -o %t && %not --crash %env_reticle %t
#include <cstddef>
#include <new>

using std::size_t;

#ifdef NOTHING
int main() {
  volatile char *p = (char *)::operator new(size_t(1) << 62);
  return p[0];
}
#else
#include <cstdio>

static int calls;
static int limit;
static volatile size_t huge = size_t(1) << 62;

static void handler() {
  if (++calls == limit)
    std::set_new_handler(nullptr);
}

static void *volatile sink;
template <typename Make> static void attempt(const char *name, int handlers, Make make) {
  calls = 0;
  limit = handlers;
  std::set_new_handler(handlers ? handler : nullptr);
  const char *end = "made";
  try {
    sink = make();
    end = sink ? "made" : "null";
  }
#ifdef ANY
  catch (...) {
    end = "caught";
  }
#else
  catch (const std::bad_alloc &e) {
    end = e.what()[0] ? "caught" : "caught nameless";
  }
#endif
  printf("%shandlers %d, %s\n", name, calls, end);
}

int main() {
  attempt("", 3, [] { return ::operator new(huge); });
  attempt("aligned: ", 0, [] { return ::operator new(huge, std::align_val_t(128)); });
  attempt("nothrow: ", 2, [] { return ::operator new(huge, std::nothrow); });
  std::set_new_handler(nullptr);
  try {
    sink = ::operator new[](huge);
  } catch (...) {
    printf("none: caught\n");
  }
  return 0;
}
#endif
