// unit_text.c - the text form: lossless, and exact about mistakes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/profile/example.h"
#include "tools/profile/file.h"

static void test_round_trip(void) {
  struct example example;
  example_init(&example);
  char *text = example_text(&example.profile);
  struct profile profile;
  struct profile_error error = {0};
  CHECK_EQUAL(profile_text_decode(text, strlen(text), "a.txt", &profile, &error), 0);
  CHECK_TEXT(error.text, "");
  CHECK(example_are_equal(&profile, &example.profile));
  // And the file made of it is the same, byte for byte.
  unsigned char *a, *b;
  size_t x, y;
  CHECK_EQUAL(profile_encode(&profile, "a", &a, &x, NULL), 0);
  CHECK_EQUAL(profile_encode(&example.profile, "b", &b, &y, NULL), 0);
  CHECK(x == y && memcmp(a, b, x) == 0);
  free(a);
  free(b);
  free(text);
  profile_release(&profile);
}

/// golden/NAME.txt and golden/NAME.prof are the same.
static void check_golden(const char *text_path, const char *file_path) {
  struct bytes text = {0}, file = {0};
  CHECK_EQUAL(file_read(text_path, &text, NULL), 0);
  CHECK_EQUAL(file_read(file_path, &file, NULL), 0);
  struct profile from_text, from_file;
  CHECK_EQUAL(profile_text_decode((const char *)text.data, text.count, "v1.txt", &from_text, NULL),
              0);
  CHECK_EQUAL(profile_decode(file.data, file.count, "v1.prof", &from_file, NULL), 0);
  CHECK(example_are_equal(&from_text, &from_file));
  // As files, too; larger than the golden one where records have grown since.
  unsigned char *bytes, *again;
  size_t count, again_count;
  CHECK_EQUAL(profile_encode(&from_text, "v1", &bytes, &count, NULL), 0);
  CHECK_EQUAL(profile_encode(&from_file, "v1", &again, &again_count, NULL), 0);
  CHECK(count >= file.count && count == again_count && memcmp(bytes, again, count) == 0);
  free(bytes);
  free(again);
  bytes_release(&text);
  bytes_release(&file);
  profile_release(&from_text);
  profile_release(&from_file);
}

static void test_golden(void) {
  check_golden(RETICLE_TEST_DIR "/golden/v1.txt", RETICLE_TEST_DIR "/golden/v1.prof");
  check_golden(RETICLE_TEST_DIR "/golden/v1_chain.txt", RETICLE_TEST_DIR "/golden/v1_chain.prof");
  check_golden(RETICLE_TEST_DIR "/golden/v1_blocks.txt", RETICLE_TEST_DIR "/golden/v1_blocks.prof");
  check_golden(RETICLE_TEST_DIR "/golden/v1_shadow.txt", RETICLE_TEST_DIR "/golden/v1_shadow.prof");
  check_golden(RETICLE_TEST_DIR "/golden/v1_processes.txt",
               RETICLE_TEST_DIR "/golden/v1_processes.prof");
  check_golden(RETICLE_TEST_DIR "/golden/v1_ranks.txt", RETICLE_TEST_DIR "/golden/v1_ranks.prof");
  check_golden(RETICLE_TEST_DIR "/golden/v1_waits.txt", RETICLE_TEST_DIR "/golden/v1_waits.prof");
}

/// Files from before records grew lack the new fields: they are 0 then.
static void test_grown(void) {
  struct bytes file = {0};
  struct profile profile;
  CHECK_EQUAL(file_read(RETICLE_TEST_DIR "/golden/v1_shadow_before.prof", &file, NULL), 0);
  CHECK_EQUAL(profile_decode(file.data, file.count, "v1.prof", &profile, NULL), 0);
  CHECK_EQUAL(profile.shadow_count, 1);
  CHECK_EQUAL(profile.shadow[0].detail, 0);
  CHECK_EQUAL(profile.siteword_count, 2);
  CHECK_EQUAL(profile.sitewords[0].heat, 28000);
  CHECK_EQUAL(profile.sitewords[0].reads, 0);
  CHECK_EQUAL(profile.sharedline_count, 0);
  bytes_release(&file);
  profile_release(&profile);
}

static void test_chain(void) {
  struct example example;
  struct profile_chain chain[2] = {{.duration_ticks = 798, .adds = 1024, .when = 5},
                                   {.duration_ticks = 5970, .adds = 8192, .thread = 1, .flags = 1}};
  example_init(&example);
  char *text = example_text(&example.profile);
  CHECK(!strstr(text, "[chain]"));
  free(text);
  example.profile.chain = chain;
  example.profile.chain_count = 2;
  text = example_text(&example.profile);
  CHECK_CONTAINS(text, "[chain]\ntimed duration_ticks adds when thread flags  # 2\n"
                       "798 1024 5 0 0\n5970 8192 0 1 1\n\n[health]");
  struct profile profile;
  CHECK_EQUAL(profile_text_decode(text, strlen(text), "a", &profile, NULL), 0);
  CHECK_EQUAL(profile.chain_count, 2);
  CHECK_EQUAL(profile.chain[1].flags, 1);
  CHECK(example_are_equal(&profile, &example.profile));
  profile_release(&profile);
  free(text);
}

