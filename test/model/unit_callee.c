// unit_callee.c - what helps against calls of a library's function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/finding/callee.h"

static void test_names(void) {
  CHECK_EQUAL(callee_remedy("strlen"), REMEDY_LENGTH_ONCE);
  CHECK_EQUAL(callee_remedy("strlen_of"), REMEDY_NONE); // the program's own
  CHECK_EQUAL(callee_remedy("strle"), REMEDY_NONE);
  CHECK_EQUAL(callee_remedy(""), REMEDY_NONE);
  CHECK_EQUAL(callee_remedy("__isoc99_sscanf"), REMEDY_PARSE_ONWARD);
  CHECK_EQUAL(callee_remedy("std::ostream::flush"),
              REMEDY_FLUSH_LESS); // before all others of std::ostream
  CHECK_EQUAL(callee_remedy("std::ostream::operator<<"), REMEDY_CONVERT_FASTER); // of numbers
  CHECK_EQUAL(callee_remedy("std::__ostream_insert<char>"), REMEDY_WRITE_MORE_AT_ONCE);
  CHECK_EQUAL(callee_remedy("sendmsg"), REMEDY_SEND_MORE_AT_ONCE);
  CHECK_EQUAL(callee_remedy("writev"), REMEDY_FLUSH_LESS);
  CHECK_EQUAL(callee_remedy("std::vector<...>::_M_erase"), REMEDY_MOVE_LESS);
  CHECK_EQUAL(callee_remedy("std::vector<...>::_M_realloc_insert<...>"), REMEDY_RESERVE);
  CHECK_EQUAL(callee_remedy("std::vector::"), REMEDY_RESERVE);
  CHECK_EQUAL(callee_remedy("std::_Hashtable<...>::find"), REMEDY_LOOK_UP_LESS); // takes no room
  CHECK_EQUAL(callee_remedy("std::_Hashtable<...>::_M_insert_unique_node"), REMEDY_RESERVE);
  // Without __cxx11, as calls are named.
  CHECK_EQUAL(callee_remedy("std::basic_ostringstream<char>::str"), REMEDY_KEEP_STREAM);
  CHECK_EQUAL(callee_remedy("std::_List_base<int>::_M_clear"), REMEDY_ARRAY_FOR_LIST);
  CHECK_EQUAL(callee_remedy("operator new"), callee_remedy("free"));
  CHECK_EQUAL(callee_remedy("std::_Rb_tree<int, int>::find"), REMEDY_HASH_FOR_TREE);
}

// A template of a library, compiled into the program.
static void test_inlined(void) {
  CHECK_EQUAL(callee_inlined_remedy("std::_Rb_tree<int, int>::_M_lower_bound"),
              REMEDY_HASH_FOR_TREE);
  CHECK_EQUAL(callee_inlined_remedy("std::vector<int>::size"), REMEDY_NONE);
  CHECK_EQUAL(callee_inlined_remedy("strlen"), REMEDY_NONE);
  CHECK_EQUAL(callee_inlined_remedy("find"), REMEDY_NONE);
}

int main(void) {
  RUN(test_names);
  RUN(test_inlined);
  return unit_status();
}
