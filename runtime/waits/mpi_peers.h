// mpi_peers.h - who is behind a rank of a communicator, and behind a request; for one MPI.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything needs the lock of table.h. Static, as it is compiled once with each MPI's types.
#ifndef RETICLE_RUNTIME_WAITS_MPI_PEERS_H
#define RETICLE_RUNTIME_WAITS_MPI_PEERS_H

#include "runtime/waits/handle_map.h"
#include "runtime/waits/table.h"

#include <mpi.h>
#include <sys/mman.h>

enum { COMMS_MAX = 1024, COMM_SLOTS = 2048, REQUEST_SLOTS = 1 << 15 };

/// What the wrappers ask MPI, past all tools.
#define FOR_EACH_QUESTION(QUESTION)                                                                \
  QUESTION(Type_size)                                                                              \
  QUESTION(Comm_size)                                                                              \
  QUESTION(Comm_group)                                                                             \
  QUESTION(Comm_remote_group)                                                                      \
  QUESTION(Comm_test_inter)                                                                        \
  QUESTION(Group_size)                                                                             \
  QUESTION(Group_translate_ranks)                                                                  \
  QUESTION(Group_free)                                                                             \
  QUESTION(Initialized)                                                                            \
  QUESTION(Finalized)

static struct {
#define QUESTION(name) __typeof__(&PMPI_##name) name;
  FOR_EACH_QUESTION(QUESTION)
#undef QUESTION
} ask;

struct comm {
  uint64_t group;  ///< alike in all its ranks; 0: not known
  uint64_t number; ///< collectives so far
  uint32_t *world; ///< [size] ranks in the world; null: they are that
  size_t mapped;   ///< bytes at `world`
  int size;        ///< 0: free
  int is_counted;  ///< has a group's hash with its number
};

static struct {
  struct handle_map by_handle, by_hash, requests; // communicators + 1; how many of a hash; requests
  struct comm comms[COMMS_MAX];
  int next;
} peers;

static int map_open(struct handle_map *map, size_t slots) {
  map->entries = waits_map(slots * sizeof *map->entries);
  map->mask = slots - 1;
  return map->entries != NULL;
}

static int peers_start(void *(*find)(const char *name)) {
#define QUESTION(name)                                                                             \
  ask.name = (__typeof__(ask.name))find("PMPI_" #name);                                            \
  if (!ask.name)                                                                                   \
    return 0;
  FOR_EACH_QUESTION(QUESTION)
#undef QUESTION
  return map_open(&peers.by_handle, COMM_SLOTS) && map_open(&peers.by_hash, COMM_SLOTS) &&
         map_open(&peers.requests, REQUEST_SLOTS);
}

static uint64_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  if (count <= 0 || ask.Type_size(type, &size) != MPI_SUCCESS || size < 0)
    return 0;
  return (uint64_t)count * (uint64_t)size;
}

// --- communicators ------------------------------------------------------------------------------

/// Of an intercommunicator those that one sends to.
static void read_world_ranks(MPI_Comm handle, struct comm *comm) {
  MPI_Group group, world;
  int is_inter = 0, size = 0;
  if (ask.Comm_test_inter(handle, &is_inter) != MPI_SUCCESS ||
      (is_inter ? ask.Comm_remote_group : ask.Comm_group)(handle, &group) != MPI_SUCCESS)
    return;
  if (ask.Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS &&
      ask.Group_size(group, &size) == MPI_SUCCESS && size > 0) {
    comm->mapped = (size_t)size * 2 * sizeof *comm->world;
    comm->world = waits_map(comm->mapped);
    int *ranks = (int *)comm->world + (comm->world ? size : 0);
    for (int i = 0; comm->world && i < size; i++)
      ranks[i] = i;
    if (comm->world &&
        ask.Group_translate_ranks(group, size, ranks, world, (int *)comm->world) == MPI_SUCCESS)
      comm->size = size;
    comm->is_counted = is_inter; // its collectives have two sides
    ask.Group_free(&world);
  }
  ask.Group_free(&group);
}

static void comm_forget(MPI_Comm handle) {
  uint64_t at = handle_map_get(&peers.by_handle, (uint64_t)(uintptr_t)handle);
  if (!at)
    return;
  struct comm *comm = &peers.comms[at - 1];
  if (comm->world)
    munmap(comm->world, comm->mapped);
  *comm = (struct comm){0};
  handle_map_remove(&peers.by_handle, (uint64_t)(uintptr_t)handle);
}

static struct comm *comm_free_place(void) {
  for (int i = 0; i < COMMS_MAX; i++) {
    struct comm *comm = &peers.comms[peers.next];
    peers.next = (peers.next + 1) % COMMS_MAX;
    if (!comm->size)
      return comm;
  }
  return NULL;
}

