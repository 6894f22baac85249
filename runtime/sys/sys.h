// sys.h - the only system calls of the runtime, as functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conventions for all of them: an `int` or `long` result is >= 0 or -errno; no libc, no errno, no
// thread-local variables; async-signal-safe unless stated.
#ifndef RETICLE_RUNTIME_SYS_SYS_H
#define RETICLE_RUNTIME_SYS_SYS_H

#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

// --- memory ------------------------------------------------------------------------------------

/// `bytes` of zeroed private memory, not reserved in advance; null if there is none.
void *rrt_sys_map(size_t bytes);
void rrt_sys_unmap(void *memory, size_t bytes);
/// As rrt_sys_map, of one memory with children that are forked later.
void *rrt_sys_map_family(size_t bytes);
/// Has a forked child find memory of rrt_sys_map zeroed. 0 or -errno (kernels before 4.14).
int rrt_sys_wipe_on_fork(void *memory, size_t bytes);
/// Gives whole pages of rrt_sys_map their memory now, not one by one at their first use. Nothing
/// happens on kernels before 5.14.
void rrt_sys_populate(void *memory, size_t bytes);
/// Maps zeroed memory at that very address, not reserved in advance, in pages of 4 KB, and not part
/// of core dumps. 0, or -errno: -EEXIST if something is mapped there.
int rrt_sys_map_at(uint64_t address, uint64_t bytes);
/// mmap as the kernel has it: an address, or -errno.
long rrt_sys_mmap(void *address, size_t bytes, int protection, int flags, int fd, size_t offset);
long rrt_sys_munmap(void *address, size_t bytes);
long rrt_sys_mremap(void *old, size_t old_bytes, size_t bytes, int flags, void *wanted);
/// Gives the memory of whole pages back: they read as zero from then on. 0 or -errno.
int rrt_sys_discard(void *memory, size_t bytes);
struct rrt_sys_range {
  uint64_t begin, end;
};
/// Memory of ours that no function above has mapped: known as ours, until rrt_sys_unmap.
void rrt_sys_own_add(const void *memory, size_t bytes);
/// No longer ours; it stays as it is.
void rrt_sys_own_forget(const void *memory);
/// Unmaps all that is ours. Nothing of the runtime's may run behind it.
void rrt_sys_unmap_own(void);
/// The lowest of our ranges that ends behind an address. 1, or 0: there is none.
int rrt_sys_own_behind(uint64_t address, struct rrt_sys_range *out);
/// From now on what is mapped would be locked, but for what is ours; or no more.
void rrt_sys_expect_locks(int are_expected);
int rrt_sys_expects_locks(void);
/// mlockall and its kin as the kernel has them: 0 or -errno.
int rrt_sys_mlockall(int flags);
int rrt_sys_munlockall(void);
int rrt_sys_mlock(uint64_t address, uint64_t bytes, int on_fault);
/// 1 if the process may lock so much more.
int rrt_sys_may_lock(uint64_t bytes);
/// So many bytes a process without privileges may lock; UINT64_MAX: no limit. 0 if it can't be
/// read.
uint64_t rrt_sys_lock_limit(void);
/// Which pages from *at on have memory. *at becomes where to go on. The number of ranges, or
/// -errno: kernels before 6.7 don't say.
///
/// out  [max] ascending
int rrt_sys_touched_pages(uint64_t *at, uint64_t limit, struct rrt_sys_range *out, uint32_t max);
/// Moves memory of rrt_sys_map to a larger place; the new part is zero. Null leaves it as it was.
void *rrt_sys_grow(void *memory, size_t old_bytes, size_t new_bytes);
void rrt_copy(void *to, const void *from, size_t bytes);
void rrt_zero(void *memory, size_t bytes);
size_t rrt_length(const char *text);
/// 1 if the strings are equal, else 0.
int rrt_equal(const char *a, const char *b);

// --- files -------------------------------------------------------------------------------------

