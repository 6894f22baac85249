// test_program.h - programs by which a build system asks what can be compiled, by their names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// configure, CMake, Meson and others compile hundreds of these, many take any output for a "no",
// and nobody measures them: Reticle leaves them alone in every phase.
//   autoconf, SCons, autosetup  conftest.c, conftest
//   libtool                     conftstm.o
//   CMake                       CMakeFiles/CMakeScratch/TryCompile-x/testCCompiler.c,
//                               CMakeFiles/cmTC_x.dir/check.c.o, cmTC_x, CMakeCCompilerId.c
//   Meson                       meson-private/tmpx/testfile.c, meson-private/sanitycheckc.exe
//   Waf                         .conf_check_x/testbuild/test.c
//   nginx, FFmpeg               objs/autotest.c, /tmp/ffconf.x/test.c
// No libc: the runtime has it, too.
#ifndef RETICLE_TEST_PROGRAM_H
#define RETICLE_TEST_PROGRAM_H

static inline int reticle_path_starts(const char *path, const char *start) {
  while (*start && *path == *start) {
    path++;
    start++;
  }
  return !*start;
}

/// path  of a source, an object or an executable, absolute or not
static inline int reticle_is_test_program(const char *path) {
  // Of a folder on the way, or of the file itself.
  static const char *const folders[] = {"CMakeScratch/", "CMakeTmp/",      "CompilerIdC",
                                        "cmTC_",         "meson-private/", ".conf_check_",
                                        ".sconf_temp/",  "ffconf.",        "objs/autotest"};
  static const char *const files[] = {"conftest", "conftst", "CMakeCCompilerId",
                                      "CMakeCXXCompilerId"};
  enum { LEVELS = 5 }; // farther up it is a folder that somebody built in
  const char *file = path, *at = path;
  int depth = 0;
  for (const char *p = path; *p; p++)
    if (*p == '/') {
      file = p + 1;
      depth++;
    }
  for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++)
    if (reticle_path_starts(file, files[i]))
      return 1;
  for (;; depth--) {
    for (unsigned i = 0; depth < LEVELS && i < sizeof folders / sizeof folders[0]; i++)
      if (reticle_path_starts(at, folders[i]))
        return 1;
    while (*at && *at != '/')
      at++;
    if (!*at)
      return 0;
    at++;
  }
}

#endif
