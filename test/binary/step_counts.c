// step_counts.c - single-steps a program's first thread, and prints how often each address ran.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   step_counts OUTPUT COMMAND [ARGUMENT...]
//
// The truth that counts of blocks are compared with: about 100 thousand steps a second, from main
// on until it returns: the runtime's end waits for 5 s at most, which steps would take. OUTPUT gets
// a line "address count" for each address of the executable, link-time. Position-independent
// executables and others.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES_MAX (64u << 20)

static uint64_t base, bytes;
static int is_moved; ///< position-independent: addresses are relative to base
static uint64_t *counts;

static uint64_t main_offset; ///< from base

/// Address of `main` as the symbol table has it; 0 if it has none.
static uint64_t find_main(const uint8_t *file) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
  for (unsigned i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB)
      continue;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(file + sections[i].sh_offset);
    const char *names = (const char *)file + sections[sections[i].sh_link].sh_offset;
    for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++)
      if (strcmp(names + symbols[k].st_name, "main") == 0 && symbols[k].st_value)
        return symbols[k].st_value;
  }
  return 0;
}

/// Where the executable's code lies: from the child's first mappings.
static void find_code(pid_t child, const char *program) {
  char path[64], line[4352], real[4096];
  uint64_t begin, end, first = 0, last = 0;
  if (!realpath(program, real))
    snprintf(real, sizeof real, "%s", program);
  snprintf(path, sizeof path, "/proc/%d/maps", (int)child);
  FILE *maps = fopen(path, "re");
  while (maps && fgets(line, sizeof line, maps))
    if (strstr(line, real) && sscanf(line, "%lx-%lx", &begin, &end) == 2) {
      first = first ? first : begin;
      last = end;
    }
  if (maps)
    fclose(maps);
  int file = open(real, O_RDONLY | O_CLOEXEC);
  off_t size = file < 0 ? 0 : lseek(file, 0, SEEK_END);
  const uint8_t *data =
      size ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  counts = calloc(last - first + 1, sizeof *counts);
  if (data == MAP_FAILED || !last || last - first > BYTES_MAX || !counts) {
    fprintf(stderr, "step_counts: %s: no code found\n", real);
    exit(2);
  }
  base = first;
  bytes = last - first;
  is_moved = ((const Elf64_Ehdr *)data)->e_type == ET_DYN;
  main_offset = find_main(data) - (is_moved ? 0 : base);
}

/// Lets the child run to main: the loader and the runtime's start take most of the steps.
static int run_to_main(pid_t child) {
  int status;
  uint64_t at = base + main_offset;
  long word = ptrace(PTRACE_PEEKTEXT, child, at, 0);
  ptrace(PTRACE_POKETEXT, child, at, (word & ~0xffL) | 0xcc);
  do {
    if (ptrace(PTRACE_CONT, child, 0, 0) < 0 || waitpid(child, &status, 0) != child)
      return -1;
  } while (WIFSTOPPED(status) && WSTOPSIG(status) != SIGTRAP);
  ptrace(PTRACE_POKETEXT, child, at, word);
  return ptrace(PTRACE_POKEUSER, child, offsetof(struct user_regs_struct, rip), at) < 0 ? -1 : 0;
}

static int run(pid_t child, const char *program) {
  int status, give = 0;
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
    return 2;
  find_code(child, program);
  if (run_to_main(child) < 0)
    return 2;
  uint64_t stack =
      (uint64_t)ptrace(PTRACE_PEEKUSER, child, offsetof(struct user_regs_struct, rsp), 0);
  uint64_t behind_main = (uint64_t)ptrace(PTRACE_PEEKDATA, child, stack, 0);
  for (;;) {
    uint64_t at =
        (uint64_t)ptrace(PTRACE_PEEKUSER, child, offsetof(struct user_regs_struct, rip), 0);
    if (at - base < bytes)
      counts[at - base]++;
    if (ptrace(at == behind_main ? PTRACE_CONT : PTRACE_SINGLESTEP, child, 0, give) < 0)
      return 2;
    while (waitpid(child, &status, 0) < 0)
      if (errno != EINTR)
        return 2;
    if (WIFEXITED(status) || WIFSIGNALED(status))
      return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    give = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
  }
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  // On one processor each step is a switch, and not a wake-up of another one.
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET((unsigned)sched_getcpu(), &here);
  sched_setaffinity(0, sizeof here, &here);
  pid_t child = fork();
  if (child == 0) {
    personality(ADDR_NO_RANDOMIZE);
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  int status = run(child, argv[2]);
  FILE *out = fopen(argv[1], "we");
  if (!out)
    return 2;
  for (uint64_t i = 0; i < bytes; i++)
    if (counts[i])
      fprintf(out, "%lx %lu\n", is_moved ? i : base + i, counts[i]);
  fclose(out);
  return status;
}
