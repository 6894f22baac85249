# postgresql.sh - a process for each session, shared memory, signals
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
measured=postgres
packages="make bison flex zlib1g-dev perl"
unprivileged=yes
# It opens dozens of libraries with dlopen: docs/usage.md, "static TLS block".
export GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384

fetch() { fetch_source postgresql-15; }

build() {
  ./configure --quiet --without-readline --prefix="$out/installed"
  make -j"$JOBS" -s
  make -s -C src/test/regress all
}

suite() { as_user make check MAX_CONNECTIONS=6; }

results() { sed -nE 's/^(test|ok [0-9]+ .*|    ) *([a-z_0-9]+) +\.\.\. ok.*/ok \2/p; s/^(test|    ) *([a-z_0-9]+) +\.\.\. failed \(ignored\).*/skipped \2/p; s/^(test|    ) *([a-z_0-9]+) +\.\.\. FAILED.*/FAILED \2/p; s/^ +([a-z_0-9]+) +\.\.\. ok.*/ok \1/p; s/^ +([a-z_0-9]+) +\.\.\. FAILED.*/FAILED \1/p'; }

workload() {
  chmod 777 .
  bin=$out/installed/bin
  [ -x "$bin/postgres" ] || make -s -C "$tree" install >/dev/null 2>&1
  export LD_LIBRARY_PATH="$out/installed/lib"
  RETICLE_OPTIONS=$RETICLE_OPTIONS:loop=0 as_user "$bin/initdb" -D data -A trust -U me --no-sync >initdb.log
  # shellcheck disable=SC2086
  as_user $RUN "$bin/postgres" -D data -k "$PWD" -c listen_addresses= -c fsync=off -c shared_buffers=64MB >server.log 2>&1 &
  psql="$bin/psql -h $PWD -U me -qAtX"
  wait_for $psql -c 'select 1' postgres
  $psql postgres >answers <<SQL
create table a as select i, (i * 7919) % 100003 as k, md5(i::text) as t from generate_series(1, ${COUNT:-300000}) i;
create index on a (k);
analyze a;
set max_parallel_workers_per_gather = 0;
select count(*), sum(k), min(t), max(t) from a where t like '%ab%';
select k % 100 as g, count(*), avg(i)::numeric(20, 3) from a group by 1 order by 1 limit 20;
select count(*) from a x join a y on x.k = y.i where x.t < y.t;
select sum(length(t)) from (select t from a order by t desc limit 50000) s;
update a set k = k + 1 where k % 3 = 0;
vacuum a;
select count(*), sum(k) from a;
SQL
  kill -INT "$(head -n 1 data/postmaster.pid)"
  wait
  sha256sum answers
}
