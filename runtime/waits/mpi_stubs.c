// mpi_stubs.c - the MPI calls that a program binds to: each jumps on, at first to find out where.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Comm is a pointer in Open MPI and an int in MPICH, and one library is preloaded into any
// program. So the calls here have no types: all arguments of all calls are integers or pointers,
// which a jump passes on as they are, in registers and on the stack. Where nothing is measured (no
// runtime in the program, another MPI) they jump to MPI.
#define _GNU_SOURCE
#include "runtime/waits/mpi_set.h"
#include "runtime/waits/table.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Exactly as many as the call has: what stands behind them on the stack is the caller's.
#define PARAMETERS_0 void
#define ARGUMENTS_0
#define PARAMETERS_1 long a
#define ARGUMENTS_1 a
#define PARAMETERS_2 PARAMETERS_1, long b
#define ARGUMENTS_2 ARGUMENTS_1, b
#define PARAMETERS_3 PARAMETERS_2, long c
#define ARGUMENTS_3 ARGUMENTS_2, c
#define PARAMETERS_4 PARAMETERS_3, long d
#define ARGUMENTS_4 ARGUMENTS_3, d
#define PARAMETERS_5 PARAMETERS_4, long e
#define ARGUMENTS_5 ARGUMENTS_4, e
#define PARAMETERS_6 PARAMETERS_5, long f
#define ARGUMENTS_6 ARGUMENTS_5, f
#define PARAMETERS_7 PARAMETERS_6, long g
#define ARGUMENTS_7 ARGUMENTS_6, g
#define PARAMETERS_8 PARAMETERS_7, long h
#define ARGUMENTS_8 ARGUMENTS_7, h
#define PARAMETERS_9 PARAMETERS_8, long i
#define ARGUMENTS_9 ARGUMENTS_8, i
#define PARAMETERS_10 PARAMETERS_9, long j
#define ARGUMENTS_10 ARGUMENTS_9, j
#define PARAMETERS_11 PARAMETERS_10, long k
#define ARGUMENTS_11 ARGUMENTS_10, k
#define PARAMETERS_12 PARAMETERS_11, long l
#define ARGUMENTS_12 ARGUMENTS_11, l
#if __has_attribute(musttail)
#define TAIL __attribute__((musttail))
#else
#define TAIL // gcc makes it a jump with -O2
#endif
#define EXPORTED __attribute__((visibility("default")))

typedef void any_function(void);
#define AS(function, n) ((long (*)(PARAMETERS_##n))(function))

enum { VERSION_BYTES = 8192 }; // MPI_MAX_LIBRARY_VERSION_STRING of MPICH, the larger one

#define MPI_CALL(name, n) static long first_##name(PARAMETERS_##n);
#include "runtime/waits/mpi_calls.def"

static any_function *slots[MPI_CALLS] = {
#define MPI_CALL(name, n) [MPI_CALL_##name] = (any_function *)first_##name,
#include "runtime/waits/mpi_calls.def"
};
static const char *const names[MPI_CALLS] = {
#define MPI_CALL(name, n) [MPI_CALL_##name] = "MPI_" #name,
#include "runtime/waits/mpi_calls.def"
};

void *waits_mpi_next[MPI_CALLS];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int has_other_tool; // in front of this library

#define MPI_CALL(name, n)                                                                          \
  EXPORTED long MPI_##name(PARAMETERS_##n);                                                        \
  EXPORTED long MPI_##name(PARAMETERS_##n) {                                                       \
    TAIL return AS(slots[MPI_CALL_##name], n)(ARGUMENTS_##n);                                      \
  }
#include "runtime/waits/mpi_calls.def"

// --- where MPI is

/// In a library that was loaded for its own (Python's modules are) the global search finds nothing.
static int look_in_module(struct dl_phdr_info *module, size_t bytes, void *context) {
  (void)bytes;
  void **library = context;
  const char *slash = strrchr(module->dlpi_name, '/');
  const char *name = slash ? slash + 1 : module->dlpi_name;
  if (strncmp(name, "libmpi.so", 9) != 0 && strncmp(name, "libmpich.so", 11) != 0)
    return 0;
  *library = dlopen(module->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  return *library != NULL;
}

static void *find(const char *name) {
  static void *library;
  void *found = dlsym(RTLD_NEXT, name);
  if (found)
    return found;
  if (!library)
    dl_iterate_phdr(look_in_module, &library);
  return library ? dlsym(library, name) : NULL;
}

static void missing(void) {
  fputs("reticle: error: libreticle_waits.so is preloaded and a call of MPI leads nowhere: the "
        "program's MPI library wasn't found; run without LD_PRELOAD\n",
        stderr);
  abort();
}

// --- the first call

static const struct mpi_set *const sets[] = {
#ifdef WAITS_OPENMPI
    &waits_openmpi,
#endif
#ifdef WAITS_MPICH
    &waits_mpich,
#endif
    NULL,
};

/// The wrappers for the MPI that is loaded; null: none are there, which the profile says.
static const struct mpi_set *choose_set(void) {
  int (*get_version)(char *, int *) = (int (*)(char *, int *))find("MPI_Get_library_version");
  static char version[VERSION_BYTES];
  int length = 0;
  if (!get_version || get_version(version, &length) != 0)
    memcpy(version, "unknown", 8);
  const struct mpi_set *const *set = sets;
  while (*set && strncmp(version, (*set)->version, strlen((*set)->version)) != 0)
    set++;
  int works = *set && (*set)->start(find);
  waits_set_source(RETICLE_WAIT_MPI, version,
                   !works           ? RETICLE_WAITS_NOT_BUILT
                   : has_other_tool ? RETICLE_WAITS_OTHER_TOOL
                                    : RETICLE_WAITS_MEASURED);
  return works ? *set : NULL;
}

static void start(void) {
  for (int n = 0; n < MPI_CALLS; n++) {
    waits_mpi_next[n] = find(names[n]);
    if (!waits_mpi_next[n])
      waits_mpi_next[n] = (void *)missing;
  }
  const struct mpi_set *set = waits_attach() ? choose_set() : NULL;
  for (int n = 0; n < MPI_CALLS; n++)
    __atomic_store_n(
        &slots[n], (any_function *)(set && set->wrappers[n] ? set->wrappers[n] : waits_mpi_next[n]),
        __ATOMIC_RELEASE);
}

#define MPI_CALL(name, n)                                                                          \
  static long first_##name(PARAMETERS_##n) {                                                       \
    pthread_once(&once, start);                                                                    \
    TAIL return AS(slots[MPI_CALL_##name], n)(ARGUMENTS_##n);                                      \
  }
#include "runtime/waits/mpi_calls.def"

/// A tool that is linked into the program, or was preloaded before this one, has MPI_Init for its
/// own, and what it calls then is MPI's PMPI_Init.
__attribute__((constructor)) static void look_for_other_tool(void) {
  // The name MPI_Init means that one here, too: only the file tells.
  void *init = dlsym(RTLD_DEFAULT, "MPI_Init");
  Dl_info its, own;
  has_other_tool =
      init && dladdr(init, &its) && dladdr(&has_other_tool, &own) && its.dli_fbase != own.dli_fbase;
  if (has_other_tool && waits_attach())
    waits_set_source(RETICLE_WAIT_MPI, "another tool", RETICLE_WAITS_OTHER_TOOL);
}
