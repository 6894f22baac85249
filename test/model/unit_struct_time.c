// unit_struct_time.c - functions that access a struct count, by what may have waited for memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/measurement/lazy.h"
#include "tools/model/stall/stalls.h"
#include "tools/model/struct/struct_time.h"

#include <math.h>

static struct profile_access accesses[] = {
    {.function = "other"}, {.function = "scan"}, {.function = "scan"}, {.function = "fill"}};
static struct profile_module modules[] = {{.path = "/app", .build_id = "", .instrumented = 1},
                                          {.path = "/libz.so", .build_id = ""}};
static struct profile_loadfile loadfiles[] = {{.path = "/app", .build_id = ""},
                                              {.path = "/libz.so", .build_id = ""}};
static struct sampled_file files[] = {{.file = &loadfiles[0]}, {.file = &loadfiles[1]}};
static struct sampled_function functions[] = {
    {.file = 0, .symbol = "scan", .time_ns = 30},
    {.file = 0, .symbol = "other", .time_ns = 20},
    {.file = 1, .symbol = "", .time_ns = 50}, // a stripped library
};
static struct measurement m = {
    .input.profile = {.accesses = accesses,
                      .access_count = 4,
                      .modules = modules,
                      .module_count = 2},
    .samples = {.files = files, .file_count = 2, .functions = functions, .function_count = 3}};
static const struct struct_use use = {.first_access = 1, .access_count = 3};

static void set_up(uint64_t all_ns) {
  m.samples.all_ns = all_ns;
  m.lazy = lazy_new();
}

static void tear_down(void) { lazy_free(m.lazy); }

static void test_functions(void) {
  set_up(100);
  struct struct_time time = struct_time_of(&m, &use);
  CHECK_NEAR(time.cpu, 0.3, 1e-9);    // "other" isn't its, libz not instrumented
  CHECK_NEAR(time.memory, 0.3, 1e-9); // no stalls are known: all of it
  tear_down();
}

static void test_stalls(void) {
  set_up(100);
  stalls_get(&m)->memory_ns[0] = 10;
  struct struct_time time = struct_time_of(&m, &use);
  CHECK_NEAR(time.cpu, 0.3, 1e-9);
  CHECK_NEAR(time.memory, 0.1, 1e-9);
  tear_down();
}

static void test_without_names(void) {
  set_up(100);
  functions[0].symbol = ""; // the program is stripped: it may be any of its functions
  CHECK_NEAR(struct_time_of(&m, &use).cpu, 0.3, 1e-9);
  functions[0].symbol = "scan";
  tear_down();
}

static void test_without_samples(void) {
  set_up(0);
  CHECK(isnan(struct_time_of(&m, &use).cpu));
  CHECK(isnan(struct_time_of(&m, &use).memory));
  tear_down();
}

int main(void) {
  RUN(test_functions);
  RUN(test_stalls);
  RUN(test_without_names);
  RUN(test_without_samples);
  return unit_status();
}
