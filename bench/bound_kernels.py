#!/usr/bin/env python3
# bound_kernels.py - is what `bound` says memory costs what it costs? Twelve loops whose truth is known
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: bench/bound_kernels.py BIN [BYTES]

BIN is a folder with reticle-clang and reticle. Five kernels of bound_kernels.c run over BYTES of data (64 MB) and over 4 KB, without
Reticle, three times in turn: the part of the shortest time that goes is what memory costs. Seven have 16 KB, which the first cache
holds: theirs is 0. Beside it: what the card of its loop says. Right: the truth is in the interval, 3 points about it.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LARGE = ["gather", "walk", "scan", "pages", "fill"]
SMALL = ["add", "divide", "multiply", "branch", "forward", "histogram", "arithmetic"]  # 16 KB: in the first cache
SMALL_BYTES, ROUNDS, NEAR = 16384, 3, 0.03


def run(program, kernel, size, ms, **variables):
    done = subprocess.run([program, kernel, str(size), str(ms)], capture_output=True, text=True, check=True,
                          env=dict(os.environ, **variables))
    return float(done.stdout)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    tools = pathlib.Path(sys.argv[1]).resolve()
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 1 << 26
    right = 0
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "loops").write_text("src:*bound_kernels.c\n")
        source, plain, bound = str(HERE / "bound_kernels.c"), f"{folder}/plain", f"{folder}/bound"
        for program, flags in [(plain, {"RETICLE": "off"}), (bound, {"RETICLE_BOUND": f"{folder}/loops"})]:
            subprocess.run([tools / "reticle-clang", "-O2", "-g", source, "-o", program], check=True, env=dict(os.environ, **flags))
        for kernel in LARGE + SMALL:
            at = size if kernel in LARGE else SMALL_BYTES
            truth = 0
            if kernel in LARGE:
                pairs = [(run(plain, kernel, at, 300), run(plain, kernel, 4096, 100)) for _ in range(ROUNDS)]
                truth = max(0, 1 - min(small for _, small in pairs) / min(large for large, _ in pairs))
            profile = f"{folder}/{kernel}.prof"
            run(bound, kernel, at, 4000, RETICLE_OPTIONS=f"report=0:out={profile}")
            report = subprocess.run([tools / "reticle", "show", "--json", kernel, profile], capture_output=True, text=True, check=True)
            told = json.loads(report.stdout)["loops"][0]["bound"]
            if told["reason"]:
                print(f"{kernel:11} true {truth:4.0%}  not measured: {told['reason']}")
                continue
            share = {key: told[key] for key in ["memory", "loads", "stores"]}
            is_right = share["memory"]["low"] - NEAR <= truth <= share["memory"]["high"] + NEAR
            right += is_right
            words = "  ".join(f"{key} {q['value']:4.0%} ({q['low']:.0%} to {q['high']:.0%})" for key, q in share.items())
            print(f"{kernel:11} true {truth:4.0%}  {words}  {'' if is_right else 'WRONG'}")
    print(f"{right} of {len(LARGE + SMALL)} right")


if __name__ == "__main__":
    main()
