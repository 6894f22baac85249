// Wrong options get one warning each and the run goes on; help lists all; a file that can't be written
// is said at once.
// REQUIRES: plugin, runtime
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %reticle_cc -O2 -g %s -o app
// RUN: RETICLE_OPTIONS=report=0:probe_budgett=2:period=many:loop=maybe ./app 2>&1 | %FileCheck %s
// CHECK: reticle[[[#]]]: warning: unknown option 'probe_budgett', nearest is 'probe_budget'
// CHECK-NEXT: reticle[[[#]]]: warning: option period: 'many' is not a number from 0 to 1000000000
// CHECK-NEXT: reticle[[[#]]]: warning: option loop: 'maybe' is not 0 or 1
// CHECK-NOT: warning
// RUN: RETICLE_OPTIONS=help=1:report=0 ./app 2>&1 | %FileCheck --check-prefix=HELP %s
// HELP-DAG: probe_budget=
// HELP-DAG: out=
// What terminals obey is not passed on, and a name can't forge a line: escape, newline, C1, right-to-left.
// RUN: RETICLE_OPTIONS=$(printf 'x\033[2J\nreticle[1] y\302\233\342\200\256\377z\303\251=1:report=0') ./app 2> esc; grep -c . esc | grep -x 1
// RUN: %FileCheck --check-prefix=ESC %s < esc && %not env LC_ALL=C grep -P '[\x00-\x09\x0b-\x1f\x7f]' esc
// ESC: unknown option 'x?[2J?reticle[1] y??????z
// RUN: touch missing && RETICLE_OPTIONS=report=0:out=missing/x.prof ./app 2>&1 | %FileCheck --check-prefix=OUT %s
// OUT: missing/x.prof: cannot be written (not a folder); the profile is {{.*}}/reticle.app.{{[0-9]+}}.prof; set option out=
// RUN: rm missing
// RUN: RETICLE_OPTIONS=report=0:verbosity=0:nonsense=1 ./app 2>&1 | %FileCheck --allow-empty --check-prefix=SILENT %s
// SILENT-NOT: reticle
// Warnings go to log_path whatever its place.
// RUN: RETICLE_OPTIONS=nonsense=1:report=0:log_path=log.%%p ./app 2>&1 | %FileCheck --allow-empty --check-prefix=SILENT %s
// RUN: cat log.* | %FileCheck --check-prefix=LOG %s
// LOG: unknown option 'nonsense'
// RUN: RETICLE_OPTIONS=nonsense=1:others=1:report=0:log_path=%t/missing/log ./app 2>&1 | %FileCheck --check-prefix=NOLOG %s
// NOLOG: reticle[[[#]]]: warning: log_path {{.*}}/missing/log can't be used (no such folder): messages go to stderr
// NOLOG-NEXT: unknown option 'nonsense'
// NOLOG-NEXT: unknown option 'others'
// RUN: RETICLE_OPTIONS=report=0:out=x%%z%%%%%%pp.prof ./app 2>&1 | %FileCheck --check-prefix=LETTER %s && ls 'x%%z%%'*p.prof
// LETTER: warning: option out: '%z' is none of %p %e %h %r %%, and stays in the name
// LETTER-NOT: warning
// A device stays a device: nothing is renamed over it.
// RUN: ln -s /dev/null null && RETICLE_OPTIONS=report=0:out=null ./app && test -L null && test -c null
// An earlier file of the same name is kept when the name tells processes apart.
// RUN: rm -f *.prof && RETICLE_OPTIONS=report=0:out=%%e.%%p.prof ./app && ls app.*.prof
volatile int sink;

int main(void) {
  for (int i = 0; i < 100; i++)
    sink = i;
  return 0;
}
