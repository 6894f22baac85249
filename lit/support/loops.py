# loops.py - prints the loops of profiles, added up, one line each: for tests of the runtime.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   loops.py [--raw] RETICLE PROFILE...
#   loops.py --regions ... prints regions by hand alone, by name, with raw durations in order
#   loops.py --iterations ... prints records of iterations alone; else these are left out
#   FUNCTION:LINE executions N samples N weight N lost N abandoned N migrated N work A..B
#   with --raw also: raw DURATION/WORK/WEIGHT ...   (ticks)
#   health KEY N for each loss, ended_by N, then: files N
import collections
import subprocess
import sys

SUMS = ("executions", "samples", "weight", "lost", "abandoned", "migrated")


def records(reticle, path):
    """(chunk, {field: value}, raw rows) of one profile."""
    text = subprocess.run([reticle, "dump", "--text", path], check=True, text=True,
                          capture_output=True).stdout
    chunk, fields, raw, rows = None, {}, [], None
    for line in text.splitlines():
        line = line.split(" # ")[0].strip()
        if line.startswith("["):
            if chunk:
                yield chunk, fields, raw
            chunk, fields, raw, rows = line.strip("[]"), {}, [], None
        elif line.startswith(("hist ", "raw ")):
            rows = line.split()[0]
        elif line and line[0].isdigit():
            if rows == "raw":
                raw.append([-1 if x == "max" else int(x) for x in line.split()])
        elif " " in line and chunk:
            name, value = line.split(None, 1)
            fields[name] = value.strip('"')
    if chunk:
        yield chunk, fields, raw


def main():
    arguments = sys.argv[1:]
    options = [a for a in arguments if a.startswith("--")]
    regions, with_raw = "--regions" in options, "--raw" in options
    reticle, *paths = arguments[len(options):]
    loops = collections.OrderedDict()
    health = collections.Counter()
    ends = []
    for path in paths:
        for chunk, fields, raw in records(reticle, path):
            if chunk == "loops":
                is_region, is_iteration = int(fields["flags"]) & 8, int(fields["flags"]) & 32
                if (regions and not is_region) or bool(is_iteration) != ("--iterations" in options):
                    continue
                key = f"region {fields['inlined_from']}" if regions else \
                    f"{fields['function']}:{fields['line']}"
                entry = loops.setdefault(key, (collections.Counter(), []))
                for name in SUMS:
                    entry[0][name] += int(fields[name])
                entry[1].extend(raw)
            elif chunk == "health":
                ends.append(fields["ended_by"])
                for name in ("lost_samples", "abandoned_samples", "migrated_samples", "full_tables",
                             "unmeasured_executions", "shrunk_reservoirs", "failed_threads"):
                    health[name] += int(fields[name])
    for key, (sums, raw) in loops.items():
        known = [row[1] for row in raw if row[1] >= 0]
        work = f"{min(known)}..{max(known)}" if known else "unknown"
        row = [f"{name} {sums[name]}" for name in SUMS]
        if regions:
            print(key, *row, "raw", *sorted(row[0] for row in raw))
            continue
        print(key, *row, "work", work)
        if with_raw:
            print("  raw", *(f"{row[0]}/{row[1]}/{row[3]}" for row in raw))
    print("health", *(f"{name} {count}" for name, count in health.items()))
    print("ended_by", *ends)
    print("files", len(paths))


if __name__ == "__main__":
    main()
