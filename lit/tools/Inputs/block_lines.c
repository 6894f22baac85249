// block_lines.c - loops of which it is known what the compiler makes of them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__attribute__((noinline)) int search(const int *values, int n, int m) {
  int found = 0;
  for (int i = 0; i < n; i++) // 5: stays a loop around another
    for (int k = 0; k < m; k++) // 6: stays one, of one block or two
      if (values[k] == values[i + m])
        found ^= k + i;
  return found;
}

int main(int argc, char **argv) {
  static int values[4096];
  int sum = 0;
  for (int i = 0; i < 4096; i++)
    values[i] = i * 77 % 1000;
  for (int i = 0; i < 100000; i++)
    sum += search(values, 100 + argc + i % 7, 100);
  return sum == 42 && argv[0][0] == 1;
}
