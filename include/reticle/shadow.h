// shadow.h - the contract of the feature shadow: marks, and what code with marks calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of abi.h, which includes it.
#ifndef RETICLE_SHADOW_H
#define RETICLE_SHADOW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct reticle_shadow_module_desc;

/// The feature shadow: word w of the address space (address / 4) has its mark at w +
/// RETICLE_SHADOW_BASE. Without shadow memory marks go to the RETICLE_SHADOW_NEAR_WORDS
/// words before and behind it.
#define RETICLE_SHADOW_BASE UINT64_C(0x7fff8000)
#define RETICLE_SHADOW_BYTES (UINT64_C(1) << 45)
#define RETICLE_SHADOW_NEAR_WORDS 4096
/// What the program stores for a touched word.
#define RETICLE_SHADOW_TOUCHED 1
/// Bits of a mark where reads and writes are told apart; bit 7 is a header's. No thread, and no
/// others: touched by code that doesn't tell.
enum reticle_shadow_bits {
  RETICLE_SHADOW_READ = 1 << 0,    ///< since the last sample
  RETICLE_SHADOW_EARLIER = 1 << 1, ///< touched before the last sample
  RETICLE_SHADOW_WRITTEN = 1 << 2, ///< since the last sample
  RETICLE_SHADOW_THREAD = 7 << 3,  ///< who wrote it, else who read it first; 0: several wrote it
  RETICLE_SHADOW_OTHERS = 1 << 6,  ///< other threads, too
};
#define RETICLE_SHADOW_THREAD_SHIFT 3
#define RETICLE_SHADOW_THREADS 7 ///< numbers 1 to 7; more threads than that share them

/// As __reticle_module_start and _stop, for marks.
/// An executable's, from .preinit_array, with what main gets: the mask alone.
void __reticle_shadow_early(const struct reticle_shadow_module_desc *module, char **argv,
                            char **environment);
void __reticle_shadow_start(const struct reticle_shadow_module_desc *module);
void __reticle_shadow_stop(const struct reticle_shadow_module_desc *module);
/// Marks the words of a range. Async-signal-safe.
void __reticle_shadow_range(const void *memory, size_t bytes);
/// Marks a text with its end, but at most so many bytes; nothing at null.
void __reticle_shadow_text(const char *text, size_t most);
enum reticle_compare_flags {
  RETICLE_COMPARE_TEXT = 1 << 0,  ///< ends behind a zero byte
  RETICLE_COMPARE_FIRST = 1 << 1, ///< which of them are marked
  RETICLE_COMPARE_SECOND = 1 << 2,
};
/// Marks what a comparison looks at: up to the first difference, at most so many bytes.
void __reticle_shadow_compare(const void *first, const void *second, size_t most, uint32_t flags);

/// The same where reads and writes are told apart.
///
/// marks   of up to 8 words in a row
/// kinds   for each a byte: RETICLE_SHADOW_READ, RETICLE_SHADOW_WRITTEN, both, or none
/// thread  the module's word for the thread: its number in each byte, as marks have it; 0 until the
///         first call
void __reticle_shadow_apart(uint8_t *marks, uint64_t kinds, uint64_t *thread);
void __reticle_shadow_range_apart(const void *memory, size_t bytes, uint32_t kinds);
void __reticle_shadow_text_apart(const char *text, size_t most, uint32_t kinds);
void __reticle_shadow_compare_apart(const void *first, const void *second, size_t most,
                                    uint32_t flags);

/// The module's mask of marks while a window of visits is open: positive; else it is UINT64_MAX
/// while the program marks, and 0 while it doesn't. Marks' indices don't have the highest bit.
#define RETICLE_SHADOW_MASK_WINDOW (UINT64_MAX >> 1)

struct reticle_visit_desc;
/// An element of a struct is visited. Keeps all registers but r11: LLVM's calling convention
/// preserve_all. Async-signal-safe.
///
/// site     of type struct reticle_visit_desc
/// address  that its touches are reckoned from
void __reticle_visit(struct reticle_visit_desc *site, const void *address);

/// What the program's malloc, free and so on lead to where it has marks: those of libc, and the
/// objects' sites.
void *__reticle_heap_malloc(size_t bytes);
void *__reticle_heap_calloc(size_t count, size_t bytes);
void *__reticle_heap_realloc(void *memory, size_t bytes);
void *__reticle_heap_memalign(size_t alignment, size_t bytes);
void *__reticle_heap_aligned_alloc(size_t alignment, size_t bytes);
int __reticle_heap_posix_memalign(void **out, size_t alignment, size_t bytes);
void *__reticle_heap_valloc(size_t bytes);
void *__reticle_heap_pvalloc(size_t bytes);
void __reticle_heap_free(void *memory);
// The forms of C++'s operator new.
void *__reticle_heap_new(size_t bytes);
void *__reticle_heap_new_array(size_t bytes);
void *__reticle_heap_new_nothrow(size_t bytes, const void *tag);
void *__reticle_heap_new_array_nothrow(size_t bytes, const void *tag);
void *__reticle_heap_new_aligned(size_t bytes, size_t alignment);
void *__reticle_heap_new_array_aligned(size_t bytes, size_t alignment);
// What is mapped has sites, too; nothing replaces the shadow memory: ENOMEM.
void *__reticle_heap_mmap(void *address, size_t bytes, int protection, int flags, int fd,
                          size_t offset);
void *__reticle_heap_mmap64(void *address, size_t bytes, int protection, int flags, int fd,
                            size_t offset);
int __reticle_heap_munmap(void *address, size_t bytes);
void *__reticle_heap_mremap(void *old, size_t old_bytes, size_t bytes, int flags, ...);

#ifdef __cplusplus
}
#endif
#endif
