// papi.h - the timer of the library PAPI, where it is installed: the one that others measure by.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_PAPI_H
#define RETICLE_RUNTIME_HARNESS_PAPI_H

/// Looks for libpapi at run time: nothing is needed to build. Null when it can be used, else why
/// not; the text lives as long as the program.
const char *harness_papi_open(void);

/// PAPI_get_real_nsec(); only after harness_papi_open returned null.
extern long long (*harness_papi_real_ns)(void);

#endif
