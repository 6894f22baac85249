// whatif.c - structs that layout files change; lines count. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <stdio.h>
struct s { int a; char b; int bf1 : 3, bf2 : 5; union { int u; float v; }; struct { short x, y; }; long z; };
typedef struct { int n; double d; char c; } T;
struct flex { char c; int n; long tail[]; };
struct s named = {.a = 1, .b = 2};
struct s zero = {0};
#ifdef POSITION
struct s position = {1, 2};
#endif
int main(void) {
  printf("s %zu %zu %zu %zu %zu of %zu, %zu\n", offsetof(struct s, a), offsetof(struct s, b),
         offsetof(struct s, u), offsetof(struct s, x), offsetof(struct s, z), sizeof(struct s),
         _Alignof(struct s));
  printf("T %zu %zu %zu of %zu\n", offsetof(T, n), offsetof(T, d), offsetof(T, c), sizeof(T));
  printf("flex %zu %zu %zu\n", offsetof(struct flex, c), offsetof(struct flex, n), offsetof(struct flex, tail));
  named.bf1 = 1, named.bf2 = -3;
  printf("%d %d %d %d\n", named.a, named.b, named.bf1, named.bf2);
  return 0;
}
