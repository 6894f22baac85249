// All of a macro has one place in the source: what else is read there is no part of a copy in it.
// REQUIRES: plugin, runtime, tool
// RUN: for o in -O1 -O2 -O3; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt
// RUN: %FileCheck --check-prefix=KEY %s < %t.txt && %FileCheck --check-prefix=VALUE %s < %t.txt
// Of both buckets that are compared the compiler leaves the keys. `used` is an array of its own.
// KEY-COUNT-3: bucket:[[#]] 72 key @0 R 0 W 40 C 80
// VALUE-NOT: value
struct bucket {
  long key;
  char value[64];
} __attribute__((packed));
#define TABLE(name)                                                                                \
  static int name##_same(struct bucket a, struct bucket b) { return a.key == b.key; }             \
  __attribute__((noinline)) int name##_count(const struct bucket *table, const int *used,         \
                                             int count) {                                          \
    int found = 0;                                                                                 \
    for (int i = 0; i < count; i++)                                                                \
      found += used[i] && name##_same(table[i], table[i + 1]);                                     \
    return found;                                                                                  \
  }
TABLE(small)

static struct bucket table[41];
static int used[40];
int main(void) {
  volatile int count = 40;
  for (int i = 0; i < count; i++) {
    table[i].key = i;
    used[i] = 1;
  }
  return small_count(table, used, count);
}
