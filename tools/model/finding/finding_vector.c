// finding_vector.c - hot loops that do one iteration at a time, with the vectoriser's own reason.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "include/reticle/abi.h"
#include "tools/model/finding/callee.h"
#include "tools/model/finding/finding_parts.h"
#include "tools/model/heat/heat.h"
#include "tools/model/loop/loop_cause.h"
#include "tools/model/remedy/remedy.h"
#include "tools/model/stall/stall_tally.h"

/// Of the CPU time, in the loop's own code.
#define SHARE_LEAST 0.05
/// Of fewer iterations an execution a vector saves little.
#define ITERATIONS_LEAST 16
/// Of the loop's time: what waits for memory, or for branches gone wrong, waits in a vector, too.
#define OTHER_MOST 0.5

/// Blocks of a machine loop that is simple enough for the remedy: a loop of many ways or steps
/// isn't rewritten for vectors.
enum { BLOCKS_MOST = 16, SIMPLE_BLOCKS = 3 };

static const struct {
  enum reticle_loop_vector said;
  const char *words;
  enum remedy remedy;
} reasons[] = {
#define VECTOR(SAID, WORDS, REMEDY) {RETICLE_VECTOR_##SAID, WORDS, REMEDY_##REMEDY},
#include "tools/model/finding/vector.def"
#undef VECTOR
};

/// Whether what holds the vectoriser up can be mended, as far as the loop's shape tells: calls may
/// do anything, and that it ends early or branches is worth a word only where that is all, and
/// where it is known to go on for long.
static bool is_mendable(const struct heat_place *place, enum reticle_loop_vector said) {
  bool is_of_all = said == RETICLE_VECTOR_COUNT || said == RETICLE_VECTOR_CONTROL;
  bool has_calls = place->loop->loop->flags & RETICLE_LOOP_HAS_CALLS;
  double iterations = finding_iterations(place->loop->loop);
  return (!has_calls || said == RETICLE_VECTOR_CALL) &&
         !place->strides.wide && // what goes by lines waits for them
         place->strides.blocks <= (is_of_all ? SIMPLE_BLOCKS : BLOCKS_MOST) &&
         (is_of_all ? iterations >= ITERATIONS_LEAST : !(iterations < ITERATIONS_LEAST));
}

/// Whether something else holds the loop up for most of its time, as far as is known.
static bool waits_otherwise(const struct measurement *m, const struct measured_loop *loop) {
  const struct loop_cause *cause = loop_cause_get(m, loop);
  const struct stall_tally *tally = &cause->tally;
  if (cause->no_stall_causes || !stall_tally_is_known(tally))
    return false;
  return tally->groups[STALL_GROUP_MEMORY].low + tally->groups[STALL_GROUP_SPECULATION].low >
         OTHER_MOST * tally->time;
}

/// Whether what helps against its calls is said with them.
static bool has_call_remedy(const struct heat *heat, const struct heat_place *place) {
  for (size_t i = 0; i < heat->call_count; i++)
    if (&heat->places[heat->calls[i].place] == place && callee_remedy(heat->calls[i].callee) &&
        heat_share(heat, &heat->calls[i].time).value >= FINDING_HEAT_LEAST)
      return true;
  return false;
}

/// Of what a stall may save, what is said of the same chain once more.
#define CHAIN_LEAST 0.5

/// Whether its chain of results is a finding already, with what it takes.
static bool is_chain_known(const struct heat_place *place, enum reticle_loop_vector said,
                           double share, struct findings *findings) {
  const struct finding *chain = said == RETICLE_VECTOR_FLOAT_ORDER || said == RETICLE_VECTOR_CARRIED
                                    ? finding_of_loop(findings, place->loop, FINDING_STALL_CORE)
                                    : NULL;
  return chain && !chain->is_possible && chain->gain.status == QUANTITY_OK &&
         chain->gain.value >= CHAIN_LEAST * share;
}

static void add(const struct measurement *m, const struct heat_place *place,
                struct findings *findings) {
  const struct heat_time own = {.user_ns = place->own.user_ns, .samples = place->own.samples};
  struct quantity share = heat_share(heat_get(m), &own);
  const struct measured_loop *loop = place->loop;
  if (!loop || !place->strides.moved || !(share.value >= SHARE_LEAST))
    return;
  uint32_t said = loop->loop->flags >> RETICLE_LOOP_VECTOR_SHIFT & RETICLE_LOOP_VECTOR_MASK;
  size_t row = 0, count = sizeof reasons / sizeof *reasons;
  while (row < count && reasons[row].said != said)
    row++;
  if (row == count || !is_mendable(place, reasons[row].said) || waits_otherwise(m, loop))
    return;
  if (reasons[row].said == RETICLE_VECTOR_CALL && has_call_remedy(heat_get(m), place))
    return;
  if (is_chain_known(place, reasons[row].said, share.value, findings))
    return;
  struct finding *finding = findings_add(findings, FINDING_NOT_VECTORISED);
  finding_set_loop(m, loop, finding);
  finding->share = heat_share(heat_get(m), &place->time).value;
  finding->at_stake = share.value;
  text_printf(&finding->text, "LLVM left it scalar, as %s", reasons[row].words);
  text_add(&finding->change, remedy_words(reasons[row].remedy));
}

void finding_vector_add(const struct measurement *m, struct findings *findings) {
  const struct heat *heat = heat_get(m);
  for (size_t i = 0; i < heat->place_count; i++)
    add(m, &heat->places[i], findings);
}