static void test_addresses(void) {
  struct example example;
  struct profile_sampling sampling;
  struct profile_loadfile files[2];
  struct profile_address addresses[3];
  struct profile profile;
  struct profile_error error;
  example_init(&example);
  example_init_addresses(&example.profile, &sampling, files, addresses);
  char *text = example_text(&example.profile);
  CHECK_CONTAINS(text, "\n[sampling]\nengine 1");
  CHECK_CONTAINS(text, "\n[addresses]\nloadfile 1\nreserved 0\noffset 64\nsamples 2");
  CHECK_EQUAL(profile_text_decode(text, strlen(text), "a", &profile, NULL), 0);
  CHECK(example_are_equal(&profile, &example.profile));
  profile_release(&profile);
  free(text);
  // A load file that isn't there, in both forms.
  addresses[2].loadfile = 2;
  text = example_text(&example.profile);
  CHECK_EQUAL(profile_text_decode(text, strlen(text), "a", &profile, &error), RETICLE_E_SYNTAX);
  CHECK_CONTAINS(error.text, "address 3 of [addresses] has load file 2 of 2");
  free(text);
  unsigned char *bytes;
  size_t count;
  CHECK_EQUAL(profile_encode(&example.profile, "a", &bytes, &count, NULL), 0);
  CHECK_EQUAL(profile_decode(bytes, count, "a", &profile, &error), RETICLE_E_DAMAGED);
  CHECK_CONTAINS(error.text, "load file 2 but chunk 'loadfiles' has 2");
  free(bytes);
}

static void test_blocks(void) {
  struct example example;
  struct profile_block blocks[2];
  example_init(&example);
  example_init_blocks(&example.profile, blocks);
  char *text = example_text(&example.profile);
  CHECK_CONTAINS(text, "\n[blocks]\nloop 81985529216486895");
  CHECK_CONTAINS(text, "\ncycles max\n");
  struct profile profile;
  CHECK_EQUAL(profile_text_decode(text, strlen(text), "a", &profile, NULL), 0);
  CHECK_EQUAL(profile.block_count, 2);
  CHECK(example_are_equal(&profile, &example.profile));
  profile_release(&profile);
  free(text);
  unsigned char *bytes;
  size_t count;
  CHECK_EQUAL(profile_encode(&example.profile, "a", &bytes, &count, NULL), 0);
  CHECK_EQUAL(profile_decode(bytes, count, "a", &profile, NULL), 0);
  CHECK_EQUAL(profile.block_count, 2);
  CHECK_TEXT(profile.blocks[0].code, "480fafc0");
  CHECK_EQUAL(profile.blocks[1].cycles, UINT64_MAX);
  CHECK(example_are_equal(&profile, &example.profile));
  profile_release(&profile);
  free(bytes);
}

static void test_looks(void) {
  struct example example;
  example_init(&example);
  char *text = example_text(&example.profile);
  CHECK_CONTAINS(text, "reticle-profile 1\n");
  CHECK_CONTAINS(text, "\n[env]\nstart_time_s 1700000000  # s: wall-clock time of the start");
  CHECK_CONTAINS(text, "executable \"/home/u/b\\xc3\\xb6ok \\\"x\\\"\\\\\"");
  CHECK_CONTAINS(text, "arguments \"./book -n\\t3\"");
  CHECK_CONTAINS(text, "pmu_errno max");
  CHECK_CONTAINS(text, "hist bucket samples weight  # 2\n8 1 10\n40 2 20\n");
  CHECK_CONTAINS(text, "raw duration_ticks work when weight thread flags  # 1\n9 max 1 1 0 0\n");
  free(text);
}

static void test_random(void) {
  uint64_t state = 7;
  for (int round = 0; round < 200; round++) {
    struct example example;
    example_init(&example);
    for (size_t i = 0; i < 3; i++) {
      example.loops[i].executions = unit_random(&state);
      example.loops[i].line = (uint32_t)unit_random(&state);
    }
    char name[20];
    for (size_t i = 0; i + 1 < sizeof name; i++)
      name[i] = (char)(1 + unit_random(&state) % 255); // any byte but 0
    name[sizeof name - 1] = 0;
    example.loops[1].function = name;
    char *text = example_text(&example.profile);
    struct profile profile = {0};
    CHECK_EQUAL(profile_text_decode(text, strlen(text), "a.txt", &profile, NULL), 0);
    CHECK(profile.loop_count == 3 && strcmp(profile.loops[1].function, name) == 0);
    CHECK(example_are_equal(&profile, &example.profile));
    profile_release(&profile);
    free(text);
  }
}

