// What the program says with RETICLE_TAG is the work of the executions around it, and more of it a cause.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool
// RUN: %reticle_cc -O2 -g -I%src/include %s -o %t
// With a budget that reads facts of each, as causes are of those alone.
// RUN: %env_reticle:probe_budget=20%% %t
// RUN: %reticle show request %t.prof | %FileCheck %s
// RUN: %reticle show serve %t.prof | %FileCheck --check-prefix=LOOP %s
// RUN: %reticle report --json %t.prof | %python %S/../tools/Inputs/validate.py %src/docs/schema/report.json loops.0.tag | grep valid
// RUN: %reticle report --json %t.prof | %python -c "import json, sys; r = {x['region'] or x['function']: x for x in json.load(sys.stdin)['loops']}; q = r['request']; assert any(c['cause'] == 'tag' and c['share']['value'] > 0 for c in q['causes']), q['causes']; assert q['trip_count'] is None and q['tag']['low'] == 1, q; v = q['variance_work']; assert v['value'] > 0.8 if v['status'] == 'ok' else 'differs too much' in v['reason'], v; assert r['untagged']['tag'] is None; assert all(x['facts']['tag'] in (1, 4) for x in q['slowest']), q['slowest']"
// Other compilers and builds without the plug-in leave nothing of it.
// RUN: %clang -O1 -I%src/include -c %s -o %t.o && ! nm %t.o | grep reticle
// RUN: %reticle_cc -x c++ -std=c++98 -O2 -I%src/include %s -o %t.cxx
#include <reticle.h>

volatile unsigned sink;

__attribute__((noinline)) static void work(unsigned n) {
  unsigned x = 1;
  for (unsigned i = 0; i < n; i++)
    x = x * 1664525u + 1013904223u;
  sink = x;
}

// A tag belongs to what is around it, also from another function.
__attribute__((noinline)) static void say(unsigned long kilobytes) { RETICLE_TAG(kilobytes); }

// CHECK: region {{ *}}begun and ended by hand (reticle.h): RETICLE_TAG in it says how much
// CHECK: tag {{ *}}1 to 4, half of the executions at most 1
// Beside others on the machine the variance may be theirs in part, and is not split then.
// CHECK: variance {{ *}}{{([5-9][0-9]|100).* work \(tag\)|not split: the share differs too much between parts}}
// CHECK: by tag
// Beside others on the machine waiting for a processor may come first: JSON holds the tag's share.
// CHECK: why slow
__attribute__((noinline)) static void request(unsigned kilobytes) {
  RETICLE_REGION_BEGIN("request");
  work(1500000 * (1 + kilobytes));
  say(1 + kilobytes);
  RETICLE_REGION_END;
}

__attribute__((noinline)) static void quiet(void) {
  RETICLE_REGION_BEGIN("untagged");
  work(30000);
  RETICLE_REGION_END;
}

// All tags of an execution together; the trip count, which is 8, is not what is shown.
// LOOP: work {{.*}}RETICLE_TAG in it says how much
// LOOP: tag {{ *}}11 each time
__attribute__((noinline)) void serve(int n) {
  for (int i = 0; i < n; i++)
    request((i & 7) == 3 ? 3 : 0);
}

int main(void) {
  for (volatile int i = 0; i < 300; i = i + 1) {
    serve(8 + (int)(sink & 0));
    quiet();
  }
  return 0;
}
