// text_decode.c - text form to profile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/fields.h"
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge_stacks.h"
#include "tools/profile/text/text.h"
#include "tools/profile/text/text_lines.h"

#include "include/reticle/hist.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  struct text_lines lines;
  struct profile profile;              ///< owns texts; its arrays are set at the end
  struct bytes arrays[PROFILE_CHUNKS]; ///< records so far, single ones included
  struct bytes scratch;
};

static int no_memory(struct reader *reader) {
  return profile_fail(reader->lines.error, RETICLE_E_MEMORY, "%s: no memory", reader->lines.name);
}

/// Reads a field's value and writes it into the record.
static int read_value(struct reader *reader, const struct profile_field *field, void *record) {
  if (field->kind == PROFILE_KIND_STR) {
    reader->scratch.count = 0;
    int result = text_lines_quoted(&reader->lines, field->name, &reader->scratch);
    if (result)
      return result;
    // The scratch has no data yet when the first text is empty.
    const char *bytes = reader->scratch.count ? (const char *)reader->scratch.data : "";
    const char *text = profile_copy_text(&reader->profile, bytes, reader->scratch.count);
    if (!text)
      return no_memory(reader);
    profile_field_set_text(field, record, text);
    return 0;
  }
  struct text_word word = text_lines_word(&reader->lines);
  uint64_t value, max = profile_field_max(field);
  if (!text_word_number(word, max, &value))
    return text_lines_fail(&reader->lines, "'%s' needs a number from 0 to %" PRIu64 ", not '%.*s'",
                           field->name, max, TEXT_WORD_ARGUMENTS(word));
  profile_field_set_number(field, record, value);
  return 0;
}

/// Texts from before a field was appended lack it, as files do: it is 0 then.
static bool may_lack(const struct profile_record *record, const struct profile_field *field) {
  return field->merge == MERGE_POSITION ||
         (field->file_offset >= record->least_bytes && field->kind != PROFILE_KIND_STR);
}

static int check_complete(struct reader *reader, const struct profile_record *record,
                          const bool *seen) {
  for (size_t k = 0; k < record->field_count; k++)
    if (!seen[k] && !may_lack(record, &record->fields[k]))
      return text_lines_fail(&reader->lines, "the record of [%s] that ends here lacks '%s'",
                             record->chunk, record->fields[k].name);
  return 0;
}

/// Reads the column names of rows. columns: [PROFILE_FIELDS_MAX] gets positions of fields.
static int read_columns(struct reader *reader, const struct profile_record *record,
                        size_t *columns) {
  bool seen[PROFILE_FIELDS_MAX] = {0};
  size_t count = 0;
  while (text_lines_has_word(&reader->lines)) {
    struct text_word word = text_lines_word(&reader->lines);
    size_t k = profile_field_find(record, word.start, word.count);
    if (k == record->field_count || seen[k])
      return text_lines_fail(&reader->lines, "'%.*s' is no column of %s, or comes twice",
                             TEXT_WORD_ARGUMENTS(word), record->chunk);
    seen[k] = true;
    columns[count++] = k;
  }
  return check_complete(reader, record, seen);
}

/// Reads rows until a line that does not start with a digit or `max`; that line becomes current.
static int read_rows(struct reader *reader, enum profile_chunk which, uint64_t *count, bool *more) {
  const struct profile_record *record = profile_record_get(which);
  size_t columns[PROFILE_FIELDS_MAX];
  int result = read_columns(reader, record, columns);
  while (result == 0 && (*more = text_lines_next(&reader->lines))) {
    const char *at = reader->lines.at;
    bool is_max = reader->lines.line_end - at >= 4 && memcmp(at, "max ", 4) == 0;
    if (!is_max && (*at < '0' || *at > '9'))
      break;
    void *row = bytes_extend(&reader->arrays[which], record->memory_bytes);
    if (!row)
      return no_memory(reader);
    ++*count;
    for (size_t i = 0; result == 0 && i < record->field_count; i++)
      result = read_value(reader, &record->fields[columns[i]], row);
    if (result == 0)
      result = text_lines_end(&reader->lines);
  }
  return result;
}

