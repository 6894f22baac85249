# xz.sh - a compressor of several threads, and a shared library of its own
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
packages="make"

fetch() { fetch_source xz-utils; }

build() {
  ./configure --quiet --disable-nls --disable-doc
  make -s -j"$JOBS"
}

suite() { make check; }

results() { sed -nE 's/^PASS: (.*)/ok \1/p; s/^SKIP: (.*)/skipped \1/p; s/^(FAIL|ERROR|XPASS): (.*)/FAILED \2/p'; }

workload() {
  python3 -c "
import random
r = random.Random(4711)
words = [bytes(r.choices(b'abcdefghijklmnopqrstuvwxyz', k=r.randint(2, 9))) for _ in range(5000)]
open('input', 'wb').write(b' '.join(r.choices(words, k=${COUNT:-1500000})))"
  xz=$tree/src/xz/.libs/xz
  export LD_LIBRARY_PATH="$tree/src/liblzma/.libs"
  # shellcheck disable=SC2086
  $RUN "$xz" -T2 --block-size=2MiB -4 -k -c input >input.xz
  # shellcheck disable=SC2086
  $RUN "$xz" -T2 -d -c input.xz >output
  cmp input output
  sha256sum input.xz
}
