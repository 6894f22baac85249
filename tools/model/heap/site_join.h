// site_join.h - one site for one call in the source, where code has two copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code compiled with shadow=bursts has a plain and a marked copy, and each call in it two return
// addresses.
#ifndef RETICLE_TOOLS_MODEL_HEAP_SITE_JOIN_H
#define RETICLE_TOOLS_MODEL_HEAP_SITE_JOIN_H

#include "tools/model/sample/site_names.h"

/// Of a run with bursts: adds up the sites, with their words, whose call stacks are the same by
/// function, file, line and column; those with a frame that has no line stay what they are. The
/// numbers are as if two processes had been merged, so a site's peak is the larger one of the two.
///
/// profile  merged; its arrays of sites are changed
void site_join(struct profile *profile, const struct site_names *names);

#endif
