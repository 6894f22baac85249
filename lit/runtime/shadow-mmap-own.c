// A program's own mmap goes on serving it, whether it is one of its files or a member of an archive, and what it maps has its site.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang -O2 -c -DOWN %s -o own.o && ar rcs libown.a own.o
// RUN: for o in "own.o" "-L. -lown" "-static own.o" "-static -L. -lown"; do \
// RUN:   %reticle_cc -O2 -g -fplugin-arg-reticle-features=shadow %s -o app $o && %env_reticle ./app && %python %support/sites.py %reticle %t.prof -- mapped || exit 1; done | %FileCheck %s
// CHECK: own maps 1
// CHECK: mmap mapped objects 1 live 1 touched 1 bytes 8192-8192
// CHECK: own maps 1
// CHECK: mmap mapped objects 1 live 1 touched 1 bytes 8192-8192
// CHECK: own maps 1
// CHECK: mmap mapped objects 1 live 1 touched 1 bytes 8192-8192
// CHECK: own maps 1
// CHECK: mmap mapped objects 1 live 1 touched 1 bytes 8192-8192
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef OWN
int own_maps;
void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset) {
  own_maps += bytes == 8192;
  return (void *)syscall(SYS_mmap, address, bytes, protection, flags, fd, offset);
}
#else
extern int own_maps __attribute__((weak));
__attribute__((noinline)) static volatile int *mapped(void) {
  void *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  __asm__ volatile("" : "+r"(p)::"memory");
  return p;
}
int main(void) {
  volatile int *p = mapped();
  for (int i = 0; i < 2048; i += 16)
    p[i] = 1;
  printf("own maps %d\n", &own_maps ? own_maps : 0);
  return 0;
}
#endif
