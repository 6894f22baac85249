// measured_block.c - finds a measured block in a profile; its share, and whether to trust it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/block/measured_block.h"
#include "runtime/harness/block/block_measure.h"
#include "tools/analysis/stats/sample_share.h"

#include <stdlib.h>
#include <string.h>

struct quantity measured_block_share(const struct measurement *m,
                                     const struct measured_block *block) {
  if (!block->is_sampled)
    return quantity_none(QUANTITY_UNSUPPORTED, m->samples.all
                                                   ? "no such block in the file that was sampled"
                                                   : "no samples: RETICLE_OPTIONS=sample=1");
  return sample_share(block->sampled_ns, m->samples.all_ns, m->samples.all);
}

const struct measured_block *block_report_find(const struct measurement *m, const char *name) {
  char *end;
  if (name[0] != 'B' || name[1] < '1' || name[1] > '9')
    return NULL;
  unsigned long long rank = strtoull(name + 1, &end, 10);
  return !*end && rank <= m->block_count ? &m->blocks[rank - 1] : NULL;
}

bool measured_block_is_noisy(const struct profile_block *block) {
  return strcmp(block->status, harness_status_name(HARNESS_NOISY)) == 0;
}
