// A program without libc (-nostdlib) links, and is measured where its start sets up thread-local storage and runs constructors.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: for f in loop loop,field,block; do for o in "-static" "-static -flto -fuse-ld=lld"; do \
// RUN:   %reticle_cc -O2 -g -nostdlib -ffreestanding -fno-stack-protector -fplugin-arg-reticle-features=$f $o %s -o app || exit 1; rm -f reticle.*.prof; ./app || exit 1; \
// RUN:   %python %support/loops.py %reticle reticle.app.*.prof || exit 1; done; done > all && %FileCheck %s < all
// CHECK-COUNT-4: spin:[[#]] executions 50
// A libc named by hand comes first.
// RUN: printf 'int puts(const char *);\nint main(void) { for (int i = 0; i < 3; i++) puts("x"); }\n' > hosted.c
// RUN: %reticle_cc -O2 -g -nostdlib hosted.c -o hosted $(%clang -print-file-name=crt1.o) $(%clang -print-file-name=crti.o) $(%clang -print-file-name=crtbeginS.o) -lc -lgcc $(%clang -print-file-name=crtendS.o) $(%clang -print-file-name=crtn.o)
// RUN: RETICLE_OPTIONS=report=0 ./hosted && nm hosted | grep 'U pthread_atfork\|T pthread_atfork\|t pthread_atfork'
#include <elf.h>
#include <stddef.h>

extern void (*__init_array_start[])(int, char **, char **), (*__init_array_end[])(int, char **, char **);
extern void (*__fini_array_start[])(void), (*__fini_array_end[])(void);
extern const Elf64_Ehdr __ehdr_start;
extern char **environ;
static char tls[1 << 20] __attribute__((aligned(64)));
static volatile int sink;

static long call(long number, long a, long b) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b) : "rcx", "r11", "memory");
  return result;
}

__attribute__((noinline)) static void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

// x86-64's variant II: the block ends at the thread pointer, which points to itself.
__attribute__((no_instrument_function)) static void set_up_tls(void) {
  const Elf64_Phdr *p = (const void *)((const char *)&__ehdr_start + __ehdr_start.e_phoff);
  char *pointer = tls + sizeof tls - 4096;
  for (int i = 0; i < __ehdr_start.e_phnum; i++) {
    if (p[i].p_type != PT_TLS)
      continue;
    size_t bytes = (p[i].p_memsz + p[i].p_align - 1) & -p[i].p_align;
    const volatile char *from = (const char *)p[i].p_vaddr;
    for (size_t k = 0; k < p[i].p_filesz; k++)
      pointer[k - bytes] = from[k];
  }
  *(void **)pointer = pointer;
  call(158, 0x1002, (long)pointer); // arch_prctl(ARCH_SET_FS)
}

__attribute__((no_instrument_function, used)) void start(long *stack) {
  int argc = (int)stack[0];
  char **argv = (char **)(stack + 1);
  environ = argv + argc + 1;
  set_up_tls();
  for (size_t i = 0; __init_array_start + i < __init_array_end; i++)
    __init_array_start[i](argc, argv, environ);
  for (int k = 0; k < 50; k++)
    spin(100);
  for (size_t i = __fini_array_end - __fini_array_start; i--;)
    __fini_array_start[i]();
  call(231, 0, 0); // exit_group
}

__asm__(".globl _start\n_start: xor %ebp, %ebp\nmov %rsp, %rdi\nand $-16, %rsp\ncall start\n");