int rrt_sys_open_read(const char *path);
struct rrt_sys_part {
  const void *data;
  size_t bytes;
};
/// Writes all of the parts, one behind the other, from the offset on. At most 1024; leaves them
/// undefined.
int rrt_sys_write_parts_at(int fd, struct rrt_sys_part *parts, uint32_t count, uint64_t offset);
/// Writes a text of less than 4096 bytes, in one piece where it is a pipe. Waits at most so long
/// for one that is full. No SIGPIPE. 0 or -errno: -ETIMEDOUT.
int rrt_sys_write_within(int fd, const void *data, size_t bytes, uint64_t timeout_ns);
/// Path of a descriptor of the calling thread's in /proc.
void rrt_sys_name_descriptor(int fd, char out[40]);
/// Takes O_NONBLOCK from what was opened for appending.
void rrt_sys_make_blocking(int fd);
/// Reads up to `bytes` bytes, short only at the end of the file.
long rrt_sys_read(int fd, void *data, size_t bytes);
/// As rrt_sys_read, from that byte on.
long rrt_sys_read_at(int fd, void *data, size_t bytes, uint64_t offset);
void rrt_sys_close(int fd);
void rrt_sys_unlink(const char *path);
/// 0 if the file exists and the access is granted; mode as in access(2).
int rrt_sys_access(const char *path, int mode);
/// The link's target, zero-terminated; its length.
long rrt_sys_readlink(const char *path, char *out, size_t bytes);
long rrt_sys_getcwd(char *out, size_t bytes);
/// What tells one file or folder from all others while it exists.
struct rrt_sys_file_id {
  uint64_t device, inode;
};
int rrt_sys_folder_id(const char *path, struct rrt_sys_file_id *out);
/// The same of a regular file, no link, and its size. 0 or -errno.
int rrt_sys_own_file(const char *path, struct rrt_sys_file_id *out, uint64_t *bytes);
/// The open file's id, and whether its opener will have meant it for text: a terminal or other
/// device, or a file open for appending. 0 or -errno.
int rrt_sys_descriptor_id(int fd, struct rrt_sys_file_id *out, int *is_for_text);
/// 1 if the descriptor is open, and a terminal.
int rrt_sys_is_terminal(int fd);
/// The terminal that the process belongs to, to write: a descriptor, or -errno where it has none.
int rrt_sys_open_terminal(void);
/// Hard links of a file or folder.
long rrt_sys_link_count(const char *path);
/// Calls `visit` with the names of what is in the folder, at most so many.
void rrt_sys_visit_folder(const char *path, uint32_t most, void (*visit)(const char *name, void *),
                          void *context);
/// Whole small file as text, zero-terminated and cut to fit; its length.
long rrt_sys_read_file(const char *path, char *out, size_t bytes);
/// Copies memory of this process; fails instead of faulting.
int rrt_sys_peek(const void *address, void *out, size_t bytes);

// --- process, time -----------------------------------------------------------------------------

uint32_t rrt_sys_pid(void);
uint32_t rrt_sys_parent_pid(void);
/// 1 if there is no process of that number.
int rrt_sys_is_gone(uint32_t pid);
/// Number of the calling thread.
uint32_t rrt_sys_tid(void);
/// Wall clock in ns since 1970.
uint64_t rrt_sys_time_ns(void);
/// Wall clock in seconds since 1970.
uint64_t rrt_sys_time_s(void);
/// Time since the machine's start in ns, suspended or not.
uint64_t rrt_sys_boot_ns(void);
/// 1 if a process has that number, a zombie too.
int rrt_sys_process_exists(uint32_t pid);
/// CLOCK_MONOTONIC_RAW in ns.
uint64_t rrt_sys_monotonic_raw_ns(void);
/// CPU time of the process in ns.
uint64_t rrt_sys_cpu_ns(void);
/// CPU time of the process in user mode in ns, as the kernel estimates it.
uint64_t rrt_sys_user_ns(void);
/// CPU time of a thread of this process in ns; 0 if there is none of that number.
uint64_t rrt_sys_thread_cpu_ns(uint32_t tid);
/// Of all threads of the process, ended ones too.
struct rrt_sys_usage {
  uint64_t user_ns, system_ns, minor_faults, major_faults, waits, preemptions;
};
void rrt_sys_usage(struct rrt_sys_usage *out);
/// The same of the calling thread. 0 or -errno.
int rrt_sys_thread_usage(struct rrt_sys_usage *out);
/// CPU time of the calling thread in ns.
uint64_t rrt_sys_own_cpu_ns(void);
/// Host name, zero-terminated.
void rrt_sys_host(char *out, size_t bytes);
/// Processors the process may run on.
uint32_t rrt_sys_cpu_count(void);
_Noreturn void rrt_sys_exit_group(int status);
/// Replaces the program; returns -errno if that fails.
int rrt_sys_exec(const char *path, char *const *argv, char *const *environment);
/// The soft limit of the main thread's stack in bytes; UINT64_MAX: none. 0 if it can't be read.
uint64_t rrt_sys_stack_limit(void);
int rrt_sys_set_stack_limit(uint64_t bytes);
/// Ends the calling thread alone.
_Noreturn void rrt_sys_exit_thread(void);
/// Raises SIGABRT as abort(3) does, with the default action where a handler returns.
_Noreturn void rrt_sys_abort(void);