static int check_hist(struct reader *reader, const struct profile_loop *loop) {
  if (loop->hist_count == 0)
    return 0;
  const struct profile_hist *hist =
      (const struct profile_hist *)reader->arrays[PROFILE_HIST].data + loop->hist_first;
  for (uint32_t i = 0; i < loop->hist_count; i++)
    if (hist[i].bucket >= RETICLE_HIST_BUCKETS || (i && hist[i].bucket <= hist[i - 1].bucket))
      return text_lines_fail(&reader->lines,
                             "hist above: buckets must ascend and be below %u, not %u",
                             RETICLE_HIST_BUCKETS, hist[i].bucket);
  return 0;
}

/// Reads the rows of the loop under work. Sets *is_rows false when the line does not start rows.
static int read_loop_rows(struct reader *reader, struct text_word word, struct profile_loop *loop,
                          bool *is_rows, bool *more) {
  uint64_t count = 0;
  *is_rows = true;
  if (text_word_is(word, "raw") && loop->raw_count == 0) {
    loop->raw_first = reader->arrays[PROFILE_SAMPLES].count / sizeof(struct profile_sample);
    int result = read_rows(reader, PROFILE_SAMPLES, &count, more);
    loop->raw_count = count;
    return result;
  }
  if (text_word_is(word, "hist") && loop->hist_count == 0) {
    loop->hist_first = reader->arrays[PROFILE_HIST].count / sizeof(struct profile_hist);
    int result = read_rows(reader, PROFILE_HIST, &count, more);
    loop->hist_count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    return result ? result : check_hist(reader, loop);
  }
  *is_rows = false;
  return 0;
}

/// Reads a record up to the next header or the end. The current line is the header, already read;
/// afterwards the next header, unless *more is false.
static int read_record(struct reader *reader, enum profile_chunk which, void *into, bool *more) {
  const struct profile_record *record = profile_record_get(which);
  bool seen[PROFILE_FIELDS_MAX] = {0};
  *more = text_lines_next(&reader->lines);
  while (*more && *reader->lines.at != '[') {
    struct text_word word = text_lines_word(&reader->lines);
    if (which == PROFILE_LOOPS) {
      bool is_rows;
      int result = read_loop_rows(reader, word, into, &is_rows, more);
      if (result)
        return result;
      if (is_rows)
        continue; // the rows ended at a line that is now current
    }
    size_t k = profile_field_find(record, word.start, word.count);
    if (k == record->field_count || record->fields[k].merge == MERGE_POSITION)
      return text_lines_fail(&reader->lines, "'%.*s' is no field of [%s]",
                             TEXT_WORD_ARGUMENTS(word), record->chunk);
    if (seen[k])
      return text_lines_fail(&reader->lines, "'%s' comes twice in this record of [%s]",
                             record->fields[k].name, record->chunk);
    seen[k] = true;
    int result = read_value(reader, &record->fields[k], into);
    if (result == 0)
      result = text_lines_end(&reader->lines);
    if (result)
      return result;
    *more = text_lines_next(&reader->lines);
  }
  return check_complete(reader, record, seen);
}

/// Which chunk's record the header in the current line starts.
static int read_header(struct reader *reader, enum profile_chunk *which) {
  struct text_word word = text_lines_word(&reader->lines);
  for (int i = 0; i < PROFILE_CHUNKS; i++) {
    const char *name = profile_record_get((enum profile_chunk)i)->chunk;
    bool has_header = i != PROFILE_HIST && i != PROFILE_SAMPLES;
    if (has_header && word.count == strlen(name) + 2 && word.start[0] == '[' &&
        word.start[word.count - 1] == ']' && memcmp(word.start + 1, name, word.count - 2) == 0) {
      *which = (enum profile_chunk)i;
      return text_lines_end(&reader->lines);
    }
  }
  return text_lines_fail(
      &reader->lines,
      "expected [env], [objects], [modules], [loops], [structs], [members], [accesses], "
      "[fieldunits], [counts], [chain], [blocks], [topdown], [account], [pressure], "
      "[facts], [epochs], [sampling], [loadfiles], [addresses], [stacks], [shadow], [sites], "
      "[siteframes], "
      "[sitewords], [shadowunits], "
      "[sharedlines], [pointers], "
      "[visitsites], [visitwindows], [visits], "
      "[trials], [trialloops], [ranks], [waitsources], [waits], [waitpeers], [arrivals], "
      "[processes] or [health], not "
      "'%.*s'",
      TEXT_WORD_ARGUMENTS(word));
}

