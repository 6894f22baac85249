// bad_fields.h - a field of a struct in bad.h
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
char gap[120];
