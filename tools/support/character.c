// character.c - decodes UTF-8 and looks up what is shown, how wide, or escaped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/support/character.h"

#include <stdio.h>

struct range {
  uint32_t first, last;
};

static const struct range none[] = {
#define CHARACTER_NONE(first, last) {first, last},
#include "tools/support/character_width.def"
};

static const struct range wide[] = {
#define CHARACTER_WIDE(first, last) {first, last},
#include "tools/support/character_width.def"
};

/// Not shown: Default_Ignorable_Code_Point of Unicode 15, separators of lines, annotations.
static const struct range hidden[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},
    {0x115f, 0x1160}, {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x206f}, {0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
    {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

static bool is_in(const struct range *ranges, size_t count, uint32_t point) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ranges[middle].last < point)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && ranges[low].first <= point;
}

#define IS_IN(ranges, point) is_in(ranges, sizeof(ranges) / sizeof(*(ranges)), point)

size_t character_read(const char *string, uint32_t *point) {
  const unsigned char *s = (const unsigned char *)string;
  *point = s[0];
  if (s[0] < 0x80)
    return 1;
  size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
  if (s[0] < 0xc2 || s[0] > 0xf4)
    return 0;
  *point &= 0xffu >> (length + 1);
  for (size_t i = 1; i < length; i++) {
    if ((s[i] & 0xc0) != 0x80)
      return 0;
    *point = *point << 6 | (s[i] & 0x3f);
  }
  bool overlong = (length == 3 && *point < 0x800) || (length == 4 && *point < 0x10000);
  bool surrogate = *point >= 0xd800 && *point < 0xe000;
  return overlong || surrogate || *point > 0x10ffff ? 0 : length;
}

bool character_is_shown(uint32_t point) {
  bool is_noncharacter = (point & 0xfffe) == 0xfffe || (point >= 0xfdd0 && point < 0xfdf0);
  return !is_noncharacter && !IS_IN(hidden, point);
}

unsigned character_width(uint32_t point) {
  if (point < 0x300)
    return 1;
  return IS_IN(none, point) ? 0 : IS_IN(wide, point) ? 2 : 1;
}

void character_escape(const char *string, size_t length, uint32_t point, char *out) {
  if (point == '\n' && length)
    snprintf(out, CHARACTER_ESCAPE, "\\n");
  else if (point == '\t' && length)
    snprintf(out, CHARACTER_ESCAPE, "\\t");
  else if (length < 2) // a byte: of a control character, or no UTF-8
    snprintf(out, CHARACTER_ESCAPE, "\\x%02x", (unsigned)(unsigned char)string[0]);
  else
    snprintf(out, CHARACTER_ESCAPE, point > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)point);
}