/// Reads the rows below [chain], which has no fields of its own.
static int read_chain(struct reader *reader, bool *more) {
  uint64_t unused = 0;
  if (!text_lines_next(&reader->lines) || !text_word_is(text_lines_word(&reader->lines), "timed"))
    return text_lines_fail(&reader->lines, "expected 'timed' and column names below [chain]");
  return read_rows(reader, PROFILE_CHAIN, &unused, more);
}

static int read_version(struct reader *reader) {
  uint64_t version;
  if (!text_lines_next(&reader->lines) ||
      !text_word_is(text_lines_word(&reader->lines), "reticle-profile") ||
      !text_word_number(text_lines_word(&reader->lines), UINT32_MAX, &version))
    return text_lines_fail(&reader->lines, "expected 'reticle-profile %u' at the start",
                           RETICLE_FILE_VERSION);
  if (version == 0 || version > RETICLE_FILE_VERSION)
    return profile_fail(reader->lines.error, RETICLE_E_VERSION,
                        "%s: format version %" PRIu64 " but this reticle %s reads up to %u",
                        reader->lines.name, version, RETICLE_VERSION, RETICLE_FILE_VERSION);
  reader->profile.version = (uint32_t)version;
  return text_lines_end(&reader->lines);
}

static int read_all(struct reader *reader) {
  int result = read_version(reader);
  bool more = result == 0 && text_lines_next(&reader->lines);
  while (result == 0 && more) {
    enum profile_chunk which;
    result = read_header(reader, &which);
    if (result)
      break;
    if (which == PROFILE_CHAIN) {
      if (reader->arrays[which].count)
        return text_lines_fail(&reader->lines, "[chain] comes twice");
      result = read_chain(reader, &more);
      continue;
    }
    const struct profile_record *record = profile_record_get(which);
    if (record->place == PROFILE_PLACE_SINGLE && reader->arrays[which].count)
      return text_lines_fail(&reader->lines, "[%s] comes twice", record->chunk);
    _Alignas(16) char room[sizeof(struct profile_env) + sizeof(struct profile_loop)] = {0};
    _Static_assert(sizeof room >= sizeof(struct profile_health), "the largest record must fit");
    result = read_record(reader, which, room, &more);
    bytes_add(&reader->arrays[which], room, record->memory_bytes);
    if (reader->arrays[which].failed)
      return no_memory(reader);
  }
  for (int i = 0; result == 0 && i < PROFILE_CHUNKS; i++)
    if (profile_record_get((enum profile_chunk)i)->place == PROFILE_PLACE_SINGLE &&
        !reader->arrays[i].count)
      return text_lines_fail(&reader->lines, "the text ends without [%s]",
                             profile_record_get((enum profile_chunk)i)->chunk);
  return result;
}

/// Moves an array into the profile. Returns null when there is no memory.
static void *keep(struct reader *reader, enum profile_chunk which, size_t *count) {
  const struct bytes *array = &reader->arrays[which];
  void *kept = profile_allocate(&reader->profile, array->count, 1);
  if (kept && array->count)
    memcpy(kept, array->data, array->count);
  *count = array->count / profile_record_get(which)->memory_bytes;
  return kept;
}

static int check_structs(struct reader *reader) {
  const struct profile *profile = &reader->profile;
  for (size_t i = 0; i < profile->member_count; i++)
    if (profile->members[i].structure >= profile->struct_count)
      return text_lines_fail(&reader->lines, "member %zu of [members] has struct %u of %zu", i + 1,
                             profile->members[i].structure, profile->struct_count);
  for (size_t i = 0; i < profile->access_count; i++)
    if (profile->accesses[i].structure != UINT32_MAX &&
        profile->accesses[i].structure >= profile->struct_count)
      return text_lines_fail(&reader->lines, "access %zu of [accesses] has struct %u of %zu", i + 1,
                             profile->accesses[i].structure, profile->struct_count);
  return 0;
}

