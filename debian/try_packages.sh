#!/bin/sh
# try_packages.sh - installs the packages in an empty Debian, measures a program, removes all, and looks what is left.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   debian/try_packages.sh FOLDER [MIRROR...]    FOLDER has the .deb files of dpkg-buildpackage; needs root and mmdebstrap
#
# MIRROR: lines of sources.list; default: Debian's.
set -eu

die() {
  echo "try_packages.sh: error: $*" >&2
  exit 1
}

[ $# -ge 1 ] || die "usage: debian/try_packages.sh FOLDER [MIRROR...]"
folder=$1
shift
[ $# -gt 0 ] || set -- "deb http://deb.debian.org/debian bookworm main" \
  "deb http://security.debian.org/debian-security bookworm-security main"
root=$(mktemp -d)
trap 'umount "$root/debian/proc" 2>/dev/null; rm -rf "$root"' EXIT
mmdebstrap --variant=apt --quiet bookworm "$root/debian" "$@"
# What a user measured stays in the user's folders (~/.cache/reticle has the floor of the timer), as packages leave homes alone.
inside() { chroot "$root/debian" env HOME=/tmp DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"; }
files() { (cd "$root/debian" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./tmp \) -prune -o -print | sort); }

mount -t proc proc "$root/debian/proc"
mkdir "$root/debian/packages"
cp "$folder"/*.deb "$root/debian/packages/"
files >"$root/before"
inside apt-get update -qq
inside sh -c 'apt-get install -y -qq --no-install-recommends /packages/reticle_*.deb /packages/reticle-llvm-19_*.deb /packages/libreticle-dev_*.deb libc6-dev' >"$root/log" 2>&1 ||
  { tail -n 20 "$root/log" >&2; die "the packages can't be installed"; }

cat >"$root/debian/tmp/demo.c" <<'C'
#include <reticle.h>
#include <stdio.h>

static volatile unsigned sink;

int main(void) {
  for (int k = 0; k < 2000; k++) {
    RETICLE_REGION_BEGIN("turn");
    for (unsigned i = 0; i < 100000; i++)
      sink += i;
    RETICLE_REGION_END;
  }
  return printf("%u\n", sink) < 0;
}
C
inside sh -c 'cd /tmp && reticle-clang -O2 -g demo.c -o demo && ./demo 2>report >output && cat report' >"$root/report" ||
  die "the demo didn't run"
grep -q LOOPS "$root/report" || die "the demo printed no report: $(cat "$root/report")"
inside sh -c 'cd /tmp && reticle report --json reticle.demo.*.prof' | grep -q '"turn"' || die "the region isn't in the report"
inside reticle doctor >/dev/null || true

inside apt-get purge -y -qq --autoremove reticle reticle-llvm-19 libreticle-dev libc6-dev >"$root/log" 2>&1 ||
  { tail -n 20 "$root/log" >&2; die "the packages can't be removed"; }
files >"$root/after"
left=$(comm -13 "$root/before" "$root/after" | grep -i reticle || true)
[ -z "$left" ] || die "left behind: $left"
echo "try_packages.sh: installed, used, removed; nothing is left"
