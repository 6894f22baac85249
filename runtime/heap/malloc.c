// malloc.c - malloc, free and so on as the program calls them: libc's, and the objects' sites.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wrappers in the program (pass/shadow/ShadowHeap.cpp) jump here, so the caller of malloc is
// the first return address on our stack. What is called is the next definition in line, as it would
// be without us; before that can be known (constructors of libraries), glibc's.
#define _GNU_SOURCE
#include "runtime/heap/malloc.h"

#include "runtime/heap/draw.h"
#include "runtime/heap/new.h"
#include "runtime/heap/object.h"
#include "runtime/heap/shadow_memory.h"
#include "runtime/heap/site.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/support/fork.h"
#include "runtime/sys/sys.h"

#include <stddef.h>

// glibc's own names. Weak: other libcs lack them, and static programs needn't have them.
#define WEAK __attribute__((weak))
extern void *__libc_malloc(size_t) WEAK;
extern void *__libc_calloc(size_t, size_t) WEAK;
extern void *__libc_realloc(void *, size_t) WEAK;
extern void *__libc_memalign(size_t, size_t) WEAK;
extern void *__libc_valloc(size_t) WEAK;
extern void *__libc_pvalloc(size_t) WEAK;
extern void __libc_free(void *) WEAK;
extern int posix_memalign(void **, size_t, size_t);
extern size_t malloc_usable_size(void *) WEAK;
extern void *malloc(size_t) WEAK;

#define EXPORTED __attribute__((visibility("default")))
#define CALLER ((const uintptr_t *)__builtin_frame_address(0))

enum { EARLY_MAX = 256, STACK_MARKS = 2048 };

