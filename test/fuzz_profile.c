// fuzz_profile.c - fuzz target: any bytes become a profile, which survives all tools, or an error.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop.h"
#include "tools/analysis/struct/visits.h"
#include "tools/profile/merge/merge.h"
#include "tools/profile/profile.h"
#include "tools/profile/text/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Stops where a profile that was read cannot be written and read again.
static void must(int is_true) {
  if (!is_true)
    abort();
}

static void analyse(const struct profile *profile) {
  struct timing_floor floor;
  struct control control;
  floor_from_env(&profile->env, &floor);
  control_init(profile, &control);
  for (size_t i = 0; i < profile->loop_count; i++) {
    struct loop_stats stats = loop_analyse(&profile->loops[i], &profile->env, &floor, &control);
    must(stats.reason != NULL && loop_verdict_name(stats.verdict) != NULL);
  }
  control_release(&control);
}

/// Visits of each struct decode, or end where they are damaged.
static void replay(const struct profile *profile) {
  for (size_t i = 0; i < profile->struct_count && i < 8; i++) {
    struct visits visits;
    visits_make(profile, &profile->structs[i], &visits);
    must(visits.element_count <= visits.count);
    for (size_t k = 0; k < visits.count; k++)
      must(visits.all[k].place < visits.place_count);
    visits_release(&visits);
  }
}

/// The text form gives back the same profile.
static void check_text(const struct profile *profile) {
  char *text, *again;
  size_t count, again_count;
  struct profile copy;
  struct profile_error error;
  must(profile_text_encode(profile, &text, &count) == 0);
  must(profile_text_decode(text, count, "text", &copy, &error) == 0);
  must(profile_text_encode(&copy, &again, &again_count) == 0);
  must(count == again_count && memcmp(text, again, count) == 0);
  free(text);
  free(again);
  profile_release(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct profile profile;
  struct profile_error error;
  if (profile_decode(data, size, "input", &profile, &error)) {
    must(error.code < 0 && error.text[0]);
    // What is no profile may be the text form of one.
    if (profile_text_decode((const char *)data, size, "input", &profile, &error)) {
      must(error.code < 0 && error.text[0]);
      return 0;
    }
  }
  check_text(&profile);
  const struct profile *twice[] = {&profile, &profile};
  struct profile merged;
  must(profile_merge(twice, 2, &merged, &error) == 0);
  analyse(&profile);
  analyse(&merged);
  replay(&profile);
  replay(&merged);
  profile_release(&merged);

  unsigned char *bytes;
  size_t count;
  must(profile_encode(&profile, "output", &bytes, &count, &error) == 0);
  profile_release(&profile);
  must(profile_decode(bytes, count, "output", &profile, &error) == 0);
  free(bytes);
  profile_release(&profile);
  return 0;
}
