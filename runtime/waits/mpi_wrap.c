// mpi_wrap.c - the calls of MPI with their types; compiled once for each MPI, with its mpi.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WAITS_SET is the set's name, WAITS_VERSION what the MPI's version begins with. What calls of
// files and of one-sided communication beyond synchronisation take isn't seen.
#include "runtime/waits/mpi_shapes.h"
#include "runtime/waits/mpi_visit.h"

#include <alloca.h>

#ifdef OPEN_MPI
// Null where the program has another MPI.
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_request_null
#pragma weak ompi_mpi_comm_null
#endif

// --- start and end

static int set_up(struct waits_call *call, int result) {
  if (result == MPI_SUCCESS) {
    mpi_state = MPI_IS_UP;
    end(call, RETICLE_WAIT_NOTHING);
    leave(call);
  }
  is_inside = 0;
  return result;
}

static void start_counting(struct waits_call *call, const char *operation, const void *address) {
  is_inside = 1;
  *call = (struct waits_call){.address = address,
                              .operation = operation,
                              .thread = RETICLE_WAIT_NO_THREAD,
                              .source = RETICLE_WAIT_MPI,
                              .start_ns = waits_now_ns()};
}

static int wrap_Init(int *argc, char ***argv) {
  struct waits_call call;
  start_counting(&call, "MPI_Init", HERE);
  return set_up(&call, NEXT(Init)(argc, argv));
}

static int wrap_Init_thread(int *argc, char ***argv, int required, int *provided) {
  struct waits_call call;
  start_counting(&call, "MPI_Init_thread", HERE);
  return set_up(&call, NEXT(Init_thread)(argc, argv, required, provided));
}

// All wait for each other in it, mostly; what is known of the world must be read before.
static int wrap_Finalize(void) {
  ENTER(Finalize);
  if (!is_counted)
    return NEXT(Finalize)();
  waits_lock();
  struct comm *world = comm_find(MPI_COMM_WORLD);
  uint64_t group = world ? comm_group(world) : 0;
  waits_unlock();
  mpi_state = MPI_IS_OVER;
  int result = NEXT(Finalize)();
  end(&call, RETICLE_WAIT_ALL);
  waits_lock();
  uint32_t site = waits_add(&call);
  if (world)
    waits_add_arrival(&call, site, group, world->number++, RETICLE_WAIT_NOBODY);
  waits_unlock();
  return result;
}

// clang-format off
// --- point to point

#define SEND_PARAMETERS (const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
#define SEND_ARGUMENTS (buffer, n, type, to, tag, comm)
#define SEND(name) PEER(name, RETICLE_WAIT_SEND, bytes_to(to, n, type), to, SEND_PARAMETERS, SEND_ARGUMENTS)
SEND(Send)
SEND(Bsend)
SEND(Rsend)
SEND(Ssend)
RECEIVE(Recv, bytes_to(source, n, type),
        (void *buffer, int n, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status),
        (buffer, n, type, source, tag, comm, status))
RECEIVE(Sendrecv, bytes_to(to, n, type) + bytes_to(source, other_n, other_type),
        (const void *buffer, int n, MPI_Datatype type, int to, int tag, void *other, int other_n,
         MPI_Datatype other_type, int source, int other_tag, MPI_Comm comm, MPI_Status *status),
        (buffer, n, type, to, tag, other, other_n, other_type, source, other_tag, comm, status))
RECEIVE(Sendrecv_replace, bytes_to(to, n, type) + bytes_to(source, n, type),
        (void *buffer, int n, MPI_Datatype type, int to, int tag, int source, int other_tag,
         MPI_Comm comm, MPI_Status *status),
        (buffer, n, type, to, tag, source, other_tag, comm, status))
RECEIVE(Probe, 0, (int source, int tag, MPI_Comm comm, MPI_Status *status),
        (source, tag, comm, status))
OTHER(Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
      (source, tag, comm, flag, status))

// --- requests

