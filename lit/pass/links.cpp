// Probed objects link in every usual way, and the program's results stay the same.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: runtime
// RUN: %clangxx -O2 %S/Inputs/shapes.cpp -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %clangxx -O0 -g -fplugin=%plugin -fplugin-arg-reticle-remarks=0 %S/Inputs/shapes.cpp %rt -o %t.app
// RUN: %env_reticle:period=1 %t.app | diff %t.expected -
// RUN: %clangxx -O3 -g -fplugin=%plugin -static %S/Inputs/shapes.cpp %rt -o %t.app
// RUN: %env_reticle:period=1 %t.app | diff %t.expected -
// RUN: %clangxx -O2 -g -fplugin=%plugin -ffunction-sections -fdata-sections -Wl,--gc-sections %S/Inputs/shapes.cpp %rt -o %t.app
// RUN: %env_reticle:period=1 %t.app | diff %t.expected -
// RUN: %clangxx -Os -g -fplugin=%plugin -fuse-ld=lld -Wl,--gc-sections -Wl,-z,start-stop-gc %S/Inputs/shapes.cpp %rt -o %t.app
// RUN: %env_reticle:period=1 %t.app | diff %t.expected -
// RUN: %clangxx -O2 -g -fplugin=%plugin -flto -fuse-ld=lld %S/Inputs/shapes.cpp %rt -o %t.app
// RUN: %env_reticle:period=1 %t.app | diff %t.expected -
// RUN: %clangxx -O2 -g -fplugin=%plugin -flto=thin -fuse-ld=lld %S/Inputs/shapes.cpp %rt -o %t.app
// RUN: %env_reticle:period=1 %t.app | diff %t.expected -
// The tables are sections of the program.
// RUN: %llvm_bin/llvm-readelf -S %t.app | grep -E "reticle_units +PROGBITS"
// RUN: %llvm_bin/llvm-readelf -S %t.app | grep -E "reticle_objects +PROGBITS"
