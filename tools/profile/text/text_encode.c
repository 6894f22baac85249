// text_encode.c - profile to text form.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/bytes.h"
#include "tools/profile/fields.h"
#include "tools/profile/text/text.h"

#include <inttypes.h>
#include <string.h>

static void add_text(struct bytes *out, const char *text) { bytes_add(out, text, strlen(text)); }

/// Quotes a text so that any byte survives and no terminal is driven by it.
static void add_quoted(struct bytes *out, const char *text) {
  add_text(out, "\"");
  for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
    if (*p == '"' || *p == '\\')
      bytes_print(out, "\\%c", *p);
    else if (*p == '\n')
      add_text(out, "\\n");
    else if (*p == '\t')
      add_text(out, "\\t");
    else if (*p < ' ' || *p >= 0x7f)
      bytes_print(out, "\\x%02x", *p);
    else
      bytes_add(out, p, 1);
  }
  add_text(out, "\"");
}

static void add_value(struct bytes *out, const struct profile_field *field, const void *record) {
  if (field->kind == PROFILE_KIND_STR) {
    add_quoted(out, profile_field_text(field, record));
    return;
  }
  uint64_t value = profile_field_number(field, record);
  if (value == profile_field_max(field))
    add_text(out, "max");
  else
    bytes_print(out, "%" PRIu64, value);
}

/// A record as lines "name value". Records that come once get unit and meaning as well.
static void add_record(struct bytes *out, enum profile_chunk which, const void *in) {
  const struct profile_record *record = profile_record_get(which);
  bytes_print(out, "\n[%s]\n", record->chunk);
  for (size_t k = 0; k < record->field_count; k++) {
    const struct profile_field *field = &record->fields[k];
    if (field->merge == MERGE_POSITION)
      continue;
    bytes_print(out, "%s ", field->name);
    add_value(out, field, in);
    if (record->place == PROFILE_PLACE_SINGLE) {
      add_text(out, "  # ");
      if (field->unit[0])
        bytes_print(out, "%s: ", field->unit);
      add_text(out, field->doc);
    }
    add_text(out, "\n");
  }
}

/// Records as rows below a line that names the columns; nothing when there are none.
static void add_rows(struct bytes *out, const char *keyword, enum profile_chunk which,
                     const void *in, uint64_t count) {
  const struct profile_record *record = profile_record_get(which);
  if (count == 0)
    return;
  add_text(out, keyword);
  for (size_t k = 0; k < record->field_count; k++)
    bytes_print(out, " %s", record->fields[k].name);
  bytes_print(out, "  # %" PRIu64 "\n", count);
  for (uint64_t i = 0; i < count; i++) {
    for (size_t k = 0; k < record->field_count; k++) {
      if (k)
        add_text(out, " ");
      add_value(out, &record->fields[k], (const char *)in + i * record->memory_bytes);
    }
    add_text(out, "\n");
  }
}

static void add_loops(struct bytes *out, const struct profile *profile) {
  for (size_t i = 0; i < profile->loop_count; i++) {
    const struct profile_loop *loop = &profile->loops[i];
    add_record(out, PROFILE_LOOPS, loop);
    add_rows(out, "hist", PROFILE_HIST, loop->hist, loop->hist_count);
    add_rows(out, "raw", PROFILE_SAMPLES, loop->raw, loop->raw_count);
  }
}

/// All records of a chunk, if the profile has an array of them.
static void add_array(struct bytes *out, const struct profile *profile, enum profile_chunk chunk) {
  const void *records;
  size_t count;
  if (chunk == PROFILE_LOOPS) {
    add_loops(out, profile);
  } else if (chunk == PROFILE_CHAIN) {
    if (profile->chain_count)
      add_text(out, "\n[chain]\n");
    add_rows(out, "timed", chunk, profile->chain, profile->chain_count);
  } else if (profile_array_get(profile, chunk, &records, &count)) {
    for (size_t i = 0; i < count; i++)
      add_record(out, chunk, (const char *)records + i * profile_record_get(chunk)->memory_bytes);
  }
}

int profile_text_encode(const struct profile *profile, char **text, size_t *count) {
  struct bytes out = {0};
  bytes_print(&out, "reticle-profile %u\n", RETICLE_FILE_VERSION);
  add_record(&out, PROFILE_ENV, &profile->env);
  for (int i = 0; i < PROFILE_CHUNKS; i++)
    add_array(&out, profile, (enum profile_chunk)i);
  add_record(&out, PROFILE_HEALTH, &profile->health);
  bytes_add(&out, "", 1);
  if (out.failed) {
    bytes_release(&out);
    return RETICLE_E_MEMORY;
  }
  *text = (char *)out.data;
  *count = out.count - 1;
  return 0;
}
