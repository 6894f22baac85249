// folder.h - files of the runtime by their names in a folder that is open.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are looked up in a folder that was opened once, so that nobody who can change a part of its
// path changes what is meant between two calls. No call follows a link in the place of a file, nor
// waits for the other end of a pipe. Conventions as in sys.h.
#ifndef RETICLE_RUNTIME_SYS_FOLDER_H
#define RETICLE_RUNTIME_SYS_FOLDER_H

#include <stddef.h>
#include <stdint.h>

/// For the calls below. Reading it needs another one.
int rrt_sys_open_folder(const char *path);

/// A new folder, with the umask. 0 or -errno.
int rrt_sys_make_folder(const char *path);

/// A file for writing without a name, which goes when it is closed unless it gets one. Mode 0600,
/// less the umask. Fails where the file system has no such files (NFS, FAT, overlayfs before 6.1).
int rrt_sys_create_unnamed(int folder);
/// Gives it a name. -EEXIST if there is something by that name, -ENOENT without /proc.
int rrt_sys_name_file(int fd, int folder, const char *name);
/// A new file for writing, mode 0600 less the umask. -EEXIST if there is something by that name.
int rrt_sys_create_at(int folder, const char *name);
int rrt_sys_open_read_at(int folder, const char *name);

/// Locks an open file against others that lock it. 0, -EWOULDBLOCK: another process has it; others
/// where the file system has no locks. It goes with the descriptor's last copy; before, unlock it:
/// a child may have one.
int rrt_sys_lock_file(int fd);
void rrt_sys_unlock_file(int fd);

/// Opens for appending, creating it with mode 0600 where needed; follows links of root and our own.
/// Doesn't block: -ENXIO for a pipe that nobody reads.
int rrt_sys_open_log(const char *path);

/// A second name for a file. -EEXIST if there is something by that name; -EPERM and others where
/// the file system has no links.
int rrt_sys_link_at(int folder, const char *from, const char *to);
int rrt_sys_rename_at(int folder, const char *from, const char *to);
/// -EEXIST if there is something by the new name; -EINVAL where the file system can't.
int rrt_sys_rename_new_at(int folder, const char *from, const char *to);
/// Each gets the other's name, in one step. -ENOENT unless both exist, -EINVAL where the file
/// system can't.
int rrt_sys_exchange_at(int folder, const char *one, const char *other);
void rrt_sys_unlink_at(int folder, const char *name);

enum rrt_sys_kind {
  RRT_SYS_FILE,
  RRT_SYS_LINK,
  RRT_SYS_FOLDER,
  RRT_SYS_DEVICE,
  RRT_SYS_PIPE,
  RRT_SYS_SOCKET
};
struct rrt_sys_facts {
  uint64_t device, inode, bytes;
  uint64_t time_ns; ///< of the last change of the content, since 1970
  uint32_t links, user, group;
  uint32_t kind; ///< enum rrt_sys_kind
  uint32_t mode; ///< permissions, as chmod(2) takes them
};
static inline int rrt_sys_is_same_file(const struct rrt_sys_facts *a,
                                       const struct rrt_sys_facts *b) {
  return a->device == b->device && a->inode == b->inode;
}
/// What is there by that name, a link itself and not its target. 0 or -errno.
int rrt_sys_facts_at(int folder, const char *name, struct rrt_sys_facts *out);
int rrt_sys_facts_of(int fd, struct rrt_sys_facts *out);
int rrt_sys_facts(const char *path, struct rrt_sys_facts *out);

/// The file's path without links, ".", and "..". 0 or -errno: -ENOENT without /proc, too.
int rrt_sys_real_path(const char *path, char *out, size_t bytes);

/// The effective user id.
uint32_t rrt_sys_user(void);
/// A number that nobody can guess; less so under kernels before 3.17.
uint64_t rrt_sys_random(void);

#endif
