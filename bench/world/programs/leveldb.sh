# leveldb.sh - a C++ library and its tests, built by CMake
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
measured=db_bench
packages="cmake ninja-build googletest libbenchmark-dev"

fetch() { fetch_source leveldb; }

build() {
  # Debian's own googletest and benchmark library stand in for the copies that leveldb's repository has.
  mkdir -p third_party
  rm -rf third_party/googletest
  ln -s /usr/src/googletest third_party/googletest
  sed -i -e '/add_subdirectory("third_party\/benchmark")/d' \
    -e 's/-Werror[a-z-]*//g' CMakeLists.txt
  cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
    -DCMAKE_CXX_STANDARD=14 -DHAVE_SNAPPY=0 -DHAVE_CRC32C=0 -DHAVE_TCMALLOC=0
  cmake --build build -j "$JOBS"
}

suite() {
  export TEST_TMPDIR="$out/tmp"
  status=0
  for test in build/*_test; do
    "$test" || status=1
  done
  return $status
}

results() { sed -nE 's/^\[ +OK \] ([^ ,]+).*/ok \1/p; s/^\[ +FAILED +\] ([^ ,]+) \(.*/FAILED \1/p; s/^PASS$/ok c_test/p'; }

workload() {
  # shellcheck disable=SC2086
  $RUN "$tree/build/db_bench" --db="$PWD/db" --num="${COUNT:-200000}" --compression_ratio=1 \
    --benchmarks=fillrandom,readrandom,readseq,compact,readreverse,overwrite >benchmark.log 2>&1
  grep -cE '^(fillrandom|readrandom|readseq|compact|readreverse|overwrite) ' benchmark.log | sha256sum
}
