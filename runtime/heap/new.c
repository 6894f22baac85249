// new.c - operator new as the program calls it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ library's operator new has no frame pointer, so its caller would be lost. What it calls
// for memory is the program's malloc, and so ours: that takes the frame that is left here. An
// exception passes through these frames; what it leaves behind the next malloc takes.
#define _GNU_SOURCE
#include "runtime/heap/new.h"

#include "include/reticle/abi.h"
#include "runtime/support/text.h"
#include "runtime/sys/sys.h"

#include <dlfcn.h>
#include <stddef.h>

#define WEAK __attribute__((weak))
extern void *dlsym(void *, const char *) WEAK;

#define EXPORTED __attribute__((visibility("default")))
#define CALLER ((const uintptr_t *)__builtin_frame_address(0))

// Not found.
#define NOTHING ((void *)1)

__thread const uintptr_t *rrt_new_pending;

// Libraries with marks have wrappers as the program has (pass/shadow/ShadowHeap.cpp), each with a
// second name by which it is known.
void *rrt_next_definition(const char *name) {
  char second[64];
  struct rrt_text text;
  void *found = dlsym ? dlsym(RTLD_NEXT, name) : NULL;
  if (!found)
    return NULL;
  rrt_text_init(&text, second, sizeof second);
  rrt_text_add(&text, "__reticle_of_");
  rrt_text_add(&text, name);
  return found == dlsym(RTLD_NEXT, second) ? NULL : found;
}

static void *find(const char *name, void **known) {
  void *found = __atomic_load_n(known, __ATOMIC_ACQUIRE);
  if (!found) {
    found = rrt_next_definition(name);
    __atomic_store_n(known, found ? found : NOTHING, __ATOMIC_RELEASE);
  }
  return found == NOTHING ? NULL : found;
}

// Of the C++ library, by names that all have in common (Itanium C++ ABI).
// pass/shadow/ShadowHeap.cpp has static programs linked with them where they could catch something.
extern void (*_ZSt15get_new_handlerv(void))(void) WEAK;
extern void *__cxa_allocate_exception(size_t) WEAK;
extern void __cxa_throw(void *, void *, void (*)(void *)) WEAK;
extern char _ZTISt9bad_alloc[] WEAK, _ZTVSt9bad_alloc[] WEAK;
extern void _ZNSt9bad_allocD1Ev(void *) WEAK;

// Where nothing of it is linked, nothing can catch it either.
static _Noreturn void throw_bad_alloc(void) {
  if (__cxa_allocate_exception && __cxa_throw && _ZNSt9bad_allocD1Ev) {
    enum { FIRST_FUNCTION = 2 * sizeof(void *) }; // behind offset and type
    void **thrown = __cxa_allocate_exception(sizeof *thrown);
    *thrown = _ZTVSt9bad_alloc + FIRST_FUNCTION;
    __cxa_throw(thrown, _ZTISt9bad_alloc, _ZNSt9bad_allocD1Ev);
  }
  rrt_sys_abort();
}

// What the C++ library's would do, where it can't be called: static programs.
static void *allocate(size_t bytes, size_t alignment, int may_fail) {
  for (;;) {
    const uintptr_t *frame = rrt_new_pending; // malloc takes it, and may be called again
    void *memory = alignment ? __reticle_heap_memalign(alignment, bytes ? bytes : 1)
                             : __reticle_heap_malloc(bytes ? bytes : 1);
    if (memory)
      return memory;
    void (*handler)(void) = _ZSt15get_new_handlerv ? _ZSt15get_new_handlerv() : NULL;
    if (!handler && may_fail)
      return NULL;
    if (!handler)
      throw_bad_alloc();
    handler(); // may allocate
    rrt_new_pending = frame;
  }
}

// PARAMETERS is how the next definition of SYMBOL is called, with ARGUMENTS.
enum { PLAIN, ARRAY, NOTHROW, ARRAY_NOTHROW, ALIGNED, ARRAY_ALIGNED, FORMS };
static void *definitions[FORMS]; // the next ones; null: not looked for yet

#define NEW(form, name, symbol, parameters, arguments, alignment, may_fail)                        \
  EXPORTED void *name parameters {                                                                 \
    void *function = find(symbol, &definitions[form]), *memory;                                    \
    void *(*next)parameters;                                                                       \
    rrt_copy(&next, &function, sizeof next);                                                       \
    rrt_new_pending = rrt_new_pending ? rrt_new_pending : CALLER; /* new[] calls new */            \
    memory = next ? next arguments : allocate(bytes, alignment, may_fail);                         \
    rrt_new_pending = NULL;                                                                        \
    return memory;                                                                                 \
  }

NEW(PLAIN, __reticle_heap_new, "_Znwm", (size_t bytes), (bytes), 0, 0)
NEW(ARRAY, __reticle_heap_new_array, "_Znam", (size_t bytes), (bytes), 0, 0)
NEW(NOTHROW, __reticle_heap_new_nothrow, "_ZnwmRKSt9nothrow_t", (size_t bytes, const void *tag),
    (bytes, tag), 0, 1)
NEW(ARRAY_NOTHROW, __reticle_heap_new_array_nothrow, "_ZnamRKSt9nothrow_t",
    (size_t bytes, const void *tag), (bytes, tag), 0, 1)
NEW(ALIGNED, __reticle_heap_new_aligned, "_ZnwmSt11align_val_t", (size_t bytes, size_t alignment),
    (bytes, alignment), alignment, 0)
NEW(ARRAY_ALIGNED, __reticle_heap_new_array_aligned, "_ZnamSt11align_val_t",
    (size_t bytes, size_t alignment), (bytes, alignment), alignment, 0)
