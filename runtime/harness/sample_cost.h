// sample_cost.h - what taking one sample of the program counter costs the sampled thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_SAMPLE_COST_H
#define RETICLE_RUNTIME_HARNESS_SAMPLE_COST_H

struct harness_sample_cost {
  double ns, low_ns, high_ns; ///< CPU time of one sample, 95 % interval
};

/// Times a chain of additions with and without samples, in turn, for about 0.1 s. The calling
/// thread stays on one CPU meanwhile.
///
/// Returns 0, or an errno: the kernel denies samples, or none came.
int harness_sample_cost(struct harness_sample_cost *out);

#endif
