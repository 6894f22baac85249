#!/usr/bin/env python3
# sample_profile.py - what clang's -fprofile-sample-use gains from reticle export --sample-profile
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds real programs with and without a profile of the workload that is then measured, and runs them in
interleaved rounds.

Variants: plain, the reference; again, the plain program a second time (what the machine's noise alone makes
of a ratio); counts, with a profile from exact counts of blocks; samples, with one from samples of the program
counter; instr, with clang's own instrumented profile (-fprofile-instr-use), for what a profile can gain at
all. The workload that is profiled is the one that is measured: the best case. Builds below --dir are kept: remove it after a change of Reticle.
"""
import argparse
import glob
import os
import shutil
import subprocess
import sys

import common
import rounds

FEATURES = "-fplugin-arg-reticle-features="
VARIANTS = {v.name: v for v in (rounds.Variant("plain", "profile-plain", None), rounds.Variant("again", "profile-plain", None),
                                rounds.Variant("counts", "profile-counts", None), rounds.Variant("samples", "profile-samples", None),
                                rounds.Variant("instr", "profile-instr", None))}


def build(args, program, name, compiler):
    os.environ["CC"] = compiler
    try:
        return common.binary(args.dir, program, name)
    finally:
        del os.environ["CC"]


def run_profiled(args, program, binary, environment):
    work = os.path.join(args.dir, "runs", program)
    command = [os.path.join(common.BENCH, "programs", "run.sh"), "--quiet", program, binary, work]
    if common.measure(command, environment, args.cpu).status:
        common.die(f"{program}: the profiled run failed: {' '.join(command)}")


def export(args, program, name, features, options):
    """A profile of the program's workload, as clang reads it."""
    into = os.path.join(args.dir, "profiles", f"{program}-{name}")
    shutil.rmtree(into, ignore_errors=True)
    os.makedirs(into)
    clang = os.path.join(common.reticle_bin(), "reticle-clang")
    binary = build(args, program, f"profiled-{name}", f"{clang} -g -fdebug-info-for-profiling {FEATURES}{features}")
    run_profiled(args, program, binary, common.environment(f"report=0:out={into}/%p.prof{options}"))
    out = os.path.join(into, "profile.txt")
    said = subprocess.run([os.path.join(common.reticle_bin(), "reticle"), "export", "--sample-profile", out,
                           *sorted(glob.glob(into + "/*.prof"))], stdout=subprocess.PIPE, text=True)
    if said.returncode:
        common.die(f"{program}: no profile of it")
    common.note(said.stdout.strip())
    return out


def instrumented(args, program):
    """Clang's own profile of the same workload."""
    into = os.path.join(args.dir, "profiles", f"{program}-instr")
    shutil.rmtree(into, ignore_errors=True)
    os.makedirs(into)
    binary = build(args, program, "profiled-instr", "clang-19 -g -fprofile-instr-generate")
    run_profiled(args, program, binary, dict(common.environment(), LLVM_PROFILE_FILE=into + "/%p.profraw"))
    out = os.path.join(into, "profile.profdata")
    subprocess.run(["llvm-profdata-19", "merge", "-o", out, *glob.glob(into + "/*.profraw")], check=True)
    return out


def prepare(args, program):
    build(args, program, "profile-plain", "clang-19 -g")
    names = {variant.name for variant in args.variants}
    if "counts" in names:
        profile = export(args, program, "counts", "loop,block", "")
        build(args, program, "profile-counts", f"clang-19 -g -fprofile-sample-use={profile}")
    if "samples" in names:
        profile = export(args, program, "samples", "loop", ":sample=1")
        build(args, program, "profile-samples", f"clang-19 -g -fprofile-sample-use={profile}")
    if "instr" in names:
        profile = instrumented(args, program)
        build(args, program, "profile-instr", f"clang-19 -g -fprofile-instr-use={profile}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    rounds.add_arguments(parser, common.PROGRAMS)
    parser.add_argument("--variants", default=",".join(VARIANTS), help="comma-separated; the first is the reference")
    args = rounds.read_arguments(parser, common.PROGRAMS, VARIANTS)
    machine = common.machine()
    results, rows = [], []
    for program in args.programs:
        prepare(args, program)
        results.append(rounds.measure_program(args, program, args.variants))
        entry = results[-1]["variants"]
        rows.append([program, f"{entry[args.variants[0].name]['cpu']['median']:.2f}"]
                    + [rounds.cell(entry[v.name]["cpu"]) for v in args.variants[1:]])
    rounds.save(args, machine, results)
    head = ["program", f"{args.variants[0].name}, s CPU"] + [v.name for v in args.variants[1:]]
    sys.stdout.write(f"{machine}.\n\n{rounds.about(args)}\n\n{common.table(head, rows)}\n")


main()
