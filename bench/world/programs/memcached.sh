# memcached.sh - a server of several threads
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
packages="make automake libevent-dev perl"
unprivileged=yes

fetch() { fetch_source memcached; }

build() {
  ./configure --quiet
  make -j"$JOBS" memcached memcached-debug sizes testapp timedrun
}

# Left out: tests that wait for most of a minute.
suite() {
  tests=$(ls t/*.t | grep -vE 'lru-crawler|lru-maintainer|maxconns|idle-timeout|slabs_reassign2|slabs-reassign2|watcher_connid|tls|ssl|chunked-items|item_size_max|extstore|restart|whitespace|issue_152|issue_67|stress')
  [ -z "${QUICK:-}" ] || tests="t/00-startup.t t/basic.t t/binary.t t/cas.t t/daemonize.t t/evictions.t t/expirations.t t/incrdecr.t t/metaget.t t/stats.t"
  status=0
  as_user ./testapp || status=1
  existing=
  for test in $tests; do [ ! -f "$test" ] || existing="$existing $test"; done
  # shellcheck disable=SC2086
  as_user prove --jobs "$JOBS" --timer $existing || status=1
  return $status
}

# testapp: TAP; prove: a line for each file.
results() { sed -nE 's/^ok [0-9]+ - (.*)/ok testapp \1/p; s/^not ok [0-9]+ - (.*)/FAILED testapp \1/p; s/^(\[[0-9:]+\] )?(t\/[^ ]+) \.+ ok.*/ok \2/p; s/^(\[[0-9:]+\] )?(t\/[^ ]+) \.+ skipped.*/skipped \2/p; s/^(\[[0-9:]+\] )?(t\/[^ ]+) \.+ (Failed|Dubious).*/FAILED \2/p; s/^(t\/[^ ]+\.t) +\(Wstat.*/FAILED \1/p'; }

workload() {
  user=
  [ "$(id -u)" -ne 0 ] || user='-u nobody'
  # shellcheck disable=SC2086
  $RUN "$tree/memcached" $user -t 4 -m 256 -s "$PWD/socket" -a 0777 &
  wait_for test -S socket
  python3 "$world/memcached_load.py" socket "${COUNT:-60000}" >answers
  kill -TERM $!
  wait
  sha256sum answers
}
