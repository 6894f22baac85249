// unit_fleet.c - URLs taken apart, without passwords; rows as COPY has them; arrays read back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/fleet/fleet_parts.h"
#include "tools/store/fleet_names.h"

static void test_url(void) {
  struct postgres_url url;
  CHECK(postgres_url_is("postgresql://x") && postgres_url_is("postgres:///x"));
  CHECK(!postgres_url_is("postgresql:x") && !postgres_url_is("a/postgresql://x"));
  CHECK(postgres_url_parse("ranks",
                           "postgresql://u@h:1/d?sslmode=require#program=a b,commit=%2C%25,last=3",
                           &url, NULL));
  CHECK(strcmp(url.url, "postgresql://u@h:1/d?sslmode=require") == 0);
  CHECK(strcmp(url.chosen[CHOSEN_PROGRAM], "a b") == 0);
  CHECK(strcmp(url.chosen[CHOSEN_COMMIT], ",%") == 0);
  CHECK(strcmp(url.chosen[CHOSEN_LAST], "3") == 0);
  CHECK(!url.chosen[CHOSEN_RUN]);
  postgres_url_release(&url);
  // Escapes that are cut stay as they are.
  CHECK(postgres_url_parse("ranks", "postgresql:///d#label=%,host=%4,job=%zz", &url, NULL));
  CHECK(strcmp(url.chosen[CHOSEN_LABEL], "%") == 0 && strcmp(url.chosen[CHOSEN_HOST], "%4") == 0);
  CHECK(strcmp(url.chosen[CHOSEN_JOB], "%zz") == 0);
  postgres_url_release(&url);
  CHECK(postgres_url_parse("ranks", "postgresql:///d#", &url, NULL));
  postgres_url_release(&url);
  static const char *const wrong[] = {"postgresql:///d#last=0",  "postgresql:///d#last=-1",
                                      "postgresql:///d#last=2x", "postgresql:///d#name=1",
                                      "postgresql:///d#run",     "postgresql:///d#run=1,,x"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK(!postgres_url_parse("ranks", wrong[i], &url, NULL));
    postgres_url_release(&url);
  }
}

static void test_password(void) {
  // What libpq would take as one, and what it would not as something wasn't escaped.
  static const char *const urls[] = {
      "postgresql://u:secret@h/d",   "postgresql://u:secret@/d?host=/x",
      "postgresql://u:a%20secret@h", "postgresql:///d?user=u&password=secret&x=1",
      "postgresql://u:s?secret@h/d", "postgresql://u:s/secret@h/d",
      "postgresql://u:@secret@h/d",  "postgresql://u:secret@h/d?password=secret"};
  for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
    struct postgres_url url;
    CHECK(postgres_url_parse("push", urls[i], &url, NULL));
    CHECK(!strstr(url.shown, "secret") && strstr(url.shown, "***"));
    CHECK(strcmp(url.url, urls[i]) == 0);
    char *password = postgres_url_password(urls[i]);
    CHECK(password && strstr(password, "secret"));
    char *without = postgres_url_without("no secret here: a secret", "secret");
    CHECK(strcmp(without, "no *** here: a ***") == 0);
    free(without);
    free(password);
    postgres_url_release(&url);
    char argument[100], command[] = "push";
    char *argv[] = {command, argument, NULL};
    snprintf(argument, sizeof argument, "%s", urls[i]);
    postgres_url_hide_all(2, argv);
    CHECK(!strstr(argument, "secret") && strcmp(argv[1], urls[i]) == 0);
    CHECK_EQUAL(strlen(argument), strlen(urls[i]));
    free(argv[1]);
  }
  CHECK(!postgres_url_password("postgresql://u@h:5432/d"));
  char *as_it_was = postgres_url_without("text", NULL);
  CHECK(strcmp(as_it_was, "text") == 0);
  free(as_it_was);
}

