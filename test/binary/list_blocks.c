// list_blocks.c - prints what block_map.h says of a file; behaviour tests compare it with LLVM's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: list_blocks FILE [FUNCTION...]
//        list_blocks --loops FILE FUNCTION SOURCE LINE DEPTH
// Without functions: all of the file. One line for each function, then one for each block:
//   function NAME at ADDRESS in SECTION [inlined by HOST] VERSION|disassembled hidden N SOURCE
//   DEMANGLED
//     ADDRESS BYTES BODY id ID range RANGE FLAG,FLAG FILE:LINE
// With --loops one line for each block: POSITION loop LOOP depth DEPTH [header] [every] [line],
// where "line" marks the blocks of the machine loops that the source loop became. Exit status 3 and
// a message on stderr where something can't be read.
#include "tools/binary/block/block_loops.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void print_flags(uint32_t flags) {
  static const char *const names[] = {"entry", "call",          "returns",   "tail-call",
                                      "pad",   "falls",         "indirect",  "syscall",
                                      "traps", "branch-inside", "undecoded", "relocated"};
  const char *separator = "";
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (flags & (1U << i)) {
      printf("%s%s", separator, names[i]);
      separator = ",";
    }
  if (!*separator)
    printf("-");
}

static int print_function(struct block_map *map, const struct block_function *function) {
  struct block_list list;
  struct block_map_error error;
  if (!block_map_read(map, function, &list, &error)) {
    fprintf(stderr, "list_blocks: error: %s\n", error.text);
    return 3;
  }
  printf("function %s at 0x%" PRIx64 " in %zu", function->name, function->address,
         function->section);
  if (function->inlined_by)
    printf(" inlined by %s", function->inlined_by);
  if (list.map_version)
    printf(" version %u", list.map_version);
  else
    printf(" disassembled");
  printf(" hidden %zu %s %s\n", list.hidden_targets, base_name(function->source),
         function->demangled);
  for (size_t i = 0; i < list.count; i++) {
    const struct block *block = &list.blocks[i];
    printf("  0x%" PRIx64 " %" PRIu32 " %" PRIu32 " id %" PRIu32 " range %" PRIu32 " ",
           block->address, block->bytes, block->body_bytes, block->id, block->range);
    print_flags(block->flags);
    printf(" %s:%u\n", base_name(block->file), block->line);
  }
  block_list_release(&list);
  return 0;
}

static int print_name(struct block_map *map, const char *name) {
  struct block_function *functions;
  struct block_map_error error;
  size_t n = block_map_find(map, name, &functions);
  int status = 0;
  if (!n) {
    block_map_missing(map, name, &error);
    fprintf(stderr, "list_blocks: error: %s\n", error.text);
    return 3;
  }
  for (size_t i = 0; i < n; i++)
    status |= print_function(map, &functions[i]);
  free(functions);
  return status;
}

/// words: FILE FUNCTION SOURCE LINE DEPTH
static int print_loops(char *const *words) {
  struct block_map *map;
  struct block_map_error error;
  struct block_function *functions;
  struct block_list list;
  struct block_loops loops;
  if (!block_map_open(words[0], &map, &error) || !block_map_find(map, words[1], &functions) ||
      !block_map_read(map, &functions[0], &list, &error) || !block_loops_find(&list, &loops))
    return 3;
  bool *wanted = calloc(loops.count + 1, sizeof(*wanted));
  block_loops_of_line(map, &list, &loops, words[2], (unsigned)atoi(words[3]),
                      (unsigned)atoi(words[4]), wanted);
  for (size_t i = 0; i < list.count; i++) {
    size_t loop = loops.innermost[i];
    printf("%zu ", i);
    if (loop == BLOCK_LOOP_NONE)
      printf("no loop\n");
    else
      printf("loop %zu depth %u%s%s%s\n", loop, loops.loops[loop].depth,
             loops.loops[loop].header == i ? " header" : "",
             loops.every_iteration[i] ? " every" : "", wanted[loop] ? " line" : "");
  }
  free(wanted);
  free(functions);
  block_loops_release(&loops);
  block_list_release(&list);
  block_map_close(map);
  return 0;
}

int main(int argc, char **argv) {
  struct block_map *map;
  struct block_map_error error;
  if (argc == 7 && strcmp(argv[1], "--loops") == 0)
    return print_loops(argv + 2);
  if (argc < 2)
    return 2;
  if (!block_map_open(argv[1], &map, &error)) {
    fprintf(stderr, "list_blocks: error: %s: %s\n", argv[1], error.text);
    return 3;
  }
  if (block_map_warning(map))
    fprintf(stderr, "list_blocks: warning: %s\n", block_map_warning(map));
  int status = 0;
  for (int i = 2; i < argc; i++)
    status |= print_name(map, argv[i]);
  size_t n = 0;
  const char *const *names = argc == 2 ? block_map_names(map, &n) : NULL;
  for (size_t i = 0; i < n; i++)
    if (!strstr(names[i], ".cold"))
      status |= print_name(map, names[i]);
  block_map_close(map);
  return status;
}
