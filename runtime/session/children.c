// children.c - finds the files of ended children, and removes the oldest.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/children.h"

#include "runtime/session/session.h"
#include "runtime/support/fork.h"
#include "runtime/support/options.h"
#include "runtime/support/path.h"
#include "runtime/support/text.h"
#include "runtime/sys/sys.h"

// LEAST: those of a pool of workers that end together stay, whatever their size. FILES_MAX: with
// more children at once the others' files are left alone.
enum { FILES_MAX = 1024, LEAST = 24, NAME_BYTES = 232, LOCK_TRIES = 2000 };

struct file {
  uint32_t pid; // 0: a free place
  uint32_t is_closed;
  uint64_t written_s, bytes;
  uint64_t order; // of the last write
  struct rrt_sys_file_id id;
  char name[NAME_BYTES]; // without its folder, which all share
};

struct table {
  uint32_t lock;
  uint64_t root_bytes, epoch_bytes, writes; // root: the run's first process
  uint32_t folder_bytes;
  char folder[RRT_PATH_BYTES]; // ends with a slash
  struct file files[FILES_MAX];
};

static struct table *table;
static struct {
  uint64_t told_epoch_bytes;
  struct file *own;
} process RRT_PER_PROCESS;

int rrt_children_are_measured(void) { return rrt_options.children != RRT_CHILDREN_NONE; }

static const char *name_in(const char *path) {
  const char *name = path;
  for (const char *p = path; *p; p++)
    if (*p == '/')
      name = p + 1;
  return name;
}

void rrt_children_begin(void) {
  if (table || !rrt_children_are_measured() || !(table = rrt_sys_map_family(sizeof *table)))
    return;
  const char *path = rrt_session.path;
  table->folder_bytes = (uint32_t)(name_in(path) - path);
  rrt_copy(table->folder, path, table->folder_bytes);
}

// Gives up where a process was killed with the lock: files stay then.
static int lock(void) {
  for (unsigned i = 0; __atomic_exchange_n(&table->lock, 1, __ATOMIC_ACQUIRE); i++) {
    if (i == LOCK_TRIES)
      return -1;
    rrt_sys_yield();
  }
  return 0;
}

static void unlock(void) { rrt_sys_unlock(&table->lock); }

// Killed children never say that they end.
static int is_over(const struct file *f) {
  return f->pid && (f->is_closed || rrt_sys_is_gone(f->pid));
}

static int full_path(const struct file *f, char out[RRT_PATH_BYTES]) {
  struct rrt_text text;
  rrt_text_init(&text, out, RRT_PATH_BYTES);
  rrt_text_add_bytes(&text, table->folder, table->folder_bytes);
  rrt_text_add(&text, f->name);
  return text.cut;
}

// Only what is the very file that the child wrote. 0 if it is there still and can't be removed.
static int remove_file(struct file *f) {
  char path[RRT_PATH_BYTES];
  struct rrt_sys_file_id id;
  uint64_t bytes;
  if (full_path(f, path))
    return 0;
  if (rrt_sys_own_file(path, &id, &bytes) == 0 && id.device == f->id.device &&
      id.inode == f->id.inode) {
    rrt_sys_unlink(path);
    if (rrt_sys_own_file(path, &id, &bytes) == 0)
      return 0;
  }
  f->pid = 0;
  return 1;
}

static uint64_t sum(uint32_t *over, struct file **oldest) {
  uint64_t bytes = table->root_bytes + table->epoch_bytes;
  *oldest = NULL;
  *over = 0;
  for (struct file *f = table->files; f < table->files + FILES_MAX; f++) {
    bytes += f->pid ? f->bytes : 0;
    if (f == process.own || !is_over(f))
      continue;
    ++*over;
    if (!*oldest || f->order < (*oldest)->order)
      *oldest = f;
  }
  return bytes;
}

static void drop_old(void) {
  uint64_t now_s = rrt_sys_time_s();
  struct file *oldest;
  uint32_t over;
  for (;;) {
    uint64_t bytes = sum(&over, &oldest);
    if (over <= LEAST || (oldest->written_s + rrt_options.keep >= now_s &&
                          bytes <= rrt_options.keep_bytes && over < FILES_MAX / 2))
      return;
    if (!remove_file(oldest))
      return;
  }
}

static struct file *take_place(const char *path) {
  const char *name = name_in(path);
  if ((uint32_t)(name - path) != table->folder_bytes || rrt_length(name) >= NAME_BYTES)
    return NULL;
  for (uint32_t i = 0; i < table->folder_bytes; i++)
    if (path[i] != table->folder[i])
      return NULL;
  for (struct file *f = table->files; f < table->files + FILES_MAX; f++) {
    if (f->pid)
      continue;
    f->pid = rrt_session.pid;
    f->is_closed = 0;
    rrt_copy(f->name, name, rrt_length(name) + 1);
    return f;
  }
  return NULL;
}

void rrt_children_wrote(const char *path, int is_last) {
  struct rrt_sys_file_id id;
  uint64_t bytes;
  if (!table || rrt_sys_own_file(path, &id, &bytes) < 0)
    return;
  if (!rrt_session.is_child) {
    __atomic_store_n(&table->root_bytes, bytes, __ATOMIC_RELAXED);
    return;
  }
  if (lock() < 0)
    return;
  int is_new = !process.own;
  if (!process.own)
    process.own = take_place(path);
  if (process.own) {
    process.own->id = id;
    process.own->bytes = bytes;
    process.own->written_s = rrt_sys_time_s();
    process.own->order = ++table->writes;
    process.own->is_closed = (uint32_t)is_last;
  }
  if (is_new || is_last)
    drop_old();
  unlock();
}

void rrt_children_add_epochs(uint64_t bytes) {
  if (!table)
    return;
  __atomic_fetch_add(&table->epoch_bytes, bytes - process.told_epoch_bytes, __ATOMIC_RELAXED);
  process.told_epoch_bytes = bytes;
}

uint64_t rrt_children_bytes(void) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; table && i < FILES_MAX; i++)
    bytes += table->files[i].pid ? table->files[i].bytes : 0;
  return bytes;
}
