# blocks_tau.py - how far ranks of blocks can agree between cores: Kendall's tau, and what models of the cores say
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import itertools
import json
import random
import re
import shutil
import subprocess

import common

# What a core can do in a cycle: (instructions, loads, stores). Source: Intel's optimization manual, Skylake client.
SKYLAKE = (4, 2, 1)
MODELS = ("haswell", "skylake", "sapphirerapids")
MARK = 0x10000000  # displacement of the NOP behind each block, and its number
RUNS = (100, 200)  # executions in llvm-mca: what the second adds to the first counts
PAIRS_OF = 1500  # blocks of which all pairs are compared


def tau_b(xs, ys):
    """Kendall's tau-b in n log n (Knight's algorithm)."""
    order = sorted(range(len(xs)), key=lambda i: (xs[i], ys[i]))
    seq = [ys[i] for i in order]
    n = len(xs)

    def ties(values):
        return sum(c * (c - 1) // 2 for c in collections.Counter(values).values())

    def swaps(values):
        if len(values) < 2:
            return values, 0
        a, x = swaps(values[:len(values) // 2])
        b, y = swaps(values[len(values) // 2:])
        merged, count, i = [], x + y, 0
        for value in b:
            while i < len(a) and a[i] <= value:
                merged.append(a[i])
                i += 1
            count += len(a) - i
            merged.append(value)
        return merged + a[i:], count

    pairs, tx, ty, txy = n * (n - 1) // 2, ties(xs), ties(ys), ties(list(zip(xs, ys)))
    discordant = swaps(seq)[1]
    return (pairs - tx - ty + txy - 2 * discordant) / ((pairs - tx) * (pairs - ty)) ** 0.5


def common_tau(a, b, among=None):
    """(tau, blocks) of two {number of a block: cycles}, for blocks that both have."""
    keys = [i for i in a if i in b and (among is None or i in among)]
    return (tau_b([a[i] for i in keys], [b[i] for i in keys]) if len(keys) > 1 else float("nan")), len(keys)


def say(a, b, among=None):
    return "{:.3f} ({} blocks)".format(*common_tau(a, b, among))


def tied(values):
    """Share of all pairs of values that are equal."""
    n = len(values)
    return sum(c * (c - 1) for c in collections.Counter(values).values()) / (n * (n - 1)) if n > 1 else 0.0


def llvm(name):
    return shutil.which(name + "-19") or shutil.which(name) or shutil.which("/usr/lib/llvm-19/bin/" + name)


def disassemble(hexes):
    """Lines of assembly of each block; None for one that LLVM doesn't know."""
    text = []
    for i, code in enumerate(hexes):
        data = bytes.fromhex(code) + bytes((0x0f, 0x1f, 0x80)) + (MARK + i).to_bytes(4, "little")
        text.append(" ".join(f"0x{byte:02x}" for byte in data))
    done = subprocess.run([llvm("llvm-mc"), "--disassemble", "-triple=x86_64"], input="\n".join(text),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    blocks, lines = [None] * len(hexes), []
    for line in map(str.strip, done.stdout.splitlines()):
        end = re.match(r"nopl\s+(\d+)\(%rax\)$", line)
        if end and int(end[1]) >= MARK:
            blocks[int(end[1]) - MARK], lines = lines, []
        elif line and not line.startswith("."):
            lines.append(line)
    for number in re.findall(r"^<stdin>:(\d+):", done.stderr, re.MULTILINE):
        blocks[int(number) - 1] = None
    return blocks


def predict(model, blocks):
    """{number of a block: cycles of an execution} as llvm-mca has them for the core."""
    text = "".join(f"# LLVM-MCA-BEGIN {i}\n" + "\n".join(lines) + f"\n# LLVM-MCA-END {i}\n"
                   for i, lines in enumerate(blocks) if lines)
    totals = []
    for runs in RUNS:
        done = subprocess.run([llvm("llvm-mca"), "-mtriple=x86_64", "-mcpu=" + model, "-json", f"-iterations={runs}",
                               "-all-views=false", "-summary-view"], input=text, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=True)
        totals.append({int(region["Name"]): region["SummaryView"]["TotalCycles"]
                       for region in json.loads(done.stdout)["CodeRegions"]})
    return {i: (totals[1][i] - totals[0][i]) / (RUNS[1] - RUNS[0]) for i in totals[0] if i in totals[1]}


def floor(block, limits):
    """Cycles that a core with these limits needs at least; None where accesses were not traced in full."""
    accesses = block["accesses"]
    if not accesses or accesses["instructions"] != 2 * (block["instructions"] or 0):
        return None
    return max(block["instructions"] / limits[0], accesses["loads"] / 2 / limits[1], accesses["stores"] / 2 / limits[2])


def apart(ours, theirs, share):
    """(concordant - discordant) / all of the pairs of blocks whose published values differ by more than this share."""
    keys = sorted(i for i in ours if i in theirs)
    keys = random.Random(1).sample(keys, min(PAIRS_OF, len(keys)))
    score = count = 0
    for a, b in itertools.combinations(keys, 2):
        if abs(theirs[a] - theirs[b]) > share * max(theirs[a], theirs[b]):
            count += 1
            product = (ours[a] - ours[b]) * (theirs[a] - theirs[b])
            score += (product > 0) - (product < 0)
    return score / count if count else float("nan")


def alike(ours, theirs, one, other):
    """(concordant - discordant) / all of the pairs of blocks that two models put in the same order, by more than 2 %
    each: what no difference between the cores explains, as far as the models know them. Blocks differ as much as they
    do; leaving out blocks instead would leave those that take about as long."""
    keys = sorted(i for i in ours if i in theirs and i in one and i in other)
    keys = random.Random(1).sample(keys, min(PAIRS_OF, len(keys)))
    score = count = pairs = 0
    for a, b in itertools.combinations(keys, 2):
        pairs += 1
        if all(abs(m[a] - m[b]) > 0.02 * max(m[a], m[b]) for m in (one, other)) and \
                (one[a] > one[b]) == (other[a] > other[b]):
            count += 1
            product = (ours[a] - ours[b]) * (theirs[a] - theirs[b])
            score += (product > 0) - (product < 0)
    return (score / count if count else float("nan")), (count / pairs if pairs else float("nan"))


def part(bench, blocks, rows):
    """Rows and notes on tau. blocks: what reticle block says of the rows, which have published values."""
    ours = {i: b["cycles"]["value"] for i, b in enumerate(blocks) if b["status"] == "ok"}
    published = {name: {i: float(row[column]) for i, row in enumerate(rows) if row[column]}
                 for column, name in (("hsw", "Haswell"), ("skl", "Skylake"))}
    floors = {i: floor(blocks[i], SKYLAKE) for i in ours}
    floors = {i: cycles for i, cycles in floors.items() if cycles is not None}
    narrowed = {i: max(ours[i], cycles) for i, cycles in floors.items()}
    for name, theirs in published.items():
        tau, count = common_tau(narrowed, theirs)
        bench.row(f"tau with published {name}, ours with the limits of Skylake "
                  "({} instructions, {} loads, {} store a cycle)".format(*SKYLAKE), ">= 0.80",
                  f"{tau:.3f} ({count} blocks)", tau >= 0.80)
        bench.notes.append(f"tau with published {name}: of the same blocks without these limits "
                           f"{say(ours, theirs, floors)}, of the limits alone {say(floors, theirs)}")
        bench.notes.append(f"tau with published {name}: {100 * tied(list(theirs.values())):.2f} % of its pairs are ties, "
                           f"{100 * tied([ours[i] for i in ours if i in theirs]):.2f} % of ours")
        bench.notes.append("pairs that differ by more than 0, 2, 5, 10, 20, 50 % in published " + name + ": "
                           + ", ".join(f"{apart(ours, theirs, share):.3f}" for share in (0, .02, .05, .1, .2, .5)))
    bench.notes.append("tau of published Haswell and Skylake: " + say(*published.values()))
    models(bench, ours, published, rows)


def models(bench, ours, published, rows):
    if not llvm("llvm-mca") or not llvm("llvm-mc"):
        bench.notes.append("tau of LLVM's models: no llvm-mca or llvm-mc: install llvm-19")
        return
    code = disassemble([row["hex"] for row in rows])
    predicted = {model: predict(model, code) for model in MODELS}
    for model in MODELS:
        bench.notes.append(f"tau of llvm-mca for {model}: " + ", ".join(
            f"with published {name} {say(predicted[model], theirs, ours)}" for name, theirs in published.items())
            + f", with ours {say(predicted[model], ours)}")
    here, there = predicted["sapphirerapids"], predicted["skylake"]
    bench.notes.append(f"tau of llvm-mca for sapphirerapids and skylake {say(here, there)}, for haswell and skylake "
                       f"{say(predicted['haswell'], there)}")
    same = {i for i in here if i in there and abs(here[i] - there[i]) <= 0.05 * max(here[i], there[i])}
    theirs = published["Skylake"]
    translated = {i: ours[i] * there[i] / here[i] for i in ours if i in here and i in there and here[i] > 0}
    bench.notes.append("ours, times what the model for skylake has for the block, by what that for sapphirerapids has: tau "
                       "with published Skylake " + say(translated, theirs))
    for name, values in (("ours", ours), ("published Haswell", published["Haswell"]), ("the model for skylake", there)):
        tau, pairs = alike(values, theirs, here, there)
        bench.notes.append(f"pairs that these models put in the same order ({100 * pairs:.0f} % of all), with published "
                           f"Skylake, {name}: {tau:.3f}")
    bench.notes.append("blocks for which these models agree within 5 %: tau with published Skylake of ours "
                       f"{say(ours, theirs, same)}, of the model for skylake {say(there, theirs, same)}, "
                       f"of published Haswell {say(published['Haswell'], theirs, same)}")
