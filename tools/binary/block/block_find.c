// block_find.c - the functions that a user means by a name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/block/block_file.h"
#include "tools/support/demangle.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// How a symbol answers to a name; the best kind that occurs wins.
enum match { MATCH_NONE, MATCH_CLONE, MATCH_DEMANGLED, MATCH_LINKAGE };

/// Demangles all names once. Returns false if there is no memory.
static bool demangle_all(struct block_map *map, const struct elf_function *symbols, size_t n) {
  if (map->demangled || !n)
    return true;
  map->demangled = calloc(n, sizeof(*map->demangled));
  if (!map->demangled)
    return false;
  map->demangled_count = n;
  for (size_t i = 0; i < n; i++)
    if (strncmp(symbols[i].name, "_Z", 2) == 0)
      map->demangled[i] = demangle(symbols[i].name);
  return true;
}

static bool is_cold_part(const char *name) {
  const char *cold = strstr(name, ".cold");
  return cold && (!cold[5] || cold[5] == '.');
}

static bool demangled_matches(const char *demangled, const char *wanted) {
  if (strcmp(demangled, wanted) == 0)
    return true;
  char *name = strdup(demangled);
  if (!name)
    return false;
  demangle_shorten(name);
  bool same = strcmp(name, wanted) == 0;
  free(name);
  return same;
}

bool block_file_demangles_to(const char *linkage, const char *wanted) {
  char *name = demangle(linkage);
  bool same = name && demangled_matches(name, wanted);
  free(name);
  return same;
}

static enum match match_symbol(const struct block_map *map, const struct elf_function *symbol,
                               size_t i, const char *wanted) {
  if (is_cold_part(symbol->name))
    return MATCH_NONE;
  if (strcmp(symbol->name, wanted) == 0)
    return MATCH_LINKAGE;
  if (map->demangled && map->demangled[i] && demangled_matches(map->demangled[i], wanted))
    return MATCH_DEMANGLED;
  size_t length = strlen(wanted);
  bool clone = strncmp(symbol->name, wanted, length) == 0 && symbol->name[length] == '.';
  return clone ? MATCH_CLONE : MATCH_NONE;
}

static struct block_function describe(struct block_map *map, size_t section, uint64_t address,
                                      const struct elf_function *symbol) {
  size_t n;
  const struct elf_function *symbols = elf_file_function_names(map->file, &n);
  size_t i = symbol ? (size_t)(symbol - symbols) : 0;
  const struct bb_range *range = block_file_mapped(map, section, address);
  const char *name = symbol ? symbol->name : "";
  struct block_function out = {
      .name = name,
      .demangled = symbol && map->demangled && map->demangled[i] ? map->demangled[i] : name,
      .source = "",
      .address = address,
      .bytes = symbol ? block_file_symbol_bytes(map, symbol) : block_file_range_bytes(map, range),
      .section = section,
      .mapped = range != NULL,
  };
  unsigned line;
  block_lines_find(map, section, address, &out.source, &line);
  if (!out.source[0] && symbol)
    out.source = symbol->file;
  return out;
}

/// The function that holds an address: of the symbols, or in a stripped file of the map.
static size_t find_address(struct block_map *map, uint64_t address, struct block_function **out) {
  for (size_t s = 0; s < map->section_count; s++) {
    size_t section = map->sections[s].number;
    if (!block_file_code(&map->sections[s], address, 1))
      continue;
    const struct elf_function *symbol = block_file_symbol(map, section, address);
    const struct bb_range *range = block_file_mapped(map, section, address);
    if (range) // of a part that was split off, the function
      range = &map->map.ranges[map->map.functions[range->function].first_range];
    if (range && (!symbol || is_cold_part(symbol->name)))
      symbol = block_file_symbol(map, range->section, range->base);
    if (!symbol && !range)
      continue;
    *out = calloc(1, sizeof(**out));
    if (!*out)
      return 0;
    **out = describe(map, symbol ? symbol->section : range->section,
                     symbol ? symbol->address : range->base, symbol);
    return 1;
  }
  return 0;
}

