// Changing over a thousand times a second does the program no harm: values that live across a change, computed
// jumps whose labels lie in memory, exceptions and clean-ups, arrays on the stack, arguments of unknown number,
// setjmp, recursion, probes and counters in the same code. Loops and fields count as ever.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: %clangxx -O2 %s -o %t && %t > %t.plain
// RUN: for o in -O0 -O1 -O2 "-O2 -march=native" -Os "-O2 -fPIC"; do %reticle_cxx $o -g -fplugin-arg-reticle-features=loop,field,shadow -fplugin-arg-reticle-shadow=bursts %s -o %t || exit 1; for d in 50%% 100%%; do %env_reticle:shadow_hz=1000:shadow_budget=100%%:duty=$d:period=1 %t > %t.out && cmp %t.plain %t.out || exit 1; done; done
// RUN: %reticle report --heap %t.prof | %FileCheck %s
// RUN: %reticle_cxx -O2 -g -fplugin-arg-reticle-features=field,shadow -fplugin-arg-reticle-shadow=bursts %s -o %t && %env_reticle:shadow_hz=1000:duty=50%% %t > %t.out && %reticle report --structs %t.prof | %FileCheck --check-prefix=STRUCT %s
// CHECK: HEAP AND GLOBALS
// STRUCT: node {{.*}}
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

enum { ROUNDS = 300 };

struct node {
  node *next;
  long value;
  char rest[48];
};

static node *list(int n) {
  node *first = nullptr;
  for (int i = 0; i < n; i++) {
    auto *made = (node *)malloc(sizeof(node));
    made->next = first;
    made->value = i;
    first = made;
  }
  return first;
}

// Many values across each iteration.
__attribute__((noinline)) static long sums(const node *n, long a, long b, long c, long d) {
  long e = a ^ b, f = b * 3, g = c - d, h = d | 1, i = 0;
  double x = double(a), y = double(b);
  for (; n; n = n->next) {
    a += n->value, b ^= a, c += b & 7, d -= c, e += d % 5, f ^= e, g += f, h *= 3;
    x = x * 0.5 + double(n->value), y += x;
    if (n->value % 3 == 0)
      for (const node *m = n; m && i % 100; m = m->next, i++)
        g += m->value;
    i++;
  }
  return a + b + c + d + e + f + g + h + i + long(x) + long(y);
}

// Labels that the program keeps itself.
__attribute__((noinline)) static long interpret(long *slots, long rounds) {
  struct operation {
    const void *label;
    long argument;
  };
  operation program[] = {{&&add, 0}, {&&store, 1}, {&&next, 2}, {&&add, 1}, {&&again, 4}, {&&end, 0}};
  operation *at = program;
  long sum = 0;
  goto *at->label;
add:
  sum += slots[at->argument] + 1;
  at++;
  goto *at->label;
store:
  slots[at->argument] ^= sum;
  at++;
  goto *at->label;
next:
  sum = sum * 5 + at->argument;
  at++;
  goto *at->label;
again:
  at = --rounds > 0 ? at - at->argument : at + 1;
  goto *at->label;
end:
  return sum;
}

struct counted {
  explicit counted(long *count) : count(count) { ++*count; }
  ~counted() { *count += 2; }
  long *count;
};

__attribute__((noinline)) static long check(const std::vector<long> &values, size_t i) {
  if (i % 7 == 3)
    throw std::runtime_error("seven");
  return values.at(i);
}

__attribute__((noinline)) static long exceptions(const std::vector<long> &values) {
  long count = 0, caught = 0, sum = 0;
  for (size_t i = 0; i < values.size() + 3; i++) {
    try {
      counted here(&count);
      std::string text(20 + i % 40, char('a' + i % 26));
      sum += check(values, i) + long(text[i % 20]);
    } catch (const std::out_of_range &) {
      caught += 100;
    } catch (const std::exception &e) {
      caught += e.what()[0];
    }
  }
  return sum + count * 3 + caught;
}

__attribute__((noinline)) static long arrays(const node *n) {
  long sum = 0;
  for (; n; n = n->next) {
    auto *room = (long *)__builtin_alloca(size_t(8 + n->value % 64 * 8));
    for (long i = 0; i <= n->value % 64; i++)
      room[i] = i ^ n->value;
    sum += room[n->value % 64 / 2];
    if (n->value % 500 == 0)
      return sum + arrays(n->next);
  }
  return sum;
}

__attribute__((noinline)) static long add_up(long *to, int count, ...) {
  va_list rest;
  va_start(rest, count);
  for (int i = 0; i < count; i++)
    *to += i % 2 ? long(va_arg(rest, double)) : va_arg(rest, long);
  va_end(rest);
  return *to;
}

static jmp_buf place;
__attribute__((noinline)) static void leave(const node *n) {
  for (; n; n = n->next)
    if (n->value == 77)
      longjmp(place, 5);
}
__attribute__((noinline)) static int come_back(const node *n) {
  volatile int times = 0;
  int got = setjmp(place);
  times = times + 1;
  if (times < 4)
    leave(n);
  return times * 10 + got;
}

struct big {
  long words[12];
};
__attribute__((noinline)) static big turn(big b, int n) {
  for (int i = 0; i < n; i++) {
    long first = b.words[0];
    for (int k = 0; k < 11; k++)
      b.words[k] = b.words[k + 1];
    b.words[11] = first + i;
  }
  return b;
}

static unsigned choose(const unsigned char *text, size_t n) {
  unsigned state = 1;
  for (size_t i = 0; i < n; i++)
    switch (text[i] % 9) {
    case 0: state += text[i]; break;
    case 1: state *= 3; [[fallthrough]];
    case 2: state ^= 0x55; break;
    case 3: state = state << 5 | state >> 27; break;
    case 4: if (state & 1) continue; state -= i; break;
    case 5: state += text[n - 1 - i]; break;
    default: state ^= state >> 3;
    }
  return state;
}

int main() {
  node *all = list(2000);
  std::vector<long> values;
  std::vector<unsigned char> text(5000);
  for (int i = 0; i < 400; i++)
    values.push_back(i * i);
  for (size_t i = 0; i < text.size(); i++)
    text[i] = (unsigned char)(i * 7 ^ i >> 3);
  long total = 0;
  long *slots = (long *)calloc(8, sizeof *slots), *to = (long *)calloc(1, sizeof *to);
  big b = {};
  for (int round = 0; round < ROUNDS; round++) {
    total += sums(all, round, total, 3, 4);
    total ^= interpret(slots, 500);
    total += exceptions(values);
    total ^= arrays(all);
    total += add_up(to, 6, 1L, 2.5, 3L, 4.5, 5L, 6.5);
    total += come_back(all);
    b = turn(b, 100 + round);
    total += b.words[round % 12] + long(choose(text.data(), text.size()));
  }
  printf("%ld\n", total);
  return 0;
}
