# redis.sh - a server that forks to save, with jemalloc linked in statically
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
measured=redis-server
packages="make tcl"
malloc=jemalloc

fetch() { fetch_source redis; }

build() { make -j"$JOBS" CC="$CC" MALLOC="$malloc"; }

# Test by test; what needs minutes of waiting for timeouts is left out.
suite() {
  set -- unit/type/string unit/type/list unit/type/hash unit/type/set unit/type/zset unit/type/stream \
    unit/expire unit/scan unit/sort unit/multi unit/scripting unit/bitops unit/dump unit/aofrw \
    unit/hyperloglog unit/geo unit/protocol unit/keyspace unit/info unit/pubsub unit/maxmemory unit/shutdown \
    integration/rdb integration/aof integration/replication integration/shutdown
  [ -z "${QUICK:-}" ] || set -- unit/type/hash unit/keyspace unit/scripting unit/dump unit/aofrw integration/aof integration/shutdown
  units=
  for unit in "$@"; do units="$units --single $unit"; done
  # shellcheck disable=SC2086
  ./runtest --clients 2 --tags -slow --timeout 600 $units
}

results() { sed 's/\x1b\[[0-9;]*m//g' | sed -nE 's/^\[ok\]: (.*) \([0-9]+ ms\)$/ok \1/p; s/^\[err\]: (.*) in .*$/FAILED \1/p; s/^\[exception\]: (.*)/FAILED exception: \1/p'; }

workload() {
  $RUN "$tree/src/redis-server" --port 0 --unixsocket redis.sock --save '' --daemonize no >server.log 2>&1 &
  cli="$tree/src/redis-cli -s redis.sock"
  RETICLE_OPTIONS=$RETICLE_OPTIONS:loop=0
  wait_for $cli ping
  $tree/src/redis-benchmark -s redis.sock -q -n "${COUNT:-200000}" -c 20 -P 16 -r 20000 -t set,get,incr,lpush,zadd,lrange_100 >benchmark.log 2>&1
  $cli flushall >/dev/null
  $cli debug populate 100000 key 100 >/dev/null
  $cli eval "local s=0 for i=1,500000 do s=(s*31+i)%1000003 end for i=1,20000 do redis.call('rpush','l',(i*7919)%100003) end return s" 0 >answers
  $cli sort l limit 0 5 >>answers
  $cli dbsize >>answers
  $cli shutdown nosave || :
  wait
  sha256sum answers
}
