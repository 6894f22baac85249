#!/usr/bin/env python3
# blocks.py - how far the cycles of reticle block can be trusted, against what they must reach
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: blocks.py --raw RAW.csv --published BLOCKS.csv [--part NAME]... [--limit N] [--keep DIR] [--json FILE]

RAW.csv:    column hex: blocks as extracted, unfiltered (BHive's dev_raw)
BLOCKS.csv: columns hex, hsw, skl: blocks with published Haswell and Skylake cycles
Parts: completion, known, repeat, published, tau, impossible, neighbour, mutated, speed, invariance,
ablation; all of them by default. tau says how far ranks can agree between cores, with llvm-mca's models where it is installed. --limit takes the first N blocks of each file. Prints markdown. A quiet machine is needed.
"""
import argparse
import collections
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time

import blocks_core
import blocks_tau
import common

PARTS = ("completion", "known", "repeat", "published", "tau", "impossible", "neighbour", "mutated", "speed",
         "invariance", "ablation")
KNOWN = os.path.join(common.ROOT, "test", "blocks", "known.csv")
VALUE = ("ok", "noisy")
MUTATED = 10000


def measure(hexes, *arguments, keep=None):
    """What `reticle block --json` says of the blocks, in order, and the seconds it took."""
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write("hex\n" + "".join(h + "\n" for h in hexes))
        file.flush()
        start = time.monotonic()
        done = subprocess.run([os.path.join(common.reticle_bin(), "reticle"), "block", "--csv", file.name, "--json",
                               *arguments], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.returncode)
    if keep:
        with open(keep, "w", encoding="utf-8") as out:
            out.write(done.stdout)
    return json.loads(done.stdout)["blocks"], time.monotonic() - start


def cycles(block):
    return block["cycles"]["value"]


def share(part, whole):
    return f"{100 * part / whole:.2f} % ({part} of {whole})" if whole else "n/a"


def within(pairs, tolerance):
    """How many pairs of numbers differ by at most so much of the larger."""
    return sum(abs(a - b) <= tolerance * max(a, b) for a, b in pairs)


class Bench:
    def __init__(self, options):
        self.options = options
        self.rows, self.notes = [], []
        self.raw = self.read(options.raw)
        self.published = self.read(options.published)
        self.core = blocks_core.core()

    def read(self, path):
        if not path:
            return []
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))[:self.options.limit]

    def row(self, what, target, found, held):
        self.rows.append((what, target, found, "yes" if held else "no" if held is not None else "-"))
        common.note(f"{what}: {found} (target {target})")

    def hexes(self, rows):
        return [row["hex"] for row in rows]

    def keep(self, name):
        return os.path.join(self.options.keep, name + ".json") if self.options.keep else None

    def completion(self):
        blocks, seconds = measure(self.hexes(self.raw), keep=self.keep("raw"))
        done = sum(block["status"] in VALUE for block in blocks)
        self.row("completion, unfiltered blocks", ">= 98.5 %", share(done, len(blocks)), done >= 0.985 * len(blocks))
        failed = collections.Counter((b["status"], b["reason"]) for b in blocks if b["status"] not in VALUE)
        for (status, reason), count in failed.most_common():
            self.notes.append(f"failed: {count} {status} ({reason})")
        clean = sum(block["status"] == "ok" for block in blocks)
        self.row("clean coverage", ">= 95 %, quiet machine", share(clean, done), clean >= 0.95 * done)
        self.row("speed at full effort", ">= 200 a second", f"{len(blocks) / seconds:.0f} a second",
                 len(blocks) / seconds >= 200)
        self.first = blocks

    def known(self):
        mine, others = blocks_core.known(KNOWN)
        left, good, off = mine, [], []
        for _ in range(5):  # beside a neighbour a block may need a second chance: only clean values count
            blocks, _ = measure(self.hexes(left))
            good += [row for row, b in zip(left, blocks) if b["status"] == "ok" and
                     abs(cycles(b) / float(row["cycles"]) - 1) <= 0.015]
            off += [(row["name"], cycles(b)) for row, b in zip(left, blocks) if b["status"] == "ok" and
                    abs(cycles(b) / float(row["cycles"]) - 1) > 0.015]
            left = [row for row, b in zip(left, blocks) if b["status"] != "ok"]
            if not left:
                break
        self.row(f"known answers ({self.core or 'core not known'})", ">= 30, within 1.5 %",
                 f"{len(good)} within, {len(off)} not, {len(left)} never clean", len(good) >= 30 and not off)
        self.notes += [f"known answer missed: {name}: {value:.3f}" for name, value in off]
        self.notes.append(f"known answers of other cores, not tried: {len(others)}")

    def repeat(self):
        hexes = self.hexes(self.published)
        first, _ = measure(hexes, keep=self.keep("published-1"))
        second, _ = measure(hexes, keep=self.keep("published-2"))
        pairs = [(cycles(a), cycles(b)) for a, b in zip(first, second) if a["status"] == b["status"] == "ok"]
        done = sum(a["status"] in VALUE for a in first)
        clean = sum(a["status"] == "ok" for a in first)
        self.row("repeatability of clean blocks, two runs", ">= 99 % within 2 %", share(within(pairs, 0.02), len(pairs)),
                 within(pairs, 0.02) >= 0.99 * len(pairs))
        self.row("clean coverage, blocks with published values", ">= 95 %, quiet machine", share(clean, done),
                 clean >= 0.95 * done)
        self.published_blocks = first

    def measure_published(self):
        """Fills published_blocks, as in a hot loop, and as_published: copies in a row, decoded anew."""
        if not hasattr(self, "published_blocks"):
            self.published_blocks, _ = measure(self.hexes(self.published), keep=self.keep("published-1"))
        if not hasattr(self, "as_published"):
            self.as_published, _ = measure(self.hexes(self.published), "--decode", keep=self.keep("published-decode"))

    def published_part(self):
        self.measure_published()
        for column, name in (("hsw", "Haswell"), ("skl", "Skylake")):
            for blocks, how in ((self.published_blocks, ""), (self.as_published, ", decoded anew as there (--decode)")):
                pairs = [(cycles(b), float(row[column])) for b, row in zip(blocks, self.published)
                         if b["status"] == "ok" and row[column]]
                tau = blocks_tau.tau_b(*map(list, zip(*pairs)))
                rounded = blocks_tau.tau_b([round(mine, 2) for mine, _ in pairs], [theirs for _, theirs in pairs])
                self.notes.append(f"Kendall's tau with {name}{how}, ours rounded to hundredths as the published values "
                                  f"are: {rounded:.3f}")
                self.row(f"Kendall's tau with published {name}{how}", ">= 0.80", f"{tau:.3f} ({len(pairs)} blocks)",
                         tau >= 0.80)

    def tau(self):
        self.measure_published()
        blocks_tau.part(self, self.as_published, self.published)

    def impossible(self):
        if not hasattr(self, "first"):
            self.first, _ = measure(self.hexes(self.raw))
        blocks = self.first + getattr(self, "published_blocks", [])
        width, found, looked = blocks_core.WIDTH.get(self.core), [], 0
        for block in blocks:
            access = block["accesses"]
            # The tool calls such a value noisy; it is impossible all the same.
            doubted = (block.get("reason") or "").startswith("below what the core can do")
            if not (block["status"] == "ok" or doubted) or not access or not width or not block["instructions"]:
                continue
            looked += 1
            turns = access["instructions"] / block["instructions"]
            bound = max(block["instructions"] / width, access["loads"] / turns / blocks_core.LOADS,
                        access["stores"] / turns / blocks_core.STORES)
            # What the interval can't tell from the bound is not beyond it.
            if turns == 2 and block["cycles"]["high"] < bound:
                found.append((block["hex"], cycles(block), bound))
        if not width:
            self.row("impossible values", "none", "core not known: not tried", None)
            return
        found.sort(key=lambda f: f[1] / f[2])
        self.row(f"impossible values ({self.core}: dispatch, loads, stores)", "none", f"{len(found)} of {looked}",
                 not found if looked else None)
        self.notes += [f"impossible: {100 - 100 * c / b:.1f} % below {b:.3f}: {h}" for h, c, b in found[:10]]

    def neighbour(self):
        hexes = random.Random(1).sample(self.hexes(self.raw), min(400, len(self.raw)))
        cpus = sorted(os.sched_getaffinity(0))
        alone, _ = measure(hexes, "--cpu", str(cpus[0]))
        busy = [subprocess.Popen(["taskset", "-c", str(cpu), sys.executable, "-c",
                                  "while True:\n sum(range(1000))"]) for cpu in cpus[1:]]
        try:
            beside, _ = measure(hexes, "--cpu", str(cpus[0]))
        finally:
            for process in busy:
                process.kill()
                process.wait()
        pairs = [(cycles(a), cycles(b), b["status"]) for a, b in zip(alone, beside)
                 if a["status"] == "ok" and b["status"] in VALUE]
        bad = [p for p in pairs if p[2] == "ok" and abs(p[0] - p[1]) > 0.03 * max(p[:2])]
        flagged = sum(p[2] != "ok" for p in pairs)
        self.row("with a busy neighbour", "flagged, or within 3 %",
                 f"{share(len(pairs) - len(bad), len(pairs))}, {flagged} flagged", len(bad) <= 0.01 * len(pairs))

    def mutated(self):
        rng, hexes = random.Random(6), []
        count = min(MUTATED, self.options.limit or MUTATED) if self.raw else 0
        for _ in range(count):
            code = bytearray.fromhex(rng.choice(self.raw)["hex"])
            for _ in range(3):
                code[rng.randrange(len(code))] ^= 1 << rng.randrange(8)
            hexes.append(code.hex())
        blocks, seconds = measure(hexes)  # stops here if the tool crashes
        kept = sum(b["hex"] == h for b, h in zip(blocks, hexes))
        statuses = collections.Counter(b["status"] for b in blocks)
        self.row(f"{count} blocks with three bits flipped, in one batch", "no crash, no hang, no lost line",
                 f"{kept} in order, {seconds:.0f} s", kept == len(hexes) == len(blocks) if hexes else None)
        self.notes.append("mutated: " + ", ".join(f"{n} {status}" for status, n in statuses.most_common()))

    def speed(self):
        _, seconds = measure(self.hexes(self.published)[:50])
        self.row("50 blocks", "<= 5 s", f"{seconds:.2f} s", seconds <= 5)

    def invariance(self):
        sample = [h for h in self.hexes(self.published) if len(h) <= 300][:400]
        once, _ = measure(sample)
        twice, _ = measure([h + h for h in sample])
        self.invariant("B;B = 2 B", [(2 * cycles(a), cycles(b)) for a, b in zip(once, twice)
                                     if a["status"] == b["status"] == "ok"])
        moved, _ = measure(sample, "--address", "20")
        self.invariant("the same 32 bytes further on", [(cycles(a), cycles(b)) for a, b in zip(once, moved)
                                                        if a["status"] == b["status"] == "ok"])
        names = (("rax", "rbx", "rcx"), ("r8", "rsi", "r11"), ("rdi", "r14", "r9"))
        forms = ("add {0},{1}; imul {1},{2}", "mov {0},[{1}]; add {0},{2}", "imul {0},{0}; lea {1},[{0}+{2}]",
                 "mov [{1}],{0}; mov {2},[{1}+8]", "cmp {0},{1}; cmovb {2},{0}", "xor {0},{0}; popcnt {1},{2}",
                 "lea {0},[{1}+{2}*4+8]; add {1},{0}", "shl {0},3; or {0},{1}; and {1},{2}")
        values = [[self.assemble(form.format(*regs)) for regs in names] for form in forms]
        pairs = [(row[0], other) for row in values for other in row[1:] if row[0] and other]
        self.invariant("renamed registers", pairs)

    def assemble(self, text):
        done = subprocess.run([os.path.join(common.reticle_bin(), "reticle"), "block", "--json", "-a",
                               ".intel_syntax noprefix; " + text], stdout=subprocess.PIPE, text=True, check=False)
        block = json.loads(done.stdout)["blocks"][0]
        return cycles(block) if block["status"] == "ok" else None

    def invariant(self, name, pairs):
        self.row(f"invariance: {name}", "within 2 %", share(within(pairs, 0.02), len(pairs)),
                 within(pairs, 0.02) >= 0.95 * len(pairs) if pairs else None)

    def ablation(self):
        row = ["--decode"]  # copies in a row, as published
        steps = (("no mapping", [*row, "--no-map", "--no-adapt", "--attempts", "1", "--copies", "100"]),
                 ("one frame, 100 copies", [*row, "--frames", "1", "--no-adapt", "--attempts", "1", "--copies", "100"]),
                 ("one frame, copies by size", [*row, "--frames", "1", "--no-adapt", "--attempts", "1"]),
                 ("fewer copies where blocks fault", [*row, "--frames", "1", "--attempts", "1"]),
                 ("eight frames", [*row, "--attempts", "1"]), ("other initial values", row), ("rows in a loop", []))
        hexes = self.hexes(self.raw)[:2000]
        table = [(name, measure(hexes, "--rounds", "16", *arguments)[0]) for name, arguments in steps]
        full = table[-2][1]
        self.notes.append(f"ablation, {len(hexes)} unfiltered blocks: way, share with a value, share of the clean ones "
                          f"over 10 % slower, and faster, than with '{table[-2][0]}'")
        for name, blocks in table:
            done = sum(b["status"] in VALUE for b in blocks)
            both = [(cycles(a), cycles(b)) for a, b in zip(blocks, full) if a["status"] == b["status"] == "ok"]
            self.notes.append(f"ablation: {name}: {share(done, len(blocks))}; "
                              f"{share(sum(a > 1.1 * b for a, b in both), len(both))} slower, "
                              f"{share(sum(b > 1.1 * a for a, b in both), len(both))} faster")

    def run(self):
        for part in self.options.part or PARTS:
            getattr(self, "published_part" if part == "published" else part)()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--raw")
    parser.add_argument("--published")
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--keep")
    parser.add_argument("--json")
    bench = Bench(parser.parse_args())
    bench.run()
    print("| | target | measured | held |\n|---|---|---|---|")
    for row in bench.rows:
        print("| " + " | ".join(row) + " |")
    print("\n" + "\n".join(f"* {note}" for note in bench.notes))
    if bench.options.json:
        with open(bench.options.json, "w", encoding="utf-8") as file:
            json.dump({"rows": bench.rows, "notes": bench.notes}, file, indent=1)


main()
