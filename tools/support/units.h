// units.h - numbers as people read them: a few digits and a fitting unit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_SUPPORT_UNITS_H
#define RETICLE_TOOLS_SUPPORT_UNITS_H

#include <stdint.h>

/// A number as text; printed with "%s", units_duration(ns).data, and so good until the end of the
/// expression.
struct units {
  char data[32];
};

/// "310 ns", "3.06 ms", "2.41 s", "4 min 10 s"
struct units units_duration(double ns);
/// Time lost: "0.41 s", "12.0 s", and below a tenth of a second "31.0 ms"; "0 s" is none
struct units units_lost(double ns);
/// The noun for so many: "thread" of 1, else "threads".
struct units units_noun(uint64_t count, const char *noun);
/// So many of something: "1 thread", "2 threads", "12 345 processes"; noun: one of them.
struct units units_counted(uint64_t count, const char *noun);
/// "101", "9.2k", "1.2M"
struct units units_count(double count);
/// A count in full with the digits in groups: "400 000"
struct units units_exact(uint64_t count);
/// A part of one: "61 %", "0.9 %", "<0.1 %"
struct units units_share(double share);
/// "1.60x", "12.0x", "150x"
struct units units_ratio(double ratio);
/// "912 B", "60.8 MB"
struct units units_bytes(double bytes);
/// How long ago: "12 s", "5 min", "3 h", "9 days". Both in seconds since 1970; a time to come, as a
/// file may have any, is 0 s ago.
struct units units_age(uint64_t then_s, uint64_t now_s);

/// "2026-11-26 10:20:05 UTC", of seconds since 1970; "an unknown time" where no calendar has it.
struct units units_utc(uint64_t since_1970_s);

/// "90", "90s", "5m", "2h" in seconds; 0 if it is no such.
double units_seconds(const char *text);

#endif
