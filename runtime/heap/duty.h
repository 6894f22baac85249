// duty.h - bursts: the program marks only for a share of the time (option `duty`).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   masks   all ones            0                                  all ones           0
//           |----- burst -----|------------- rest ----------------|----- burst -----|---
//           interval between  scan                                                   scan
//           samples
// While a window of visits is open masks are RETICLE_SHADOW_MASK_WINDOW instead of all ones.
// A mask of 0 has code with two copies run the plain one, and takes other code's marks to where
// they mean nothing. Nothing here waits for the program: threads change over when they come by.
// All but rrt_duty_is_on and rrt_duty_close_window needs the scan's lock.
#ifndef RETICLE_RUNTIME_HEAP_DUTY_H
#define RETICLE_RUNTIME_HEAP_DUTY_H

#include <stdint.h>

/// There is shadow memory. Marks go to it from now on, or as soon as the first burst begins.
void rrt_duty_open(void);
/// 1 if there are bursts: else the program marks all the time.
int rrt_duty_has_bursts(void);
/// 1 while the program marks. By any thread, at any time.
int rrt_duty_is_on(void);

/// A module's mask, set to what holds now. With bursts it is 0 for good if the module's code may
/// keep it in a register (compiled without shadow=bursts), or if there is no memory to know it.
void rrt_duty_add(uint64_t *mask, int may_change);
void rrt_duty_remove(const uint64_t *mask);

/// Begin and end a burst. 0: there was nothing to do.
int rrt_duty_begin(uint64_t now_ns);
int rrt_duty_end(uint64_t now_ns);
/// How long to rest behind the last burst, or before the first: a random time, so that bursts don't
/// keep step with the program, whose mean keeps to the share.
uint64_t rrt_duty_rest_ns(uint64_t interval_ns);

/// Have masks say that a window of visits is open, where it is; and that it isn't any more, at any
/// time and by any thread: async-signal-safe.
void rrt_duty_open_window(void);
void rrt_duty_close_window(void);

/// Bursts so far, and how long they were, the present one not included.
uint64_t rrt_duty_bursts(void);
uint64_t rrt_duty_burst_ns(void);

#endif
