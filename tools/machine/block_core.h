// block_core.h - which core this is, as far as limits of blocks are known for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MACHINE_BLOCK_CORE_H
#define RETICLE_TOOLS_MACHINE_BLOCK_CORE_H

#include "tools/analysis/block/block_limit.h"

/// By CPUID's features: a hypervisor may hand its guests other models and names.
enum block_core block_core_here(void);

#endif