#define ISEND_PARAMETERS                                                                           \
  (const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
#define IRECV_PARAMETERS                                                                           \
  (void *buffer, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
#define ISEND(name, flags) START(name, flags, to, ISEND_PARAMETERS, (buffer, n, type, to, tag, comm, request))
#define IRECV(name, flags) START(name, flags, from, IRECV_PARAMETERS, (buffer, n, type, from, tag, comm, request))
ISEND(Isend, 0)
ISEND(Ibsend, 0)
ISEND(Irsend, 0)
ISEND(Issend, 0)
ISEND(Send_init, TRACK_PERSISTENT)
ISEND(Bsend_init, TRACK_PERSISTENT)
ISEND(Rsend_init, TRACK_PERSISTENT)
ISEND(Ssend_init, TRACK_PERSISTENT)
IRECV(Irecv, TRACK_RECEIVE)
IRECV(Recv_init, TRACK_RECEIVE | TRACK_PERSISTENT)
OTHER(Start, (MPI_Request *request), (request))
OTHER(Startall, (int n, MPI_Request *requests), (n, requests))
START_ALL(Ibarrier, 0, (MPI_Comm comm, MPI_Request *request), (comm, request))
START_ALL(Ibcast, bytes_of(n, type),
          (void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),
          (buffer, n, type, root, comm, request))
START_ALL(Ireduce, bytes_of(n, type),
          (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
           MPI_Request *request),
          (from, to, n, type, op, root, comm, request))
START_ALL(Iallreduce, bytes_of(n, type),
          (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
           MPI_Request *request),
          (from, to, n, type, op, comm, request))
START_ALL(Igather, bytes_from(from, n, type),
          (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype to_type,
           int root, MPI_Comm comm, MPI_Request *request),
          (from, n, type, to, m, to_type, root, comm, request))
START_ALL(Iscatter, bytes_from(to, m, to_type),
          (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype to_type,
           int root, MPI_Comm comm, MPI_Request *request),
          (from, n, type, to, m, to_type, root, comm, request))
START_ALL(Iallgather, bytes_from(from, n, type),
          (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype to_type,
           MPI_Comm comm, MPI_Request *request),
          (from, n, type, to, m, to_type, comm, request))
START_ALL(Ialltoall, bytes_from(from, n, type),
          (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype to_type,
           MPI_Comm comm, MPI_Request *request),
          (from, n, type, to, m, to_type, comm, request))
START_ALL(Ialltoallv, 0,
          (const void *from, const int *n, const int *at, MPI_Datatype type, void *to, const int *m,
           const int *to_at, MPI_Datatype to_type, MPI_Comm comm, MPI_Request *request),
          (from, n, at, type, to, m, to_at, to_type, comm, request))

// --- collective calls

#define TWO_BUFFERS const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype to_type
#define TWO_ARGUMENTS from, n, type, to, m, to_type
ALL(Barrier, 0, (MPI_Comm comm), (comm))
COLLECTIVE(Bcast, RETICLE_WAIT_ROOT, bytes_of(n, type), root,
           (void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm),
           (buffer, n, type, root, comm))
COLLECTIVE(Reduce, RETICLE_WAIT_FOR_OTHERS, bytes_of(n, type), root,
           (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
           (from, to, n, type, op, root, comm))
ALL(Allreduce, bytes_of(n, type),
    (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (from, to, n, type, op, comm))
COLLECTIVE(Gather, RETICLE_WAIT_FOR_OTHERS, bytes_from(from, n, type), root,
           (TWO_BUFFERS, int root, MPI_Comm comm), (TWO_ARGUMENTS, root, comm))
COLLECTIVE(Gatherv, RETICLE_WAIT_FOR_OTHERS, bytes_from(from, n, type), root,
           (const void *from, int n, MPI_Datatype type, void *to, const int *m, const int *at,
            MPI_Datatype to_type, int root, MPI_Comm comm),
           (from, n, type, to, m, at, to_type, root, comm))
ALL(Allgather, bytes_from(from, n, type), (TWO_BUFFERS, MPI_Comm comm), (TWO_ARGUMENTS, comm))
ALL(Allgatherv, bytes_from(from, n, type),
    (const void *from, int n, MPI_Datatype type, void *to, const int *m, const int *at,
     MPI_Datatype to_type, MPI_Comm comm),
    (from, n, type, to, m, at, to_type, comm))
COLLECTIVE(Scatter, RETICLE_WAIT_ROOT, bytes_from(to, m, to_type), root,
           (TWO_BUFFERS, int root, MPI_Comm comm), (TWO_ARGUMENTS, root, comm))
COLLECTIVE(Scatterv, RETICLE_WAIT_ROOT, bytes_from(to, m, to_type), root,
           (const void *from, const int *n, const int *at, MPI_Datatype type, void *to, int m,
            MPI_Datatype to_type, int root, MPI_Comm comm),
           (from, n, at, type, to, m, to_type, root, comm))
ALL(Alltoall, bytes_from(from, n, type), (TWO_BUFFERS, MPI_Comm comm), (TWO_ARGUMENTS, comm))
ALL(Alltoallv, 0,
    (const void *from, const int *n, const int *at, MPI_Datatype type, void *to, const int *m,
     const int *to_at, MPI_Datatype to_type, MPI_Comm comm),
    (from, n, at, type, to, m, to_at, to_type, comm))
ALL(Alltoallw, 0,
    (const void *from, const int n[], const int at[], const MPI_Datatype type[], void *to,
     const int m[], const int to_at[], const MPI_Datatype to_type[], MPI_Comm comm),
    (from, n, at, type, to, m, to_at, to_type, comm))
ALL(Reduce_scatter, 0,
    (const void *from, void *to, const int n[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (from, to, n, type, op, comm))
ALL(Reduce_scatter_block, bytes_of(n, type),
    (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (from, to, n, type, op, comm))
// A rank waits for those before it alone.
COLLECTIVE(Scan, RETICLE_WAIT_NOTHING, bytes_of(n, type), -1,
    (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (from, to, n, type, op, comm))
COLLECTIVE(Exscan, RETICLE_WAIT_NOTHING, bytes_of(n, type), -1,
    (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (from, to, n, type, op, comm))

// --- communicators: a new one may have the handle of one that is gone

#define MAKE(name, parameters, arguments)                                                          \
  static int wrap_##name parameters {                                                              \
    ENTER(name);                                                                                   \
    int result = NEXT(name) arguments;                                                             \
    LEAVE(RETICLE_WAIT_ALL, leave_collective(&call, 0, comm, -1));                                 \
    if (is_counted)                                                                                \
      forget_new(result, *made);                                                                   \
    return result;                                                                                 \
  }
#define FREE(name)                                                                                 \
  static int wrap_##name(MPI_Comm *comm) {                                                         \
    ENTER(name);                                                                                   \
    MPI_Comm before = *comm;                                                                       \
    int result = NEXT(name)(comm);                                                                 \
    LEAVE(RETICLE_WAIT_NOTHING, leave(&call));                                                     \
    if (is_counted)                                                                                \
      forget_new(result, before);                                                                  \
    return result;                                                                                 \
  }
// clang-format on

static void forget_new(int result, MPI_Comm handle) {
  if (result != MPI_SUCCESS || handle == MPI_COMM_NULL)
    return;
  waits_lock();
  comm_forget(handle);
  waits_unlock();
}

MAKE(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
MAKE(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made))
MAKE(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
     (comm, type, key, info, made))
MAKE(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made))
MAKE(Cart_create,
     (MPI_Comm comm, int n, const int sizes[], const int periods[], int reorder, MPI_Comm *made),
     (comm, n, sizes, periods, reorder, made))
FREE(Comm_free)
FREE(Comm_disconnect)

OTHER(Win_fence, (int assertion, MPI_Win win), (assertion, win))
OTHER(Win_lock, (int type, int rank, int assertion, MPI_Win win), (type, rank, assertion, win))
OTHER(Win_unlock, (int rank, MPI_Win win), (rank, win))
OTHER(Win_flush, (int rank, MPI_Win win), (rank, win))
OTHER(Win_start, (MPI_Group group, int assertion, MPI_Win win), (group, assertion, win))
OTHER(Win_complete, (MPI_Win win), (win))
OTHER(Win_wait, (MPI_Win win), (win))

// --- the ends of requests

/// What is known of requests that a call may end, kept on the stack up to so many.
enum { ON_STACK = 512 };

static int wrap_Request_free(MPI_Request *request) {
  if (!is_inside) {
    waits_lock();
    request_forget(*request);
    waits_unlock();
  }
  return NEXT(Request_free)(request);
}

static int wrap_Wait(MPI_Request *request, MPI_Status *status) {
  MPI_Status own;
  ENTER(Wait);
  if (!is_counted)
    return NEXT(Wait)(request, status);
  waits_lock();
  struct tracked ended = request_take(*request);
  waits_unlock();
  if (status == MPI_STATUS_IGNORE && (ended.flags & TRACK_ANY))
    status = &own;
  int result = NEXT(Wait)(request, status);
  end(&call, RETICLE_WAIT_REQUEST);
  leave_ended(&call, &ended, 1,
              status == MPI_STATUS_IGNORE || result != MPI_SUCCESS ? NULL : status);
  return result;
}

static int wrap_Waitall(int n, MPI_Request requests[], MPI_Status *statuses) {
  ENTER(Waitall);
  if (!is_counted)
    return NEXT(Waitall)(n, requests, statuses);
  int kept = n < 0 ? 0 : n < ON_STACK ? n : ON_STACK, has_any = 0;
  struct tracked *ended = alloca((size_t)(kept + 1) * sizeof *ended);
  waits_lock();
  for (int i = 0; i < n; i++) {
    struct tracked one = request_take(requests[i]);
    if (i < kept)
      ended[i] = one;
    has_any |= one.flags & TRACK_ANY;
  }
  waits_unlock();
  MPI_Status *own = NULL;
  if (has_any && statuses == MPI_STATUSES_IGNORE && n == kept)
    statuses = own = alloca((size_t)n * sizeof *own);
  int result = NEXT(Waitall)(n, requests, statuses);
  end(&call, RETICLE_WAIT_REQUEST);
  leave_ended(&call, ended, kept,
              statuses == MPI_STATUSES_IGNORE || result != MPI_SUCCESS ? NULL : statuses);
  if (own && result == MPI_ERR_IN_STATUS) // what the caller would have been told without statuses
    for (int i = 0; i < n; i++)
      if (own[i].MPI_ERROR != MPI_SUCCESS && own[i].MPI_ERROR != MPI_ERR_PENDING)
        return own[i].MPI_ERROR;
  return result;
}

/// Handles are null once a request has ended: they are read before.
static MPI_Request *copy_handles(int n, const MPI_Request *from, MPI_Request *to) {
  for (int i = 0; i < n; i++)
    to[i] = from[i];
  return to;
}

/// Takes requests that have ended, up to ON_STACK; others are forgotten.
///
/// which  [count] their indices; null: 0 to count - 1
static int take_ended(const MPI_Request *handles, const int *which, int count,
                      struct tracked *ended) {
  int kept = 0;
  waits_lock();
  for (int i = 0; i < count; i++) {
    struct tracked one = request_take(handles[which ? which[i] : i]);
    if (kept < ON_STACK)
      ended[kept++] = one;
  }
  waits_unlock();
  return kept;
}

/// More requests than this are passed on, with nothing known of them but the time.
#define COPY_MOST 65536
#define COPY(n, requests)                                                                          \
  copy_handles(n, requests, alloca((size_t)((n) > 0 ? (n) : 1) * sizeof(MPI_Request)))

static int wrap_Waitany(int n, MPI_Request requests[], int *index, MPI_Status *status) {
  MPI_Status own;
  ENTER(Waitany);
  if (!is_counted || n > COPY_MOST) {
    is_inside &= !is_counted;
    return NEXT(Waitany)(n, requests, index, status);
  }
  MPI_Request *handles = COPY(n, requests);
  if (status == MPI_STATUS_IGNORE)
    status = &own;
  int result = NEXT(Waitany)(n, requests, index, status);
  end(&call, RETICLE_WAIT_REQUEST);
  struct tracked ended;
  int count = result == MPI_SUCCESS && *index != MPI_UNDEFINED;
  count = count ? take_ended(handles, index, 1, &ended) : 0;
  leave_ended(&call, &ended, count, status);
  return result;
}

static int wrap_Waitsome(int n, MPI_Request requests[], int *ended_count, int indices[],
                         MPI_Status statuses[]) {
  ENTER(Waitsome);
  if (!is_counted || n > COPY_MOST) {
    is_inside &= !is_counted;
    return NEXT(Waitsome)(n, requests, ended_count, indices, statuses);
  }
  MPI_Request *handles = COPY(n, requests);
  int result = NEXT(Waitsome)(n, requests, ended_count, indices, statuses);
  end(&call, RETICLE_WAIT_REQUEST);
  struct tracked ended[ON_STACK];
  int count = result == MPI_SUCCESS && *ended_count != MPI_UNDEFINED
                  ? take_ended(handles, indices, *ended_count, ended)
                  : 0;
  leave_ended(&call, ended, count, statuses == MPI_STATUSES_IGNORE ? NULL : statuses);
  return result;
}

// Tests wait for nothing; what has ended is forgotten, as its handle comes again.
static void leave_test(struct waits_call *call, const MPI_Request *handles, const int *which,
                       int count) {
  struct tracked ended[ON_STACK];
  end(call, RETICLE_WAIT_NOTHING);
  leave(call);
  if (count)
    take_ended(handles, which, count, ended);
}

static int wrap_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  ENTER(Test);
  MPI_Request handle = *request;
  int result = NEXT(Test)(request, flag, status);
  if (is_counted)
    leave_test(&call, &handle, NULL, result == MPI_SUCCESS && *flag);
  return result;
}

static int wrap_Testall(int n, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  ENTER(Testall);
  if (!is_counted || n > COPY_MOST) {
    is_inside &= !is_counted;
    return NEXT(Testall)(n, requests, flag, statuses);
  }
  MPI_Request *handles = COPY(n, requests);
  int result = NEXT(Testall)(n, requests, flag, statuses);
  leave_test(&call, handles, NULL, result == MPI_SUCCESS && *flag ? n : 0);
  return result;
}

static int wrap_Testany(int n, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
  ENTER(Testany);
  if (!is_counted || n > COPY_MOST) {
    is_inside &= !is_counted;
    return NEXT(Testany)(n, requests, index, flag, status);
  }
  MPI_Request *handles = COPY(n, requests);
  int result = NEXT(Testany)(n, requests, index, flag, status);
  leave_test(&call, handles, index, result == MPI_SUCCESS && *flag && *index != MPI_UNDEFINED);
  return result;
}

static int wrap_Testsome(int n, MPI_Request requests[], int *ended_count, int indices[],
                         MPI_Status statuses[]) {
  ENTER(Testsome);
  if (!is_counted || n > COPY_MOST) {
    is_inside &= !is_counted;
    return NEXT(Testsome)(n, requests, ended_count, indices, statuses);
  }
  MPI_Request *handles = COPY(n, requests);
  int result = NEXT(Testsome)(n, requests, ended_count, indices, statuses);
  int count = result == MPI_SUCCESS && *ended_count != MPI_UNDEFINED ? *ended_count : 0;
  leave_test(&call, handles, indices, count);
  return result;
}

// --- the set

static void *const wrappers[MPI_CALLS] = {
#define MPI_CALL(name, n) [MPI_CALL_##name] = (void *)wrap_##name,
#include "runtime/waits/mpi_calls.def"
};

static int start(void *(*find)(const char *name)) {
#ifdef OPEN_MPI
  if (!&ompi_mpi_comm_world || !&ompi_request_null || !&ompi_mpi_comm_null)
    return 0; // loaded for its own
#endif
  return peers_start(find);
}

const struct mpi_set WAITS_SET = {WAITS_VERSION, wrappers, start};
