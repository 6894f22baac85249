// file.c - files of the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // AT_EMPTY_PATH
#include "runtime/sys/sys.h"

#include "runtime/sys/syscall.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>

static int open_at(const char *path, int flags) {
  return (int)rrt_syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0);
}

// A pipe doesn't wait for a writer.
int rrt_sys_open_read(const char *path) { return open_at(path, O_RDONLY | O_NONBLOCK | O_NOCTTY); }

_Static_assert(sizeof(struct rrt_sys_part) == sizeof(struct iovec) &&
                   offsetof(struct rrt_sys_part, bytes) == offsetof(struct iovec, iov_len),
               "a part is a struct iovec");

int rrt_sys_write_parts_at(int fd, struct rrt_sys_part *parts, uint32_t count, uint64_t offset) {
  while (count) {
    if (!parts->bytes) {
      parts++;
      count--;
      continue;
    }
    long n = rrt_syscall(SYS_pwritev, fd, parts, count, offset, 0); // a 64-bit offset is one word
    if (n == -EINTR)
      continue;
    if (n <= 0)
      return n ? (int)n : -EIO;
    offset += (uint64_t)n;
    size_t left = (size_t)n;
    for (; left && left >= parts->bytes; count--)
      left -= parts++->bytes;
    if (left) {
      parts->data = (const char *)parts->data + left;
      parts->bytes -= left;
    }
  }
  return 0;
}

// A write to a pipe may wait although poll saw room, as others write to it, too. So it is opened
// anew: the flag O_NONBLOCK belongs to what others have open as well.
static int open_pipe_again(int fd) {
  char path[40];
  rrt_sys_name_descriptor(fd, path);
  return open_at(path, O_WRONLY | O_NONBLOCK | O_NOCTTY);
}

static long write_now(int fd, int is_socket, const void *data, size_t bytes) {
  return is_socket ? rrt_syscall(SYS_sendto, fd, data, bytes, MSG_DONTWAIT | MSG_NOSIGNAL, 0, 0)
                   : rrt_syscall(SYS_write, fd, data, bytes);
}

static int write_until(int fd, int is_socket, const char *data, size_t bytes, uint64_t end_ns) {
  while (bytes) {
    struct pollfd wanted = {.fd = fd, .events = POLLOUT};
    uint64_t now = rrt_sys_monotonic_raw_ns(), left = now < end_ns ? end_ns - now : 0;
    struct timespec wait = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
    long n = rrt_syscall(SYS_ppoll, &wanted, 1, &wait, 0, 0);
    if (n == -EINTR)
      continue;
    if (n <= 0)
      return n ? (int)n : -ETIMEDOUT;
    n = write_now(fd, is_socket, data, bytes);
    if (n == -EINTR || (n == -EAGAIN && left))
      continue;
    if (n <= 0)
      return n == -EAGAIN ? -ETIMEDOUT : n ? (int)n : -EIO;
    data += n;
    bytes -= (size_t)n;
  }
  return 0;
}

int rrt_sys_write_within(int fd, const void *data, size_t bytes, uint64_t timeout_ns) {
  struct stat info;
  uint64_t before = rrt_sys_block_write_signals();
  long r = rrt_syscall(SYS_newfstatat, fd, "", &info, AT_EMPTY_PATH);
  int again = r >= 0 && (info.st_mode & S_IFMT) == S_IFIFO ? open_pipe_again(fd) : -1;
  int is_socket = r >= 0 && (info.st_mode & S_IFMT) == S_IFSOCK;
  if (r >= 0)
    r = write_until(again >= 0 ? again : fd, is_socket, data, bytes,
                    rrt_sys_monotonic_raw_ns() + timeout_ns);
  if (again >= 0)
    rrt_sys_close(again);
  rrt_sys_restore_signals(before);
  return (int)r;
}

void rrt_sys_name_descriptor(int fd, char out[40]) {
  // Not self, whose descriptors aren't the sideline's.
  static const char folder[] = "/proc/thread-self/fd/";
  char digits[12];
  size_t n = sizeof digits;
  unsigned number = (unsigned)fd;
  digits[--n] = 0;
  do
    digits[--n] = (char)('0' + number % 10);
  while (number /= 10);
  rrt_copy(out, folder, sizeof folder - 1);
  rrt_copy(out + sizeof folder - 1, digits + n, sizeof digits - n);
}

void rrt_sys_make_blocking(int fd) { rrt_syscall(SYS_fcntl, fd, F_SETFL, O_APPEND); }

long rrt_sys_read_at(int fd, void *data, size_t bytes, uint64_t offset) {
  return rrt_syscall(SYS_pread64, fd, data, bytes, offset);
}

