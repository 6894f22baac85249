// book.c - an order book: the example of the documentation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: book [ORDERS [ROUNDS]]        default 400000 200
//
// Each round reads 2,000 lines of the feed, values the whole book and walks along a part of it.
// Three loops, each slow or unsteady for a reason of its own:
//   parse_line  work: one line in sixteen is eight times as long as the others
//   notional    memory: the scan needs 16 of each order's 152 bytes
//   follow      latency: a chain of pointers in an order that no prefetcher guesses
// Same arguments, same output, on every machine.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct order {
  char symbol[24];
  double px;
  char note[56];
  unsigned qty, flags;
  char venue[40];
  long id;
  struct order *next;
};

enum { ACTIVE = 1, ESCAPED = 2 };
enum { FEED_LINES = 20000, LINES_A_ROUND = 2000, REMARK = 1500, LONG_REMARK = 12000 };

/// Source: Marsaglia, "Xorshift RNGs", the triple 13, 7, 17.
static uint64_t random_next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/// The market's feed as text, "id price quantity venue remark" a line; the caller frees it.
static char *write_feed(size_t orders) {
  static const char *const venues[] = {"XNAS", "XNYS", "BATS", "IEXG"};
  char *feed = malloc((size_t)FEED_LINES * (REMARK + LONG_REMARK / 4)), *to = feed;
  if (!feed)
    return NULL;
  uint64_t state = 88172645463325252u;
  for (size_t i = 0; i < FEED_LINES; i++) {
    uint64_t r = random_next(&state);
    to += sprintf(to, "%zu %u.%02u %u %s ", (size_t)(r % orders), (unsigned)(50 + r / 5 % 400),
                  (unsigned)(r / 2000 % 100), (unsigned)(1 + r / 200000 % 900), venues[r >> 62]);
    // In long remarks every seventh character is escaped.
    size_t length = i % 16 == r % 16 ? LONG_REMARK : REMARK;
    for (size_t k = 0; k < length; k++)
      *to++ = (char)(length > REMARK && k % 7 == 6 ? '\\' : 'a' + k % 26);
    *to++ = '\n';
  }
  *to = 0;
  return feed;
}

/// Fills the book and links all orders into one ring, in an order that has nothing to do with their
/// addresses. Source: Sattolo's algorithm, which yields a permutation of one cycle.
static int fill_book(struct order *orders, size_t count) {
  uint32_t *at = malloc(count * sizeof *at);
  if (!at)
    return -1;
  uint64_t state = 2463534242u;
  for (size_t i = 0; i < count; i++) {
    uint64_t r = random_next(&state);
    orders[i] = (struct order){
        .symbol = "RTCL", .px = 50 + (double)(r % 4000) / 8, .flags = r % 8 ? ACTIVE : 0};
    orders[i].qty = (unsigned)(1 + r / 4000 % 900);
    orders[i].id = (long)i;
    at[i] = (uint32_t)i;
  }
  for (size_t i = count - 1; i > 0; i--) {
    size_t j = random_next(&state) % i;
    uint32_t swapped = at[i];
    at[i] = at[j];
    at[j] = swapped;
  }
  for (size_t i = 0; i < count; i++)
    orders[i].next = &orders[at[i]];
  free(at);
  return 0;
}

/// Reads one line and changes the order it names; returns where the next line starts.
__attribute__((noinline)) static const char *parse_line(const char *line, struct order *orders) {
  char *end;
  struct order *order = &orders[strtoul(line, &end, 10)];
  order->px = strtod(end, &end);
  order->qty = (unsigned)strtoul(end, &end, 10);
  order->flags = ACTIVE;
  memcpy(order->venue, end + 1, 4);
  size_t used = 0;
  for (line = end + 6; *line != '\n'; line++) { // the remark
    if (*line == '\\')
      order->flags |= ESCAPED;
    else if (used + 1 < sizeof order->note)
      order->note[used++] = *line;
  }
  order->note[used] = 0;
  return line + 1;
}

/// What all active orders are worth.
__attribute__((noinline)) static double notional(const struct order *orders, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    if (orders[i].flags & ACTIVE)
      sum += orders[i].px * orders[i].qty;
  return sum;
}

/// Adds the ids of `steps` orders along the ring to `*ids`; returns the order behind them.
__attribute__((noinline)) static const struct order *follow(const struct order *order, size_t steps,
                                                            long *ids) {
  long sum = 0;
  for (size_t i = 0; i < steps; i++) {
    sum += order->id;
    order = order->next;
  }
  *ids += sum;
  return order;
}

static size_t read_argument(int argc, char **argv, int at, size_t otherwise) {
  if (argc <= at)
    return otherwise;
  char *end;
  unsigned long value = strtoul(argv[at], &end, 10);
  if (*end || argv[at][0] == '-' || value < 2 || value > 10000000) {
    fprintf(stderr, "book: %s: not a number from 2 to 10000000\nusage: book [ORDERS [ROUNDS]]\n",
            argv[at]);
    exit(2);
  }
  return value;
}

int main(int argc, char **argv) {
  size_t count = read_argument(argc, argv, 1, 400000), rounds = read_argument(argc, argv, 2, 200);
  char *feed = write_feed(count);
  struct order *orders = malloc(count * sizeof *orders);
  if (!feed || !orders || fill_book(orders, count) != 0) {
    fprintf(stderr, "book: no memory for %zu orders; ask for fewer\n", count);
    return 1;
  }
  const struct order *cursor = orders;
  const char *line = feed;
  double value = 0;
  long ids = 0;
  for (size_t round = 0; round < rounds; round++) {
    for (int i = 0; i < LINES_A_ROUND; i++)
      line = parse_line(*line ? line : feed, orders);
    value += notional(orders, count);
    cursor = follow(cursor, count / 20, &ids);
  }
  printf("orders %zu rounds %zu notional %.2f ids %ld\n", count, rounds, value / (double)rounds,
         ids);
  free(orders);
  free(feed);
  return 0;
}