/// Null where nothing is known of it.
static struct comm *comm_find(MPI_Comm handle) {
  uint64_t at = handle_map_get(&peers.by_handle, (uint64_t)(uintptr_t)handle);
  if (at)
    return &peers.comms[at - 1];
  struct comm *comm = comm_free_place();
  if (!comm)
    return NULL;
  if (handle == MPI_COMM_WORLD) {
    if (ask.Comm_size(handle, &comm->size) != MPI_SUCCESS)
      comm->size = 0;
  } else {
    read_world_ranks(handle, comm);
  }
  if (!comm->size || !handle_map_put(&peers.by_handle, (uint64_t)(uintptr_t)handle,
                                     (uint64_t)(comm - peers.comms) + 1)) {
    if (comm->world)
      munmap(comm->world, comm->mapped);
    *comm = (struct comm){0};
    return NULL;
  }
  return comm;
}

static uint32_t comm_world_rank(const struct comm *comm, int rank) {
  if (!comm || rank < 0 || rank >= comm->size) // MPI_PROC_NULL, MPI_ANY_SOURCE
    return RETICLE_WAIT_NOBODY;
  uint32_t in_world = comm->world ? comm->world[rank] : (uint32_t)rank;
  return (int)in_world < 0 ? RETICLE_WAIT_NOBODY : in_world; // MPI_UNDEFINED: another job's
}

/// Its name, alike in all its ranks: a hash of them, and how many communicators of the same ranks
/// had their first collective before; all ranks call those in one order.
static uint64_t comm_group(struct comm *comm) {
  if (comm->is_counted)
    return comm->group;
  comm->is_counted = 1;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (int i = 0; i < comm->size; i++)
    hash = (hash ^ comm_world_rank(comm, i)) * UINT64_C(0x100000001b3);
  uint64_t before = handle_map_get(&peers.by_hash, hash);
  if (handle_map_put(&peers.by_hash, hash, before + 1))
    comm->group = (hash ^ before) * UINT64_C(0x9e3779b97f4a7c15) | 1;
  return comm->group;
}

// --- requests -----------------------------------------------------------------------------------

/// What is kept of one: bit 63 is set, so that it is never 0.
enum { TRACK_RECEIVE = 1, TRACK_ANY = 2, TRACK_PERSISTENT = 4 };
struct tracked {
  int flags;
  int comm;      ///< in peers.comms; with TRACK_ANY
  uint32_t rank; ///< in the world
};

static uint64_t pack(struct tracked t) {
  return UINT64_C(1) << 63 | (uint64_t)t.flags << 56 | (uint64_t)t.comm << 32 | t.rank;
}

static struct tracked unpack(uint64_t value) {
  return (struct tracked){(int)(value >> 56 & 7), (int)(value >> 32 & 0xffff), (uint32_t)value};
}

static void request_track(MPI_Request request, MPI_Comm handle, int rank, int flags) {
  struct comm *comm = comm_find(handle);
  uint64_t key = (uint64_t)(uintptr_t)request;
  if ((flags & TRACK_RECEIVE) && rank == MPI_ANY_SOURCE)
    flags |= TRACK_ANY;
  struct tracked tracked = {flags, comm ? (int)(comm - peers.comms) : 0,
                            comm_world_rank(comm, rank)};
  // Both null: MPI_PROC_NULL, and requests of MPICH that have completed at once.
  if (request == MPI_REQUEST_NULL || (tracked.rank == RETICLE_WAIT_NOBODY && !(flags & TRACK_ANY)))
    handle_map_remove(&peers.requests, key);
  else if (!handle_map_put(&peers.requests, key, pack(tracked)))
    waits_add_untracked();
}

static void request_forget(MPI_Request request) {
  handle_map_remove(&peers.requests, (uint64_t)(uintptr_t)request);
}

/// What is known of a request that is about to end, or has ended. Nobody and no flags: nothing.
static struct tracked request_take(MPI_Request request) {
  uint64_t value = handle_map_get(&peers.requests, (uint64_t)(uintptr_t)request);
  if (!value)
    return (struct tracked){0, 0, RETICLE_WAIT_NOBODY};
  struct tracked tracked = unpack(value);
  if (!(tracked.flags & TRACK_PERSISTENT))
    request_forget(request);
  return tracked;
}

/// status  of the request, or null
static uint32_t request_peer(const struct tracked *tracked, const MPI_Status *status) {
  if (!(tracked->flags & TRACK_ANY))
    return tracked->rank;
  return status ? comm_world_rank(&peers.comms[tracked->comm], status->MPI_SOURCE)
                : RETICLE_WAIT_NOBODY;
}

#endif
