// unit_names.c - names as commands show them: template arguments that nobody reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/support/names.h"

#include <stdio.h>

static const char *cut(const char *name) {
  static char text[300];
  snprintf(text, sizeof text, "%s", name);
  name_cut_arguments(text, 24);
  return text;
}

static void test_arguments(void) {
  CHECK_TEXT(cut("main"), "main");
  CHECK_TEXT(cut(""), "");
  CHECK_TEXT(cut("std::vector<int>::push_back"), "std::vector<int>::push_back");
  CHECK_TEXT(
      cut("std::map<std::string, std::vector<Posting>, std::less<std::string> >::operator[]"),
      "std::map<...>::operator[]");
  CHECK_TEXT(cut("std::operator<< <std::char_traits<char>, std::allocator<char> >"),
             "std::operator<< <...>");
  CHECK_TEXT(cut("operator< of something that is far longer than that"),
             "operator< of something that is far longer than that");
  CHECK_TEXT(cut("f<g>::operator->"), "f<g>::operator->");
  CHECK_TEXT(cut("a<a_name_without_an_end_that_is_long"), "a<a_name_without_an_end_that_is_long");
}

// Versions of a library aren't what a reader knows a name by.
static void test_versions(void) {
  char name[] = "std::__cxx11::basic_string<char>::append";
  char function[] = "make[abi:cxx11]";
  char other[] = "std::__1::map<std::__1::string, int>::at";
  name_cut_versions(name);
  CHECK_TEXT(name, "std::basic_string<char>::append");
  name_cut_versions(function);
  CHECK_TEXT(function, "make");
  name_cut_versions(other);
  CHECK_TEXT(other, "std::map<std::string, int>::at");
  char nameless[] = "db::(anonymous namespace)::File::write";
  name_cut_versions(nameless);
  CHECK_TEXT(nameless, "db::File::write");
}

// A user may give a name as reports show it.
static void test_meant(void) {
  CHECK(name_is_meant("db::(anonymous namespace)::write", "db::(anonymous namespace)::write"));
  CHECK(name_is_meant("db::(anonymous namespace)::write", "db::write"));
  CHECK(!name_is_meant("db::write_all", "db::write"));
}

static void test_suffixes(void) {
  static const char *const cases[][2] = {
      {"xml::Pool<120ul>::take", "xml::Pool<120>::take"},
      {"Array<char, 20u>", "Array<char, 20>"},
      {"Pool<8ull, Pool<16l> >", "Pool<8, Pool<16> >"},
      {"Pool<k20ul>::f20ul", "Pool<k20ul>::f20ul"},
      {"Pool<20ulm>", "Pool<20ulm>"},
      {"f20ul", "f20ul"},
      {"", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s", cases[i][0]);
    name_cut_suffixes(name);
    CHECK(strcmp(name, cases[i][1]) == 0);
  }
}

int main(void) {
  RUN(test_arguments);
  RUN(test_versions);
  RUN(test_meant);
  RUN(test_suffixes);
  return unit_status();
}
