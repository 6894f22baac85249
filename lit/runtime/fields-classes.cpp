// C++: classes with virtual functions, several bases, virtual bases, members behind references, and
// containers of structs.
// REQUIRES: plugin, runtime, tool
// RUN: for o in -O0 -O1 -O2 -O3 "-O2 -fno-strict-aliasing"; do %reticle_cxx -w $o -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt
// RUN: for p in LEFT RIGHT BOTH ROOT DIAMOND KEY THROWN; do %FileCheck --check-prefix=$p %s < %t.txt || exit 1; done
// LEFT-COUNT-5: left:[[#]] 16 l @8 R 0 W 15
// RIGHT-COUNT-5: right:[[#]] 16 r @8 R 0 W 25
// BOTH-COUNT-5: both:[[#]] 40 b @[[#]] R 0 W 35
// ROOT-COUNT-5: root:[[#]] 16 shared @8 R 0 W 41
// DIAMOND-COUNT-5: diamond:[[#]] {{[0-9]+}} own @{{[0-9]+}} R 0 W 42
// KEY-COUNT-5: entry:[[#]] 16 hits @8 R 0 W 60
// THROWN-COUNT-5: thrown:[[#]] 8 tries @0 R 0 W 20
#include <unordered_map>
#include <vector>

struct left {
  virtual ~left() {}
  volatile long l;
};
struct right {
  virtual ~right() {}
  virtual void put(int i) { r = i; }
  volatile long r;
};
struct both : left, right {
  void put(int i) override {
    right::put(i);
    b = i;
  }
  volatile long b;
};
struct root {
  virtual ~root() {}
  volatile long shared;
};
struct one : virtual root {
  volatile long a;
};
struct two : virtual root {
  volatile long b;
};
struct diamond : one, two {
  volatile long own;
};
struct entry {
  long key;
  volatile long hits;
};
struct thrown {
  volatile int tries, fails;
};

__attribute__((noinline)) void fail(int i) {
  if (i % 4 == 0)
    throw i;
}
__attribute__((noinline)) void touch_root(root &r, int n) {
  for (int i = 0; i < n; i++)
    r.shared = i;
}
__attribute__((noinline)) void attempt(thrown *t, int i) {
  t->tries = i;
  try {
    fail(i);
  } catch (int) {
    t->fails = i;
  }
}

int main() {
  static both x;
  static right y;
  static diamond d;
  static thrown t;
  right *volatile from[2] = {&x, &y};
  for (int i = 0; i < 15; i++)
    x.l = i;
  for (int i = 0; i < 20; i++)
    from[0]->put(i);
  for (int i = 0; i < 5; i++)
    from[1]->put(i);
  for (int i = 0; i < 15; i++)
    x.b = i;
  touch_root(d, 41);
  for (int i = 0; i < 42; i++)
    d.own = i;
  for (int i = 0; i < 20; i++)
    attempt(&t, i);
  std::unordered_map<int, entry> table;
  std::vector<entry> list(10);
  for (int i = 0; i < 30; i++)
    table[i % 7].hits = i;
  for (int i = 0; i < 30; i++)
    list[i % 10].hits = i;
  return 0;
}
