// Loops that stand several times do what they do otherwise, whichever copy is drawn: every shape, with threads and forks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t && %clangxx -std=c++17 -O2 %s -o plain -pthread && ./plain > want
// RUN: for copies in copies-0 copies-16 copies-32; do for level in -O1 -O2 -O3 -Os; do \
// RUN:   (echo "loop:*=$copies"; for f in prefetch-4 prefetch-16 interleave-4 branch-to-select-16 select-to-branch-1; do echo "loop:*=$f"; done) > list && \
// RUN:   RETICLE_FORMS=list %reticle_cxx -fplugin-arg-reticle-verify=1 -std=c++17 $level -g %s -o app -pthread && \
// RUN:   RETICLE_OPTIONS=report=0:verbosity=0:out=a.prof ./app > got && cmp want got && rm -f a.prof* || exit 1; done; done
// RUN: grep 'copies-32 done' %t/list.made
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#include <sys/wait.h>
#include <unistd.h>

static unsigned table[1 << 12];
#define OWN __attribute__((noinline)) static

OWN unsigned counted(const std::vector<unsigned> &v) {
  unsigned sum = 0;
  for (unsigned x : v)
    sum += table[x & 0xfff];
  return sum;
}
OWN long search(const std::vector<unsigned> &v, unsigned what) { // two ways out
  for (size_t i = 0; i < v.size(); i++)
    if (v[i] == what)
      return (long)i;
  return -1;
}
OWN double sums(const std::vector<double> &v) { // several values go on
  double a = 0, b = 1;
  size_t n = 0;
  for (double x : v) {
    a += x;
    b = b * 0.5 + x;
    n += x > 0.5;
  }
  return a + b * (double)n;
}
OWN unsigned collatz(unsigned long n) { // no trip count
  unsigned steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  }
  return steps;
}
OWN unsigned nest(unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++) {
    for (unsigned k = 0; k < i; k++) {
      if ((i ^ k) % 7 == 3)
        continue;
      if (k > 40)
        break;
      sum = sum * 3 + table[(i * k) & 0xfff];
    }
    if (sum == 12345)
      goto out;
  }
out:
  return sum;
}
OWN unsigned machine(const char *s) { // a switch, left from inside
  unsigned state = 0;
  for (;;) {
    switch (state & 3) {
    case 0: state = state * 5 + (unsigned char)*s; break;
    case 1: state += 7; break;
    case 2: state ^= 0x55; break;
    default:
      if (!*s)
        return state;
      state = state * 3 + 4;
    }
    if (!*s++)
      return state;
  }
}
OWN unsigned thrown(const std::vector<unsigned> &v) { // by an exception, too
  unsigned sum = 0;
  try {
    for (unsigned x : v) {
      if (x % 97 == 96)
        throw std::runtime_error(std::to_string(x));
      std::string s(x % 40, 'x'); // to be destroyed
      sum += (unsigned)s.size();
    }
  } catch (const std::runtime_error &e) {
    sum += (unsigned)atoi(e.what());
  }
  return sum;
}
OWN unsigned recursive(unsigned depth) {
  unsigned sum = 1;
  for (unsigned i = 0; i < 3 && depth; i++)
    sum += recursive(depth - 1) * (i + 1);
  return sum;
}
OWN void moved(int *a, unsigned n) { // backwards, in place
  do {
    n--;
    int x = a[n];
    unsigned k = n;
    while (k > 0 && a[k - 1] > x) {
      a[k] = a[k - 1];
      k--;
    }
    a[k] = x;
  } while (n);
}

static unsigned all(unsigned seed) {
  unsigned out = seed;
  for (unsigned n = 0; n < 70; n++) {
    std::vector<unsigned> v(n);
    std::vector<double> d(n);
    std::vector<int> a(n + 1);
    for (unsigned i = 0; i < n; i++) {
      v[i] = (seed = seed * 1664525 + 1013904223) >> 8;
      d[i] = (double)(v[i] % 1000) / 1000;
      a[i] = (int)(v[i] % 500);
    }
    moved(a.data(), n + 1);
    std::string text(n, (char)('a' + n % 26));
    out = out * 31 + counted(v) + (unsigned)search(v, n > 20 ? v[20] : 1) + (unsigned)(1000 * sums(d)) +
          collatz(n + 1) + nest(n) + machine(text.c_str()) + thrown(v) + (unsigned)a[n / 2];
  }
  return out + recursive(6);
}

int main() {
  for (unsigned i = 0; i < 1 << 12; i++)
    table[i] = i * 2654435761u;
  unsigned results[4];
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; t++)
    threads.emplace_back([&results, t] { results[t] = all(t + 1); });
  for (auto &t : threads)
    t.join();
  for (unsigned r : results)
    std::printf("%u\n", r);
  std::fflush(stdout);
  if (fork() == 0) {
    std::printf("%u\n", all(9));
    std::fflush(stdout);
    _exit(3);
  }
  int status;
  wait(&status);
  std::printf("%u %d\n", all(5), WEXITSTATUS(status));
}
