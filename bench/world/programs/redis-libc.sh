# redis-libc.sh - redis with the C library's malloc instead of its own
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
. "$world/programs/redis.sh"
malloc=libc
