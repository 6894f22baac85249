#!/usr/bin/env python3
# field_named.py - how many of a program's loads and stores the feature `field` can name
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The share of loads and stores outside the stack whose struct and field are known, in the machine-independent code
as it is compiled (each once, however often it runs): sqlite3 and lua5.4 at -O2, with alias information and with
-fno-strict-aliasing. What isn't named goes to no field (bytes of a string, elements of an array that isn't one) or
to one that the compiler lost.
"""
import argparse
import os
import sys
import tempfile

import common
import rounds

PROGRAMS = {"sqlite3": ["-version"], "lua5.4": ["-v"]}
VARIANTS = {"-O2": rounds.Variant("field", "field", ""),
            "-O2 -fno-strict-aliasing": rounds.Variant("field-no-alias", "field-no-alias", "")}
TARGET = 0.85


def named_share(args, program, variant):
    with tempfile.TemporaryDirectory() as directory:
        profile = os.path.join(directory, "prof")
        command = [common.binary(args.dir, program, variant.build), *PROGRAMS[program]]
        usage = common.measure(command, common.environment(f"report=0:out={profile}"))
        if usage.status:
            common.die(f"{' '.join(command)}: status {usage.status}")
        return common.report([profile])["field_coverage"]["named_share"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "programs"), help="sources and builds")
    args = parser.parse_args()
    args.dir = os.path.abspath(args.dir)
    machine = common.machine()
    rows = []
    for program in PROGRAMS:
        row = [program]
        for variant in VARIANTS.values():
            rounds.build_all(args, program, [variant])
            share = named_share(args, program, variant)
            row.append("not measured" if share is None else
                       f"{share * 100:.1f} % ({'met' if share >= TARGET else 'missed'})")
        rows.append(row)
    sys.stdout.write(f"{machine}.\n\n" + common.table([f"named, target {TARGET * 100:.0f} %", *VARIANTS], rows) + "\n")


main()
