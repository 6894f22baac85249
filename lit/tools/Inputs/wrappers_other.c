// wrappers_other.c - wrappers that other files know by their declarations alone
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>

void *elsewhere(size_t bytes);
extern void *(*hook)(size_t);

void *elsewhere(size_t bytes) { return malloc(bytes); }
void *(*hook)(size_t) = elsewhere;
