# CMakeLists.txt - a project with an instrumented program, library and static library.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
cmake_minimum_required(VERSION 3.25)
project(sample C CXX)
find_package(Reticle REQUIRED)
add_library(part STATIC part.c)
add_library(shared SHARED part.c)
add_executable(one main.c)
add_executable(two hello.cpp)
target_link_libraries(one part)
target_link_libraries(two shared)
reticle_instrument(one part shared)
