// unit_element_cost.c - lines and cost of walks through elements, worked out by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/struct/element_cost.h"

#include <math.h>

static double lines(enum exposure how, double run, struct element_part part) {
  struct element_walk walk = {how, 1, run, part.elements * part.bytes, false, false};
  return element_lines(&walk, &part);
}

static double cost(enum exposure how, double run, struct element_part part) {
  struct element_walk walk = {how, 1, run, part.elements * part.bytes, false, false};
  return element_cost(&walk, &part);
}

/// Elements of 16 bytes in a row: four on a line. Of a run of three the first brings a line, the
/// others 1/4 each.
static void test_streams_share_lines(void) {
  struct element_part part = {1, 16, NAN, 0};
  CHECK_NEAR(lines(EXPOSURE_STREAMING, NAN, part), 0.25, 1e-12);
  CHECK_NEAR(lines(EXPOSURE_STREAMING, 3, part), 0.5, 1e-12);
  CHECK_NEAR(lines(EXPOSURE_INDEPENDENT, 3, part), 1, 1e-12);
  struct element_part large = {2, 128, NAN, 0};
  CHECK_NEAR(lines(EXPOSURE_STREAMING, NAN, large), 2, 1e-12);
}

/// A search of 10 probes ends within one line of eight keys: the last three fetch nothing. Elements
/// of a line each are fetched at each probe.
static void test_last_probes_share_a_line(void) {
  struct element_part keys = {1, 8, 1024, 0}, whole = {1, 64, 1024, 0};
  CHECK_NEAR(lines(EXPOSURE_SEARCH, 10, keys), 0.7, 1e-12);
  CHECK_NEAR(lines(EXPOSURE_SEARCH, NAN, keys), 0.7, 1e-12);
  CHECK_NEAR(lines(EXPOSURE_SEARCH, 10, whole), 1, 1e-12);
}

/// 2^20 elements of 64 bytes are four times a last cache, 2^6 times a second and 2^11 times a first
/// one: so many steps of a search miss. Of 8 bytes: 2^3 times a second one, 2^8 times a first.
static void test_a_search_misses_beyond_a_cache(void) {
  struct element_part whole = {1, 64, 1048576, 0}, keys = {1, 8, 1048576, 0};
  CHECK_NEAR(cost(EXPOSURE_SEARCH, 20, whole), 0.02 + (0.05 * 11 + 0.15 * 6 + 0.78 * 2) / 20,
             1e-12);
  CHECK_NEAR(cost(EXPOSURE_SEARCH, 20, keys), 0.02 + (0.05 * 8 + 0.15 * 3) / 20, 1e-12);
}

/// At random, half of what is twice a first cache misses it; a stream that is larger misses all the
/// time. What fits costs hits; what is beside it in the same visits takes its room.
static void test_what_fits_costs_less(void) {
  struct element_part twice = {1, 64, 1024, 0}, fits = {1, 64, 512, 0}, none = {1, 64, NAN, 0};
  struct element_part beside = {1, 64, 512, 32768};
  CHECK_NEAR(cost(EXPOSURE_INDEPENDENT, NAN, twice), 1. / 24 + (0.02 + 0.05 / 2) / 6, 1e-12);
  CHECK_NEAR(cost(EXPOSURE_INDEPENDENT, NAN, beside), 1. / 24 + (0.02 + 0.05 / 2) / 6, 1e-12);
  CHECK_NEAR(cost(EXPOSURE_STREAMING, NAN, twice), 0.07 / 8, 1e-12);
  CHECK_NEAR(cost(EXPOSURE_INDEPENDENT, NAN, fits), 0.02 / 6, 1e-12);
  CHECK_NEAR(cost(EXPOSURE_STREAMING, NAN, fits), 0.02 / 8, 1e-12);
  CHECK_NEAR(cost(EXPOSURE_INDEPENDENT, NAN, none), 1. / 3, 1e-12);
  CHECK_NEAR(cost(EXPOSURE_DEPENDENT, NAN, none), 1, 1e-12);
  CHECK(cost(EXPOSURE_SAME, NAN, none) == 0);
}

/// Nodes of a list that lie in a row are fetched ahead: a line each, at a stream's price.
static void test_a_list_in_a_row_streams(void) {
  struct element_part part = {1, 64, 1 << 22, 0};
  struct element_walk list = {EXPOSURE_DEPENDENT, 1, NAN, 0x1p28, true, false};
  CHECK_NEAR(element_cost(&list, &part), cost(EXPOSURE_STREAMING, NAN, part), 1e-12);
  CHECK(element_cost(&list, &part) < cost(EXPOSURE_DEPENDENT, NAN, part) / 4);
  list.exposure = EXPOSURE_SEARCH;
  CHECK_NEAR(element_cost(&list, &part), cost(EXPOSURE_SEARCH, NAN, part), 1e-12);
}

/// A few elements that each execution of a loop goes through cost what one does.
static void test_few_elements_stay(void) {
  struct element_part part = {1, 64, 1 << 22, 0};
  for (enum exposure how = EXPOSURE_UNKNOWN; how <= EXPOSURE_SEARCH; how++) {
    struct element_walk few = {how, 1, 3, 0x1p28, false, true};
    CHECK(element_cost(&few, &part) == 0);
    few.stays = false;
    CHECK((element_cost(&few, &part) == 0) == (how == EXPOSURE_SAME));
  }
}

int main(void) {
  RUN(test_few_elements_stay);
  RUN(test_streams_share_lines);
  RUN(test_last_probes_share_a_line);
  RUN(test_a_search_misses_beyond_a_cache);
  RUN(test_what_fits_costs_less);
  RUN(test_a_list_in_a_row_streams);
  return unit_status();
}
