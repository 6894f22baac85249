// study_who.c - prints how it was compiled.
#include <stdio.h>

int main(void) {
  printf("one\n%s\n", WHO);
  return 0;
}
