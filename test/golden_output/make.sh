#!/bin/sh
# make.sh - makes the program and the profiles whose reports unit_golden_output compares
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: test/golden_output/make.sh BUILD
#
# Only for new features that the kept profiles lack: addresses and samples are others each time, so all
# expected files change. After it: BUILD/test/bin/unit_golden_output -u
set -eu
build=$(cd "${1:?usage: test/golden_output/make.sh BUILD}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=/tmp/reticle-golden # in the profiles, so the same everywhere
rm -rf "$work"
mkdir -p "$work/lib"
cd "$work"
export XDG_CACHE_HOME=$work/cache
# The runtime's own debug information is most of a small program's.
cp -a "$build/bin" .
cp -a "$build/lib/reticle" lib/
strip -g lib/reticle/libreticle_rt.a
cp "$here/../../bench/fuzz/seed.cpp" .
features=-fplugin-arg-reticle-features=loop,field,block,shadow
bin/reticle-clang++ -I "$here/../../include" -O2 -g -pthread -fdebug-compilation-dir=. -ffile-prefix-map="$here/../.."=. \
  $features -fplugin-arg-reticle-shadow=detail seed.cpp -o app \
  -Wl,--whole-archive lib/reticle/libreticle_pmu_fake.a -Wl,--no-whole-archive
some=report=0:probe_budget=50%
RETICLE_OPTIONS=$some:sample=1:sample_hz=4000:shadow_hz=100:blocks=6:period=1:out=all.prof ./app 3000
RETICLE_OPTIONS=$some:sample=1:sample_hz=4000:shadow_hz=10:period=1:out=again.prof ./app 5000
RETICLE_OPTIONS=$some:burst=1:target_samples=130:field=0:shadow=0:out=burst.prof ./app 900
RETICLE_OPTIONS=$some:sample=1:sample_perf=0:shadow_hz=200:out=threads.prof ./app 900 threads
RETICLE_OPTIONS=pmu=fake:$here/../../lit/tools/Inputs/topdown/zen4_memory.pmu:period=20:nested_after_us=0:pool=64K:target_samples=120 \
  bin/reticle topdown --tree zen4 -o topdown.prof ./app 600 >/dev/null 2>&1
cp app all.prof again.prof burst.prof threads.prof topdown.prof "$here/"
rm -rf "$work"
