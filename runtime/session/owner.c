// owner.c - reads who wrote a profile, and looks for that process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/owner.h"

#include "include/reticle/abi.h"
#include "runtime/support/text.h"
#include "runtime/sys/scale.h"
#include "runtime/sys/sys.h"

#include <errno.h>

enum {
  CHUNKS_MAX = 64,
  OTHER_HOST_S = 60, // a running process writes its file about once in 10 s
  START_SLACK_S = 2  // the kernel counts in 10 ms, and the wall clock is set now and then
};

static int is_at(const char *name, const char *wanted) {
  for (size_t i = 0; i < RETICLE_CHUNK_NAME_BYTES; i++) {
    if (name[i] != wanted[i])
      return 0;
    if (!wanted[i])
      return 1;
  }
  return 0;
}

// The start of a chunk's bytes; 0 if there is none so large.
static int read_chunk(int fd, const struct reticle_file_chunk *chunks, uint32_t count,
                      const char *name, uint64_t skip, void *out, size_t least, size_t most) {
  for (uint32_t i = 0; i < count; i++) {
    const struct reticle_file_chunk *c = &chunks[i];
    if (!is_at(c->name, name))
      continue;
    if (c->bytes < skip || c->bytes - skip < least || c->offset > INT64_MAX / 2 ||
        skip > INT64_MAX / 2)
      return 0;
    uint64_t bytes = c->bytes - skip < most ? c->bytes - skip : most;
    return rrt_sys_read_at(fd, out, bytes, c->offset + skip) == (long)bytes;
  }
  return 0;
}

static int read_owner(int fd, struct rrt_owner *out) {
  static struct reticle_file_chunk chunks[CHUNKS_MAX]; // callers have the drain's lock
  struct reticle_file_header h;
  struct reticle_file_env env;
  struct reticle_file_health health;
  rrt_zero(out, sizeof *out);
  rrt_zero(&env, sizeof env);
  rrt_zero(&health, sizeof health);
  if (rrt_sys_read_at(fd, &h, sizeof h, 0) != (long)sizeof h)
    return 0;
  for (size_t i = 0; i < sizeof h.magic; i++)
    if (h.magic[i] != RETICLE_FILE_MAGIC[i])
      return 0;
  if (h.endian != RETICLE_FILE_ENDIAN || h.chunk_bytes != sizeof chunks[0] ||
      h.chunk_count > CHUNKS_MAX || h.table_offset > INT64_MAX / 2)
    return 0;
  size_t bytes = h.chunk_count * sizeof chunks[0];
  if (rrt_sys_read_at(fd, chunks, bytes, h.table_offset) != (long)bytes)
    return 0;
  if (!read_chunk(fd, chunks, h.chunk_count, "env", 0, &env,
                  offsetof(struct reticle_file_env, cpu_model), sizeof env) ||
      !read_chunk(fd, chunks, h.chunk_count, "health", 0, &health,
                  offsetof(struct reticle_file_health, sideline), sizeof health))
    return 0;
  read_chunk(fd, chunks, h.chunk_count, "strings", env.host, out->host, 1, sizeof out->host - 1);
  out->pid = env.pid;
  out->start_time_s = env.start_time_s;
  out->elapsed_ticks = env.elapsed_ticks;
  out->checkpoints = health.checkpoints;
  out->written_s = health.checkpoint_time_s;
  out->ended_by = health.ended_by;
  return 1;
}

int rrt_owner_read(int folder, const char *name, struct rrt_owner *out) {
  int fd = rrt_sys_open_read_at(folder, name);
  if (fd < 0)
    return fd;
  int is_whole = read_owner(fd, out);
  rrt_sys_close(fd);
  return is_whole ? 0 : -EINVAL;
}

// /proc/PID/stat behind the name in parentheses, which may hold anything: state, then numbers, of
// which the 20th is the start in 1/100 s since the machine's.
static int is_process(const char *stat, uint64_t start_time_s) {
  enum { START = 20 };
  const char *p = stat;
  uint64_t start;
  for (const char *q = stat; *q; q++)
    if (*q == ')')
      p = q;
  if (!p[0] || !p[1] || p[2] == 'Z' || p[2] == 'X')
    return 0;
  p += 2;
  for (unsigned field = 1; field < START; field++) {
    while (*p && *p != ' ')
      p++;
    while (*p == ' ')
      p++;
  }
  if (!rrt_parse_number(p, &start))
    return 1;
  // Added on both sides: the clock of the day may be set to less than the age. Else the number was
  // given again.
  uint64_t boot_s = rrt_sys_boot_ns() / 1000000000u;
  return rrt_sys_time_s() + start / 100 <= rrt_add(start_time_s, START_SLACK_S + boot_s);
}

int rrt_owner_is_self(const struct rrt_owner *o) {
  char host[65], stat[512];
  rrt_sys_host(host, sizeof host);
  return rrt_equal(host, o->host) && o->pid == rrt_sys_pid() &&
         rrt_sys_read_file("/proc/self/stat", stat, sizeof stat) > 0 &&
         is_process(stat, o->start_time_s);
}

int rrt_owner_is_alive(const struct rrt_owner *o) {
  char host[65], path[48], stat[512];
  struct rrt_text text;
  rrt_sys_host(host, sizeof host);
  if (!rrt_equal(host, o->host))
    return !o->ended_by && rrt_sys_time_s() < o->written_s + OTHER_HOST_S;
  if (o->pid == rrt_sys_pid()) // an earlier program of this process
    return 0;
  rrt_text_init(&text, path, sizeof path);
  rrt_text_add(&text, "/proc/");
  rrt_text_add_number(&text, o->pid);
  rrt_text_add(&text, "/stat");
  if (rrt_sys_read_file(path, stat, sizeof stat) > 0)
    return is_process(stat, o->start_time_s);
  // Without /proc.
  return rrt_sys_access("/proc/self", 0) < 0 && rrt_sys_process_exists((uint32_t)o->pid);
}
