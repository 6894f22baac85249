// folder.c - files of the runtime by their names in a folder that is open.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // O_PATH, O_TMPFILE, AT_EMPTY_PATH
#include "runtime/sys/folder.h"

#include "runtime/sys/sys.h"
#include "runtime/sys/syscall.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/random.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/stat.h>

enum { OWNER_ONLY = 0600 };

int rrt_sys_open_folder(const char *path) {
  return (int)rrt_syscall(SYS_openat, AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
}

int rrt_sys_make_folder(const char *path) {
  return (int)rrt_syscall(SYS_mkdirat, AT_FDCWD, path, 0777);
}

int rrt_sys_create_unnamed(int folder) {
  return (int)rrt_syscall(SYS_openat, folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, OWNER_ONLY);
}

int rrt_sys_create_at(int folder, const char *name) {
  return (int)rrt_syscall(SYS_openat, folder, name,
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, OWNER_ONLY);
}

int rrt_sys_open_read_at(int folder, const char *name) {
  return (int)rrt_syscall(SYS_openat, folder, name,
                          O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
}

int rrt_sys_lock_file(int fd) { return (int)rrt_syscall(SYS_flock, fd, LOCK_EX | LOCK_NB); }

void rrt_sys_unlock_file(int fd) { rrt_syscall(SYS_flock, fd, LOCK_UN); }

int rrt_sys_open_log(const char *path) {
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  struct stat link;
  long fd = rrt_syscall(SYS_openat, AT_FDCWD, path, flags | O_NOFOLLOW, OWNER_ONLY);
  if (fd != -ELOOP)
    return (int)fd;
  // /dev/stderr is a link, too: those of root and our own are followed.
  long r = rrt_syscall(SYS_newfstatat, AT_FDCWD, path, &link, AT_SYMLINK_NOFOLLOW);
  if (r < 0 || (link.st_uid && link.st_uid != rrt_sys_user()))
    return r < 0 ? (int)r : -ELOOP;
  return (int)rrt_syscall(SYS_openat, AT_FDCWD, path, flags, OWNER_ONLY);
}

int rrt_sys_name_file(int fd, int folder, const char *name) {
  char from[40]; // not AT_EMPTY_PATH, which takes a privilege
  rrt_sys_name_descriptor(fd, from);
  return (int)rrt_syscall(SYS_linkat, AT_FDCWD, from, folder, name, AT_SYMLINK_FOLLOW);
}

int rrt_sys_link_at(int folder, const char *from, const char *to) {
  return (int)rrt_syscall(SYS_linkat, folder, from, folder, to, 0);
}

static int rename_at(int folder, const char *from, const char *to, unsigned flags) {
  return (int)rrt_syscall(SYS_renameat2, folder, from, folder, to, flags);
}

int rrt_sys_rename_at(int folder, const char *from, const char *to) {
  return rename_at(folder, from, to, 0);
}

int rrt_sys_rename_new_at(int folder, const char *from, const char *to) {
  return rename_at(folder, from, to, RENAME_NOREPLACE);
}

int rrt_sys_exchange_at(int folder, const char *one, const char *other) {
  return rename_at(folder, one, other, RENAME_EXCHANGE);
}

void rrt_sys_unlink_at(int folder, const char *name) { rrt_syscall(SYS_unlinkat, folder, name, 0); }

static int facts_of(int folder, const char *name, int flags, struct rrt_sys_facts *out) {
  struct stat s;
  long r = rrt_syscall(SYS_newfstatat, folder, name, &s, flags);
  if (r < 0)
    return (int)r;
  mode_t kind = s.st_mode & S_IFMT;
  out->device = s.st_dev;
  out->inode = s.st_ino;
  out->bytes = (uint64_t)s.st_size;
  out->time_ns = (uint64_t)s.st_mtim.tv_sec * 1000000000u + (uint64_t)s.st_mtim.tv_nsec;
  out->links = (uint32_t)s.st_nlink;
  out->user = s.st_uid;
  out->group = s.st_gid;
  out->mode = s.st_mode & ~(mode_t)S_IFMT;
  out->kind = kind == S_IFREG                      ? RRT_SYS_FILE
              : kind == S_IFLNK                    ? RRT_SYS_LINK
              : kind == S_IFDIR                    ? RRT_SYS_FOLDER
              : kind == S_IFCHR || kind == S_IFBLK ? RRT_SYS_DEVICE
              : kind == S_IFIFO                    ? RRT_SYS_PIPE
                                                   : RRT_SYS_SOCKET;
  return 0;
}

int rrt_sys_facts_at(int folder, const char *name, struct rrt_sys_facts *out) {
  return facts_of(folder, name, AT_SYMLINK_NOFOLLOW, out);
}

int rrt_sys_facts_of(int fd, struct rrt_sys_facts *out) {
  return facts_of(fd, "", AT_EMPTY_PATH, out);
}

int rrt_sys_facts(const char *path, struct rrt_sys_facts *out) {
  return facts_of(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, out);
}

int rrt_sys_real_path(const char *path, char *out, size_t bytes) {
  char name[40];
  int fd = (int)rrt_syscall(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC, 0);
  if (fd < 0)
    return fd;
  rrt_sys_name_descriptor(fd, name);
  long n = rrt_sys_readlink(name, out, bytes);
  rrt_sys_close(fd);
  if (n < 0)
    return (int)n;
  return (size_t)n + 1 < bytes ? 0 : -ENAMETOOLONG;
}

uint32_t rrt_sys_user(void) { return (uint32_t)rrt_syscall(SYS_geteuid); }

uint64_t rrt_sys_random(void) {
  uint64_t out = 0;
  if (rrt_syscall(SYS_getrandom, &out, sizeof out, GRND_NONBLOCK) == (long)sizeof out)
    return out;
  // Early at boot, or under a filter: the kernel's 16 bytes for this program, told apart by time.
  // It is asked for once, by a thread that libc knows: the first checkpoint is one's.
  static const char *seed;
  if (!seed)
    seed = (const char *)getauxval(AT_RANDOM);
  if (seed)
    rrt_copy(&out, seed + 8, sizeof out);
  return (out ^ rrt_sys_monotonic_raw_ns()) * UINT64_C(0x9e3779b97f4a7c15);
}
