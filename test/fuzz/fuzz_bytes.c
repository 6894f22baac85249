// fuzz_bytes.c - random numbers and files of the fuzzer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// splitmix64: any seed is a good one.
uint64_t fuzz_random(struct fuzz_random *random) {
  uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

uint64_t fuzz_below(struct fuzz_random *random, uint64_t n) {
  return n ? fuzz_random(random) % n : 0;
}

bool fuzz_once_in(struct fuzz_random *random, uint64_t n) { return fuzz_below(random, n) == 0; }

uint64_t fuzz_number(struct fuzz_random *random) {
  static const uint64_t odd[] = {
      UINT64_MAX,
      INT64_MAX,
      UINT32_MAX,
      INT32_MAX,
      0,
      1000000000,
      999999999,
      UINT64_MAX / 2 + 1,
      65536,
      4096,
      UINT64_MAX - 7,
      64,
      1000,
      999,
      UINT64_C(1) << 53,
      UINT64_MAX / 1000,
      0x100000001,
      UINT64_MAX / 65536,
      3,
      100,
      UINT64_C(1) << 63,
      2600000000,
      UINT64_MAX - 0xfff,
      127,
      UINT32_MAX - 1,
  };
  switch (fuzz_below(random, 5)) {
  case 0:
    return odd[fuzz_below(random, sizeof odd / sizeof *odd)];
  case 1:
    return (UINT64_C(1) << fuzz_below(random, 64)) + fuzz_below(random, 3) - 1;
  case 2:
    return fuzz_below(random, 16);
  case 3:
    return fuzz_random(random) >> fuzz_below(random, 64);
  default:
    return fuzz_below(random, 4096);
  }
}

struct fuzz_bytes fuzz_read(const char *path) {
  struct stat status;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &status) < 0)
    fuzz_fail("%s: can't be opened", path);
  struct fuzz_bytes bytes = {malloc((size_t)status.st_size + 1), (size_t)status.st_size};
  if (!bytes.data || read(fd, bytes.data, bytes.count) != (ssize_t)bytes.count)
    fuzz_fail("%s: can't be read", path);
  close(fd);
  return bytes;
}

void fuzz_write(const char *path, const void *data, size_t count) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0 || write(fd, data, count) != (ssize_t)count)
    fuzz_fail("%s: can't be written", path);
  close(fd);
}

struct fuzz_bytes fuzz_copy(const struct fuzz_bytes *bytes, size_t room) {
  struct fuzz_bytes copy = {malloc(bytes->count + room + 1), bytes->count};
  if (!copy.data)
    fuzz_fail("no memory for %zu bytes", bytes->count);
  if (bytes->count)
    memcpy(copy.data, bytes->data, bytes->count);
  return copy;
}
