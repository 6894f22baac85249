#!/bin/sh
# fuzz.sh - the structured fuzzer for hours: fresh profiles of a program with everything, and the golden ones
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/fuzz/fuzz.sh BUILD [RUNS [SEED]]
#
# Ends with the number of runs and findings; a run is one command line on one input. Findings are kept in
# BUILD/fuzz/found, with the number that repeats each. Where Python has jsonschema, JSON of some of the
# runs is checked against docs/schema.
set -eu
build=$(cd "${1:?usage: bench/fuzz/fuzz.sh BUILD [RUNS [SEED]]}" && pwd)
runs=${2:-1000000} seed=${3:-1}
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$build/fuzz/seeds-of-this-machine
export XDG_CACHE_HOME=$work/cache
mkdir -p "$work/lib" "$work/bin" "$build/fuzz/found" "$build/fuzz/json"

# The runtime's own debug information is most of a small program's: a copy without it makes inputs small.
cp -a "$build/bin/." "$work/bin/"
cp -a "$build/lib/reticle" "$work/lib/"
strip -g "$work/lib/reticle/libreticle_rt.a"
cd "$work"
if [ ! -f made ]; then
  features=-fplugin-arg-reticle-features=loop,field,block,shadow
  bin/reticle-clang++ -I "$source/include" -O2 -g -pthread $features -fplugin-arg-reticle-shadow=detail \
    "$source/bench/fuzz/seed.cpp" -o app -Wl,--whole-archive lib/reticle/libreticle_pmu_fake.a -Wl,--no-whole-archive
  some=report=0:pool=64K
  RETICLE_OPTIONS=$some:sample=1:sample_hz=4000:shadow_hz=100:blocks=6:target_samples=130:out=all.prof ./app 3000
  RETICLE_OPTIONS=$some:sample=1:sample_hz=4000:shadow_hz=10:target_samples=60:out=again.prof ./app 5000
  RETICLE_OPTIONS=$some:burst=1:target_samples=130:field=0:shadow=0:out=burst.prof ./app 900
  RETICLE_OPTIONS=$some:sample=1:sample_perf=0:shadow_hz=200:out=threads.prof ./app 900 threads
  RETICLE_OPTIONS=$some:sample=1:epoch=1s:checkpoint_ms=100:target_samples=30:out=epoch.prof ./app 60000
  cp "$source/lit/tools/Inputs/topdown/zen4_memory.pmu" fake.pmu
  RETICLE_OPTIONS=pmu=fake:$work/fake.pmu:period=20:nested_after_us=0:pool=64K:target_samples=120 \
    bin/reticle topdown --tree zen4 -o topdown.prof ./app 600 > /dev/null 2>&1
  bin/reticle merge -o merged.prof all.prof again.prof 2> /dev/null
  touch made
fi
status=0
"$build/test/bin/unit_fuzz_tool" -n "$runs" -s "$seed" -f "$build/fuzz/found" -a app ./*.prof "$source"/test/golden/*.prof || status=$?
rm -f "$build/fuzz/json/"*
sample=$((runs / 100 < 4000 ? 4000 : runs / 100 > 40000 ? 40000 : runs / 100))
"$build/test/bin/unit_fuzz_tool" -n $sample -s "$seed" -a app -j "$build/fuzz/json" ./*.prof "$source"/test/golden/*.prof > /dev/null 2>&1 || status=$?
python3 "$source/bench/fuzz/schema.py" "$source/docs/schema" "$build/fuzz/json" || status=$?
exit $status
