#!/bin/sh
# build.sh - build one of the four real programs, unchanged, with its own build system
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: build.sh PROGRAM VARIANT SRCDIR OUTDIR
# PROGRAM is lz4, zstd, sqlite3, lua5.4, or chase of this directory; SRCDIR what fetch.sh left in
# DIR/PROGRAM. VARIANT sets the compiler, which $CC overrides (then VARIANT is only a name):
#   plain     clang-19
#   reticle   reticle-clang from $RETICLE_BIN, or from a build tree of this checkout
#   field     the same, with the feature field alone
#   block     the same, with the features loop and block
#   counts    the features field and shadow, without visits
#   visits    and with them
#   field-no-alias   and with -fno-strict-aliasing
#   shadow    the same, with the feature shadow alone
#   shadow-always    and with shadow=always
#   shadow-detail    and with shadow=detail
#   shadow-duty      and with shadow=bursts, for bursts
#   stacks    reticle-clang with stacks=1: frame pointers
#   memprof   clang-19 -fmemory-profile
# Optimisation and all other flags are the program's own. The last line on stdout is the path of the
# program that was built (also kept in OUTDIR/binary); OUTDIR/build.log holds the rest. SRCDIR isn't
# written to. $JOBS: make -j.
set -eu
me=build.sh
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"

[ $# -eq 4 ] || usage
program=$1 variant=$2 out=$(absolute "$4")
check_program "$program"
[ -d "$3" ] || die "$3: no such directory; get the source with fetch.sh $program DIR, then SRCDIR is DIR/$program"
src=$(cd "$3" && pwd -P) # a link would be copied as such, and the build go to what it points at
case ${CC:+set}$variant in
set*) ;;
plain) CC=clang-19 ;;
reticle) CC=$(reticle_bin)/reticle-clang ;;
field-no-alias) CC="$(reticle_bin)/reticle-clang -fplugin-arg-reticle-features=field -fno-strict-aliasing" ;;
block) CC="$(reticle_bin)/reticle-clang -fplugin-arg-reticle-features=loop,block" ;;
shadow) CC="$(reticle_bin)/reticle-clang -fplugin-arg-reticle-features=shadow" ;;
shadow-always) CC="$(reticle_bin)/reticle-clang -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow=always" ;;
shadow-detail) CC="$(reticle_bin)/reticle-clang -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow=detail" ;;
shadow-duty) CC="$(reticle_bin)/reticle-clang -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow=bursts" ;;
stacks) CC="$(reticle_bin)/reticle-clang -fplugin-arg-reticle-stacks=1" ;;
memprof) CC="clang-19 -fmemory-profile" ;;
counts) CC="$(reticle_bin)/reticle-clang -fplugin-arg-reticle-features=field,shadow -fplugin-arg-reticle-visits=0" ;;
visits) CC="$(reticle_bin)/reticle-clang -fplugin-arg-reticle-features=field,shadow" ;;
field) CC="$(reticle_bin)/reticle-clang -fplugin-arg-reticle-features=field" ;;
*) die "variant $variant: unknown without CC in the environment; use plain, reticle, field, block, shadow, stacks or memprof, or set CC" ;;
esac
command -v "${CC%% *}" >/dev/null || die "${CC%% *}: not found; install it (apt-get install clang-19) or set CC"
for tool in $([ "$program" = chase ] || echo make) $([ "$program" != sqlite3 ] || echo tclsh); do
  command -v "$tool" >/dev/null || die "$tool: not found; install: apt-get install $(build_packages "$program")"
done

# An object of another compiler must not survive, so every build starts from nothing.
rm -rf "$out"
mkdir -p "$out"
printf '%s\n' "$CC" >"$out/cc" # suite.sh builds the tests with the same compiler
jobs=-j${JOBS:-$(nproc)}

# Builds run programs that they have just built. Those are instrumented as well, and must neither
# print (Tcl's exec takes a line on stderr for a failure) nor leave profiles in the source.
mkdir "$out/prof"
RETICLE_OPTIONS=report=0:out=$out/prof/%e.%p.prof:log_path=$out/prof/messages
export RETICLE_OPTIONS

# Make's own variables must not come from a make that calls us.
unset MAKEFLAGS MFLAGS CFLAGS CPPFLAGS CXXFLAGS LDFLAGS

sqlite3_features="-DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_DBPAGE_VTAB -DSQLITE_ENABLE_DBSTAT_VTAB"
sqlite3_features="$sqlite3_features -DSQLITE_ENABLE_STMTVTAB -DSQLITE_ENABLE_BYTECODE_VTAB"
sqlite3_features="$sqlite3_features -DSQLITE_ENABLE_OFFSET_SQL_FUNC -DSQLITE_ENABLE_EXPLAIN_COMMENTS"
sqlite3_features="$sqlite3_features -DSQLITE_ENABLE_UNKNOWN_SQL_FUNCTION"

build() {
  case $program in
  lz4)
    cp -R "$src" "$out/tree"
    make "$jobs" -C "$out/tree" CC="$CC" lib lz4
    ;;
  zstd)
    cp -R "$src" "$out/tree"
    make "$jobs" -C "$out/tree/programs" CC="$CC" zstd
    ;;
  chase)
    mkdir -p "$out/tree"
    # shellcheck disable=SC2086
    $CC -O2 -g "$src/chase.c" -o "$out/tree/chase" -lpthread
    ;;
  lua5.4)
    cp -R "$src" "$out/tree"
    make "$jobs" -C "$out/tree/src" CC="$CC -std=gnu99" linux
    ;;
  sqlite3)
    # Shared library and shell, as configure does by default; the test fixture of suite.sh needs Tcl's
    # header, the library and the shell don't. Upstream compiles its shell with these features; Debian
    # links it to the library instead, which then needs them too, or `.recover` and its test fail.
    mkdir -p "$out/tree"
    tcl=$(find /usr/lib -maxdepth 3 -name tclConfig.sh 2>/dev/null | LC_ALL=C sort | tail -n 1)
    if [ -n "$tcl" ]; then tcl=--with-tcl=$(dirname "$tcl"); else tcl=--disable-tcl; fi
    (
      cd "$out/tree"
      "$src/configure" --quiet CC="$CC" "$tcl" CPPFLAGS="$sqlite3_features"
      make "$jobs" sqlite3
    )
    ;;
  esac
}

if ! build >"$out/build.log" 2>&1; then
  tail -n 30 "$out/build.log" >&2
  die "building $program with CC='$CC' failed; the whole log is $out/build.log"
fi
case $program in
lz4) binary=$out/tree/programs/lz4 ;;
zstd) binary=$out/tree/programs/zstd ;;
chase) binary=$out/tree/chase ;;
lua5.4) binary=$out/tree/src/lua ;;
sqlite3) binary=$out/tree/sqlite3 ;;
esac
[ -x "$binary" ] || die "the build of $program left no $binary; see $out/build.log"
echo "$binary" >"$out/binary"
echo "$binary"
