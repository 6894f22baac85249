// llvm_tool.h - runs a program of LLVM on a text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_BLOCK_LLVM_TOOL_H
#define RETICLE_TOOLS_RUN_BLOCK_LLVM_TOOL_H

/// A file in memory with the text and a line's end, for reading; -1 and errno without memory.
int llvm_tool_input(const char *text);

/// Runs the program with the input as stdin.
///
/// name       as in "llvm-mc": that of LLVM 19 or 22 (llvm-mc-19, ...), or whatever has the name
/// variable   of the environment that names another one
/// arguments  [..., NULL], without the program's own name
/// output     file that gets its stdout
///
/// Returns 0, ENOENT if there is no such program, EIO if it failed, or another errno.
int llvm_tool_run(const char *name, const char *variable, const char *const *arguments, int input,
                  int output);

#endif
