// block_trace.c - the instructions of a block one by one, with the registers before each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/block/block_trace.h"

#include "runtime/harness/block/block_registers.h"
#include "runtime/sys/sys.h"
#include "runtime/sys/trace.h"

#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

/// Steps at most: a string instruction takes one for each element.
enum { STEPS_MOST = 2048, EXECUTIONS = 2 };

static void first_step(const struct block_run *run, struct harness_step *step) {
  const struct block_image *image = &run->blocks->image;
  *step = (struct harness_step){.fs_base = run->state->fs_base, .gs_base = run->state->gs_base};
  rrt_copy(step->registers, run->state->registers, sizeof(step->registers));
  // The end of a row in a loop's last turn holds as many executions.
  size_t turns = image->row > 1 ? 1 : EXECUTIONS;
  step->address = block_image_entry(image, 0, EXECUTIONS);
  if (image->row > 1)
    step->address += (image->row - EXECUTIONS) * image->copy_bytes;
  if (image->row && run->settings->loop_register >= 0)
    step->registers[run->settings->loop_register] = turns;
  run->blocks->control->counter = turns;
}

void block_trace(const struct block_run *run) {
  const struct block_image *image = &run->blocks->image;
  long pid = run->blocks->pid;
  struct harness_step step;
  block_frames_fill(run);
  first_step(run, &step);
  if (block_arch_step(pid, &step, true) < 0)
    return;
  for (int i = 0; i < STEPS_MOST; i++) {
    int status;
    if (block_arch_step(pid, &step, false) < 0)
      return;
    uint32_t offset = block_offset(image, run->block->bytes, step.address);
    if (offset == UINT32_MAX)
      return;
    // In loop mode the branch back comes behind the block.
    bool is_branch =
        image->row && step.address >= BLOCK_CODE_AT + image->body + image->row * image->copy_bytes;
    step.block_offset = offset;
    if (!is_branch)
      run->settings->step(&step, run->settings->context);
    if (rrt_sys_ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) < 0 ||
        rrt_sys_wait_child(pid, &status) != pid)
      return;
    if (!WIFSTOPPED(status)) {
      run->blocks->pid = 0;
      return;
    }
    if (WSTOPSIG(status) != SIGTRAP)
      return;
  }
}
