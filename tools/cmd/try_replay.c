// try_replay.c - chooses the layout that is replayed, prints the result, and keeps it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/try_replay.h"

#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/cmd/report.h"
#include "tools/model/join/measurement_load.h"
#include "tools/model/struct/layout_file.h"
#include "tools/render/json/struct/replay_json.h"
#include "tools/render/text/struct/replay_show.h"
#include "tools/run/trial/replay.h"
#include "tools/run/trial/replay_program.h"
#include "tools/run/trial/try_keep.h"
#include "tools/support/memory.h"
#include "tools/support/messages.h"
#include "tools/support/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The item with a field of that name; item_count: none has one.
static size_t find_item(const struct struct_advice *a, const char *name, size_t length) {
  for (size_t i = 0; i < a->item_count; i++)
    for (size_t k = 0; k < a->items[i].count; k++)
      if (strlen(a->items[i].first[k].name) == length &&
          memcmp(a->items[i].first[k].name, name, length) == 0)
        return i;
  return a->item_count;
}

/// Takes the named fields as the hot part, in place of what is advised.
static int choose_array(struct struct_advice *a, const char *names) {
  memset(a->is_hot, 0, a->item_count * sizeof *a->is_hot);
  a->parts.kind = ADVICE_ARRAY;
  a->is_copy = false;
  for (const char *name = names; *name;) {
    size_t length = strcspn(name, ","), item = find_item(a, name, length);
    if (item == a->item_count) {
      message_error("try: --array %.*s: struct %s has no field of that name; reticle show %s lists "
                    "them",
                    (int)length, name, a->use->record->name, a->use->record->name);
      return EXIT_USAGE;
    }
    a->is_hot[item] = true;
    name += length + (name[length] == ',');
  }
  size_t hot = 0;
  for (size_t i = 0; i < a->item_count; i++)
    hot += a->is_hot[i];
  if (hot && hot < a->item_count)
    return EXIT_FINE;
  message_error("try: --array: name some of the fields of struct %s, but not all",
                a->use->record->name);
  return EXIT_USAGE;
}

/// What is replayed beside the layout as written. order: [item_count] scratch.
static int choose(const struct try_replay_options *o, struct struct_advice *a, size_t *order,
                  struct replay_change *change) {
  const char *name = a->use->record->name;
  *change = (struct replay_change){.advice = a, .program_ns = NAN, .fastest = 1, .slowest = 1};
  if (o->array)
    return choose_array(a, o->array);
  if (o->layout) {
    change->order = order;
    if (layout_file_order(a, o->layout, order))
      return EXIT_FINE;
    message_error(
        "try: the layout file isn't of struct %s as the profile has it: write it anew with "
        "`reticle layout %s --write FILE`",
        name, name);
    return EXIT_UNREADABLE;
  }
  if (a->parts.kind != ADVICE_NONE)
    return EXIT_FINE;
  if (a->order.kind != ADVICE_NONE) {
    memcpy(order, a->best.order, a->item_count * sizeof *order);
    change->order = order;
    return EXIT_FINE;
  }
  message_error("try: %s: there is nothing to replay: %s; --array FIELD,FIELD or --layout FILE "
                "replays what you name",
                name, *a->reason ? a->reason : "no better layout was found");
  return EXIT_USAGE;
}

static int print(const struct try_replay_options *o, const struct replay_result *result) {
  bool fine;
  if (o->json) {
    fine = replay_show_json(result);
  } else {
    struct terminal terminal = terminal_inspect(fileno(stdout));
    struct text out = {0};
    replay_show_add(result, &terminal, &out);
    fine = fwrite(text_get(&out), 1, out.length, stdout) == out.length && !fflush(stdout);
    text_release(&out);
  }
  if (!fine)
    message_error("try: not all of it could be written: %s", strerror(errno));
  return !fine ? EXIT_UNREADABLE : result->verdict == PAIRED_WORSE ? EXIT_FINDING : EXIT_FINE;
}

int try_replay(const struct try_replay_options *o, const char *name, char **files, size_t count) {
  struct measurement measurement;
  struct struct_advice advice = {0};
  struct replay_change change = {0};
  struct replay_result result;
  struct text words = {0};
  size_t *order = NULL;
  int status = exit_status(measurement_load(files, count, &measurement, problems_shown()));
  if (status == EXIT_FINE)
    status =
        exit_status(layout_choose(&measurement, name, &o->wish, "try", &advice, problems_shown()));
  if (status == EXIT_FINE) {
    order = memory_zeroed(advice.item_count + 1, sizeof *order);
    status = choose(o, &advice, order, &change);
  }
  if (status == EXIT_FINE && !o->command && measurement.input.study)
    study_input_plain_range(measurement.input.study, &change.fastest, &change.slowest);
  if (status == EXIT_FINE && o->command)
    status = exit_status(replay_program_time(o->command, &change.program_ns, &change.fastest,
                                             &change.slowest, problems_shown()));
  if (status == EXIT_FINE) {
    layout_change_add(&advice, change.order, &words);
    change.words = text_get(&words);
    status = exit_status(replay_struct(&measurement, &change, o->pairs, &result, problems_shown()));
  }
  if (status == EXIT_FINE) {
    status = print(o, &result);
    replay_keep(&result, &measurement, advice.use, problems_shown());
    if (count && !report_store_again(files[0]) && status == EXIT_FINE)
      status = EXIT_UNREADABLE;
  }
  free(order);
  text_release(&words);
  struct_advice_release(&advice);
  measurement_release(&measurement);
  return status;
}
