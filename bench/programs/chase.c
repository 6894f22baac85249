// chase.c - follows lists through memory in random order and touches some fields of each element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: chase [NODES [STEPS [THREADS [shared|separate]]]]
// NODES of 152 bytes each (default 1,250,000: 190 MB), STEPS for each of THREADS (default
// 4,000,000, 1). The threads walk one list, or each its own. What a thread writes besides are its
// own sums. With few NODES the list stays in the cache, and each step is a handful of instructions.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 64 };

struct node {
  uint64_t key;
  char name[40];
  uint32_t kind, flags;
  double weight;
  struct node *next;
  uint64_t unused[8];
  uint64_t visits, last;
};

struct walker {
  const struct node *at;
  uint64_t steps, keys, flagged, kinds[4];
  double weight;
  char own_line[64];
};

static uint64_t random_state = 88172645463325252u;

static uint64_t random_next(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

// One cycle through all nodes, in random order (Sattolo).
static struct node *make_list(size_t count) {
  struct node *nodes = calloc(count, sizeof *nodes);
  uint32_t *order = malloc(count * sizeof *order);
  if (!nodes || !order) {
    fprintf(stderr, "chase: no memory for %zu nodes\n", count);
    exit(1);
  }
  for (size_t i = 0; i < count; i++)
    order[i] = (uint32_t)i;
  for (size_t i = count - 1; i > 0; i--) {
    size_t other = random_next() % i;
    uint32_t swap = order[i];
    order[i] = order[other];
    order[other] = swap;
  }
  for (size_t i = 0; i < count; i++) {
    struct node *node = &nodes[order[i]];
    node->key = i * 2654435761u;
    node->kind = (uint32_t)(i & 3);
    node->flags = (uint32_t)random_next();
    node->weight = (double)(i & 1023);
    node->next = &nodes[order[(i + 1) % count]];
  }
  free(order);
  return nodes;
}

static void *walk(void *argument) {
  struct walker *w = argument;
  const struct node *n = w->at;
  for (uint64_t i = 0; i < w->steps; i++, n = n->next) {
    w->keys += n->key;
    if (n->flags & 4) {
      w->flagged++;
      w->weight += n->weight;
    } else {
      w->kinds[n->kind]++;
    }
  }
  w->at = n;
  return NULL;
}

int main(int argc, char **argv) {
  static struct walker walkers[THREADS_MAX];
  size_t nodes = argc > 1 ? strtoul(argv[1], NULL, 10) : 1250000;
  uint64_t steps = argc > 2 ? strtoul(argv[2], NULL, 10) : 4000000;
  unsigned threads = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 1;
  int shared = argc > 4 && !strcmp(argv[4], "shared");
  if (nodes < 2 || !threads || threads > THREADS_MAX || argc > 5) {
    fprintf(stderr,
            "usage: chase [NODES [STEPS [THREADS [shared|separate]]]], at least 2 NODES, 1 to %d "
            "THREADS\n",
            THREADS_MAX);
    return 2;
  }
  struct node *list = NULL;
  pthread_t ids[THREADS_MAX];
  for (unsigned i = 0; i < threads; i++) {
    if (!list || !shared)
      list = make_list(nodes);
    walkers[i].at = &list[i * (nodes / threads)];
    walkers[i].steps = steps;
  }
  for (unsigned i = 1; i < threads; i++)
    pthread_create(&ids[i], NULL, walk, &walkers[i]);
  walk(&walkers[0]);
  for (unsigned i = 1; i < threads; i++)
    pthread_join(ids[i], NULL);
  for (unsigned i = 0; i < threads; i++)
    printf("%llu %llu %llu %.0f\n", (unsigned long long)walkers[i].keys,
           (unsigned long long)walkers[i].flagged, (unsigned long long)walkers[i].kinds[2],
           walkers[i].weight);
  return 0;
}
