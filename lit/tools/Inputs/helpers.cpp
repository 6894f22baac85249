// helpers.cpp - has the compiler make functions for itself: terminate, thread_local, target_clones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__attribute__((noinline)) static void may_throw(int n) {
  if (n > 9)
    throw n;
}

struct guarded {
  int count = 0;
  ~guarded() noexcept { may_throw(count); }
};

thread_local guarded own;

#ifdef CLONES
__attribute__((target_clones("avx2", "default")))
#endif
int sum(const int *of, int n) {
  int all = 0;
  for (int i = 0; i < n; i++)
    all += of[i];
  return all;
}

int main(int argc, char **) {
  int numbers[100] = {argc};
  own.count = sum(numbers, 100);
  return own.count - argc;
}
