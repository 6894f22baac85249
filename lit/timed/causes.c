// Causes of slow executions that are planted are the first of the table; without facts it says so.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %reticle_cc -O2 -g %src/bench/causes/planted.c -o %t/app -lpthread
// RUN: cd %t && %python %support/causes.py %reticle ./app | %FileCheck %s
// CHECK: fine
