// unit_demangle.c - linkage names of C++, Rust and Fortran
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/support/demangle.h"

static void check(const char *linkage_name, const char *expected) {
  char *name = demangle(linkage_name);
  demangle_shorten(name);
  CHECK_TEXT(name, expected);
  free(name);
}

static void test_cxx(void) {
  check("_ZN2ns1fEi", "ns::f");
  check("main", "main");
  check("_Znothing", "_Znothing");
}

static void test_rust(void) {
  check("_ZN3app8notional17hda2f8fa1093063d6E", "app::notional");
  check("_ZN5alloc3vec16Vec$LT$T$C$A$GT$4push17he6ce4b491ad70e99E", "alloc::vec::Vec<T,A>::push");
  check(
      "_ZN63_$LT$app..Order$u20$as$u20$core..cmp..PartialEq$LT$u8$GT$$GT$2eq17h00112233445566aaE",
      "_ZN63_$LT$app..Order$u20$as$u20$core..cmp..PartialEq$LT$u8$GT$$GT$2eq17h00112233445566aaE");
  check("_ZN33_$LT$app..Order$u20$as$u20$Eq$GT$2eq17h00112233445566aaE", "<app::Order as Eq>::eq");
  // No hash of rustc's: the name of a C++ function.
  check("_ZN3app17hda2f8fa1093063xxE", "app::hda2f8fa1093063xx");
  check("_ZN1a4$zz$17hda2f8fa1093063d6E", "a::$zz$");
}

// What compilers put behind names. As c++filt and rustfilt have it, but that the number of a module
// is left out of names of C and C++, too.
static void test_suffixes(void) {
  check("_ZN3app8notional17h0123456789abcdefE.llvm.12345678901234567890", "app::notional");
  check("_ZN3app8notional17h0123456789abcdefE.cold", "app::notional");
  check("_ZN3app8notional17h0123456789abcdefE.llvm.77.cold", "app::notional");
  check("_ZN46_$LT$app..Book$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE.llvm.1",
        "<app::Book as core::fmt::Debug>::fmt");
  check("_Z4workPi.llvm.4711", "work");
  check("_Z4workPi.__uniq.12.llvm.4711", "work");
  check("_Z4workPi.part.0.cold", "work");
  check("_Z4workPi.isra.0", "work");
  check("_Z4workPi.lto_priv.0", "work");
  check("_ZN4book5priceE.llvm.4711", "book::price");
  check("_ZN4book5priceE.lto_priv.0", "book::price.lto_priv.0");
  check("work.llvm.4711", "work");
  check("work.llvm.4711.cold", "work.cold");
  check("work.part.0", "work.part.0");
  check("work.llvm.x", "work.llvm.x");
  check("_Znonsense.llvm.1", "_Znonsense");
  check("_Znonsense.cold", "_Znonsense.cold");
}

static void test_fortran(void) {
  check("_QMsolverPstep", "solver::step");
  check("_QMsolverFstepPinner_1", "solver::step::inner_1");
  check("_QFrunPhelp", "run::help");
  check("_QQmain", "_QQmain");
  check("_QMsolverTstate", "_QMsolverTstate");
  check("_QMsolver", "_QMsolver");
  check("_Q", "_Q");
  check("step_", "step_");
}

int main(void) {
  RUN(test_cxx);
  RUN(test_rust);
  RUN(test_suffixes);
  RUN(test_fortran);
  return unit_status();
}
