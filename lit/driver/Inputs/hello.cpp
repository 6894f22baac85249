// hello.cpp - a program that links only with the C++ library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <iostream>
int main() { std::cout << "hello\n"; }
