// place.c - writes under another name, and renames where nothing of others is replaced.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/place.h"

#include "runtime/session/owner.h"
#include "runtime/session/place_lock.h"
#include "runtime/session/place_say.h"
#include "runtime/support/maps.h"
#include "runtime/support/text.h"
#include "runtime/sys/folder.h"
#include "runtime/sys/sys.h"

#include <errno.h>

// AGAIN: as often as other processes may come between looking and putting.
enum { AGAIN = 32, LEFT_S = 600, FOLDER_MOST = 4096 };

#define TEMPORARY ".reticle-"
#define ENDING ".part"

static struct {
  int is_there, has_pid;
  struct rrt_sys_facts facts;                       // of what this process wrote last
  uint64_t pid, start_time_s, elapsed_ticks;        // in it
  char folder[RRT_PATH_BYTES], old[RRT_PATH_BYTES]; // room to build names in
  char before[RRT_PATH_BYTES];                      // what the path was, for messages
} own;

static const char *name_in(const char *path) {
  const char *name = path;
  for (const char *p = path; *p; p++)
    if (*p == '/')
      name = p + 1;
  return name;
}

static const char *folder_of(const char *path) {
  struct rrt_text text;
  rrt_text_init(&text, own.folder, sizeof own.folder);
  rrt_text_add_bytes(&text, path, (size_t)(name_in(path) - path));
  return own.folder[0] ? own.folder : ".";
}

// Numbers of inodes are given again, so size and time count, too.
static int is_own(const struct rrt_sys_facts *there) {
  return own.is_there && rrt_sys_is_same_file(there, &own.facts) &&
         there->bytes == own.facts.bytes && there->time_ns == own.facts.time_ns;
}

void rrt_place_start(int has_pid) {
  own.is_there = 0;
  own.has_pid = has_pid;
}

// --- putting

static int name_new(struct rrt_place *p, const char *name) {
  if (!p->has_name)
    return rrt_sys_name_file(p->fd, p->folder, name);
  int r = rrt_sys_rename_new_at(p->folder, p->name, name);
  if (r != -EINVAL)
    return r;
  r = rrt_sys_link_at(p->folder, p->name, name);
  if (r >= 0)
    rrt_sys_unlink_at(p->folder, p->name);
  else if (r != -EEXIST) // neither of the two: FAT, for one
    r = rrt_sys_rename_at(p->folder, p->name, name);
  return r;
}

static void choose_name(struct rrt_place *p) {
  struct rrt_text text;
  rrt_text_init(&text, p->name, sizeof p->name);
  rrt_text_add(&text, TEMPORARY);
  rrt_text_add_hex(&text, rrt_sys_random(), 16);
  rrt_text_add(&text, ENDING);
}

// Replaces what was seen by that name. -EAGAIN: something else is there now, and stays.
//
// A rename onto a file makes ext4 send the new one to the disk at once, which took 2 ms of a
// checkpoint and more CPU time than the rest of it; an exchange of two names doesn't. And after it
// one can look at what was replaced.
static int replace(struct rrt_place *p, const char *name, const struct rrt_sys_facts *seen) {
  struct rrt_sys_facts was;
  if (!p->has_name) {
    int r = rrt_sys_name_file(p->fd, p->folder, p->name);
    if (r < 0)
      return r;
    p->has_name = 1;
  }
  int r = rrt_sys_exchange_at(p->folder, p->name, name);
  if (r == -ENOENT)
    return -EAGAIN;
  if (r == -EINVAL || r == -ENOSYS)
    return rrt_sys_rename_at(p->folder, p->name, name);
  if (r < 0)
    return r;
  if (rrt_sys_facts_at(p->folder, p->name, &was) < 0 || rrt_sys_is_same_file(&was, seen)) {
    rrt_sys_unlink_at(p->folder, p->name);
    return 0;
  }
  return rrt_sys_exchange_at(p->folder, p->name, name) < 0 ? -EIO : -EAGAIN;
}

