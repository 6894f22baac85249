// sys.h - a system header. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
struct sys { char c; long l; };
