// sampled_runtime.h - load files that threads wait in: libraries of MPI and OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_SAMPLE_SAMPLED_RUNTIME_H
#define RETICLE_TOOLS_MODEL_SAMPLE_SAMPLED_RUNTIME_H

enum sampled_runtime {
  SAMPLED_PROGRAM, ///< neither of them
  SAMPLED_MPI,     ///< MPI, and what it sends messages by
  SAMPLED_OPENMP,
  SAMPLED_RUNTIMES,
};

/// By the file's name: most of these are stripped.
enum sampled_runtime sampled_runtime_of(const char *path);

/// "MPI", "OpenMP"; "" for neither.
const char *sampled_runtime_name(enum sampled_runtime runtime);

/// What samples in it are: "(in MPI: waiting, or passing messages)".
const char *sampled_runtime_words(enum sampled_runtime runtime);

#endif
