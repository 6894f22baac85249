// The key shadow= has what three keys had: those still work, with one line that names it; it combines always and bursts.
// REQUIRES: plugin, x86_64
// DEFINE: %{ir} = %clang -O2 -g -S -emit-llvm -fplugin=%plugin -fplugin-arg-reticle-features=shadow %s
// RUN: %{ir} -fplugin-arg-reticle-shadow=bursts -o %t.new && %{ir} -fplugin-arg-reticle-duty=1 -o %t.old 2>&1 | %FileCheck --check-prefix=BURSTS %s && diff %t.new %t.old
// RUN: %{ir} -fplugin-arg-reticle-shadow=detail -o %t.new && %{ir} -fplugin-arg-reticle-shadow_detail=1 -o %t.old 2>&1 | %FileCheck --check-prefix=DETAIL %s && diff %t.new %t.old
// RUN: %{ir} -fplugin-arg-reticle-shadow=always -o %t.new && %{ir} -fplugin-arg-reticle-shadow_stores=always -o %t.old 2>&1 | %FileCheck --check-prefix=ALWAYS %s && diff %t.new %t.old
// RUN: %{ir} -fplugin-arg-reticle-shadow=always,bursts -o %t.new && %{ir} -w -fplugin-arg-reticle-shadow_stores=always -fplugin-arg-reticle-duty=1 -o %t.old 2>&1 > %t.said && %not grep . %t.said && diff %t.new %t.old
// RUN: %{ir} -o %t.new && %{ir} -fplugin-arg-reticle-shadow=marks -o %t.old && diff %t.new %t.old
// BURSTS-COUNT-1: warning: reticle: duty=1 is -fplugin-arg-reticle-shadow=bursts now
// DETAIL-COUNT-1: warning: reticle: shadow_detail=1 is -fplugin-arg-reticle-shadow=detail now
// ALWAYS-COUNT-1: warning: reticle: shadow_stores=always is -fplugin-arg-reticle-shadow=always now
int sum(const int *a, int *b, long n) {
  int s = 0;
  for (long i = 0; i < n; i++)
    s += a[i], b[i] = s;
  return s;
}
