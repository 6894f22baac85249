// What the runtime runs at exit is a program that nobody else can have put there: else no report, and a line that says why.
// REQUIRES: plugin, runtime
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %python %S/Inputs/trusted.py %reticle_cc %s > said || (cat said; false)
// RUN: %FileCheck %s < said
// CHECK: all is ours: runs
// CHECK-NEXT: everybody can write the program: TMP/a/b/reticle isn't run: everybody can write to TMP/a/b/reticle: chmod go-w TMP/a/b/reticle, or name it in RETICLE_TOOL if you trust it; type: reticle report out.prof
// CHECK-NEXT: {{its group can write the program: TMP/a/b/reticle isn't run: other users of its group can write to TMP/a/b/reticle: chmod go-w TMP/a/b/reticle,|not as root}}
// CHECK-NEXT: its group, which has its owner's number: runs
// CHECK-NEXT: everybody can write its folder: TMP/a/b/reticle isn't run: everybody can write to TMP/a/b: chmod go-w TMP/a/b,
// CHECK-NEXT: everybody can write the folder above: TMP/a/b/reticle isn't run: everybody can write to TMP/a: chmod go-w TMP/a,
// CHECK-NEXT: the folder above is sticky: runs
// CHECK-NEXT: its own folder is sticky: TMP/a/b/reticle isn't run: everybody can write to TMP/a/b: put it into a folder of its own,
// CHECK-NEXT: a link to a folder that everybody can write: TMP/link/reticle isn't run: everybody can write to TMP/open: chmod go-w TMP/open,
// CHECK-NEXT: a link in a folder that everybody can write: TMP/open/link isn't run: everybody can write to TMP/open: chmod go-w TMP/open,
// CHECK-NEXT: a link to a fine one: runs
// CHECK-NEXT: by RETICLE_TOOL, whoever can write it: runs
// CHECK-NEXT: by PATH: runs
// CHECK-NEXT: by PATH, everybody can write its folder: TMP/a/b/reticle isn't run: everybody can write to TMP/a/b: chmod go-w TMP/a/b,
// CHECK-NEXT: by PATH, a relative folder: runs
// CHECK-NEXT: by PATH, in this folder, which everybody can write: ./reticle isn't run: everybody can write to TMP/open: chmod go-w TMP/open,
// CHECK-NEXT: not there: the program reticle isn't in PATH; type: reticle report out.prof
// CHECK-NEXT: {{another user's program: TMP/a/b/reticle isn't run: TMP/a/b/reticle belongs to user 65534, not to you or root: use a reticle of your own,|not as root}}
// CHECK-NEXT: {{another user's folder: TMP/a/b/reticle isn't run: TMP/a belongs to user 65534, not to you or root: use a reticle of your own,|not as root}}
// CHECK-NEXT: {{another user's link: TMP/a/link isn't run: TMP/a/link belongs to user 65534, not to you or root|not as root}}
volatile int sink;

int main(void) {
  for (int i = 0; i < 1000; i++)
    sink = i;
  return 7;
}
