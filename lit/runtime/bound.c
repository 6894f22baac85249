// Loops that have copies: what the program prints, how it ends, its children and what it shares are as without, and each
// loop has times of all forms, or a reason.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t && echo 'src:*bound.c' > list
// RUN: %clang -O2 -pthread %s -o plain; ./plain > want; test $? = 3
// RUN: ulimit -c unlimited; for level in -O1 -O2 '-O3 -march=x86-64-v3'; do \
// RUN:   %reticle_cc $level -g -pthread -fplugin-arg-reticle-verify=1 -fplugin-arg-reticle-bound=list %s -o app && rm -f a.prof* && \
// RUN:   RETICLE_OPTIONS=report=0:out=a.prof ./app > got; test $? = 3 && cmp want got && \
// RUN:   %reticle dump a.prof | %python %S/Inputs/bounds.py | %FileCheck %s || exit 1; done
// RUN: ls | grep -v prof | %FileCheck --check-prefix=LEFT %s
// CHECK:      share faults
// CHECK-NEXT: find {{done 1 2 3 4 5 6|short}}
// CHECK-NEXT: ways done 1 2 3 4 5 6
// CHECK-NEXT: outer done 1 2 3 4 5 6
// CHECK-NEXT: outer {{done 1 2 3 4 5 6|short}}
// CHECK-NEXT: insert {{done 1 2 3 4 5 6|short}}
// CHECK-NEXT: print calls
// CHECK-NEXT: count atomic
// CHECK-NEXT: divide done 1 2 3 4 5 6
// CHECK-NEXT: drain faults
// LEFT: app
// LEFT-NEXT: got
// LEFT-NEXT: list
// LEFT-NEXT: plain
// LEFT-NEXT: want
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline))
enum { N = 1 << 12 };
static int *shared, data[N];
static unsigned char bytes[N];
static int counter;

// clang-format off
APART static void share(int v) { for (int i = 0; i < N; i++) shared[i] += v; }
APART static int find(const int *p, int x) { int i = 0; while (p[i] != x) i++; return i; }
APART static long ways(const unsigned char *c, int n) {
  long a = 1;
  for (int i = 0; i < n; i++)
    switch (c[i] & 7) {
    case 0: a++; break;
    case 1: a += c[i] * i; break;
    case 2: a ^= 5; break;
    case 3: a <<= 1; break;
    case 4: a -= i; break;
    default: a /= c[i] | 1; a += 3;
    }
  return a;
}
APART static long outer(const int *p, int rows) {
  long sum = 0;
  for (int r = 0; r < rows; r++) {
    sum ^= r;
    for (int i = 0; i < N / 2; i++) sum += p[i + r] ^ i;
  }
  return sum;
}
APART static int insert(int *p, int n, int x) { while (n > 0 && p[n - 1] > x) { p[n] = p[n - 1]; n--; } p[n] = x; return n; }
APART static void print(int n) { for (int i = 0; i < n; i++) putchar("abc\n"[i & 3]); }
APART static int count(int n) { for (int i = 0; i < n; i++) __atomic_fetch_add(&counter, i, __ATOMIC_RELAXED); return counter; }
APART static double divide(const double *p, int n) { double s = 1; for (int i = 0; i < n; i++) s += 1 / (p[i] + s); return s; }
struct node { struct node *next; long value; char page[4096]; };
APART static long drain(struct node **head, int n) { // again, it faults
  long sum = 0;
  for (int i = 0; i < n; i++, *head = (*head)->next) { sum += (*head)->value; (*head)->page[i] = (char)sum; }
  return sum;
}
// clang-format on

static void *work(void *out) {
  *(long *)out = find(data, N - 1 - N / 8);
  return 0;
}

int main(void) {
  shared = mmap(0, N * sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  static double numbers[N];
  static int sorted[N + 1];
  long found = 0;
  pthread_t thread;
  __asm__ volatile("" : : "r"(data), "r"(bytes), "r"(sorted) : "memory");
  for (int i = 0; i < N; i++) {
    __asm__ volatile("" : "+r"(i));
    data[i] = i * 3 % N;
    bytes[i] = (unsigned char)(i * 37);
    sorted[i] = i * 2;
    numbers[i] = i;
  }
  pthread_create(&thread, 0, work, &found);
  pthread_join(thread, 0);
  share(3);
  pid_t child = fork();
  if (!child) {
    share(4);
    _exit(7);
  }
  int status = 0, is_child = wait(&status) == child;
  printf("%ld %d %d %d\n", found, is_child, WEXITSTATUS(status), (int)wait(0));
  printf("%d %ld %ld\n", shared[77], ways(bytes, N), outer(data, 32));
  printf("%d %g %d\n", insert(sorted, N, -1), divide(numbers, N), count(1000));
  static struct node nodes[32]; // each store of the first run is a page fault
  struct node *head = nodes;
  for (int i = 0; i < 32; i++) {
    __asm__ volatile("" : "+r"(i));
    nodes[i] = (struct node){i < 31 ? &nodes[i + 1] : NULL, i, ""};
  }
  printf("%ld\n", drain(&head, 31 + is_child));
  print(39 + is_child);
  return 3;
}