static size_t find_symbols(struct block_map *map, const char *wanted, struct block_function **out) {
  size_t n, count = 0;
  const struct elf_function *symbols = elf_file_function_names(map->file, &n);
  demangle_all(map, symbols, n);
  enum match best = MATCH_NONE;
  for (size_t i = 0; i < n; i++) {
    enum match match = match_symbol(map, &symbols[i], i, wanted);
    best = match > best ? match : best;
  }
  struct block_function *found = best ? calloc(n, sizeof(*found)) : NULL;
  for (size_t i = 0; found && i < n; i++) {
    const struct elf_function *symbol = &symbols[i];
    if (match_symbol(map, symbol, i, wanted) != best)
      continue;
    // Constructors come twice or three times, at one address.
    if (count && found[count - 1].address == symbol->address &&
        found[count - 1].section == symbol->section)
      continue;
    found[count++] = describe(map, symbol->section, symbol->address, symbol);
  }
  *out = found;
  return count;
}

static size_t find_inlined(struct block_map *map, const char *wanted, struct block_function **out) {
  size_t first = map->copy_count, count = 0;
  block_lines_inlined(map, wanted);
  size_t added = map->copy_count - first;
  struct block_function *found = added ? calloc(added, sizeof(*found)) : NULL;
  for (size_t i = first; found && i < map->copy_count; i++) {
    const struct inlined_copy *copy = &map->copies[i];
    const struct elf_function *host = block_file_symbol(map, copy->section, copy->address);
    struct block_function function = describe(map, copy->section, copy->address, host);
    function.inlined_by = function.name;
    function.name = copy->name;
    function.demangled = copy->demangled;
    function.bytes = 0;
    for (size_t r = 0; r < copy->ranges; r++)
      function.bytes += map->copy_ranges[copy->first_range + r].bytes;
    found[count++] = function;
  }
  *out = found;
  return count;
}

size_t block_map_find(struct block_map *map, const char *name, struct block_function **out) {
  char *end;
  *out = NULL;
  if (strncmp(name, "0x", 2) == 0) {
    errno = 0;
    uint64_t address = strtoull(name, &end, 16);
    return *end || errno ? 0 : find_address(map, address, out);
  }
  size_t count = find_symbols(map, name, out);
  return count ? count : find_inlined(map, name, out);
}

void block_map_missing(struct block_map *map, const char *name, struct block_map_error *error) {
  size_t n;
  elf_file_function_names(map->file, &n);
  error->status = BLOCK_MAP_NO_FUNCTION;
  if (strncmp(name, "0x", 2) == 0)
    snprintf(
        error->text, sizeof(error->text),
        "%s: no function holds that address; link-time addresses are needed, as nm prints them",
        name);
  else if (elf_file_imports(map->file, name))
    snprintf(error->text, sizeof(error->text),
             "'%s' is in another file, which this one only calls: name the library", name);
  else if (n)
    snprintf(error->text, sizeof(error->text),
             "has no function '%s', and no copy of it was inlined into another one", name);
  else {
    error->status = BLOCK_MAP_STRIPPED;
    snprintf(error->text, sizeof(error->text),
             "has no names of functions (stripped): name the file before strip, or an address "
             "(0x...)");
  }
}

const char *const *block_map_names(struct block_map *map, size_t *count) {
  size_t n;
  const struct elf_function *symbols = elf_file_function_names(map->file, &n);
  if (!map->names && n && demangle_all(map, symbols, n)) {
    map->names = calloc(2 * n, sizeof(*map->names));
    for (size_t i = 0; map->names && i < n; i++) {
      char *name = strdup(symbols[i].name);
      char *shortened = map->demangled[i] ? strdup(map->demangled[i]) : NULL;
      if (shortened)
        demangle_shorten(shortened);
      if (name)
        map->names[map->name_count++] = name;
      if (shortened)
        map->names[map->name_count++] = shortened;
    }
  }
  *count = map->name_count;
  return (const char *const *)map->names;
}
