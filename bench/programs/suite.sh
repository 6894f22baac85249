#!/bin/sh
# suite.sh - run a program's own test suite on a build, and count what passed
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: suite.sh PROGRAM BUILDDIR
# BUILDDIR is OUTDIR of build.sh. The tests are built with the compiler of that build, in a copy
# (BUILDDIR/suite), because the suites rebuild the program with flags of their own. Time-bound parts
# are cut short and get a fixed seed, so that two builds run the same cases:
#   lz4      what Debian runs, `make test` in tests/: command line, 6 GB streams, fuzzer and frametest
#            (20 s each), fullbench, partial decompression
#   zstd     tests/: playTests.sh, cli-tests, fuzzer and zstreamtest (20 s each), decodecorpus (10 s),
#            invalidDictionaries, legacy, pool
#   sqlite3  `quicktest` (extraquick.test, about 200,000 cases) and `fuzztest`. Debian runs none.
#   lua5.4   Debian's package has no test suite: upstream's `make test`, and suite.lua of this
#            directory. With $LUA_TESTS, the directory of the official suite for 5.4.4, also that.
# Prints one line per part: PROGRAM PART ok|FAILED SECONDS DETAIL; exits 1 if any FAILED. Logs are in
# BUILDDIR/suite/PART.log. $SUITE_PARTS selects parts by name.
#
# An instrumented program gets RETICLE_OPTIONS without a report, with profiles and messages below
# BUILDDIR/suite/prof, as suites compare what programs print and which files they leave.
set -eu
me=suite.sh
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"

[ $# -eq 2 ] || usage
program=$1
check_program "$program"
[ "$program" != chase ] || die "chase has no test suite; choose another program"
[ -f "$2/cc" ] && [ -d "$2/tree" ] || die "$2: not a build; make one: build.sh $program VARIANT SRCDIR $2"
build=$(cd "$2" && pwd)
CC=$(cat "$build/cc")
suite=$build/suite
rm -rf "$suite"
mkdir -p "$suite/prof"
cp -R "$build/tree" "$suite/tree"
tree=$suite/tree
jobs=-j${JOBS:-$(nproc)}
failed=0
RETICLE_OPTIONS=report=0:out=$suite/prof/%e.%p.prof:log_path=$suite/prof/messages
export RETICLE_OPTIONS
unset MAKEFLAGS MFLAGS CFLAGS CPPFLAGS CXXFLAGS LDFLAGS

# part NAME DETAIL COMMAND...: runs COMMAND in a session of its own log. DETAIL is an extended regular
# expression; the last line of the log that matches it is printed.
part() {
  name=$1 detail=$2
  shift 2
  case " ${SUITE_PARTS:-$name} " in *" $name "*) ;; *) return 0 ;; esac
  began=$(date +%s)
  if "$@" >"$suite/$name.log" 2>&1 </dev/null; then verdict=ok; else verdict=FAILED failed=1; fi
  printf '%s %s %s %d s %s\n' "$program" "$name" "$verdict" $(($(date +%s) - began)) \
    "$(grep -aE "$detail" "$suite/$name.log" | tail -n 1 | tr '\r' '\n' | tail -n 1)"
}

lz4_suite() {
  tests="$tree/tests"
  part build '^$' make "$jobs" -C "$tests" CC="$CC" all lz4
  for target in test-lz4-essentials test-lz4-opt-parser test-lz4-sparse test-lz4-skippable \
    test-lz4-hugefile test-lz4c test-frametest test-fullbench test-fuzzer test-amalgamation listTest \
    test-decompress-partial; do
    part "$target" 'All tests completed|[Tt]ests? (passed|completed)|OK' \
      make -C "$tests" CC="$CC" FUZZER_TIME='-T20s -s4711' NB_LOOPS=-i1 "$target"
  done
}

zstd_suite() {
  tests="$tree/tests"
  part build '^$' make "$jobs" -C "$tests" CC="$CC" zstd datagen fuzzer zstreamtest decodecorpus \
    invalidDictionaries legacy poolTests
  for target in shortest test-cli-tests test-fuzzer test-zstream test-decodecorpus \
    test-invalidDictionaries test-legacy test-pool; do
    part "$target" 'PASSED|tests? (passed|completed)|PASS' \
      make -C "$tests" CC="$CC" FUZZERTEST=-T20s ZSTREAM_TESTTIME=-T20s FUZZER_FLAGS='--no-big-tests -s4711' \
      DECODECORPUS_TESTTIME=-T10 "$target"
  done
}

sqlite3_suite() {
  [ -f "$tree/Makefile" ] && grep -q '^LIBTCL *= *.*-ltcl' "$tree/Makefile" ||
    die "sqlite3 was configured without Tcl; install it (apt-get install $(suite_packages sqlite3)) and build again"
  part build '^$' make "$jobs" -C "$tree" testprogs
  # The tests refuse to run as root.
  as_user=
  if [ "$(id -u)" -eq 0 ]; then
    command -v setpriv >/dev/null || die "setpriv: not found; install util-linux, or run as an ordinary user"
    chown -R 65534:65534 "$suite"
    as_user='setpriv --reuid=65534 --regid=65534 --clear-groups'
    $as_user test -r "$tree/Makefile" || die "$suite: an ordinary user can't read it, and sqlite3's tests refuse to run as root; use a build directory below one that all may enter"
  fi
  tests=$(sed -n 's/^TOP = *//p' "$tree/Makefile")/test
  part veryquick 'errors? (from|out of)|^Errors in' $as_user sh -c 'cd "$1" && ./testfixture "$2/testrunner.tcl" --jobs "$3" veryquick' \
    - "$tree" "$tests" "${JOBS:-$(nproc)}"
  part fuzztest 'errors? out of|passed' $as_user make -C "$tree" fuzztest
}

lua_suite() {
  part test 'Lua 5' make -C "$tree/src" CC="$CC -std=gnu99" test
  part suite 'passed' "$tree/src/lua" "$here/suite.lua"
  [ -n "${LUA_TESTS:-}" ] || return 0
  [ -f "$LUA_TESTS/all.lua" ] || die "LUA_TESTS=$LUA_TESTS: no all.lua there; unpack lua-5.4.4-tests.tar.gz and name its directory"
  cp -R "$LUA_TESTS" "$suite/official"
  part official 'final OK' sh -c 'cd "$1" && "$2" -e "_U=true" all.lua' - "$suite/official" "$tree/src/lua"
}

case $program in
lz4) lz4_suite ;;
zstd) zstd_suite ;;
sqlite3) sqlite3_suite ;;
lua5.4) lua_suite ;;
esac
exit $failed
