// unit_call_tree.c - stacks become a tree of functions: sums, recursion, begin and end
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/sample/call_tree.h"

#include <string.h>

enum { NONE = UINT32_MAX, APP = 0, A = 1, B = 2, LIBC = 3 };

// Files that can't be read: each is one function by its name.
static struct profile_loadfile loadfiles[] = {{.path = "/app", .build_id = ""},
                                              {.path = "/a.so", .build_id = ""},
                                              {.path = "/b.so", .build_id = ""},
                                              {.path = "/lib/libc.so.6", .build_id = ""}};
static struct sampled_file files[4];
static struct profile_sampling sampling = {.stacks = 30, .stacks_cut = 4, .stacks_no_room = 5};

static void init(struct measurement *m, struct profile_stack *stacks, size_t count) {
  *m = (struct measurement){0};
  m->input.profile.env.executable = "/app";
  m->input.profile.loadfiles = loadfiles;
  m->input.profile.loadfile_count = 4;
  m->input.profile.stacks = stacks;
  m->input.profile.stack_count = count;
  m->input.profile.sampling = &sampling;
  m->input.profile.sampling_count = 1;
  for (size_t i = 0; i < 4; i++)
    files[i].file = &loadfiles[i];
  m->samples.files = files;
  m->samples.file_count = 4;
}

static const struct call_function *function(const struct call_tree *tree, const char *name) {
  for (size_t i = 0; i < tree->function_count; i++)
    if (strcmp(tree->functions[i].name, name) == 0)
      return &tree->functions[i];
  CHECK(false);
  return &tree->functions[0];
}

static void check(const struct call_tree *tree, size_t i, const char *name, size_t caller,
                  unsigned depth, uint64_t samples, uint64_t self) {
  CHECK_TEXT(tree->functions[tree->nodes[i].function].name, name);
  CHECK_EQUAL(tree->nodes[i].caller, caller);
  CHECK_EQUAL(tree->nodes[i].depth, depth);
  CHECK_EQUAL(tree->nodes[i].samples, samples);
  CHECK_EQUAL(tree->nodes[i].self_samples, self);
}

#define FRAME(CALLER, FILE, OFFSET, SAMPLES, NS)                                                   \
  {.caller = CALLER, .loadfile = FILE, .offset = OFFSET, .samples = SAMPLES, .time_ns = NS}

// libc > app > a > b > a, and app > b; another place of b is the same node.
static void test_tree(void) {
  struct profile_stack stacks[] = {FRAME(NONE, LIBC, 9, 0, 0), FRAME(0, APP, 1, 1, 10),
                                   FRAME(1, A, 1, 2, 20),      FRAME(2, B, 1, 3, 30),
                                   FRAME(3, A, 5, 4, 40),      FRAME(1, B, 2, 5, 50),
                                   FRAME(1, B, 3, 6, 60)};
  struct measurement m;
  struct call_tree tree;
  init(&m, stacks, 7);
  call_tree_read(&m, &tree);
  CHECK_EQUAL(tree.node_count, 6);
  check(&tree, 0, "[libc.so.6]", SIZE_MAX, 0, 21, 0);
  check(&tree, 1, "[app]", 0, 1, 21, 1);
  check(&tree, 2, "[b.so]", 1, 2, 11, 11); // most first
  check(&tree, 3, "[a.so]", 1, 2, 9, 2);
  check(&tree, 4, "[b.so]", 3, 3, 7, 3);
  check(&tree, 5, "[a.so]", 4, 4, 4, 4);
  CHECK_EQUAL(tree.nodes[1].last, 6);
  CHECK_EQUAL(tree.nodes[2].last, 3);
  CHECK_EQUAL(tree.depth, 5);
  CHECK_EQUAL(tree.samples, 21);
  CHECK_EQUAL(tree.complete, 21);
  CHECK_EQUAL(tree.cut, 0); // however the runtime had to stop: stacks begin at main
  CHECK_EQUAL(tree.no_room, 5);
  CHECK_EQUAL(function(&tree, "[a.so]")->samples, 9); // with what it called of itself, once
  CHECK_EQUAL(function(&tree, "[a.so]")->self_samples, 6);
  CHECK_EQUAL(function(&tree, "[b.so]")->samples, 18);
  CHECK_EQUAL(function(&tree, "[b.so]")->time_ns, 180);
  CHECK_EQUAL(function(&tree, "[app]")->kind, CALL_PROGRAM);
  CHECK_EQUAL(function(&tree, "[a.so]")->kind, CALL_LIBRARY);
  CHECK_TEXT(tree.functions[2].name, "[b.so]"); // libc and the program have all
  CHECK_EQUAL(tree.edge_count, 5);
  for (size_t i = 0; i < tree.edge_count; i++) {
    const struct call_edge *e = &tree.edges[i];
    if (strcmp(tree.functions[e->caller].name, "[app]") == 0)
      CHECK_EQUAL(e->samples, tree.functions[e->callee].name[1] == 'b' ? 11 : 9);
  }
  call_tree_release(&tree);
}

// What isn't known hangs below a name for it; a sample in the C library by itself has no caller.
static void test_ends(void) {
  struct profile_stack stacks[] = {FRAME(NONE, NONE, RETICLE_STACK_LOST, 1, 10),
                                   FRAME(0, A, 1, 2, 20),
                                   FRAME(NONE, NONE, RETICLE_STACK_CUT, 0, 0),
                                   FRAME(2, A, 1, 3, 30),
                                   FRAME(NONE, B, 1, 4, 40),
                                   FRAME(NONE, LIBC, 1, 5, 50),
                                   FRAME(0, LIBC, 9, 0, 0),
                                   FRAME(6, B, 1, 6, 60)};
  struct measurement m;
  struct call_tree tree;
  init(&m, stacks, 8);
  call_tree_read(&m, &tree);
  CHECK_EQUAL(tree.samples, 21);
  CHECK_EQUAL(tree.complete, 6); // behind libc, which main or a thread has called
  CHECK_EQUAL(tree.cut, 3);
  CHECK(!call_tree_is_sound(&tree));
  check(&tree, 0, "[unknown]", SIZE_MAX, 0, 12, 1);
  check(&tree, 1, "[libc.so.6]", 0, 1, 5, 5);
  check(&tree, 2, "[b.so]", 0, 1, 4, 4);
  check(&tree, 3, "[a.so]", 0, 1, 2, 2);
  check(&tree, 4, "[libc.so.6]", SIZE_MAX, 0, 6, 0);
  check(&tree, 5, "[b.so]", 4, 1, 6, 6);
  check(&tree, 6, "[deeper]", SIZE_MAX, 0, 3, 0);
  check(&tree, 7, "[a.so]", 6, 1, 3, 3);
  call_tree_release(&tree);
}

static void test_nothing(void) {
  struct measurement m;
  struct call_tree tree;
  init(&m, NULL, 0);
  call_tree_read(&m, &tree);
  CHECK_EQUAL(tree.node_count, 0);
  CHECK(!call_tree_is_sound(&tree));
  call_tree_release(&tree);
}

int main(void) {
  RUN(test_tree);
  RUN(test_ends);
  RUN(test_nothing);
  return unit_status();
}
