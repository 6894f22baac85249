# known_blocks.py - compares what `reticle block` measures with what is known of this processor.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   known_blocks.py RETICLE KNOWN.csv
# Cycles don't depend on the machine's load where the result is labelled ok: only these count, and a block is
# given several chances. A miss has to come twice.
import json
import subprocess
import sys

import blocks_core

TRIES, TOLERANCE = 4, 0.015


def measure(reticle, rows):
    text = "hex\n" + "".join(row["hex"] + "\n" for row in rows)
    done = subprocess.run([reticle, "block", "--csv", "-", "--json"], input=text, stdout=subprocess.PIPE, text=True,
                          check=True)
    return json.loads(done.stdout)["blocks"]


def main(reticle, path):
    left, others = blocks_core.known(path)
    held, misses = 0, {}
    for _ in range(TRIES):
        again = []
        for row, block in zip(left, measure(reticle, left)) if left else ():
            value, want = block["cycles"]["value"], float(row["cycles"])
            if block["status"] == "ok" and abs(value / want - 1) <= TOLERANCE:
                held += 1
                continue
            if block["status"] == "ok":
                misses.setdefault(row["name"], []).append(value)
            again.append(row)
        left = again
    missed = {row["name"] for row in left} & {name for name, values in misses.items() if len(values) > 1}
    for name in sorted(missed):
        print(f"missed: {name}: {misses[name]}")
    for row in left:
        if row["name"] not in missed:
            print(f"never clean: {row['name']}")
    for name in others:
        print(f"another core's: {name}")
    print(f"known answers: {held} held, {len(missed)} missed")


main(*sys.argv[1:])