struct definitions {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void *(*memalign)(size_t, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  void *(*valloc)(size_t);
  void *(*pvalloc)(size_t);
  void (*free)(void *);
};
static struct {
  struct definitions next;
  uint32_t is_open;
  uint32_t attributing;   // 1: heads of glibc's blocks tell sites
  uint32_t came_by;       // 1: a wrapper was called
  uint32_t is_foreign;    // 1: the next malloc isn't glibc's
  uint32_t is_decided;    // 1: it is known whose it is
  void *early[EARLY_MAX]; // blocks of glibc's from before another allocator was found
  uint32_t early_count;
} state;
static struct {
  uint64_t no_room, foreign;
} process RRT_PER_PROCESS;

// Blocks of glibc's from before another allocator was found.

// --- the next definitions ------------------------------------------------------------------------

static int early_posix_memalign(void **out, size_t alignment, size_t bytes) {
  void *memory = __libc_memalign(alignment, bytes);
  if (!memory)
    return 12; // ENOMEM
  *out = memory;
  return 0;
}

static void take_libc(void) {
  state.next.calloc = __libc_calloc;
  state.next.realloc = __libc_realloc;
  state.next.memalign = state.next.aligned_alloc = __libc_memalign;
  state.next.posix_memalign = early_posix_memalign;
  state.next.valloc = __libc_valloc;
  state.next.pvalloc = __libc_pvalloc;
  state.next.free = __libc_free;
  state.next.malloc = __libc_malloc;
}

// A definition that is missing leaves glibc's.
static void find(const char *name, void *function) {
  void *found = rrt_next_definition(name);
  if (found)
    rrt_copy(function, &found, sizeof found);
}

void rrt_malloc_open(void) {
  if (state.is_open || !__libc_malloc)
    return;
  state.is_open = 1;
  take_libc();
  // What dlsym allocates meanwhile is libc's, as is its free: all change together.
  struct definitions found;
  rrt_copy(&found, &state.next, sizeof found);
  find("malloc", &found.malloc);
  find("calloc", &found.calloc);
  find("realloc", &found.realloc);
  find("memalign", &found.memalign);
  find("aligned_alloc", &found.aligned_alloc);
  find("posix_memalign", &found.posix_memalign);
  find("valloc", &found.valloc);
  find("pvalloc", &found.pvalloc);
  find("free", &found.free);
  rrt_copy(&state.next, &found, sizeof state.next);
  state.is_foreign = state.next.malloc != __libc_malloc || !malloc_usable_size;
  state.is_decided = 1;
  // A static program's malloc is libc's own: objects would be born here and never die.
  uintptr_t called = (uintptr_t)malloc;
  __asm__("" : "+r"(called)); // to the compiler different names are different functions
  int is_between = called != (uintptr_t)__libc_malloc;
  __atomic_store_n(&state.attributing, is_between && !state.is_foreign && rrt_shadow.on,
                   __ATOMIC_RELEASE);
}

static int is_attributing(void) {
  return (int)__atomic_load_n(&state.attributing, __ATOMIC_ACQUIRE);
}

uint32_t rrt_malloc_state(void) {
  if (state.is_foreign)
    return RETICLE_SITES_OTHER_ALLOCATOR;
  return state.came_by && is_attributing() ? RETICLE_SITES_ON : RETICLE_SITES_NONE;
}

uint64_t rrt_malloc_no_room(void) { return __atomic_load_n(&process.no_room, __ATOMIC_RELAXED); }
uint64_t rrt_malloc_foreign(void) { return __atomic_load_n(&process.foreign, __ATOMIC_RELAXED); }

// --- objects -------------------------------------------------------------------------------------

static void add(uint64_t *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

// malloc_usable_size, for glibc's blocks (malloc/malloc.c, "Malloc chunks"): the size in front has
// three flags, of which the second says that the block is a mapping of its own.
static size_t usable_bytes(const void *memory) {
  size_t head = ((const size_t *)memory)[-1];
  return (head & ~(size_t)7) - (head & 2 ? 2 : 1) * sizeof head;
}

// weight: objects that it stands for
static uint32_t tag_of(const uintptr_t *frame, uint32_t weight) {
  uintptr_t addresses[RRT_SITE_FRAMES];
  uint64_t key;
  uint32_t depth = rrt_site_walk(frame, addresses, &key);
  uint32_t site = rrt_sites_find(key, addresses, depth);
  if (!site)
    __atomic_fetch_add(&process.no_room, weight, __ATOMIC_RELAXED);
  return site ? rrt_site_tag(site, weight) : 0;
}

static void *born(void *memory, const uintptr_t *frame) {
  if (!state.came_by)
    state.came_by = 1;
  frame = rrt_new_frame(frame);
  if (!memory)
    return NULL;
  if (is_attributing()) {
    size_t bytes = usable_bytes(memory);
    uint32_t weight = rrt_draw(bytes);
    if (!weight)
      return memory;
    __builtin_prefetch(rrt_shadow_mark((uintptr_t)memory), 1); // while the site is looked for
    __builtin_prefetch(rrt_shadow_mark((uintptr_t)memory + bytes), 1);
    uint32_t tag = tag_of(frame, weight);
    if (tag)
      rrt_object_born(memory, bytes, tag);
  } else if (!state.is_decided) {
    uint32_t i = __atomic_fetch_add(&state.early_count, 1, __ATOMIC_RELAXED);
    if (i < EARLY_MAX)
      state.early[i] = memory;
  }
  return memory;
}

static int is_early(const void *memory) {
  for (uint32_t i = 0; i < state.early_count && i < EARLY_MAX; i++)
    if (state.early[i] == memory)
      return 1;
  return 0;
}

// By glibc's header: malloc_usable_size is the other allocator's.
static size_t early_bytes(const void *memory) {
  enum { FLAGS = 7, IS_MAPPED = 2 };
  size_t head = ((const size_t *)memory)[-1];
  return (head & ~(size_t)FLAGS) - (head & IS_MAPPED ? 2 : 1) * sizeof head;
}

static void count_unknown(void) {
  if (rrt_draw_every == 1) // else it may just not be looked at
    add(&process.foreign);
}

static void died(void *memory) {
  if (is_attributing() && !rrt_object_died(memory, usable_bytes(memory)))
    count_unknown();
}

// --- entry points --------------------------------------------------------------------------------

#define NEXT(function)                                                                             \
  (state.next.malloc ? state.next.function : (take_libc(), state.next.function))

EXPORTED void *__reticle_heap_malloc(size_t bytes) { return born(NEXT(malloc)(bytes), CALLER); }

EXPORTED void *__reticle_heap_calloc(size_t count, size_t bytes) {
  return born(NEXT(calloc)(count, bytes), CALLER);
}

EXPORTED void *__reticle_heap_memalign(size_t alignment, size_t bytes) {
  return born(NEXT(memalign)(alignment, bytes), CALLER);
}

EXPORTED void *__reticle_heap_aligned_alloc(size_t alignment, size_t bytes) {
  return born(NEXT(aligned_alloc)(alignment, bytes), CALLER);
}

EXPORTED void *__reticle_heap_valloc(size_t bytes) { return born(NEXT(valloc)(bytes), CALLER); }

EXPORTED void *__reticle_heap_pvalloc(size_t bytes) { return born(NEXT(pvalloc)(bytes), CALLER); }

EXPORTED int __reticle_heap_posix_memalign(void **out, size_t alignment, size_t bytes) {
  int r = NEXT(posix_memalign)(out, alignment, bytes);
  if (r == 0)
    born(*out, CALLER);
  return r;
}

EXPORTED void __reticle_heap_free(void *memory) {
  if (!memory)
    return;
  if (state.is_foreign && state.early_count && is_early(memory)) {
    __libc_free(memory);
    return;
  }
  died(memory);
  NEXT(free)(memory);
}

struct growth {
  void *memory; // before
  size_t bytes;
  uint32_t tag;   // 0: none
  uint8_t *marks; // of the first `count` words
  size_t count;
  uint64_t ticks;
};

// The marks go along, whether or not the block moves.
static void *grow(const struct growth *old, size_t bytes, const uintptr_t *frame) {
  void *grown = NEXT(realloc)(old->memory, bytes);
  size_t now_bytes = grown ? usable_bytes(grown) : old->bytes;
  uint32_t weight = grown ? rrt_draw_again(now_bytes, old->bytes, old->tag != 0) : 0;
  uint32_t tag = weight ? tag_of(frame, weight) : grown ? 0 : old->tag;
  if (!old->tag)
    count_unknown();
  if (tag)
    rrt_object_moved(grown ? grown : old->memory, now_bytes, tag, old->marks,
                     old->tag ? old->count : 0, old->ticks);
  return grown;
}

// Nobody else can have the old block behind realloc: its marks stay there.
static void *grow_alone(struct growth *old, size_t bytes, const uintptr_t *frame) {
  old->tag = rrt_object_leaves(old->memory, old->bytes, old->ticks);
  void *grown = grow(old, bytes, frame);
  if (grown && grown != old->memory)
    rrt_shadow_memory_release(old->marks, old->count);
  return grown;
}

// Another thread may have it before realloc returns.
static void *grow_among_threads(struct growth *old, size_t bytes, const uintptr_t *frame) {
  uint8_t room[STACK_MARKS], *saved = room, *marks = old->marks;
  size_t count = old->count;
  if (count > sizeof room && !(saved = rrt_sys_map(count)))
    old->count = 0;
  old->tag = rrt_object_leaves(old->memory, old->bytes, old->ticks);
  rrt_copy(saved, marks, old->count);
  rrt_shadow_memory_release(marks, count);
  old->marks = saved;
  void *grown = grow(old, bytes, frame);
  if (saved && saved != room)
    rrt_sys_unmap(saved, count);
  return grown;
}

// A small block that wasn't drawn, and may have become large.
static void *grow_unseen(void *memory, size_t bytes, const uintptr_t *frame) {
  void *grown = NEXT(realloc)(memory, bytes);
  size_t now_bytes = grown ? usable_bytes(grown) : 0;
  uint32_t tag = now_bytes >= RETICLE_DRAW_BYTES ? tag_of(frame, 1) : 0;
  if (tag)
    rrt_object_born(grown, now_bytes, tag);
  return grown;
}

EXPORTED void *__reticle_heap_realloc(void *memory, size_t bytes) {
  if (!memory)
    return born(NEXT(realloc)(NULL, bytes), CALLER);
  if (state.is_foreign && state.early_count && is_early(memory)) {
    void *moved = NEXT(malloc)(bytes);
    size_t had = early_bytes(memory);
    if (moved)
      rrt_copy(moved, memory, had < bytes ? had : bytes);
    return moved; // the old one stays: its allocator isn't asked any more
  }
  if (!is_attributing())
    return NEXT(realloc)(memory, bytes);
  if (!bytes) { // glibc frees it
    died(memory);
    return NEXT(realloc)(memory, 0);
  }
  size_t had = usable_bytes(memory);
  if (rrt_draw_every > 1 && !rrt_object_is_known(memory) && had < RETICLE_DRAW_BYTES)
    return grow_unseen(memory, bytes, CALLER);
  struct growth old = {.memory = memory,
                       .bytes = had,
                       .marks = rrt_shadow_mark((uintptr_t)memory),
                       .count = had / 4,
                       .ticks = rrt_timer_glance()};
  return rrt_is_single_threaded() ? grow_alone(&old, bytes, CALLER)
                                  : grow_among_threads(&old, bytes, CALLER);
}
