// Ranks of a job: who the launcher says they are, which of them prints its report, and what %r is.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %reticle_cc -O2 -g %s -o app
// RUN: env OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_RANK=0 PMIX_NAMESPACE=77 RETICLE_OPTIONS=out=r%%r.prof ./app 2>&1 | %FileCheck %s --check-prefix=FIRST
// FIRST: reticle[{{[0-9]+}}] ./app {{.*}} rank 0 of 4 on
// FIRST: next: reticle show L{{[0-9]+}}
// The others are silent, unless all are asked for.
// RUN: env PMI_RANK=3 PMI_SIZE=4 MPI_LOCALRANKID=1 RETICLE_OPTIONS=out=r%%r.prof ./app 2> other && %not grep . other
// RUN: env PMI_RANK=2 PMI_SIZE=4 RETICLE_OPTIONS=out=r%%r.prof:report_ranks=all ./app 2>&1 | %FileCheck %s --check-prefix=ALL
// ALL: rank 2 of 4 on
// RUN: env PMI_RANK=0 RETICLE_OPTIONS=out=x.prof:report=0:report_ranks=some ./app 2>&1 | %FileCheck %s --check-prefix=WORD
// WORD: warning: option report_ranks: first or all is needed, and first used; not: some
// RUN: %reticle dump r0.prof | %FileCheck %s --check-prefix=DUMP0
// DUMP0: [ranks]
// DUMP0: rank 0
// DUMP0: size 4
// DUMP0: local_rank 0
// DUMP0: launcher "Open MPI"
// DUMP0: job "77"
// RUN: %reticle report --json r3.prof | %python -c "import json, sys; r = json.load(sys.stdin); e, (p,) = r['env'], r['processes']; assert (e['rank'], e['ranks'], e['local_rank'], e['launcher'], e['job']) == (3, 4, 1, 'PMI', None), e; assert (p['rank'], p['pid']) == (3, e['pid']), p"
// A value that nobody told is null, never 0; a process that is no rank has none at all.
// RUN: %reticle report --json r2.prof | %python -c "import json, sys; e = json.load(sys.stdin)['env']; assert e['rank'] == 2 and e['local_rank'] is None, e"
// RUN: env RETICLE_OPTIONS=report=0:out=plain.prof ./app && %reticle dump plain.prof | %not grep -F '[ranks]' && %reticle report --json plain.prof | %python -c "import json, sys; e = json.load(sys.stdin)['env']; assert e['rank'] is None and e['ranks'] is None and e['launcher'] is None, e"
// A batch script of Slurm's is no step; children have their parent's rank, and are named after their process in merged reports.
// RUN: env SLURM_PROCID=0 SLURM_JOB_ID=9 RETICLE_OPTIONS=report=0:out=batch.prof ./app && %reticle dump batch.prof | %not grep -F '[ranks]'
// RUN: env SLURM_PROCID=5 SLURM_JOB_ID=9 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=8 SLURM_LOCALID=1 RETICLE_OPTIONS=report=0:out=s%%r.prof ./app fork && %reticle dump s5.prof.* | %FileCheck %s --check-prefix=CHILD
// CHILD: [ranks]
// CHILD: rank 5
// CHILD: launcher "Slurm"
// CHILD: job "9"
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

volatile int sink;

__attribute__((noinline)) static void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

int main(int argc, char **argv) {
  for (int i = 0; i < 2000; i++)
    spin(1000);
  if (argc > 1 && !strcmp(argv[1], "fork")) {
    if (!fork()) {
      for (int i = 0; i < 2000; i++)
        spin(1000);
      _exit(0);
    }
    wait(0);
  }
  return 0;
}
