// nearest.c - edit distance, and the nearest name in a list.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/support/nearest.h"

#include <string.h>

/// Longer words are no slips of the fingers; a row of the table has this many cells.
#define NEAREST_MAX 64

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/// Edit distance (insert, delete, replace, swap of neighbours) of two words shorter than
/// NEAREST_MAX. Source: the "optimal string alignment" variant of Damerau-Levenshtein.
static size_t edit_distance(const char *a, size_t n, const char *b, size_t m) {
  size_t rows[3][NEAREST_MAX + 1];
  for (size_t j = 0; j <= m; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t *row = rows[i % 3];
    const size_t *above = rows[(i - 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t best = smaller(above[j], row[j - 1]) + 1;
      best = smaller(best, above[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best = smaller(best, rows[(i - 2) % 3][j - 2] + 1);
      row[j] = best;
    }
  }
  return rows[n % 3][m];
}

void nearest_add(struct nearest *best, const char *word, const char *candidate) {
  size_t n = strlen(word), m = strlen(candidate);
  if (!n || n > NEAREST_MAX || m > NEAREST_MAX)
    return;
  size_t distance;
  if (n >= 2 && strncmp(candidate, word, smaller(n, m)) == 0)
    distance = 1;
  else
    distance = edit_distance(word, n, candidate, m);
  size_t limit = n / 3 > 2 ? n / 3 : 2;
  if (distance > limit || distance >= n)
    return;
  if (!best->name || distance < best->distance)
    *best = (struct nearest){.name = candidate, .distance = distance};
}
