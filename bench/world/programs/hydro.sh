# hydro.sh - an OpenMP program like LULESH: elements gather from their nodes, and scatter to them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
packages="python3"

fetch() {
  mkdir -p "$dir/hydro"
  fetch_debs libomp-19-dev libomp5-19
  cp "$world/hydro.cpp" "$dir/hydro/"
  echo hydro.cpp >"$dir/hydro/.fetched"
}

build() {
  omp=$dir/debs/usr/lib/llvm-19
  echo "$omp/lib" >libraries
  $CXX -O3 -g -fopenmp -I"$omp/lib/clang/19/include" -L"$omp/lib" -Wl,-rpath,"$omp/lib" hydro.cpp -o hydro
  $CXX -O1 -g -fopenmp -I"$omp/lib/clang/19/include" -L"$omp/lib" -Wl,-rpath,"$omp/lib" hydro.cpp -o hydro-O1
}

# The same sums whatever the number of threads, as long as nothing is added in another order.
suite() {
  status=0
  for program in hydro hydro-O1; do
    for threads in 1 2 4; do
      for schedule in static dynamic,16 guided; do
        name="$program threads=$threads $schedule"
        if answer=$(OMP_NUM_THREADS=$threads OMP_SCHEDULE=$schedule ./$program 16 30); then
          echo "ok $name: $answer"
        else
          echo "FAILED $name: $answer"
          status=1
        fi
      done
    done
  done
  return $status
}

results() { grep -E '^(ok|FAILED) '; }

workload() {
  # shellcheck disable=SC2086
  OMP_NUM_THREADS=2 $RUN "$tree/hydro" 40 "${COUNT:-500}" >answers
  sha256sum answers
}
