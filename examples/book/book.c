// book.c - an order book: the example of the documentation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: book [ORDERS [ROUNDS]]        default 400000 24
//
// Three loops, each slow for a reason of its own:
//   parse_line  work: most lines are short, one in sixteen has a long comment with escapes
//   notional    memory: the scan uses 16 of each order's 152 bytes
//   follow      latency: a chain of pointers in an order the prefetcher can't guess
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

/// Source: Marsaglia, "Xorshift RNGs", the triple 13, 7, 17.
static uint64_t random_next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/// The market's feed as text, "symbol price quantity venue note" a line; the caller frees it.
static char *write_feed(size_t orders) {
  static const char *const symbols[] = {"AAPL", "MSFT", "BRK.B", "GOOG", "NVDA"};
  static const char *const venues[] = {"XNAS", "XNYS", "BATS", "IEXG"};
  char *feed = malloc(orders * 400 + 1), *to = feed;
  if (!feed)
    return NULL;
  uint64_t state = 88172645463325252u;
  for (size_t i = 0; i < orders; i++) {
    uint64_t r = random_next(&state);
    to += sprintf(to, "%s %u.%02u %u %s ", symbols[r % 5], (unsigned)(50 + r / 5 % 400),
                  (unsigned)(r / 2000 % 100), (unsigned)(1 + r / 200000 % 900), venues[r >> 62]);
    // One line in sixteen carries a long note, in which every seventh character is escaped.
    size_t length = (r >> 40) % 16 == 0 ? 300 : 4;
    for (size_t k = 0; k < length; k++)
      *to++ = (char)(k % 7 == 6 ? '\\' : 'a' + k % 26);
    *to++ = '\n';
  }
  *to = 0;
  return feed;
}

static const char *copy_word(const char *from, char *to, size_t room) {
  size_t used = 0;
  for (; *from != ' ' && *from != '\n'; from++)
    if (used + 1 < room)
      to[used++] = *from;
  to[used] = 0;
  return *from == ' ' ? from + 1 : from;
}

/// Reads one line into `order`; returns where the next one starts.
__attribute__((noinline)) static const char *parse_line(const char *line, struct order *order) {
  char number[32];
  line = copy_word(line, order->symbol, sizeof order->symbol);
  line = copy_word(line, number, sizeof number);
  order->px = strtod(number, NULL);
  line = copy_word(line, number, sizeof number);
  order->qty = (unsigned)strtoul(number, NULL, 10);
  line = copy_word(line, order->venue, sizeof order->venue);
  order->flags = ACTIVE;
  size_t used = 0;
  for (; *line != '\n'; line++) { // the note: 4 characters, or 300
    if (*line == '\\') {
      order->flags |= ESCAPED;
      continue;
    }
    if (used + 1 < sizeof order->note)
      order->note[used++] = *line;
  }
  order->note[used] = 0;
  return line + 1;
}

static void parse_feed(const char *feed, struct order *orders, size_t count) {
  for (size_t i = 0; i < count; i++) {
    feed = parse_line(feed, &orders[i]);
    orders[i].id = (long)i;
  }
}

/// What all active orders are worth.
__attribute__((noinline)) static double notional(const struct order *orders, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    if (orders[i].flags & ACTIVE)
      sum += orders[i].px * orders[i].qty;
  return sum;
}

/// Links all orders into one ring, in an order that has nothing to do with their addresses.
/// Source: Sattolo's algorithm, which yields a permutation of one cycle.
static int link_orders(struct order *orders, size_t count) {
  uint32_t *at = malloc(count * sizeof *at);
  if (!at)
    return -1;
  uint64_t state = 2463534242u;
  for (size_t i = 0; i < count; i++)
    at[i] = (uint32_t)i;
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

/// The sum of the ids of `steps` orders along the ring.
__attribute__((noinline)) static long follow(const struct order *order, size_t steps) {
  long sum = 0;
  for (size_t i = 0; i < steps; i++) {
    sum += order->id;
    order = order->next;
  }
  return sum;
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
  size_t count = read_argument(argc, argv, 1, 400000), rounds = read_argument(argc, argv, 2, 24);
  char *feed = write_feed(count);
  struct order *orders = calloc(count, sizeof *orders);
  if (!feed || !orders || link_orders(orders, count) != 0) {
    fprintf(stderr, "book: no memory for %zu orders; ask for fewer\n", count);
    return 1;
  }
  double value = 0;
  long ids = 0;
  for (size_t round = 0; round < rounds; round++) {
    if (round % 4 == 0)
      parse_feed(feed, orders, count);
    value += notional(orders, count);
    ids += follow(orders, count);
  }
  printf("orders %zu rounds %zu notional %.2f ids %ld\n", count, rounds, value / (double)rounds,
         ids);
  free(orders);
  free(feed);
  return 0;
}
