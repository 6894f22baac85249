// waits_cases.c - calls of MPI that a tool between may get wrong; each rank says what it got.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   mpirun -n 3 ./cases all|none|abort
// CHECK: 0 alltoallv 0 10 20
// CHECK: 0 errors returned
// CHECK: 0 finalized 1
// CHECK: 0 gather in place 0 1 2
// CHECK: 0 group sum 0
// CHECK: 0 persistent 6
// CHECK: 0 sendrecv 102
// CHECK: 0 threads done
// CHECK: 0 waitany 2 waitsome 2
// CHECK: 1 sendrecv 100
// CHECK: 2 group sum 2
// CHECK: 2 sendrecv 101
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size;

#ifdef TOOL // another tool, linked into the program
int MPI_Init(int *argc, char ***argv) { return PMPI_Init(argc, argv); }
#endif

static void test_sendrecv(void) {
  int out = 100 + rank, in = -1;
  MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 5, &in, 1, MPI_INT, (rank + size - 1) % size, 5,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("%d sendrecv %d\n", rank, in);
  // No type behind a peer that is none.
  MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 5, NULL, 0, MPI_INT, MPI_PROC_NULL, 5,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void test_in_place(void) {
  int all[3] = {-1, -1, -1}, own = rank;
  all[0] = 0;
  if (rank == 0)
    MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else
    MPI_Gather(&own, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("0 gather in place %d %d %d\n", all[0], all[1], all[2]);
  int from[3], to[3], one[3] = {1, 1, 1}, at[3] = {0, 1, 2};
  for (int i = 0; i < 3; i++)
    from[i] = 10 * rank + i;
  MPI_Alltoallv(from, one, at, MPI_INT, to, one, at, MPI_INT, MPI_COMM_WORLD);
  if (rank == 0)
    printf("0 alltoallv %d %d %d\n", to[0], to[1], to[2]);
}

static void test_requests(void) {
  int in[2] = {-1, -1}, any = 0, some = 0;
  if (rank == 0) {
    MPI_Request requests[2];
    MPI_Status status;
    int index, count, indices[2];
    for (int i = 0; i < 2; i++)
      MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 2; i++, any += index != MPI_UNDEFINED)
      MPI_Waitany(2, requests, &index, &status);
    for (int i = 0; i < 2; i++)
      MPI_Irecv(&in[i], 1, MPI_INT, i + 1, 8, MPI_COMM_WORLD, &requests[i]);
    for (; some < 2; some += count)
      MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
    printf("0 waitany %d waitsome %d\n", any, some);
  } else {
    MPI_Request request;
    int flag = 0;
    MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Isend(&rank, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, &request);
    while (!flag)
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  }
}

static void test_persistent(void) {
  int sum = 0, in, out = rank;
  MPI_Request requests[2];
  MPI_Recv_init(&in, 1, MPI_INT, (rank + size - 1) % size, 9, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(&out, 1, MPI_INT, (rank + 1) % size, 9, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 3; i++) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    sum += in;
  }
  for (int i = 0; i < 2; i++)
    MPI_Request_free(&requests[i]);
  if (rank == 0)
    printf("0 persistent %d\n", sum);
}

static void test_communicators(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
    MPI_Barrier(part);
    MPI_Comm_free(&part);
  }
  if (rank != 1)
    printf("%d group sum %d\n", rank, rank == 0 ? sum - 2 : sum);
}

static void test_errors(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int result = MPI_Send(&rank, 1, MPI_INT, size + 5, 1, MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  if (rank == 0 && result != MPI_SUCCESS)
    printf("0 errors returned\n");
}

static void *send_to_self(void *of) {
  int tag = *(int *)of, in;
  for (int i = 0; i < 200; i++)
    MPI_Sendrecv(&i, 1, MPI_INT, 0, tag, &in, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  return NULL;
}

static void test_threads(int provided) {
  pthread_t threads[3];
  int tags[3] = {1, 2, 3};
  for (int i = 0; provided == MPI_THREAD_MULTIPLE && i < 3; i++)
    pthread_create(&threads[i], NULL, send_to_self, &tags[i]);
  for (int i = 0; provided == MPI_THREAD_MULTIPLE && i < 3; i++)
    pthread_join(threads[i], NULL);
  if (rank == 0)
    printf("0 threads done\n");
}

int main(int argc, char **argv) {
  int provided, over;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1 && strcmp(argv[1], "none") == 0)
    return MPI_Finalize();
  if (argc > 1 && strcmp(argv[1], "abort") == 0) {
    if (rank == 1)
      MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  test_sendrecv();
  test_in_place();
  test_requests();
  test_persistent();
  test_communicators();
  test_errors();
  test_threads(provided);
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  waitpid(child, NULL, 0);
  MPI_Finalize();
  MPI_Finalized(&over); // may be asked then
  if (rank == 0)
    printf("0 finalized %d\n", over);
  return 0;
}
