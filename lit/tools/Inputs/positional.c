// positional.c - initialisers with and without the names of fields.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define STRUCT(name)                                                                               \
  struct name {                                                                                    \
    long key;                                                                                      \
    char cold[120];                                                                                \
    long value;                                                                                    \
  }
STRUCT(plain);
STRUCT(row);
STRUCT(literal);
STRUCT(local);
STRUCT(inner);
STRUCT(named);
STRUCT(zero);
STRUCT(copied);
STRUCT(part);
struct elided {
  long key, value;
};
struct outer {
  struct inner in;
  long key;
};
struct whole {
  struct part in;
  long key;
};

struct plain plains[16] = {[3] = {1, "cold", 2}};
struct row rows[16] = {{1, "cold", 2}, {3, "cold", 4}};
struct elided pairs[16] = {1, 2, 3, 4};
struct outer outers[16] = {[1] = {.in = {1, "cold"}, .key = 2}};
struct named names[16] = {{.key = 1, .value = 2}, [2] = {.value = 3}};
struct zero zeros[16] = {0};
struct whole wholes[16] = {[1].in.key = 1, [2] = {.in.value = 2, .key = 3}};

#define SUM(all, field)                                                                            \
  for (int i = 0; i < 16; i++)                                                                     \
    s += ((volatile __typeof__(all[0]) *)all)[i].field;

int main(int argc, char **argv) {
  static struct literal literals[16];
  static struct copied copies[16], from;
  static struct local locals[16];
  long s = 0;
  literals[argc] = (struct literal){argc, "cold", argc};
  struct copied copy = from;
  copies[argc] = copy;
  struct local one = {argc, "cold"};
  locals[argc] = one;
  SUM(plains, key) SUM(rows, key) SUM(pairs, value) SUM(outers, in.key) SUM(outers, key)
  SUM(names, key) SUM(zeros, key) SUM(wholes, in.key) SUM(wholes, key) SUM(literals, value)
  SUM(copies, key) SUM(locals, key)
  return s == 12345;
}
