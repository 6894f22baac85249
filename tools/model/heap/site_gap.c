// site_gap.c - picks the reason: not compiled in, switched off, or nothing seen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/heap/site_gap.h"

#include "tools/model/block/uncounted.h"

const char *sharing_gap(const struct measurement *m) {
  const char *gap = site_gap(m);
  if (*gap)
    return gap;
  return m->sharing.measured ? ""
                             : "which threads write to one line was not measured; compile with "
                               "-fplugin-arg-reticle-shadow=detail";
}

static const char *state_gap(const struct profile_shadow *shadow) {
  switch (shadow->state) {
  case RETICLE_SHADOW_ON:
    return "";
  case RETICLE_SHADOW_OFF:
    return "the run had RETICLE_OPTIONS=shadow=0, or wasn't measured at all";
  case RETICLE_SHADOW_NO_PLANE:
    return shadow->error == 17 // EEXIST; a profile may come from another system
               ? "something was mapped at the addresses of the marks, 0x7fff7000 to 0x20007fff8000"
               : "32 TB of addresses could not be reserved (ulimit -v, or vm.overcommit_memory=2): "
                 "run it with ulimit -v unlimited";
  case RETICLE_SHADOW_NO_SAMPLER:
    return "the kernel doesn't say which pages have marks (PAGEMAP_SCAN, Linux 6.7)";
  default:
    return "of a state that this version doesn't know";
  }
}

const char *site_gap(const struct measurement *m) {
  if (!m->sites.marked && uncounted_build(m))
    return uncounted_build(m);
  if (!m->sites.marked)
    return "the program was compiled without the feature shadow; compile with "
           "-fplugin-arg-reticle-features=loop,shadow";
  const char *gap = "";
  for (size_t i = 0; i < m->input.profile.shadow_count; i++) {
    gap = state_gap(&m->input.profile.shadow[i]);
    if (!*gap)
      break;
  }
  if (!*gap && !m->sites.count)
    return "no allocation came by (in static programs, and in those with a malloc of their own, "
           "none does), and there is no global variable of 64 bytes or more";
  return gap;
}
