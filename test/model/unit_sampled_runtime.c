// unit_sampled_runtime.c - libraries of MPI and OpenMP are told by their names, and others are not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/sample/sampled_runtime.h"

static void test_names(void) {
  CHECK_EQUAL(sampled_runtime_of("/usr/lib/x86_64-linux-gnu/libmpi.so.40.30.4"), SAMPLED_MPI);
  CHECK_EQUAL(sampled_runtime_of("/usr/lib/x86_64-linux-gnu/libmpich.so.12.2.2"), SAMPLED_MPI);
  CHECK_EQUAL(sampled_runtime_of("/usr/lib/openmpi/lib/openmpi3/mca_btl_vader.so"), SAMPLED_MPI);
  CHECK_EQUAL(sampled_runtime_of("/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0"), SAMPLED_OPENMP);
  CHECK_EQUAL(sampled_runtime_of("/usr/lib/llvm-19/lib/libomp-19.so.5"), SAMPLED_OPENMP);
  CHECK_EQUAL(sampled_runtime_of("/usr/lib/llvm-19/lib/libomptarget.so"), SAMPLED_PROGRAM);
  CHECK_EQUAL(sampled_runtime_of("/usr/lib/libmpfr.so.6"), SAMPLED_PROGRAM);
  CHECK_EQUAL(sampled_runtime_of("/home/u/libmpi.so.40/app"), SAMPLED_PROGRAM);
  CHECK_EQUAL(sampled_runtime_of("[anonymous]"), SAMPLED_PROGRAM);
  CHECK_TEXT(sampled_runtime_name(SAMPLED_MPI), "MPI");
  CHECK_TEXT(sampled_runtime_name(SAMPLED_PROGRAM), "");
}

int main(void) {
  RUN(test_names);
  return unit_status();
}
