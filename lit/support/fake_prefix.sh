#!/bin/sh
# fake_prefix.sh - an installation with empty parts, to look at reticle-clang alone
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: fake_prefix.sh RETICLE_CLANG CLANG DIR
# DIR/bin gets the wrapper, DIR/lib/reticle an empty plug-in for LLVM 19 and 22 and a runtime of one
# symbol, __reticle_stub. So the tests of the wrapper hold whether or not the rest is built.
set -eu
wrapper=$1 clang=$2 dir=$3
rm -rf "$dir"
mkdir -p "$dir/bin" "$dir/lib/reticle/plugins" "$dir/include/reticle"
cp "$wrapper" "$dir/bin/reticle-clang"
ln -s reticle-clang "$dir/bin/reticle-clang++"
ln -s reticle-clang "$dir/bin/reticle-flang"
cd "$dir/lib/reticle"
touch plugins/ReticlePass-19.so plugins/ReticlePass-22.so
echo 'int reticle_stub_plugin;' | "$clang" -shared -fPIC -x c - -o reticle.so
echo 'int __reticle_stub = 1;' | "$clang" -c -fPIC -x c - -o stub.o
ar rcs libreticle_rt.a stub.o
echo '#define RETICLE_STUB_HEADER 1' >"$dir/include/reticle/reticle.h"
