// Plugin.h - how the clang action hands the passes to a pipeline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_PLUGIN_PLUGIN_H
#define RETICLE_PASS_PLUGIN_PLUGIN_H

#include <memory>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace reticle {

struct Options;

/// Adds the passes to the pipelines that PB builds.
void registerPasses(llvm::PassBuilder &PB, std::shared_ptr<const Options> Opts);

/// Keeps -fpass-plugin= from adding the passes a second time, with default options.
void leaveRegistrationToAction();

} // namespace reticle

#endif
