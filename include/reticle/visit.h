// visit.h - how the visits of a window are written: sites and addresses as differences.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A visit is two numbers, each in groups of 7 bits, lowest first, bit 7 set in all but the last:
//
//   site      its number in the profile, from 1
//   address   less that of the visit before with the same site % RETICLE_VISIT_PLACES, doubled, and
//             if it is negative inverted: so small steps either way are short
//
// A window starts with all differences from 0.
#ifndef RETICLE_VISIT_H
#define RETICLE_VISIT_H

#include <stddef.h>
#include <stdint.h>

/// Addresses that are remembered, by site.
#define RETICLE_VISIT_PLACES 64u
/// Bytes that a visit takes at most.
#define RETICLE_VISIT_BYTES_MOST 15u
/// Sites that a process numbers; more have no visits.
#define RETICLE_VISIT_SITES_MOST 4096u

struct reticle_visit_codec {
  uint64_t last[RETICLE_VISIT_PLACES]; ///< zero at the start of a window
};

static inline size_t reticle_visit_put_number(uint8_t *out, uint64_t value) {
  size_t n = 0;
  for (; value >= 0x80; value >>= 7)
    out[n++] = (uint8_t)(value | 0x80);
  out[n++] = (uint8_t)value;
  return n;
}

/// Writes one visit. Returns its bytes, at most RETICLE_VISIT_BYTES_MOST.
static inline size_t reticle_visit_put(struct reticle_visit_codec *codec, uint8_t *out,
                                       uint32_t site, uint64_t address) {
  uint64_t *last = &codec->last[site % RETICLE_VISIT_PLACES];
  uint64_t step = address - *last;
  *last = address;
  size_t n = reticle_visit_put_number(out, site);
  return n + reticle_visit_put_number(out + n, (step << 1) ^ (0 - (step >> 63)));
}

/// Bytes of the number at `in`; 0: it is cut off, or longer than 64 bits.
static inline size_t reticle_visit_get_number(const uint8_t *in, size_t bytes, uint64_t *value) {
  *value = 0;
  for (size_t n = 0; n < bytes && n < 10; n++) {
    *value |= (uint64_t)(in[n] & 0x7f) << (7 * n);
    if (n == 9 && in[n] > 1)
      return 0;
    if (!(in[n] & 0x80))
      return n + 1;
  }
  return 0;
}

/// Reads one visit. Returns its bytes; 0 at the end, or where what is left is no visit.
static inline size_t reticle_visit_get(struct reticle_visit_codec *codec, const uint8_t *in,
                                       size_t bytes, uint32_t *site, uint64_t *address) {
  uint64_t number, folded;
  size_t n = reticle_visit_get_number(in, bytes, &number);
  if (!n || !number || number >= RETICLE_VISIT_SITES_MOST)
    return 0;
  size_t more = reticle_visit_get_number(in + n, bytes - n, &folded);
  if (!more)
    return 0;
  uint64_t *last = &codec->last[number % RETICLE_VISIT_PLACES];
  *last += (folded >> 1) ^ (0 - (folded & 1));
  *site = (uint32_t)number;
  *address = *last;
  return n + more;
}

#endif