static int check_addresses(struct reader *reader) {
  const struct profile *profile = &reader->profile;
  for (size_t i = 0; i < profile->address_count; i++)
    if (profile->addresses[i].loadfile >= profile->loadfile_count)
      return text_lines_fail(&reader->lines, "address %zu of [addresses] has load file %u of %zu",
                             i + 1, profile->addresses[i].loadfile, profile->loadfile_count);
  return 0;
}

static int check_stacks(struct reader *reader) {
  const char *mistake;
  size_t at = stacks_find_mistake(&reader->profile, &mistake);
  return mistake ? text_lines_fail(&reader->lines, "record %zu of [stacks]: %s", at + 1, mistake)
                 : 0;
}

static int check_windows(struct reader *reader) {
  const struct profile *profile = &reader->profile;
  const uint64_t record_bytes = sizeof(struct reticle_file_visit);
  for (size_t i = 0; i < profile->visitwindow_count; i++) {
    const struct profile_visitwindow *window = &profile->visitwindows[i];
    uint64_t records = (window->bytes + record_bytes - 1) / record_bytes;
    if (window->first > profile->visit_count || records > profile->visit_count - window->first)
      return profile_fail(
          reader->lines.error, RETICLE_E_DAMAGED,
          "%s: [visitwindows] %zu: %u bytes from record %" PRIu64 " on but there are %zu [visits]",
          reader->lines.name, i, window->bytes, window->first, profile->visit_count);
  }
  return 0;
}

static int check_words(struct reader *reader) {
  const struct profile *profile = &reader->profile;
  for (size_t i = 0; i < profile->siteword_count; i++)
    if (profile->sitewords[i].word >= PROFILE_SITE_WORDS_MOST)
      return text_lines_fail(&reader->lines, "word %zu of [sitewords] is %u of an object of %u",
                             i + 1, profile->sitewords[i].word, PROFILE_SITE_WORDS_MOST);
  return 0;
}

static int finish(struct reader *reader) {
  struct profile *profile = &reader->profile;
  size_t unused;
  memcpy(&profile->env, reader->arrays[PROFILE_ENV].data, sizeof profile->env);
  memcpy(&profile->health, reader->arrays[PROFILE_HEALTH].data, sizeof profile->health);
  const struct profile_hist *hist = keep(reader, PROFILE_HIST, &unused);
  const struct profile_sample *raw = keep(reader, PROFILE_SAMPLES, &unused);
  if (!hist || !raw)
    return no_memory(reader);
  for (int i = 0; i < PROFILE_CHUNKS; i++) {
    if (profile_record_get((enum profile_chunk)i)->records_at == SIZE_MAX)
      continue;
    size_t count;
    void *records = keep(reader, (enum profile_chunk)i, &count);
    if (!records)
      return no_memory(reader);
    profile_array_set(profile, (enum profile_chunk)i, records, count);
  }
  profile->merged_count = 1;
  for (size_t i = 0; i < profile->loop_count; i++) {
    struct profile_loop *loop = &profile->loops[i];
    if (loop->object >= profile->object_count)
      return text_lines_fail(&reader->lines, "loop %zu of [loops] has object %u of %zu", i + 1,
                             loop->object, profile->object_count);
    loop->hist = loop->hist_count ? hist + loop->hist_first : NULL;
    loop->raw = loop->raw_count ? raw + loop->raw_first : NULL;
  }
  int result = check_structs(reader);
  if (result == 0)
    result = check_addresses(reader);
  if (result == 0)
    result = check_stacks(reader);
  if (result == 0)
    result = check_windows(reader);
  return result ? result : check_words(reader);
}

int profile_text_decode(const char *text, size_t count, const char *name, struct profile *out,
                        struct profile_error *error) {
  struct reader reader = {
      .lines = {.name = name, .next = text, .end = text + count, .error = error}};
  int result = read_all(&reader);
  if (result == 0)
    result = finish(&reader);
  for (int i = 0; i < PROFILE_CHUNKS; i++)
    bytes_release(&reader.arrays[i]);
  bytes_release(&reader.scratch);
  if (result)
    profile_release(&reader.profile);
  else
    *out = reader.profile;
  return result;
}
