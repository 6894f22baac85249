// Loops of a coroutine are probed once it is split, with and without optimisation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx -std=c++20 -O0 -g -fplugin=%plugin -fplugin-arg-reticle-remarks=0 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clangxx -std=c++20 -O2 -g -fplugin=%plugin -S -emit-llvm %s -o - | %FileCheck %s
#include <coroutine>
struct task {
  struct promise_type {
    task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};
int total;
int next();
task sum(int n) {
  for (int i = 0; i < n; i++)
    total += next();
  co_return;
}
// CHECK: @__reticle_loops._Z3sumi.resume = internal
// CHECK: define internal {{.*}}void @_Z3sumi.resume
// CHECK: call void asm sideeffect {{.*}} @__reticle_loop_begin,