/// Replaces `from` by `to` in the example's text and expects the message.
static void expect(const char *from, const char *to, const char *message) {
  struct example example;
  example_init(&example);
  char *text = example_text(&example.profile), *place = strstr(text, from);
  if (!place) {
    UNIT_FAIL("no '%s' in the text", from);
    free(text);
    return;
  }
  char *changed = unit_need(malloc(strlen(text) + strlen(to) + 1));
  size_t before = (size_t)(place - text);
  memcpy(changed, text, before);
  strcpy(changed + before, to);
  strcat(changed, place + strlen(from));
  struct profile profile = {.version = 77};
  struct profile_error error = {0};
  CHECK(profile_text_decode(changed, strlen(changed), "a.txt", &profile, &error) < 0);
  CHECK_CONTAINS(error.text, message);
  CHECK_EQUAL(profile.version, 77);
  free(changed);
  free(text);
}

static void test_mistakes(void) {
  expect("reticle-profile 1", "profile 1", "a.txt:1: expected 'reticle-profile 1'");
  expect("reticle-profile 1", "reticle-profile 2", "format version 2 but this reticle");
  expect("[env]", "[envy]", "a.txt:3: expected [env], [objects]");
  expect("cpu_ns 900000000", "cpu_ns x", "a.txt:6: 'cpu_ns' needs a number from 0 to");
  expect("cpu_ns 900000000", "cpu_ns", "a.txt:6: 'cpu_ns' needs a number");
  expect("cpu_ns 900000000", "cpu_ns 1 2", "a.txt:6: the line should end before '2'");
  expect("cpu_ns 900000000", "cpu_us 1", "a.txt:6: 'cpu_us' is no field of [env]");
  expect("cpu_ns 900000000", "elapsed_ticks 1", "a.txt:6: 'elapsed_ticks' comes twice");
  expect("cpu_ns 900000000", "# gone", "lacks 'cpu_ns'");
  expect("cpu_ns 900000000", "cpu_ns 18446744073709551616", "'cpu_ns' needs a number");
  expect("cpu_count 2", "cpu_count 4294967296", "needs a number from 0 to 4294967295");
  expect("host \"host\"", "host host", "'host' needs a text in quotes");
  expect("host \"host\"", "host \"host", "'host' needs a closing quote");
  expect("host \"host\"", "host \"\\x00\"", "'host' has something else than");
  expect("host \"host\"", "host \"\\q\"", "'host' has something else than");
  expect("40 2 20", "8 2 20", "buckets must ascend");
  expect("40 2 20", "496 2 20", "buckets must ascend and be below 496");
  expect("40 2 20", "40 2", "'weight' needs a number");
  expect("hist bucket samples weight", "hist bucket samples", "lacks 'weight'");
  expect("hist bucket samples weight", "hist bucket samples weight bucket", "comes twice");
  expect("object 1", "object 2", "loop 3 of [loops] has object 2 of 2");
  expect("object 1", "hist_first 0", "'hist_first' is no field");
  expect("[health]", "[env]", "[env] comes twice");
}

static void test_freedoms(void) {
  // Order of fields and columns, blanks, comments, hexadecimal numbers, no newline at the end.
  const char *raw = "raw work weight thread flags when duration_ticks\n0x64 10 0 0 5 600\n";
  struct example example;
  example_init(&example);
  example.loops[0].raw_count = 1;
  char *text = example_text(&example.profile);
  char *place = strstr(text, "raw duration_ticks");
  char *rest = place ? strstr(place, "\n[loops]") : NULL;
  CHECK(rest != NULL);
  char *changed = unit_need(malloc(strlen(text) + strlen(raw) + 100));
  *changed = 0;
  strcat(changed, "  # a comment\n\n");
  strncat(changed, text, (size_t)(place - text));
  strcat(changed, raw);
  strcat(changed, rest);
  changed[strlen(changed) - 1] = 0;
  struct profile profile = {0};
  struct profile_error error = {0};
  CHECK_EQUAL(profile_text_decode(changed, strlen(changed), "a.txt", &profile, &error), 0);
  CHECK_TEXT(error.text, "");
  CHECK(example_are_equal(&profile, &example.profile));
  profile_release(&profile);
  free(changed);
  free(text);
}

int main(void) {
  RUN(test_round_trip);
  RUN(test_golden);
  RUN(test_grown);
  RUN(test_chain);
  RUN(test_blocks);
  RUN(test_addresses);
  RUN(test_looks);
  RUN(test_random);
  RUN(test_mistakes);
  RUN(test_freedoms);
  return unit_status();
}
