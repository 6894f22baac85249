// operands.c - tells files from names, and moves the name to the front.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/operands.h"

#include "tools/store/postgres_url.h"
#include "tools/store/study/study_input.h"

#include <string.h>
#include <unistd.h>

bool operand_is_input(const char *operand) {
  return access(operand, F_OK) == 0 || study_input_is(operand) || postgres_url_is(operand);
}

void operands_name_first(char **operands, size_t count) {
  if (count < 2 || !operand_is_input(operands[0]) || operand_is_input(operands[count - 1]))
    return;
  char *name = operands[count - 1];
  memmove(operands + 1, operands, (count - 1) * sizeof *operands);
  operands[0] = name;
}