// A second name for the profile of a process that has ended: PATH.PID.
static int keep(struct rrt_place *p, const char *path, const struct rrt_sys_facts *there,
                uint64_t pid) {
  struct rrt_text text;
  struct rrt_sys_facts facts;
  int r = -EEXIST;
  rrt_text_init(&text, own.old, sizeof own.old);
  rrt_text_add(&text, path);
  rrt_text_add(&text, ".");
  rrt_text_add_number(&text, pid);
  for (unsigned i = 0; i < AGAIN && r == -EEXIST && !text.cut; i++) {
    if (rrt_sys_facts_at(p->folder, name_in(own.old), &facts) == 0 &&
        rrt_sys_is_same_file(&facts, there))
      return 0; // who wanted to keep it was killed
    rrt_path_make_new(own.old);
    r = rrt_sys_link_at(p->folder, name_in(path), name_in(own.old));
  }
  int is_link = r >= 0;
  if (r < 0 && r != -ENOENT && r != -EEXIST) // no links: for a moment there is nothing at the path
    r = rrt_sys_rename_new_at(p->folder, name_in(path), name_in(own.old));
  if (r < 0)
    return r == -ENOENT ? -EAGAIN : r;
  if (rrt_sys_facts_at(p->folder, name_in(own.old), &facts) == 0 &&
      rrt_sys_is_same_file(&facts, there))
    return 0;
  // Another file has come to the path since, which has both names now, or only the new one.
  if (is_link)
    rrt_sys_unlink_at(p->folder, name_in(own.old));
  else
    rrt_sys_rename_new_at(p->folder, name_in(own.old), name_in(path));
  return -EAGAIN;
}

static int is_below(const char *path, const char *folder) {
  while (*folder && *path == *folder)
    path++, folder++;
  return !*folder;
}

// Folders in which the kernel makes the files, or that are no place for ours.
static int is_no_place(const char *path) {
  return is_below(path, "/proc/") || is_below(path, "/sys/") ||
         (is_below(path, "/dev/") && !is_below(path, "/dev/shm/"));
}

static void go_beside(char path[RRT_PATH_BYTES], struct rrt_place *p) {
  struct rrt_sys_facts facts;
  if (!own.has_pid) {
    own.has_pid = 1;
    rrt_path_append_pid(path);
    if (rrt_sys_facts_at(p->folder, name_in(path), &facts) == 0 && is_own(&facts))
      return; // another process has named it so
  }
  rrt_path_make_new(path);
}

// Why it isn't to be touched; null if it is a profile, or empty.
static const char *find_reason(struct rrt_place *p, const char *path,
                               const struct rrt_sys_facts *there, struct rrt_owner *owner) {
  static const char *const kinds[] = {NULL,       "a symbolic link", "a folder",
                                      "a device", "a pipe",          "a socket"};
  if (there->kind != RRT_SYS_FILE)
    return kinds[there->kind];
  if (there->user != rrt_sys_user())
    return "another user's file";
  rrt_zero(owner, sizeof *owner);
  if (there->bytes && rrt_owner_read(p->folder, name_in(path), owner) < 0)
    return "no profile";
  return NULL;
}

// The name of a profile that was about to be kept when its keeper was killed.
static int is_half_kept(struct rrt_place *p, const char *path, const struct rrt_sys_facts *there,
                        uint64_t pid) {
  struct rrt_sys_facts facts;
  struct rrt_text text;
  rrt_text_init(&text, own.old, sizeof own.old);
  rrt_text_add(&text, path);
  rrt_text_add(&text, ".");
  rrt_text_add_number(&text, pid);
  return there->links == 2 && rrt_sys_facts_at(p->folder, name_in(own.old), &facts) == 0 &&
         rrt_sys_is_same_file(&facts, there);
}

