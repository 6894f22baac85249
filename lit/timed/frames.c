// Frames of a game: the loop runs once, its iterations have a distribution, and the card says which part of a frame makes it
// long.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool
// RUN: %reticle_cc -O2 -g %s -o %t
// RUN: %env_reticle %t
// RUN: %reticle report --json %t.prof | %python %src/lit/tools/Inputs/validate.py %src/docs/schema/report.json loops.0.goes_with | grep valid
// RUN: %reticle show L1 %t.prof > /dev/null
// RUN: %reticle report --json %t.prof | %python -c "import json, sys; ls = json.load(sys.stdin)['loops']; f = next(x for x in ls if x['unit'] == 'iteration' and x['function'] == 'main'); names = {x['stable_id']: x['function'] for x in ls}; assert f['executions'] == 300, f['executions']; g = [(names[x['stable_id']], x['share']['value']) for x in f['goes_with']]; assert any(n == 'physics' and s > 0.5 for n, s in g), g; assert all(n != 'draw' for n, _ in g), g"
volatile unsigned sink;

__attribute__((noinline)) static void work(unsigned n) {
  unsigned x = 1;
  for (unsigned i = 0; i < n; i++)
    x = x * 1664525u + 1013904223u;
  sink = x;
}

// Bodies that touch each other take longer.
__attribute__((noinline)) void physics(unsigned bodies) {
  for (unsigned i = 0; i < bodies; i++)
    work(60000);
}

__attribute__((noinline)) void draw(unsigned lines) {
  for (unsigned i = 0; i < lines; i++)
    work(20000);
}

int main(int count, char **arguments) {
  (void)arguments;
  for (int frame = 0; frame < 299 + count; frame++) {
    unsigned hash = (unsigned)frame * 2654435761u;
    physics(100 + (hash >> 25)); // 100 to 227
    draw(200);
  }
  return 0;
}
