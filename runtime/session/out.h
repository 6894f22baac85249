// out.h - where this process's profile goes, and where else if it can't be written there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_OUT_H
#define RETICLE_RUNTIME_SESSION_OUT_H

/// Warns of a % that means nothing in the options that name files.
void rrt_out_check(void);

/// Sets rrt_session.path by option out, of the process that we are in.
void rrt_out_start(void);

/// 0 with out=/dev/null: nobody wants the profile, nor what is made of it.
int rrt_out_is_kept(void);

/// The profile could not be written. Sets rrt_session.path to the next place: under the default
/// name in the folder that the program started in (0), in TMPDIR or /tmp (1). -ENOENT behind the
/// last; another one below 0 where the drain lock can't be had.
int rrt_out_go_elsewhere(unsigned number);
/// Says where it is now, or has the path as it was.
///
/// error   why it could not be written
/// result  of the last place tried, 0 if it is there
/// is_end  that it is nowhere will be told as an error
void rrt_out_settle(int error, int result, int is_end);

#endif
