# nginx.sh - a daemon with two workers that drop their privileges, new configurations and new programs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
packages="make libpcre2-dev zlib1g-dev curl"

fetch() { fetch_source nginx; }

build() {
  ./configure --prefix="$out/work" --with-cc="$CC" --with-threads --with-http_stub_status_module --with-http_gunzip_module --with-stream
  make -j"$JOBS"
}

# Debian's source has no suite: nginx_suite.sh asks the server itself, and prints a line for each answer.
suite() { sh "$world/nginx_suite.sh" "$out/tree/objs/nginx" "$out/nginx"; }

results() { sed -nE 's/^((ok|FAILED|skipped) [^:]*).*/\1/p'; }

workload() {
  sh "$world/nginx_suite.sh" --load "$tree/objs/nginx" "$PWD" "${COUNT:-40}" >answers
  sha256sum answers
}
