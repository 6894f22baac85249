// open_structs.c - structs whose objects go on behind them: x[], x[1], or plain bytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  long type;
  void *next;
  long mark;
} head;

/// 24 bytes, and 24 behind them.
struct object {
  head header;
  double slot[];
};

/// 72 bytes, of which a chain uses 8, and as many behind them, in one array.
struct node {
  long cold[8];
  struct node *next;
  char name[1];
};

/// Bytes behind it have no field.
struct message {
  struct message *next;
  long cold[6];
};

enum { N = 60000 };
static struct object *objects[N];
static struct node *nodes;
static struct message *messages;
static unsigned seed = 1;

static unsigned any(void) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % N;
}

static void make(void) {
  for (int i = 0; i < N; i++) {
    struct node *node = malloc(offsetof(struct node, name) + 40);
    struct message *message = malloc(sizeof(struct message) + 72);
    objects[i] = malloc(sizeof(struct object) + 3 * sizeof(double));
    for (int k = 0; k < 3; k++)
      objects[i]->slot[k] = i + k;
    node->next = nodes;
    node->name[0] = node->name[20] = 'a';
    nodes = node;
    message->next = messages;
    messages = message;
  }
}

int main(void) {
  double sum = 0;
  make();
  for (int i = 0; i < 40 * N; i++) {
    struct object *o = objects[any()];
    sum += o->slot[1];
    o->slot[2] = sum;
  }
  for (int round = 0; round < 10; round++) {
    for (struct node *n = nodes; n; n = n->next)
      sum += n->name[0];
    for (struct message *m = messages; m; m = m->next)
      sum += 1;
  }
  printf("%g\n", sum);
  return 0;
}