static int is_own_checkpoint(const struct rrt_owner *owner) {
  return own.is_there && owner->pid == own.pid && owner->start_time_s == own.start_time_s &&
         owner->elapsed_ticks == own.elapsed_ticks;
}

// Replaces what is there, and keeps it by another name if it is somebody's. -EBUSY: another
// process is about to.
static int take_over(struct rrt_place *p, const char *path, const struct rrt_sys_facts *there,
                     const struct rrt_owner *kept) {
  int locked = rrt_place_lock(p->folder, name_in(path), there);
  if (locked == -EAGAIN || locked == -EBUSY)
    return locked;
  int r = kept ? keep(p, path, there, kept->pid) : 0;
  if (r >= 0)
    r = replace(p, name_in(path), there);
  rrt_place_unlock(locked);
  int is_reopened = kept && !rrt_maps_in_executable() && rrt_owner_is_self(kept); // unload.c
  if (r == 0 && kept && !is_reopened)
    rrt_place_say_kept(path, kept->pid, own.old);
  return r;
}

// Something is there that this process doesn't know. Replaces it, or changes the path. -EAGAIN:
// look again.
static int settle(struct rrt_place *p, char path[RRT_PATH_BYTES],
                  const struct rrt_sys_facts *there) {
  struct rrt_owner owner;
  rrt_zero(&owner, sizeof owner);
  char *before = own.before;
  const char *reason = find_reason(p, path, there, &owner);
  if (!reason && there->links != 1 && !is_half_kept(p, path, there, owner.pid))
    reason = "a file with other names, too (hard links),";
  if (reason && is_no_place(path))
    return -ENODEV;
  rrt_copy(before, path, rrt_length(path) + 1);
  if (reason) {
    go_beside(path, p);
    rrt_place_say_foreign(before, reason, path);
    return -EAGAIN;
  }
  int is_alive = rrt_owner_is_alive(&owner);
  int is_empty = !there->bytes ||
                 (owner.checkpoints <= 1 && !owner.ended_by && !is_alive) || // nothing is in it
                 is_own_checkpoint(&owner);
  int r = -EBUSY;
  if (is_empty || !(is_alive || own.is_there || own.has_pid))
    r = take_over(p, path, there, is_empty ? NULL : &owner);
  if (r != -EBUSY)
    return r;
  int was_shared = !own.has_pid;
  go_beside(path, p);
  if (was_shared)
    rrt_place_say_shared(before, owner.pid, path);
  return -EAGAIN;
}

// The process has changed its user since it wrote that, in a folder like /tmp.
static int leave_to_user(struct rrt_place *p, char path[RRT_PATH_BYTES]) {
  char *before = own.before;
  rrt_copy(before, path, rrt_length(path) + 1);
  own.is_there = 0;
  go_beside(path, p);
  rrt_place_say_foreign(before, "another user's file", path);
  return -EAGAIN;
}

static int put(struct rrt_place *p, char path[RRT_PATH_BYTES]) {
  struct rrt_sys_facts there;
  int r = -EAGAIN;
  for (unsigned i = 0; i < AGAIN && r == -EAGAIN; i++) {
    r = rrt_sys_facts_at(p->folder, name_in(path), &there);
    if (r == -ENOENT) {
      r = name_new(p, name_in(path));
      if (r == -EEXIST)
        r = -EAGAIN;
    } else if (r == 0) {
      r = is_own(&there) ? replace(p, name_in(path), &there) : settle(p, path, &there);
      if ((r == -EPERM || r == -EACCES) && p->has_name && there.user != rrt_sys_user())
        r = leave_to_user(p, path);
    }
  }
  return r;
}

static void close_place(struct rrt_place *p) {
  if (p->fd >= 0)
    rrt_sys_close(p->fd);
  if (p->folder >= 0)
    rrt_sys_close(p->folder);
  p->fd = p->folder = -1;
}

