// block_pages.c - the pages that a block touches, found by its faults.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: [bhive2019] section 3.1, which has one physical page behind all of them. Here each of the
// first eight has its own: the first data cache of AMD's Zen finds lines by a hash of the linear
// address, so two pages on one frame drive each other out.
#include "runtime/harness/block/block_pages.h"

#include "runtime/harness/block/block_registers.h"
#include "runtime/sys/sys.h"
#include "runtime/sys/syscall.h"

#include <stddef.h>
#include <sys/mman.h>

/// Copy of the page in the control block, from where runs restore it; null if it gets the fill.
static const uint8_t *original(const struct block_run *run, uint64_t page) {
  for (size_t i = 0; i < run->copied; i++)
    if (run->copied_pages[i] == page)
      return run->blocks->control->originals[i];
  return NULL;
}

void block_frames_fill(const struct block_run *run) {
  for (size_t at = 0; at < BLOCK_FRAMES_BYTES; at += sizeof(run->state->fill))
    rrt_copy(run->blocks->frames + at, &run->state->fill, sizeof(run->state->fill));
  for (unsigned i = 0; i < run->result->frames; i++) {
    const struct harness_page *page = &run->result->page_list[i];
    const uint8_t *bytes = original(run, page->address);
    if (bytes)
      rrt_copy(run->blocks->frames + page->frame * BLOCK_PAGE_BYTES, bytes, BLOCK_PAGE_BYTES);
  }
}

static void fail(struct block_stop *stop, enum harness_status status, const char *detail) {
  stop->kind = BLOCK_STOP_FAILED;
  stop->status = status;
  stop->detail = detail;
}

/// Gives a page that has a frame of its own what it holds at first, and tells the code that sets up
/// each run.
static void restore_in_runs(struct block_run *run, uint64_t page, uint8_t *frame) {
  const struct harness_state *state = run->state;
  struct block_control *control = run->blocks->control;
  uint8_t *bytes = control->originals[run->copied];
  if (!state->read_page || !state->read_page(page, bytes, state->context)) {
    control->fill_pages[run->filled++] = page;
    control->fill_count = run->filled;
    return;
  }
  run->copied_pages[run->copied] = control->copy_pages[run->copied] = page;
  control->copy_count = ++run->copied;
  rrt_copy(frame, bytes, BLOCK_PAGE_BYTES);
}

static bool map_page(struct block_run *run, uint64_t page, struct block_stop *stop) {
  struct harness_result *result = run->result;
  struct block_control *control = run->blocks->control;
  struct block_saved saved;
  const uint64_t address = stop->address, where = stop->where;
  uint32_t frame = result->pages % run->settings->frames;
  bool is_new = result->pages < run->settings->frames;
  if (block_arch_save(run->blocks->pid, &saved) < 0)
    return false;
  control->calls[0] = (struct block_call){
      SYS_mmap,
      {page, BLOCK_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
       (uint64_t)run->blocks->fd, BLOCK_FRAMES_OFFSET + (uint64_t)frame * BLOCK_PAGE_BYTES},
      0};
  if (!block_child_calls(run->blocks, 1, stop))
    return false;
  stop->address = address;
  stop->where = where;
  if (control->calls[0].result != (int64_t)page) {
    fail(stop, HARNESS_BAD_ADDRESS,
         page < BLOCK_LOW_END ? "within the first 64 KB, like a null pointer; root may map it"
                              : "the system maps nothing there");
    return false;
  }
  if (is_new) {
    restore_in_runs(run, page, run->blocks->frames + frame * BLOCK_PAGE_BYTES);
    result->frames++;
  }
  result->page_list[result->pages++] = (struct harness_page){
      page, frame, block_offset(&run->blocks->image, run->block->bytes, where)};
  return block_arch_restore(run->blocks->pid, &saved) >= 0;
}

void block_pages_run(struct block_run *run, struct block_stop *stop) {
  struct harness_blocks *blocks = run->blocks;
  struct harness_result *result = run->result;
  uint64_t last_page = 0, last_where = 0;
  block_child_run(blocks, BLOCK_CODE_AT + blocks->image.start, blocks->image.stop, stop);
  while (stop->kind == BLOCK_STOP_FAULT) {
    uint64_t page = stop->address / BLOCK_PAGE_BYTES * BLOCK_PAGE_BYTES;
    result->faults++;
    if (!run->settings->map_pages) {
      fail(stop, HARNESS_BAD_ADDRESS, "touches memory, and pages are not to be mapped");
    } else if (page == last_page && stop->where == last_where) {
      fail(stop, HARNESS_BAD_ADDRESS, "faults again on a page that was mapped");
    } else if (result->pages == run->pages_most) {
      fail(stop, HARNESS_TOO_MANY_PAGES, "touches more pages than the first TLB holds");
    } else {
      last_page = page;
      last_where = stop->where;
      if (!map_page(run, page, stop)) {
        if (stop->kind != BLOCK_STOP_FAILED)
          fail(stop, HARNESS_NOT_PERMITTED, "the child's registers can't be read or set");
        return;
      }
      block_child_go_on(blocks, blocks->image.stop, stop);
    }
  }
}
