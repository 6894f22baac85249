// units.c - chooses digits and units of times, counts, shares, bytes, ages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/support/units.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Decimals that leave three digits; the limits are where rounding would add a digit.
static int decimals(double value) {
  value = fabs(value);
  return value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
}

/// More seconds than that, 300 million years, are a damaged file's.
#define MOST_S 1e16

struct units units_duration(double ns) {
  static const struct {
    double ns, limit;
    const char *name;
  } scales[] = {{1, 999.5, "ns"}, {1e3, 999.5e3, "us"}, {1e6, 999.5e6, "ms"}, {1e9, 99.95e9, "s"}};
  struct units out;
  for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++) {
    if (fabs(ns) >= scales[i].limit)
      continue;
    double value = ns / scales[i].ns;
    // A nanosecond has one decimal at most: no timer here shows more.
    int digits = i == 0 ? (fabs(value) < 9.95 && value != floor(value)) : decimals(value);
    snprintf(out.data, sizeof(out.data), "%.*f %s", digits, value, scales[i].name);
    return out;
  }
  if (!(fabs(ns) / 1e9 < MOST_S)) {
    snprintf(out.data, sizeof(out.data), "%.3g s", ns / 1e9);
    return out;
  }
  unsigned long long seconds = (unsigned long long)llround(fabs(ns) / 1e9);
  unsigned long long minutes = (seconds + 30) / 60;
  const char *sign = ns < 0 ? "-" : "";
  if (seconds < 3600)
    snprintf(out.data, sizeof(out.data), "%s%llu min %llu s", sign, seconds / 60, seconds % 60);
  else
    snprintf(out.data, sizeof(out.data), "%s%llu h %llu min", sign, minutes / 60, minutes % 60);
  return out;
}

struct units units_lost(double ns) {
  struct units out;
  double seconds = ns / 1e9;
  if (seconds == 0)
    snprintf(out.data, sizeof(out.data), "0 s");
  else if (seconds < 0.1)
    return units_duration(ns);
  else
    snprintf(out.data, sizeof(out.data), "%.*f s", decimals(seconds), seconds);
  return out;
}

struct units units_count(double count) {
  struct units out;
  static const char *const names[] = {"", "k", "M", "G", "T", "P", "E"};
  size_t i = 0;
  // 9999 still reads better in full than as 10.0k.
  if (count >= 9999.5 || (count >= 1000 && count != floor(count)))
    while (count >= (i ? 999.5 : 1000) && i + 1 < sizeof(names) / sizeof(names[0])) {
      count /= 1000;
      i++;
    }
  int digits = i ? (count < 99.95) : (count < 99.95 && count != floor(count));
  snprintf(out.data, sizeof(out.data), "%.*f%s", digits, count, names[i]);
  return out;
}

struct units units_exact(uint64_t count) {
  struct units out;
  char digits[24];
  int n = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);
  int to = 0;
  for (int i = 0; i < n; i++) {
    if (i && n > 4 && (n - i) % 3 == 0)
      out.data[to++] = ' ';
    out.data[to++] = digits[i];
  }
  out.data[to] = 0;
  return out;
}

struct units units_noun(uint64_t count, const char *noun) {
  struct units out;
  size_t length = strlen(noun);
  bool hisses = length && strchr("sxh", noun[length - 1]) != NULL; // process, branch
  snprintf(out.data, sizeof out.data, "%s%s", noun, count == 1 ? "" : hisses ? "es" : "s");
  return out;
}

struct units units_counted(uint64_t count, const char *noun) {
  struct units out;
  snprintf(out.data, sizeof out.data, "%s %s", units_exact(count).data,
           units_noun(count, noun).data);
  return out;
}

struct units units_share(double share) {
  struct units out;
  double percent = 100 * share;
  if (percent > 0 && percent < 0.05)
    snprintf(out.data, sizeof(out.data), "<0.1 %%");
  else
    // 99.5 % is not all of it.
    snprintf(out.data, sizeof(out.data), "%.*f %%",
             (percent < 9.95 && percent != 0) || (percent > 99 && percent < 99.95), percent);
  return out;
}

struct units units_ratio(double ratio) {
  struct units out;
  snprintf(out.data, sizeof(out.data), "%.*fx", decimals(ratio), ratio);
  return out;
}

struct units units_bytes(double bytes) {
  struct units out;
  static const char *const names[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  size_t i = 0;
  while (bytes >= 999.5 && i + 1 < sizeof(names) / sizeof(names[0])) {
    bytes /= 1000;
    i++;
  }
  snprintf(out.data, sizeof(out.data), "%.*f %s", i && bytes < 99.95, bytes, names[i]);
  return out;
}

struct units units_age(uint64_t then_s, uint64_t now_s) {
  struct units out;
  unsigned long long s = then_s < now_s ? now_s - then_s : 0;
  if (s < 120)
    snprintf(out.data, sizeof(out.data), "%llu s", s);
  else if (s < 2 * 3600)
    snprintf(out.data, sizeof(out.data), "%llu min", s / 60);
  else if (s < 2 * 86400)
    snprintf(out.data, sizeof(out.data), "%llu h", s / 3600);
  else
    snprintf(out.data, sizeof(out.data), "%llu days", s / 86400);
  return out;
}

struct units units_utc(uint64_t since_1970_s) {
  struct units out = {"an unknown time"};
  time_t seconds = (time_t)since_1970_s;
  struct tm utc;
  if (since_1970_s < UINT64_C(100000000000) && gmtime_r(&seconds, &utc))
    strftime(out.data, sizeof out.data, "%Y-%m-%d %H:%M:%S UTC", &utc);
  return out;
}

double units_seconds(const char *text) {
  char *end;
  double seconds = strtod(text, &end);
  double unit = *end == 'h' ? 3600 : *end == 'm' ? 60 : 1;
  bool has_unit = *end == 'h' || *end == 'm' || *end == 's';
  return end == text || end[has_unit] || !(seconds > 0) || seconds > 1e8 ? 0 : seconds * unit;
}
