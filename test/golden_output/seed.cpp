// seed.cpp - the program whose profiles golden_output reads: one of everything
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <reticle.h>
#include <stdlib.h>

struct Node {
  long key;
  int pad[9];
  Node *next;
  double value;
};

/// Worth another layout: two of its fields are used together, far from each other.
struct Wide {
  long first;
  char name[120];
  long second;
  unsigned bits : 3, more : 5;
};

static Node *nodes[4096];
static Wide *wide;
static long table[1 << 15];
static struct {
  long a, b;
} *both;

__attribute__((noinline)) static long chase(Node *node) {
  long sum = 0;
  for (; node; node = node->next)
    sum += node->key;
  return sum;
}

__attribute__((noinline)) static long sum(int n) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += table[(i * 7919) & 32767] / (i + 1);
  return sum;
}

__attribute__((noinline)) static long pick(int n) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += wide[i].first * wide[i].second + wide[i].more;
  return sum;
}

namespace inner {
template <class T> __attribute__((noinline)) T scale(T *p, int n, T factor) {
  T sum = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < (i & 7); k++)
      sum += p[i] * factor;
    p[i] = sum;
  }
  return sum;
}
} // namespace inner

/// Two threads write to one cache line.
static void *share(void *argument) {
  volatile long *mine = argument ? &both->a : &both->b;
  for (int r = 0; r < 4000; r++)
    for (int i = 0; i < 500 + (r % 5) * 100; i++)
      *mine += i;
  return nullptr;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 300;
  for (int i = 0; i < 4096; i++) {
    nodes[i] = static_cast<Node *>(calloc(1, sizeof(Node)));
    nodes[i]->key = i;
    if (i)
      nodes[i]->next = nodes[rand() % i];
  }
  wide = static_cast<Wide *>(calloc(1000, sizeof(Wide)));
  pthread_t threads[2];
  if (argc > 2) {
    both = static_cast<decltype(both)>(calloc(1, 64));
    for (long i = 0; i < 2; i++)
      pthread_create(&threads[i], nullptr, share, reinterpret_cast<void *>(i));
  }
  long all = 0;
  for (int r = 0; r < rounds; r++) {
    RETICLE_REGION_BEGIN("part");
    all += chase(nodes[r & 4095]) + sum(1000 + (r % 3) * 500) + pick(200 + (r % 2) * 100);
    all += inner::scale(table, 300, 3L);
    RETICLE_REGION_END;
  }
  for (int i = 0; i < 2 && argc > 2; i++)
    pthread_join(threads[i], nullptr);
  return all == 42;
}
