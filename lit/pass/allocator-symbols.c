// Objects that use no heap define no symbol that isn't theirs but Reticle's own: makefiles of allocators rename what nm lists
// (jemalloc's private names). Calls of mmap go to the runtime; where the program begins, and where it allocates, malloc is in line.
// REQUIRES: x86_64, plugin, runtime
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: for f in loop loop,field loop,shadow loop,block loop,field,shadow,block; do for o in "-O0" "-O2" "-O2 -fPIC"; do \
// RUN:   %reticle_cc $o -g -c -DPAGES -fplugin-arg-reticle-features=$f %s -o pages.o || exit 1; \
// RUN:   nm -a pages.o | awk 'NF == 3 && $2 ~ /^[ABCDGRSTVW]$/ && $3 !~ /^__reticle_/ { print $3 }' | sort | tr '\n' ' '; echo "of $f $o"; done; done > names
// RUN: %FileCheck %s < names && grep -c . names | %FileCheck --check-prefix=ROWS %s
// CHECK-NOT: {{mmap|malloc|free}}
// CHECK-COUNT-15: {{^}}mine_map mine_table mine_unmap of
// CHECK-NOT: {{mmap|malloc|free}}
// ROWS: {{^}}15{{$}}
// RUN: %clang -O2 -g -DPAGES -fplugin=%plugin -fplugin-arg-reticle-features=loop,shadow -S -emit-llvm %s -o - | %FileCheck --check-prefix=IR %s
// IR-DAG: @mine_table = {{.*}} { ptr @__reticle_heap_mmap, ptr @__reticle_heap_munmap }
// IR-DAG: @__reticle_libc{{[.0-9]*}} = internal global ptr @mmap
// IR-DAG: call ptr @__reticle_heap_mmap(ptr {{.*}}null, i64
// IR-DAG: call i32 @__reticle_heap_munmap(
// IR-NOT: call {{.*}} @mmap
// RUN: for d in MAIN FREES PAGES; do %clang -O2 -g -D$d -fplugin=%plugin -fplugin-arg-reticle-features=loop,shadow -S -emit-llvm %s -o - | grep -c '^define weak.* @malloc('; done > counts; %FileCheck --check-prefix=COUNTS %s < counts
// COUNTS: {{^}}1{{$}}
// COUNTS-NEXT: {{^}}1{{$}}
// COUNTS-NEXT: {{^}}0{{$}}
#include <stdlib.h>
#include <sys/mman.h>

#ifdef PAGES
struct calls {
  void *(*map)(void *, size_t, int, int, int, off_t);
  int (*unmap)(void *, size_t);
};
struct calls mine_table = {mmap, munmap};
void *mine_map(size_t bytes) {
  int *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (size_t i = 0; i < bytes / sizeof *p; i++)
    p[i] = 1;
  return p;
}
int mine_unmap(void *p, size_t bytes) { return munmap(p, bytes); }
#elif defined FREES
void give(void *p) { free(p); }
#else
int main(void) { return 0; }
#endif
