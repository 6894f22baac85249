# rounds.py - programs run in several variants, in interleaved rounds: what the overhead benchmarks share
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each round runs the workload of a program once per variant, in rotating order and by turns backwards, so that drift of the
machine, and what a variant leaves behind, meets all variants alike. A ratio is formed within a round. One more round at the start warms
caches and isn't counted.

`args` is the caller's: dir (sources, builds, work files), cpu (processor to pin to, or None), rounds,
options (more RETICLE_OPTIONS).
"""
import json
import os
import shutil
import types

import common

# Programs of this directory: beside the four of bench/programs.
OWN = ("chase",)


class Variant:
    def __init__(self, name, build, options):
        self.name = name
        self.build = build      # VARIANT of build.sh
        self.options = options  # beside out= and report=0; None: not instrumented


def add_arguments(parser, programs):
    parser.add_argument("--programs", default=",".join(programs), help="comma-separated; all by default")
    parser.add_argument("--rounds", type=int, default=11, help="rounds that count (default 11)")
    parser.add_argument("--cpu", default="last", help="processor to pin to, `last` or `none` (default last)")
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "programs"), help="sources, builds, work files")
    parser.add_argument("--options", default="", help="more RETICLE_OPTIONS for the instrumented variants")
    parser.add_argument("--json", help="file for every single run")
    parser.add_argument("--further", action="store_true",
                        help="a run's further part: outputs are not compared again, and no round warms caches")


def read_arguments(parser, programs, variants):
    """The arguments, checked. `variants` are the names that --variants may have, or None."""
    args = parser.parse_args()
    try:
        if not set(args.programs.split(",")) <= set(programs) or args.rounds < 1:
            raise KeyError(args.programs)
        args.cpu = {"last": max(os.sched_getaffinity(0)), "none": None}[args.cpu] if not args.cpu.isdigit() else int(args.cpu)
        if variants is not None:
            args.variants = [variants[name] for name in args.variants.split(",")]
    except KeyError as wrong:
        parser.error(f"{wrong}: choose from programs {', '.join(programs)}, "
                     + (f"variants {', '.join(variants)}, " if variants else "")
                     + "rounds of at least 1, a processor's number")
    args.programs = args.programs.split(",")
    args.dir = os.path.abspath(args.dir)
    os.makedirs(os.path.join(args.dir, "runs"), exist_ok=True)
    return args


def build_all(args, program, variants):
    for build in {v.build for v in variants if v.options is not None}:
        common.build_age_warning(args.dir, program, build)
    for variant in variants:
        common.binary(args.dir, program, variant.build)


def profile_directory(args, program):
    """Where the last instrumented run of the program left its profiles."""
    return os.path.join(args.dir, "runs", program, "prof")


def run(args, program, variant, checked=False):
    """One run of the workload. Returns (Usage, what it printed)."""
    work = os.path.join(args.dir, "runs", program)
    options = ""
    if variant.options is not None:
        prof = profile_directory(args, program)
        shutil.rmtree(prof, ignore_errors=True)
        os.makedirs(prof)
        options = f"report=0:out={prof}/%e.%p.prof" + (":" + variant.options if variant.options else "")
        options += ":" + args.options if args.options else ""
    command = [os.path.join(common.BENCH, "programs", "run.sh")] + ([] if checked else ["--quiet"])
    command += [program, common.binary(args.dir, program, variant.build), work]
    printed = os.path.join(args.dir, "runs", program + ".out")
    with open(printed, "wb") as out:
        usage = common.measure(command, common.environment(options), args.cpu, out)
    if usage.status:
        common.die(f"{program} ({variant.name}) ended with status {usage.status}: {' '.join(command)}")
    with open(printed, encoding="utf-8", errors="replace") as file:
        return usage, file.read()


def compare_output(args, program, variants):
    """Every variant must do the same work; the checksums of what they write say so."""
    expected = None
    for variant in variants:
        _, sums = run(args, program, variant, checked=True)
        expected = expected or sums
        if sums != expected:
            common.die(f"{program} ({variant.name}) wrote other output than {variants[0].name}:\n{expected}---\n{sums}")


def interleave(name, rounds, variants, run_one, warm=True):
    """Rounds of run_one(variant), which returns a Usage. Returns {variant's name: [Usage]}."""
    runs = {variant.name: [] for variant in variants}
    for number in range(0 if warm else 1, rounds + 1):
        turn = number % len(variants)
        order = variants[turn:] + variants[:turn]
        for variant in reversed(order) if number % 2 else order:  # nobody always comes behind the same one
            usage = run_one(variant)
            if number:
                runs[variant.name].append(usage)
        common.note(f"{name}: round {number} of {rounds}: " + ", ".join(
            f"{name} {values[-1].cpu:.3f} s" for name, values in runs.items() if values))
    return runs


def ratios(runs, variants):
    """Statistics of each variant against the first one: {name: {"cpu": {...}, "wall": {...}, "memory": {...}}}."""
    result = {}
    for variant in variants:
        mine, reference = runs[variant.name], runs[variants[0].name]
        entry = {}
        for what in ("cpu", "wall"):
            seconds = [getattr(usage, what) for usage in mine]
            each = [a / getattr(b, what) for a, b in zip(seconds, reference)]
            entry[what] = {"seconds": seconds, "median": common.median(seconds), "ratio": common.median(each),
                           "ratio_fastest": min(seconds) / min(getattr(b, what) for b in reference),
                           "ratio_q1": common.quantile(each, 0.25), "ratio_q3": common.quantile(each, 0.75)}
        peaks = [usage.peak_bytes for usage in mine]
        entry["memory"] = {"bytes": peaks, "median": common.median(peaks),
                           "ratio": common.median([a / b.peak_bytes for a, b in zip(peaks, reference)])}
        result[variant.name] = entry
    return result


def measure_program(args, program, variants):
    if not args.further:
        compare_output(args, program, variants)
    runs = interleave(program, args.rounds, variants, lambda variant: run(args, program, variant)[0], not args.further)
    return {"program": program, "rounds": args.rounds, "variants": ratios(runs, variants)}


def combine(parts, variants):
    """Results of one program from several calls of measure_program, as if it had been one."""
    runs = {variant.name: [] for variant in variants}
    for part in parts:
        for name, entry in part["variants"].items():
            runs[name] += [types.SimpleNamespace(cpu=cpu, wall=wall, peak_bytes=peak) for cpu, wall, peak in zip(
                entry["cpu"]["seconds"], entry["wall"]["seconds"], entry["memory"]["bytes"])]
    return {"program": parts[0]["program"], "rounds": sum(part["rounds"] for part in parts), "variants": ratios(runs, variants)}


def cell(entry):
    return f"{entry['ratio']:.3f} ({entry['ratio_q1']:.3f}–{entry['ratio_q3']:.3f})"


def about(args, reference="plain"):
    """The line below the machine's that says what the ratios of a table are."""
    return (f"Ratios to {reference}, median of {args.rounds} interleaved rounds (quartiles); user and system time "
            f"of all processes of the workload" + (", pinned to one processor" if args.cpu is not None else "") + ".")


def save(args, machine, results):
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machine, "results": results}, file, indent=1)
