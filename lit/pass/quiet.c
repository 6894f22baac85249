// The pass is quiet unless the build can't give good results; it never fails a -Werror build.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -g -Werror -fplugin=%plugin -c %s -o %t.o 2>&1 | %python -c "import sys; sys.exit(sys.stdin.read() or 0)"
// RUN: %clang -O0 -g -Werror -Wall -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=LEVEL
// RUN: %clang -O2 -Werror -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=LINES
// RUN: %clang -O0 -w -fplugin=%plugin -c %s -o %t.o 2>&1 | %python -c "import sys; sys.exit(sys.stdin.read() or 0)"
// RUN: %clang -O0 -fplugin=%plugin -fplugin-arg-reticle-remarks=0 -c %s -o %t.o 2>&1 | %python -c "import sys; sys.exit(sys.stdin.read() or 0)"
// RUN: %clang -O0 -fplugin=%plugin -fsyntax-only %s 2>&1 | %python -c "import sys; sys.exit(sys.stdin.read() or 0)"
// RUN: %clang -O0 -fplugin=%plugin -E %s -o %t.i 2>&1 | %python -c "import sys; sys.exit(sys.stdin.read() or 0)"
// RUN: mkdir -p %t.dir; cp %s %t.dir/conftest.c
// RUN: %clang -O0 -fplugin=%plugin -c %t.dir/conftest.c -o %t.o 2>&1 | %python -c "import sys; sys.exit(sys.stdin.read() or 0)"
// RUN: %clang -O0 -fplugin=%plugin -x c -c - -o %t.o < %s 2>&1 | %python -c "import sys; sys.exit(sys.stdin.read() or 0)"
// RUN: %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-remarks=1 -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=LOOPS
// LEVEL: warning: reticle: -O0 is not representative
// LEVEL-NOT: error
// LINES: remark: reticle: no -g: line tables are turned on
// LOOPS: quiet.c:[[#@LINE+3]]:3: remark: loop of main is not probed: it has no end [-Rpass-missed=reticle]
int next(void);
int main(void) {
  for (;;)
    next();
}
