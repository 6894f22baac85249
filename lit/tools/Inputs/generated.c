// generated.c - writes a loop into memory and runs it, as a JIT compiler does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string.h>
#include <sys/mman.h>

// mov $1000, %eax; 0: dec %eax; jnz 0b; ret
static const unsigned char code[] = {0xb8, 0xe8, 0x03, 0, 0, 0xff, 0xc8, 0x75, 0xfc, 0xc3};

int main(void) {
  void *memory = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return 1;
  memcpy(memory, code, sizeof code);
  for (int i = 0; i < 1000000; i++)
    ((void (*)(void))memory)();
  return 0;
}
