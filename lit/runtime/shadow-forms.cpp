// Every way to allocate has its site: malloc, calloc, realloc, aligned forms, operator new; realloc carries the
// marks along; operator new still throws.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: for o in "" -fPIC "-fno-pie -no-pie" -static; do %reticle_cxx -O2 -g $o -fplugin-arg-reticle-features=shadow %s -o %t || exit 1; %env_reticle:shadow_hz=1 %t $o || exit 1; test "$o" = -static || %python %support/sites.py %reticle %t.prof -- by_malloc by_calloc by_realloc by_posix by_memalign by_new by_new_array by_new_aligned by_nothrow; done | sort | %FileCheck %s
// The first sample comes at once, the next after a second: none between a mark and the realloc that takes it along.
// CHECK-COUNT-3: heap by_calloc objects 10 live 0 touched 10 bytes 104-104 useful {{.*}} words 0 8{{$}}
// CHECK-COUNT-3: heap by_malloc objects 10 live 0 touched 10 bytes 104-104 useful {{.*}} words 0 8{{$}}
// CHECK-COUNT-3: heap by_memalign objects 10 live 0 touched 10 {{.*}} words 0 8{{$}}
// CHECK-COUNT-3: heap by_new objects 10 live 0 touched 10 bytes 104-104 {{.*}} words 0 8{{$}}
// CHECK-COUNT-3: heap by_new_aligned objects 10 live 0 touched 10 {{.*}} words 0 8{{$}}
// CHECK-COUNT-3: heap by_new_array objects 10 live 0 touched 10 {{.*}} words 0 8{{$}}
// CHECK-COUNT-3: heap by_nothrow objects 10 live 0 touched 10 {{.*}} words 0 8{{$}}
// CHECK-COUNT-3: heap by_posix objects 10 live 0 touched 10 {{.*}} words 0 8{{$}}
// CHECK-COUNT-3: heap by_realloc objects 10 live 0 touched 10 bytes 100008-100008 {{.*}} words 0 8 12{{$}}
// CHECK-COUNT-3: heap by_realloc objects 10 live 0 touched 10 bytes 104-104 useful {{.*}} words 12{{$}}
// CHECK-COUNT-3: thrown and caught
#include <cstdio>
#include <cstdlib>
#include <new>
#include <unistd.h>

struct object {
  volatile int word[25];
};
struct alignas(128) aligned {
  volatile int word[25];
};

#define SITE(name, ...)                                                                            \
  __attribute__((noinline)) static void name(int i) {                                              \
    __VA_ARGS__;                                                                                   \
    o->word[0] = i;                                                                                \
    o->word[2] = i;                                                                                \
    release(o);                                                                                    \
  }

#define release free
SITE(by_malloc, object *o = (object *)malloc(100))
SITE(by_calloc, object *o = (object *)calloc(25, 4))
SITE(by_posix, void *p = nullptr; if (posix_memalign(&p, 256, 100)) abort(); object *o = (object *)p)
SITE(by_memalign, object *o = (object *)aligned_alloc(64, 128))
SITE(by_realloc, object *o = (object *)realloc(nullptr, 100); o->word[3] = 1; o = (object *)realloc(o, 100000))
#undef release
#define release delete
SITE(by_new, object *o = new object)
SITE(by_new_aligned, aligned *o = new aligned)
SITE(by_nothrow, object *o = new (std::nothrow) object)
#undef release
#define release delete[]
SITE(by_new_array, object *o = new object[3])

int main(int argc, char **argv) {
  usleep(50000);
  for (int i = 0; i < 10; i++) {
    by_malloc(i);
    by_calloc(i);
    by_posix(i);
    by_memalign(i);
    by_realloc(i);
    by_new(i);
    by_new_aligned(i);
    by_nothrow(i);
    by_new_array(i);
  }
  // A static program has no operator new behind ours that could throw.
  if (argc > 1 && argv[1][1] == 's')
    return 0;
  volatile size_t much = ~size_t(0) / 4;
  try {
    void *volatile p = ::operator new(much);
    ::operator delete(p);
  } catch (const std::bad_alloc &) {
    std::puts("thrown and caught");
  }
  return 0;
}
