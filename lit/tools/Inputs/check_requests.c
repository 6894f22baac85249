// check_requests.c - requests that are allocated and read; what is compiled in changes what they do.
#include <stdio.h>
#include <stdlib.h>

struct request {
#ifdef MOVED
  long hash;
  char *text;
#else
  char *text;
#ifdef APART
  char note[72];
#endif
  long hash;
#endif
  long length;
};

static void *volatile kept;

__attribute__((noinline)) static void *make(size_t bytes) {
  kept = malloc(bytes);
  return kept;
}

__attribute__((noinline)) static long serve(struct request *r) {
  long sum = 0;
  for (long i = 0; i < r->length; i++)
    sum += r->text[i % 16];
#ifdef MORE
  free(make(16));
  sum += r->hash;
#endif
  r->hash = sum;
  return sum;
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < 20000; i++) {
    struct request *r = make(sizeof *r);
    *r = (struct request){.text = (char *)make(32), .length = 500};
    for (int k = 0; k < 16; k++)
      r->text[k] = (char)(i + k);
    sum += serve(r);
    free(r->text);
    free(r);
  }
  return printf("%ld\n", sum) < 0;
}