// What fails is seen when the last one is opened.
static void make_folders(char path[RRT_PATH_BYTES]) {
  for (size_t i = 1; path[i]; i++)
    if (path[i] == '/') {
      path[i] = 0;
      rrt_sys_make_folder(path);
      path[i] = '/';
    }
}

int rrt_place_open(struct rrt_place *p, const char *path, int named) {
  p->fd = p->folder = -1;
  p->has_name = 0;
  if (rrt_equal(path, "/dev/null"))
    return 0;
  p->folder = rrt_sys_open_folder(folder_of(path));
  // One that is taken away in mid-run stays away.
  if (p->folder == -ENOENT && !own.is_there && !is_no_place(path)) {
    make_folders(own.folder);
    p->folder = rrt_sys_open_folder(own.folder);
  }
  if (p->folder < 0)
    return p->folder;
  choose_name(p);
  if (!named)
    p->fd = rrt_sys_create_unnamed(p->folder);
  if (p->fd < 0) {
    p->fd = rrt_sys_create_at(p->folder, p->name);
    p->has_name = p->fd >= 0;
  }
  int r = p->fd < 0 ? p->fd : 0;
  if (r < 0)
    close_place(p);
  return r;
}

void rrt_place_drop(struct rrt_place *p) {
  if (p->has_name)
    rrt_sys_unlink_at(p->folder, p->name);
  close_place(p);
}

// -EXDEV where a file without a name could not get one: no /proc, or no links.
static int retry_with_name(int r, int had_name) {
  return !had_name && (r == -ENOENT || r == -EPERM || r == -EACCES || r == -EINVAL ||
                       r == -EOPNOTSUPP || r == -ENOSYS)
             ? -EXDEV
             : r;
}

int rrt_place_put(struct rrt_place *p, char path[RRT_PATH_BYTES],
                  const struct reticle_file_env *env) {
  struct rrt_sys_facts facts;
  if (p->fd < 0)
    return 0;
  int had_name = p->has_name, r = rrt_sys_facts_of(p->fd, &facts);
  r = r < 0 ? r : put(p, path);
  if (r < 0) {
    rrt_place_drop(p);
    return retry_with_name(r, had_name);
  }
  own.is_there = 1;
  own.facts = facts;
  own.pid = env->pid;
  own.start_time_s = env->start_time_s;
  own.elapsed_ticks = env->elapsed_ticks;
  close_place(p);
  return 0;
}

int rrt_place_put_new(struct rrt_place *p, const char *path) {
  if (p->fd < 0)
    return 0;
  int had_name = p->has_name, r = name_new(p, name_in(path));
  if (r < 0)
    rrt_place_drop(p);
  else
    close_place(p);
  return retry_with_name(r, had_name);
}

// --- what killed processes left

struct clean {
  int folder;
  uint64_t now_s;
  uint32_t user;
};

static void visit(const char *name, void *context) {
  const struct clean *c = context;
  struct rrt_sys_facts facts;
  uint64_t number;
  size_t start = sizeof TEMPORARY - 1;
  if (!is_below(name, TEMPORARY) || rrt_parse_hex(name + start, &number) != 16 ||
      !rrt_equal(name + start + 16, ENDING))
    return;
  if (rrt_sys_facts_at(c->folder, name, &facts) == 0 && facts.kind == RRT_SYS_FILE &&
      facts.user == c->user && facts.time_ns / 1000000000u + LEFT_S < c->now_s)
    rrt_sys_unlink_at(c->folder, name);
}

void rrt_place_clean(const char *path) {
  char folder[RRT_PATH_BYTES];
  struct rrt_text text;
  rrt_text_init(&text, folder, sizeof folder);
  rrt_text_add_bytes(&text, path, (size_t)(name_in(path) - path));
  struct clean c = {rrt_sys_open_folder(folder), rrt_sys_time_s(), rrt_sys_user()};
  if (c.folder < 0)
    return;
  rrt_sys_visit_folder(folder, FOLDER_MOST, visit, &c);
  rrt_sys_close(c.folder);
}