long rrt_sys_read(int fd, void *data, size_t bytes) {
  char *p = data;
  size_t got = 0;
  while (got < bytes) {
    long n = rrt_syscall(SYS_read, fd, p + got, bytes - got);
    if (n == -EINTR)
      continue;
    if (n < 0)
      return n;
    if (n == 0)
      break;
    got += (size_t)n;
  }
  return (long)got;
}

void rrt_sys_close(int fd) { rrt_syscall(SYS_close, fd); }

void rrt_sys_unlink(const char *path) { rrt_syscall(SYS_unlinkat, AT_FDCWD, path, 0); }

int rrt_sys_access(const char *path, int mode) {
  return (int)rrt_syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

long rrt_sys_readlink(const char *path, char *out, size_t bytes) {
  long n = rrt_syscall(SYS_readlinkat, AT_FDCWD, path, out, bytes - 1);
  out[n > 0 ? n : 0] = 0;
  return n;
}

long rrt_sys_getcwd(char *out, size_t bytes) {
  long n = rrt_syscall(SYS_getcwd, out, bytes);
  if (n <= 0)
    out[0] = 0;
  return n > 0 ? n - 1 : n;
}

long rrt_sys_link_count(const char *path) {
  struct stat info;
  long r = rrt_syscall(SYS_newfstatat, AT_FDCWD, path, &info, 0);
  return r < 0 ? r : (long)info.st_nlink;
}

int rrt_sys_folder_id(const char *path, struct rrt_sys_file_id *out) {
  struct stat info;
  long r = rrt_syscall(SYS_newfstatat, AT_FDCWD, path, &info, 0);
  if (r >= 0)
    *out = (struct rrt_sys_file_id){info.st_dev, info.st_ino};
  return (int)r;
}

int rrt_sys_own_file(const char *path, struct rrt_sys_file_id *out, uint64_t *bytes) {
  struct stat info;
  long r = rrt_syscall(SYS_newfstatat, AT_FDCWD, path, &info, AT_SYMLINK_NOFOLLOW);
  if (r < 0 || (info.st_mode & S_IFMT) != S_IFREG)
    return r < 0 ? (int)r : -EINVAL;
  *out = (struct rrt_sys_file_id){info.st_dev, info.st_ino};
  *bytes = (uint64_t)info.st_size;
  return 0;
}

int rrt_sys_descriptor_id(int fd, struct rrt_sys_file_id *out, int *is_for_text) {
  struct stat info;
  long r = rrt_syscall(SYS_fstat, fd, &info), flags = rrt_syscall(SYS_fcntl, fd, F_GETFL, 0);
  if (r < 0)
    return (int)r;
  uint32_t type = info.st_mode & S_IFMT;
  *out = (struct rrt_sys_file_id){info.st_dev, info.st_ino};
  *is_for_text = type == S_IFCHR || (type == S_IFREG && flags >= 0 && (flags & O_APPEND));
  return 0;
}

int rrt_sys_is_terminal(int fd) {
  char settings[64]; // struct termios is the C library's
  return rrt_syscall(SYS_ioctl, fd, TCGETS, settings) == 0;
}

int rrt_sys_open_terminal(void) {
  const int flags = O_WRONLY | O_NOCTTY | O_CLOEXEC;
  int fd = (int)rrt_syscall(SYS_openat, AT_FDCWD, "/dev/tty", flags, 0);
  if (fd < 0 || rrt_sys_is_terminal(fd))
    return fd;
  rrt_sys_close(fd); // under another root it may be anything
  return -ENOTTY;
}

// As the kernel fills it in (getdents64).
struct entry {
  uint64_t inode;
  int64_t next;
  uint16_t bytes;
  uint8_t type;
  char name[];
};

void rrt_sys_visit_folder(const char *path, uint32_t most, void (*visit)(const char *name, void *),
                          void *context) {
  char buffer[2048] __attribute__((aligned(8)));
  int fd = open_at(path, O_RDONLY | O_DIRECTORY);
  long got;
  if (fd < 0)
    return;
  while (most && (got = rrt_syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0)
    for (long at = 0; most && at < got; most--) {
      const struct entry *e = (const void *)(buffer + at);
      visit(e->name, context);
      at += e->bytes;
    }
  rrt_sys_close(fd);
}

long rrt_sys_read_file(const char *path, char *out, size_t bytes) {
  out[0] = 0;
  int fd = rrt_sys_open_read(path);
  if (fd < 0)
    return fd;
  long n = rrt_sys_read(fd, out, bytes - 1);
  rrt_sys_close(fd);
  out[n > 0 ? n : 0] = 0;
  return n;
}
