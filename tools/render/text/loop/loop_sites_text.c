// loop_sites_text.c - prints the sites that one loop touches, the most frequent first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/loop/loop_sites_text.h"
#include "tools/model/heap/site_find.h"
#include "tools/model/loop/loop_sites.h"
#include "tools/support/units.h"

/// Sites on a card, and the least share of samples of one.
#define SITES_SHOWN 3
#define SHOWN_LEAST 0.02

/// Those that are worth a line.
static bool is_shown(const struct loop_sites *sites, size_t i) {
  return i < sites->count && i < SITES_SHOWN &&
         (double)sites->sites[i].samples >= SHOWN_LEAST * (double)sites->samples;
}

void loop_sites_add(const struct measurement *m, const struct loop_sites *sites, size_t i,
                    struct text *out) {
  if (sites->reason || !is_shown(sites, i))
    return;
  const struct loop_site *s = &sites->sites[i];
  text_printf(out, "A%zu ", s->rank);
  site_add_name(m, s->use, out);
  if (s->use->useful_share.status == QUANTITY_OK)
    text_printf(out, ": %s of the fetched bytes are used",
                units_share(s->use->useful_share.value).data);
  else
    text_printf(out, ": useful share not known (%s)", s->use->useful_share.reason);
  text_printf(out, " (by all code); in %s of %llu samples of the loop a pointer led there",
              units_share((double)s->samples / (double)sites->samples).data,
              (unsigned long long)sites->samples);
}
