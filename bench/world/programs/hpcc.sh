# hpcc.sh - an MPI program that checks its own results: HPL, PTRANS, RandomAccess, FFT, STREAM, DGEMM
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
packages="make libopenmpi-dev openmpi-bin libblas-dev"

fetch() { fetch_source hpcc; }

build() {
  cat >hpl/Make.world <<M
SHELL = /bin/sh
CD = cd
CP = cp
LN_S = ln -s
MKDIR = mkdir
RM = /bin/rm -f
TOUCH = touch
ARCH = world
TOPdir = ../../..
INCdir = \$(TOPdir)/include
BINdir = \$(TOPdir)/bin/\$(ARCH)
LIBdir = \$(TOPdir)/lib/\$(ARCH)
HPLlib = \$(LIBdir)/libhpl.a
MPinc =
MPlib =
LAlib = -lblas
F2CDEFS = -DAdd_ -DF77_INTEGER=int -DStringSunStyle
HPL_INCLUDES = -I\$(INCdir) -I\$(INCdir)/\$(ARCH)
HPL_LIBS = \$(HPLlib) \$(LAlib) -lm
HPL_OPTS = -DHPL_CALL_FBLAS
HPL_DEFS = \$(F2CDEFS) \$(HPL_OPTS) \$(HPL_INCLUDES)
CC = mpicc
CCNOOPT = \$(HPL_DEFS) -O0
CCFLAGS = \$(HPL_DEFS) -O2 -g -std=gnu99 -Wno-implicit-function-declaration -Wno-implicit-int
LINKER = mpicc
LINKFLAGS = \$(CCFLAGS)
ARCHIVER = ar
ARFLAGS = r
RANLIB = echo
M
  OMPI_CC=$CC make arch=world
}

mpi() { # PROCESSES COMMAND...
  processes=$1
  shift
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
  mpirun --oversubscribe --mca btl self,vader --mca mpi_yield_when_idle 1 --bind-to none -x RETICLE_OPTIONS -np "$processes" "$@"
}

# Ranks, problem size: hpccinf.txt is upstream's, made smaller.
suite() {
  status=0
  for ranks in 1 2 4; do
    mkdir -p "run$ranks"
    rm -f "run$ranks/hpccoutf.txt"
    case $ranks in
    1) grid='1 1' ;;
    2) grid='1 2' ;;
    4) grid='2 2' ;;
    esac
    sed -e "s/^1000 *Ns/200 Ns/; s/^2 *Ps/${grid% *} Ps/; s/^2 *Qs/${grid#* } Qs/" _hpccinf.txt >"run$ranks/hpccinf.txt"
    (cd "run$ranks" && mpi $ranks ../hpcc) || status=1
    echo "ranks $ranks"
    cat "run$ranks/hpccoutf.txt" || status=1
  done
  return $status
}

results() {
  awk '
    /^ranks / { ranks = $2 }
    /PASSED/ { print "ok ranks=" ranks " residual " ++n }
    /FAILED/ { print "FAILED ranks=" ranks " residual " ++n }
    /^(HPLMinProcs|Success|PTRANS_n|StarDGEMM_N|CommWorldProcs|MPIRandomAccess_ErrorsFraction|MPIRandomAccess_N|MPIFFT_N|HPL_N|HPL_residual_ok|MPIRandomAccess_LCG_ErrorsFraction|StarRandomAccess_N)=/ {
      print "ok ranks=" ranks " " $0 }
    /End of HPC Challenge tests/ { print "ok ranks=" ranks " end" }'
}

workload() {
  sed -e "s/^1000 *Ns/${COUNT:-600} Ns/; s/^2 *Ps/1 Ps/" "$tree/_hpccinf.txt" >hpccinf.txt
  # shellcheck disable=SC2086
  mpi 2 $RUN "$tree/hpcc"
  grep -E '^(Success|CommWorldProcs|HPL_N|MPIRandomAccess_ErrorsFraction)=' hpccoutf.txt | sha256sum
}
