// unit_layout_source.c - a struct read from its source, put into another order, and a diff.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/rewrite/layout_units.h"
#include "tools/rewrite/source_diff.h"

/// A struct of fields with these names, each an item; "a/b" is a union.
struct described {
  struct profile_member members[16];
  struct advice_item items[16];
  struct layout_item layout_items[16];
  struct field_use fields[16];
  struct profile_struct record;
  struct struct_use use;
  struct struct_advice advice;
};

static void describe(const char *const *names, struct described *d) {
  *d = (struct described){.record = {.name = "s", .line = 1}};
  size_t count = 0;
  for (; names[count]; count++) {
    d->members[count] = (struct profile_member){.name = names[count], .type = "int"};
    d->items[count] = (struct advice_item){&d->members[count], 1};
    d->layout_items[count] = (struct layout_item){4, 4, false};
    d->fields[count].member = &d->members[count];
  }
  d->use = (struct struct_use){.record = &d->record, .fields = d->fields, .field_count = count};
  d->advice = (struct struct_advice){.use = &d->use, .items = d->items, .item_count = count};
  d->advice.layout_items = d->layout_items;
  d->advice.problem = (struct layout_problem){.items = d->layout_items, .item_count = count};
}

/// The source in the order, or the reason why not.
static const char *reorder(const char *source, const char *const *names, const size_t *order) {
  static char result[1024];
  struct described d;
  struct source_tokens tokens;
  struct layout_body body;
  struct layout_units units = {0};
  struct text out = {0};
  const char *fields[16];
  describe(names, &d);
  for (size_t i = 0; i < d.use.field_count; i++)
    fields[i] = names[i];
  struct layout_wanted wanted = {"s", 1, fields, d.use.field_count, false};
  source_tokens_read(source, strlen(source), &tokens);
  layout_body_read(&tokens, &wanted, &body);
  if (!body.problem.length)
    layout_units_match(&body, &tokens, &d.advice, &units);
  if (!body.problem.length && !units.problem.length)
    layout_units_order(&body, &tokens, &d.advice, order, &units);
  if (body.problem.length || units.problem.length)
    text_format(&out, "%s%s", text_get(&body.problem), text_get(&units.problem));
  else
    layout_units_add(&body, &tokens, &units, &out);
  snprintf(result, sizeof result, "%s", text_get(&out));
  text_release(&out);
  layout_units_release(&units);
  layout_body_release(&body);
  source_tokens_release(&tokens);
  return result;
}

static const char *const abc[] = {"a", "b", "c", NULL};
static const size_t cab[] = {2, 0, 1};

static void test_orders(void) {
  CHECK_TEXT(
      reorder("struct s {\n  int a; // one\n  /* two */\n  int b;\n\n  int c;\n};\n", abc, cab),
      "\n  int c;\n  int a; // one\n\n  /* two */\n  int b;\n");
  CHECK_TEXT(reorder("struct s {\n  int a, *b, c[3];\n};\n", abc, cab),
             "\n  int c[3];\n  int a;\n  int *b;\n");
  CHECK_TEXT(reorder("struct s { int a; int b; int c; };", abc, cab),
             "\n  int c;\n  int a;\n  int b; ");
  CHECK_TEXT(reorder("struct s {\n  int (*a)(int, int);\n  unsigned long b __attribute__((x));\n"
                     "  struct t { int u, v; } c;\n};\n",
                     abc, cab),
             "\n  struct t { int u, v; } c;\n  int (*a)(int, int);\n"
             "  unsigned long b __attribute__((x));\n");
}

static void test_kept_together(void) {
  // c goes in front; a and b are one.
  CHECK_TEXT(
      reorder("struct s {\n#if X\n  int a;\n  int b;\n#else\n  int z;\n#endif\n  int c;\n};\n", abc,
              cab),
      "\n  int c;\n#if X\n  int a;\n  int b;\n#else\n  int z;\n#endif\n");
  CHECK_TEXT(reorder("struct s {\n  BOTH;\n  int c;\n};\n", abc, cab), "\n  int c;\n  BOTH;\n");
  static const char *const united[] = {"a/b", "c", "d", NULL};
  static const size_t last_first[] = {2, 1, 0};
  CHECK_TEXT(
      reorder("struct s {\n  union {\n    int a, b;\n  };\n  int c, d;\n};\n", united, last_first),
      "\n  int d;\n  int c;\n  union {\n    int a, b;\n  };\n");
}

static void test_refused(void) {
  CHECK(strstr(reorder("struct s {\n  int a;\n  int x;\n  int c;\n};\n", abc, cab),
               "line 3: the source has 'x' where the program that ran has 'b'"));
  CHECK(strstr(reorder("struct s {\n  int a;\n  int b;\n};\n", abc, cab),
               "the program that ran has a field 'c'"));
  CHECK(strstr(reorder("struct s {\n  ONE;\n  TWO;\n  int c;\n};\n", abc, cab), "side by side"));
  CHECK(strstr(reorder("struct s {\n  int\n#if X\n  a;\n#endif\n  int b, c;\n};\n", abc, cab),
               "stands inside of a declaration"));
  CHECK(strstr(reorder("struct s {\n  int a;\n  enum { N } b;\n  int c[N];\n};\n", abc, cab),
               "needs what line 3 declares"));
  CHECK(strstr(reorder("struct s BODY\n", abc, cab), "no definition of 's'"));
  CHECK(strstr(reorder("struct s {\n  int a; \"", abc, cab), "no definition of 's'"));
}

static void test_diff(void) {
  struct source_edits edits = {0};
  struct text out = {0};
  const char *old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12";
  source_edits_add(&edits, 22, 25, "z"); // from the last digit of 11 to the first of 12
  source_edits_add(&edits, 2, 4, "a\nb\n");
  source_diff_add("f", old, strlen(old), &edits, &out);
  CHECK_TEXT(text_get(&out),
             "--- a/f\n+++ b/f\n@@ -1,5 +1,6 @@\n 1\n-2\n+a\n+b\n 3\n 4\n 5\n"
             "@@ -8,5 +9,4 @@\n 8\n 9\n 10\n-11\n-12\n\\ No newline at end of file\n"
             "+1z2\n\\ No newline at end of file\n");
  text_release(&out);
  source_edits_release(&edits);
}

int main(void) {
  RUN(test_orders);
  RUN(test_kept_together);
  RUN(test_refused);
  RUN(test_diff);
  return unit_status();
}
