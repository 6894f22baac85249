// block_assemble.c - a block from assembly text, by the installed llvm-mc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memfd_create
#include "tools/model/block/block_job.h"

#include "tools/binary/elf_text.h"
#include "tools/run/block/llvm_tool.h"
#include "tools/support/problem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool add_code(struct block_jobs *jobs, const char *name, int object,
                     struct problems *problems) {
  struct elf_text code;
  if (!elf_text_read(object, &code)) {
    problem_error(problems,
                  "block: llvm-mc's output has no code; the text needs an instruction in .text");
    return false;
  }
  if (code.relocations)
    problem_error(problems,
                  "block: the text refers to a symbol; write an address or a number instead");
  else if (!code.bytes)
    problem_error(problems, "block: the text has no instruction");
  else
    block_jobs_add(jobs, name, code.data, code.bytes, 0);
  bool good = !code.relocations && code.bytes;
  free(code.data);
  return good;
}

bool block_jobs_assemble(struct block_jobs *jobs, const char *text, struct problems *problems) {
  static const char *const arguments[] = {"-triple=x86_64-linux-gnu", "-filetype=obj", "-", NULL};
  int input = llvm_tool_input(text), output = memfd_create("reticle-object", MFD_CLOEXEC);
  int failed = input < 0 || output < 0
                   ? errno
                   : llvm_tool_run("llvm-mc", "RETICLE_LLVM_MC", arguments, input, output);
  bool good = false;
  if (failed == ENOENT)
    problem_error(problems,
                  "block: no llvm-mc for assembly text; install package llvm-19, or name it in "
                  "RETICLE_LLVM_MC");
  else if (failed == EIO)
    problem_error(problems,
                  "block: llvm-mc doesn't take the text (above); for Intel's syntax begin it with "
                  "'.intel_syntax noprefix;'");
  else if (failed)
    problem_error(problems, "block: llvm-mc can't be run: %s", strerror(failed));
  else
    good = add_code(jobs, text, output, problems);
  close(input);
  close(output);
  return good;
}
