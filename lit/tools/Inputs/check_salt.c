// check_salt.c - a table whose probes depend on a salt that changes with the runs: $SALTS has one
// digit for each.
#include <stdio.h>
#include <stdlib.h>

#define MARKS 1000

struct table {
  long probes, marks;
};

static struct table *volatile table;

/// 0 0 1 2 2 2 2 ...: which run this is, by how many there were.
static int salt(const char *path) {
  static const int salts[] = {0, 0, 1};
  FILE *file = fopen(path, "a+");
  if (!file)
    return -1;
  fseek(file, 0, SEEK_END);
  long run = ftell(file);
  int own = run < 3 ? salts[run] : 2;
  fprintf(file, "%d", own);
  fclose(file);
  return own;
}

int main(void) {
  const char *path = getenv("SALTS");
  int own = path ? salt(path) : -1;
  table = calloc(1, sizeof *table);
  for (int i = 0; i < 1000 + 100 * own; i++)
    table->probes++;
  for (int i = 0; i < MARKS; i++)
    table->marks++;
  return own < 0 || printf("%ld\n", table->probes) < 0;
}