static void test_rows(void) {
  struct fleet_run run = {0};
  fleet_value_text(&run, FLEET_LOOPS, "a\tb\nc\rd\\N");
  fleet_value_text(&run, FLEET_LOOPS, NULL);
  fleet_value_text(&run, FLEET_LOOPS, "");
  fleet_value_count(&run, FLEET_LOOPS, UINT64_MAX);
  fleet_value_known(&run, FLEET_LOOPS, 7, 7);
  fleet_value_number(&run, FLEET_LOOPS, NAN);
  fleet_value_number(&run, FLEET_LOOPS, 0.1);
  fleet_row_end(&run, FLEET_LOOPS);
  CHECK(
      strcmp(text_get(&run.rows[FLEET_LOOPS]),
             "\ta\\tb\\nc\\rd\\\\N\t\\N\t\t9223372036854775807\t\\N\t\\N\t0.10000000000000001\n") ==
      0);
  CHECK(!run.rows[FLEET_LEVELS].length);
  fleet_run_set(&run, "program", "x\"y\\z{,}", 0);
  fleet_run_set(&run, "commit", NULL, 0);
  fleet_run_set(&run, "host", "\xc3\xa4\xc3\xb6\xc3\xbc", 2);
  CHECK(strcmp(text_get(&run.names), "{\"program\",\"commit\",\"host\"") == 0);
  CHECK(strcmp(text_get(&run.values), "{\"x\\\"y\\\\z{,}\",NULL,\"\xc3\xa4\xc3\xb6\"") == 0);
  fleet_run_release(&run);
}

static void test_clean(void) {
  // A byte alone, an overlong slash, a surrogate, a cut character: each byte becomes U+FFFD.
  static const struct {
    const char *in;
    size_t replaced;
  } cases[] = {{"\xff", 1},     {"\xc0\xaf", 2}, {"\xed\xa0\x80", 3},
               {"\xe2\x82", 2}, {"plain", 0},    {"\xf0\x9f\x98\x80", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct text out = {0};
    fleet_add_clean(&out, cases[i].in, 0);
    size_t found = 0;
    for (const char *at = text_get(&out); (at = strstr(at, "\xef\xbf\xbd")); at += 3)
      found++;
    CHECK_EQUAL(found, cases[i].replaced);
    text_release(&out);
  }
}

static void test_names(void) {
  struct text arrays[FLEET_NAME_ARRAYS] = {{0}};
  const struct fleet_loop loop = {
      UINT64_C(0x8000000000000001), "f", "_Zf", "", "a.c", 8, 3, 1, 7, 2};
  fleet_names_add(&loop, arrays);
  fleet_names_add(&loop, arrays);
  CHECK(strcmp(text_get(&arrays[0]), "{\"f\",\"f\"") == 0);
  CHECK(strcmp(text_get(&arrays[4]), "{-9223372036854775807,-9223372036854775807") == 0);
  CHECK(strcmp(text_get(&arrays[9]), "{2,2") == 0);
  for (size_t i = 0; i < FLEET_NAME_ARRAYS; i++)
    text_release(&arrays[i]);
}

static void test_arrays(void) {
  struct fleet_array array = {"{1,NULL,-2.5e3}"};
  CHECK(fleet_array_goes_on(&array));
  CHECK_EQUAL(fleet_array_number(&array), 1);
  CHECK(isnan(fleet_array_number(&array)));
  CHECK_EQUAL(fleet_array_number(&array), -2500);
  CHECK(!fleet_array_goes_on(&array) && isnan(fleet_array_number(&array)));
  struct fleet_array counts = {"{18446744073709551615,7}"};
  CHECK(fleet_array_count(&counts) == UINT64_MAX);
  CHECK_EQUAL(fleet_array_count(&counts), 7);
  CHECK_EQUAL(fleet_array_count(&counts), 0);
  struct fleet_array none = {"{}"}, no = {""};
  CHECK(!fleet_array_goes_on(&none) && !fleet_array_goes_on(&no));
}

int main(void) {
  RUN(test_url);
  RUN(test_password);
  RUN(test_rows);
  RUN(test_clean);
  RUN(test_names);
  RUN(test_arrays);
  return unit_status();
}