/// Sets the base of the calling thread's segment GS, which nothing else on x86-64 Linux uses. 0 or
/// -errno; -ENOSYS on other processors.
int rrt_sys_set_segment(uint64_t base);

/// Blocks all signals of the calling thread; the mask before, for rrt_sys_restore_signals. That one
/// takes back what our own writes and children may have caused: SIGPIPE, SIGXFSZ and SIGCHLD.
uint64_t rrt_sys_block_signals(void);
/// The same, but for SIGHUP, SIGINT, SIGQUIT and SIGTERM where they just end the process: whatever
/// we wait for, it can be ended.
uint64_t rrt_sys_block_handled_signals(void);
/// Blocks those alone that a write causes.
uint64_t rrt_sys_block_write_signals(void);
void rrt_sys_restore_signals(uint64_t before);

// --- waiting -----------------------------------------------------------------------------------

/// Sleeps while *word == value, at most timeout_ns.
void rrt_sys_wait(uint32_t *word, uint32_t value, uint64_t timeout_ns);
void rrt_sys_wake(uint32_t *word);

/// A sleep that tells when the process was stopped (nap.c).
struct rrt_sys_nap {
  struct pollfd timer;
  union {
    struct pollfd after;
    struct timespec left;
  };
};
/// Opens a descriptor: for the sideline, which has a table of its own. 0 or -errno.
int rrt_sys_nap_open(struct rrt_sys_nap *nap);
/// Sleeps for ns > 0: 0. Or up to the end of a stop that came first: 1. Or -errno.
///
/// slept_ns  from the start to the begin of the stop
int rrt_sys_nap(struct rrt_sys_nap *nap, uint64_t ns, uint64_t *slept_ns);
/// The stop has been seen to.
void rrt_sys_nap_done(struct rrt_sys_nap *nap);
/// For other threads: 1 between the begin of a stop and rrt_sys_nap_done.
int rrt_sys_nap_is_cut(const struct rrt_sys_nap *nap);
void rrt_sys_yield(void);

/// Waits until the word is 0, and makes it 1. Who waits long sleeps: a thread of real-time priority
/// that only yields would keep the holder from running.
void rrt_sys_lock(uint32_t *word);
static inline void rrt_sys_unlock(uint32_t *word) { __atomic_store_n(word, 0, __ATOMIC_RELEASE); }

// --- threads and children ----------------------------------------------------------------------

/// 1 under valgrind, which ends the program at a clone of ours: then there is no thread and no
/// child
/// (-ENOSYS).
int rrt_sys_is_emulated(void);

/// Starts `run` on the given stack as a thread that libc doesn't know: it shares memory but has
/// its own (empty) table of file descriptors, all signals are blocked, and it must not touch
/// thread-local variables or libc.
/// alive  1 until the thread and its use of the stack are gone, then 0 (rrt_sys_join_thread)
/// -EINVAL: under qemu-user, which starts threads like libc's alone.
int rrt_sys_start_thread(void (*run)(void), void *stack, size_t stack_bytes, uint32_t *alive);
/// Waits until the thread has ended: its code may be unmapped then. 0, or -ETIMEDOUT.
int rrt_sys_join_thread(uint32_t *alive, uint64_t timeout_ns);

/// Runs a program and waits for it; it is killed after timeout_ns, and with this process. stdin is
/// /dev/null, stdout and stderr go to `fd`, or to /dev/null where that is negative. No SIGCHLD;
/// other signals come through meanwhile.
/// Returns its exit status (256 + signal if one ended it) or -errno: -ETIMEDOUT. Not
/// async-signal-safe.
int rrt_sys_run(const char *path, const char *const *argv, char *const *environment, int fd,
                uint64_t timeout_ns);

#endif
