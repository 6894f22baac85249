// sys.h - the only system calls of the runtime, as functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conventions for all of them: an `int` or `long` result is >= 0 or -errno; no libc, no errno, no
// thread-local variables; async-signal-safe unless stated.
#ifndef RETICLE_RUNTIME_SYS_SYS_H
#define RETICLE_RUNTIME_SYS_SYS_H

#include <stddef.h>
#include <stdint.h>

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

/// Creates or truncates for writing (mode 0666 less the umask).
int rrt_sys_create(const char *path);
int rrt_sys_open_read(const char *path);
/// Opens for appending, creating it where needed.
int rrt_sys_open_append(const char *path);
struct rrt_sys_part {
  const void *data;
  size_t bytes;
};
/// Writes all of the parts, one behind the other, from the offset on. At most 1024; leaves them
/// undefined.
int rrt_sys_write_parts_at(int fd, struct rrt_sys_part *parts, uint32_t count, uint64_t offset);
/// One write call; the bytes written.
long rrt_sys_write(int fd, const void *data, size_t bytes);
/// Reads up to `bytes` bytes, short only at the end of the file.
long rrt_sys_read(int fd, void *data, size_t bytes);
/// As rrt_sys_read, from that byte on.
long rrt_sys_read_at(int fd, void *data, size_t bytes, uint64_t offset);
void rrt_sys_close(int fd);
int rrt_sys_rename(const char *from, const char *to);
/// Each gets the other's name, in one step. -ENOENT unless both exist, -EINVAL where the file
/// system can't.
int rrt_sys_exchange(const char *one, const char *other);
void rrt_sys_unlink(const char *path);
/// 0 if the file exists and the access is granted; mode as in access(2).
int rrt_sys_access(const char *path, int mode);
/// The link's target, zero-terminated; its length.
long rrt_sys_readlink(const char *path, char *out, size_t bytes);
long rrt_sys_getcwd(char *out, size_t bytes);
/// 1 if there is something by that name that is no regular file: a device, a pipe, a link.
int rrt_sys_is_special(const char *path);
/// What tells one file or folder from all others while it exists.
struct rrt_sys_file_id {
  uint64_t device, inode;
};
int rrt_sys_folder_id(const char *path, struct rrt_sys_file_id *out);
/// The same of a regular file, no link, and its size. 0 or -errno.
int rrt_sys_own_file(const char *path, struct rrt_sys_file_id *out, uint64_t *bytes);
/// The open file's id, and whether its opener may have meant it for text alone: a terminal or other
/// device, or something open for writing only, or for appending. 0 or -errno.
int rrt_sys_descriptor_id(int fd, struct rrt_sys_file_id *out, int *is_for_text);
/// Hard links of a file or folder.
long rrt_sys_link_count(const char *path);
/// Size and time of the last change (seconds since 1970) of a regular file. 0 or -errno.
int rrt_sys_file_facts(const char *path, uint64_t *bytes, uint64_t *time_s);
/// Calls `visit` with the name of everything in the folder.
void rrt_sys_visit_folder(const char *path, void (*visit)(const char *name, void *), void *context);
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
/// Wall clock in seconds since 1970.
uint64_t rrt_sys_time_s(void);
/// CLOCK_MONOTONIC_RAW in ns.
uint64_t rrt_sys_monotonic_raw_ns(void);
/// CPU time of the process in ns.
uint64_t rrt_sys_cpu_ns(void);
/// CPU time of the process in user mode in ns, as the kernel estimates it.
uint64_t rrt_sys_user_ns(void);
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
/// takes back what our own writes and children may have caused: SIGXFSZ and SIGCHLD.
uint64_t rrt_sys_block_signals(void);
void rrt_sys_restore_signals(uint64_t before);

// --- waiting -----------------------------------------------------------------------------------

/// Sleeps while *word == value, at most timeout_ns.
void rrt_sys_wait(uint32_t *word, uint32_t value, uint64_t timeout_ns);
void rrt_sys_wake(uint32_t *word);
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
/// Waits until the thread has ended: its code may be unmapped then.
void rrt_sys_join_thread(uint32_t *alive);

/// Runs a program and waits for it. stdin is /dev/null, stdout and stderr go to `fd`, or to
/// /dev/null where that is negative. No SIGCHLD.
/// Returns its exit status (256 + signal if one ended it) or -errno. Not async-signal-safe.
int rrt_sys_run(const char *path, const char *const *argv, char *const *environment, int fd);

#endif
