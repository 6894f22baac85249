// remedy.c - words of remedies, and which cause asks for which.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/remedy/remedy.h"

#include <stddef.h>

const char *remedy_words(enum remedy remedy) {
  static const char *const words[] = {
      NULL,
#define REMEDY(ID, words) words,
#include "tools/model/remedy/remedy.def"
  };
  return words[remedy];
}

enum remedy remedy_of_stall(enum stall_cause cause) {
  static const enum remedy of[STALL_CAUSES + 1] = {
      // the last one: none
      [STALL_CAUSE_DIVIDER] = REMEDY_DIVIDE_LESS,
      [STALL_CAUSE_MULTIPLIER] = REMEDY_BREAK_CHAIN,
      [STALL_CAUSE_CHAIN] = REMEDY_BREAK_CHAIN,
      [STALL_CAUSE_LONG_UNIT] = REMEDY_SHORTER_INSTRUCTION,
      [STALL_CAUSE_SYNCHRONISED] = REMEDY_SYNCHRONISE_LESS,
      [STALL_CAUSE_BRANCH] = REMEDY_NO_BRANCH,
      [STALL_CAUSE_D_CACHE] = REMEDY_FETCH_FEWER,
      [STALL_CAUSE_D_TLB] = REMEDY_FETCH_FEWER,
      [STALL_CAUSE_WRITE_BUFFER] = REMEDY_WRITE_LESS,
      [STALL_CAUSE_FORWARDING] = REMEDY_SAME_WIDTH,
      [STALL_CAUSE_I_CACHE] = REMEDY_LESS_CODE,
      [STALL_CAUSE_DENORMALS] = REMEDY_NO_DENORMALS,
  };
  return of[cause];
}

enum remedy remedy_of_slow(enum slow_cause cause) {
  static const enum remedy of[SLOW_CAUSES + 1] = {
      [SLOW_ITERATIONS] = REMEDY_BOUND_WORK,    [SLOW_TAG] = REMEDY_BOUND_WORK,
      [SLOW_PAGE_FAULTS] = REMEDY_FAULT_AHEAD,  [SLOW_WAITS_FOR_CPU] = REMEDY_OWN_PROCESSORS,
      [SLOW_MIGRATION] = REMEDY_PIN_THREADS,    [SLOW_BLOCKED] = REMEDY_SHORTER_LOCKS,
      [SLOW_CLOCK] = REMEDY_KEEP_CLOCK,         [SLOW_GAP] = REMEDY_LOOK_AT_MACHINE,
      [SLOW_UNEXPLAINED] = REMEDY_SHOW_SLOWEST, [SLOW_CAUSES] = REMEDY_SHOW_SLOWEST,
  };
  return of[cause];
}
