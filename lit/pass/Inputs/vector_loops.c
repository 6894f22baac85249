// vector_loops.c - loops that clang vectorises, of the kinds that numeric programs have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <stdint.h>

int64_t sum_int(const int *a, size_t n) {
  int64_t s = 0;
  for (size_t i = 0; i < n; i++)
    s += a[i];
  return s;
}

void axpy(float *restrict y, const float *restrict x, float k, size_t n) {
  for (size_t i = 0; i < n; i++)
    y[i] += k * x[i];
}

void axpy_may_alias(double *y, const double *x, double k, int n) {
  for (int i = 0; i < n; i++)
    y[i] += k * x[i];
}

unsigned max_of(const unsigned *a, size_t n) {
  unsigned m = 0;
  for (size_t i = 0; i < n; i++)
    m = a[i] > m ? a[i] : m;
  return m;
}

void blur(uint8_t *restrict out, const uint8_t *restrict in, size_t n) {
  for (size_t i = 1; i + 1 < n; i++)
    out[i] = (uint8_t)((in[i - 1] + 2 * in[i] + in[i + 1]) / 4);
}

void clamp(int *a, int low, int high, size_t n) {
  for (size_t i = 0; i < n; i++)
    a[i] = a[i] < low ? low : a[i] > high ? high : a[i];
}

void matrix_row(double *restrict c, const double *restrict a, const double *restrict b, int n,
                int m) {
  for (int k = 0; k < m; k++)
    for (int j = 0; j < n; j++)
      c[j] += a[k] * b[(size_t)k * n + j];
}

unsigned hamming(const uint64_t *a, const uint64_t *b, size_t n) {
  unsigned bits = 0;
  for (size_t i = 0; i < n; i++)
    bits += (unsigned)__builtin_popcountll(a[i] ^ b[i]);
  return bits;
}

void convert(float *restrict out, const short *restrict in, float scale, size_t n) {
  for (size_t i = 0; i < n; i++)
    out[i] = in[i] * scale;
}

void masked_add(int *restrict a, const int *restrict b, const int *restrict mask, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (mask[i])
      a[i] += b[i];
}

struct point {
  float x, y;
};
void lengths(float *restrict out, const struct point *restrict p, size_t n) {
  for (size_t i = 0; i < n; i++)
    out[i] = p[i].x * p[i].x + p[i].y * p[i].y;
}

void fill(int *a, int value, size_t n) {
  for (size_t i = 0; i < n; i++)
    a[i] = value + (int)i;
}
