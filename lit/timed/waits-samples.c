// waits-samples.c - samples in gcc's OpenMP, which is stripped and tells tools nothing, are called waiting.
// REQUIRES: plugin, runtime, tool, gcc, jsonschema
// RUN: rm -rf %t && mkdir -p %t && cd %t && gcc -O2 -g -fopenmp -DPROGRAM -c %s -o program.o && %reticle_cc -O2 -g -c %s -o part.o
// RUN: %reticle_cc program.o part.o -o app $(gcc -print-file-name=libgomp.so)
// RUN: env RETICLE_OPTIONS=report=0:sample=1:sample_hz=1000:out=app.prof ./app
// RUN: %reticle report --samples app.prof | grep "(in OpenMP: waiting, or sharing out work)"
// RUN: %reticle report --json app.prof > r.json && %python -c "import json, jsonschema; r = json.load(open('r.json')); jsonschema.validate(r, json.load(open('%src/docs/schema/report.json'))); of = {f['runtime']: f['samples'] for f in r['loadfiles']}; assert of.get('OpenMP', 0) > 20, of"

#ifdef PROGRAM
#include <omp.h>
int part(int n);

int main(void) {
  omp_lock_t lock; // threads at a barrier wait without CPU time where they are more than processors
  omp_init_lock(&lock);
  for (int i = 0; i < 20000000; i++) {
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
  }
  return part(1000) < 0;
}
#else
static volatile int sum;
int part(int n) {
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
#endif
