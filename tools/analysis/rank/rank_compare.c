// rank_compare.c - one channel of one loop: ranks against ranks, hosts against hosts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/rank/rank_parts.h"

#include "tools/analysis/stats/statistics.h"
#include "tools/analysis/stats/student.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// Ranks of a host that tell how ranks of one host differ.
#define HOST_LEAST 3

/// The ranks of a host together.
struct host {
  double sum, squares;
  size_t known;
};

static double mean_of(const struct host *host) { return host->sum / (double)host->known; }

static double variance_of(const struct host *host) {
  double n = (double)host->known;
  double variance = (host->squares - host->sum * host->sum / n) / (n - 1);
  return fmax(variance, OUTLIERS_SPREAD_LEAST * OUTLIERS_SPREAD_LEAST);
}

/// Adds all known values up. hosts: [host_count] zeroed
static void fill(const struct rank_values *of, const struct rank_facts *ranks, double shift,
                 struct host *hosts) {
  for (size_t i = 0; i < of->count; i++) {
    double x = of->values[i].log - shift;
    struct host *host = &hosts[ranks[i].host];
    if (!isfinite(x))
      continue;
    host->sum += x;
    host->squares += x * x;
    host->known++;
  }
}

/// Name all ranks of a host, over the centre that the others have.
static void name_host(struct rank_values *of, const struct rank_facts *ranks, size_t host,
                      double centre, double error) {
  for (size_t i = 0; i < of->count; i++) {
    struct outlier_value *value = &of->values[i];
    if (ranks[i].host != host || !isfinite(value->log) || value->is_above)
      continue;
    value->is_above = of->by_host[i] = true;
    value->above = value->log - centre;
    value->above_error = hypot(value->error, error);
  }
}

/// Many hosts: each is a value, as ranks are.
static void compare_many(struct rank_values *of, const struct rank_facts *ranks,
                         const struct host *hosts, size_t count, double shift, double family,
                         double least) {
  struct outlier_value *values = memory_zeroed(count, sizeof *values);
  for (size_t h = 0; h < count; h++)
    values[h] = hosts[h].known < 2 ? (struct outlier_value){.log = NAN, .error = NAN}
                                   : (struct outlier_value){.log = mean_of(&hosts[h]),
                                                            .error = sqrt(variance_of(&hosts[h]) /
                                                                          (double)hosts[h].known)};
  struct outliers found = outliers_find(values, count, family, least);
  for (size_t h = 0; h < count; h++)
    if (values[h].is_above)
      name_host(of, ranks, h, found.centre + shift, values[h].above_error);
  free(values);
}

/// Two or three: the slower one against all others' ranks.
static void compare_few(struct rank_values *of, const struct rank_facts *ranks,
                        const struct host *hosts, size_t count, double shift, double family,
                        double least) {
  for (size_t h = 0; h < count; h++) {
    struct host others = {0};
    for (size_t k = 0; k < count; k++)
      if (k != h) {
        others.sum += hosts[k].sum;
        others.squares += hosts[k].squares;
        others.known += hosts[k].known;
      }
    if (hosts[h].known < HOST_LEAST || others.known < HOST_LEAST)
      continue;
    double above = mean_of(&hosts[h]) - mean_of(&others);
    double error = sqrt(variance_of(&hosts[h]) / (double)hosts[h].known +
                        variance_of(&others) / (double)others.known);
    // The smaller side's degrees of freedom: Welch's are never fewer.
    double freedom = (double)(hosts[h].known < others.known ? hosts[h].known : others.known) - 1;
    if (above >= least && student_tails(above / error, freedom) < family / (double)count)
      name_host(of, ranks, h, mean_of(&others) + shift, error);
  }
}

struct outliers rank_compare(struct rank_values *of, const struct rank_facts *ranks, double family,
                             double least) {
  size_t host_count = 0;
  for (size_t i = 0; i < of->count; i++) {
    of->by_host[i] = false;
    host_count = ranks[i].host + 1 > host_count ? ranks[i].host + 1 : host_count;
  }
  // Half of the error for the ranks, half for the hosts.
  double part = host_count > 1 ? family / 2 : family;
  struct outliers out = outliers_find(of->values, of->count, part, least);
  if (host_count < 2 || out.known < OUTLIERS_LEAST)
    return out;
  struct host *hosts = memory_zeroed(host_count, sizeof *hosts);
  fill(of, ranks, out.centre, hosts);
  if (host_count >= OUTLIERS_LEAST)
    compare_many(of, ranks, hosts, host_count, out.centre, part, least);
  else
    compare_few(of, ranks, hosts, host_count, out.centre, part, least);
  free(hosts);
  return out;
}
