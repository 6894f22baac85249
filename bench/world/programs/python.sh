# python.sh - an interpreter: a loop of computed gotos, extension modules, threads, fork and spawn
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
packages="make zlib1g-dev"
unprivileged=yes
# It opens dozens of libraries with dlopen: docs/usage.md, "static TLS block".
export GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384

fetch() { fetch_source python3.11; }

build() {
  ./configure --quiet --without-ensurepip
  make -s -j"$JOBS"
}

suite() {
  set -- test_grammar test_builtin test_dict test_list test_set test_tuple test_bytes test_unicode test_str test_re test_json \
    test_struct test_array test_math test_cmath test_float test_long test_complex test_decimal test_fractions test_random \
    test_itertools test_functools test_collections test_heapq test_bisect test_sort test_generators test_coroutines \
    test_exceptions test_gc test_weakref test_descr test_class test_import test_marshal test_pickle test_copy test_zlib test_hashlib \
    test_thread test_threading test_threadsignals test_queue test_subprocess test_os test_posix test_signal test_fork1 test_wait3 test_wait4 \
    test_pty test_io test_fileio test_mmap test_select test_selectors test_socket test_faulthandler test_ctypes test_capi test_gdb \
    test_sys test_sysconfig test_peepholer test_compile test_ast test_dis test_traceback test_concurrent_futures test_multiprocessing_spawn \
    test_multiprocessing_fork test_asyncio test_cmd_line test_embed test_atexit test_distutils
  [ -z "${QUICK:-}" ] || set -- test_grammar test_builtin test_dict test_re test_json test_struct test_math test_itertools \
    test_exceptions test_gc test_thread test_threadsignals test_signal test_fork1 test_wait4 test_os test_faulthandler test_atexit test_cmd_line
  as_user ./python -m test -j"$JOBS" -w --timeout 900 "$@"
}

# The first time that a test ran is what counts, but a test that passes again was a matter of time.
results() {
  sed -nE 's/^[0-9:]+ (load avg: [0-9.]+ )?\[ *[0-9]+\/[0-9]+(\/[0-9]+)?\] (test_[a-z_0-9.]+) (passed|skipped|failed|crashed|timed out|worker).*/\4 \3/p' |
    sed -e 's/^passed/ok/' -e 's/^failed/FAILED/' -e 's/^crashed/FAILED/' -e 's/^timed out/FAILED/' -e 's/^worker/FAILED/'
}

workload() {
  # shellcheck disable=SC2086
  $RUN "$tree/python" "$world/python_load.py" "${COUNT:-6}" >answers
  sha256sum answers
}
