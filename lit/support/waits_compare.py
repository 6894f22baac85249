# waits_compare.py - what a profile says of calls of MPI beside what bench/waits.c clocked itself.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   waits_compare.py SAID RANKS_JSON [MOST]
#
# SAID is what the program wrote, RANKS_JSON of `reticle ranks --json`. Counts of calls must be equal for each rank and
# operation. Prints the times of both and their ratio for each operation, all ranks together; MOST is the largest
# part by which the sum of all may differ, and each operation of at least a tenth of it (default: 0.02).
import collections
import json
import sys

most = float(sys.argv[3]) if len(sys.argv) > 3 else 0.02
own = collections.defaultdict(lambda: [0, 0])
late = 0
for line in open(sys.argv[1]):
    words = line.split()
    if len(words) != 4 or not words[0].isdigit():
        continue
    if words[1] == "late":
        late += int(words[3])
        continue
    own[int(words[0]), words[1]][0] += int(words[2])
    own[int(words[0]), words[1]][1] += int(words[3])
found = collections.defaultdict(lambda: [0, 0])
report = json.load(open(sys.argv[2]))
for wait in report["waits"]:
    for cell in wait["ranks"]:
        found[cell["rank"], wait["operation"]][0] += cell["calls"]
        found[cell["rank"], wait["operation"]][1] += cell["time_ns"]
# The program's own gathering of arrivals isn't among what it clocks.
gathering = {r: n for (r, o), (n, _) in found.items() if o == "MPI_Allreduce"}
for (rank, operation), (calls, _) in own.items():
    extra = 1 if operation == "MPI_Allreduce" else 0
    assert found[rank, operation][0] == calls + extra, (rank, operation, calls, found[rank, operation])
operations = sorted({o for _, o in own}, key=lambda o: -sum(t[1] for (_, p), t in own.items() if p == o))
total_own = total_found = 0
wrong = []
for operation in operations:
    mine = sum(t[1] for (_, o), t in own.items() if o == operation)
    theirs = sum(t[1] for (_, o), t in found.items() if o == operation)
    if operation == "MPI_Allreduce":
        sites = [w for w in report["waits"] if w["operation"] == operation]
        theirs -= min(sites, key=lambda w: w["calls"])["time"]["value"] if len(sites) > 1 else 0
    total_own, total_found = total_own + mine, total_found + theirs
    print(f"{operation:14} own {mine / 1e6:10.3f} ms  reticle {theirs / 1e6:10.3f} ms  {theirs / mine:.4f}")
    if mine >= sum(t[1] for t in own.values()) / 10 and abs(theirs / mine - 1) > most:
        wrong.append(operation)
barrier = next(w for w in report["waits"] if w["operation"] == "MPI_Barrier")
print(f"{'all':14} own {total_own / 1e6:10.3f} ms  reticle {total_found / 1e6:10.3f} ms  {total_found / total_own:.4f}")
print(f"{'late at barrier':14} own {late / 1e6:.3f} ms  reticle {barrier['late']['value'] / 1e6:.3f} ms  {barrier['late']['value'] / late:.4f}")
assert not wrong and abs(total_found / total_own - 1) <= most, (wrong, total_found / total_own)
assert abs(barrier["late"]["value"] / late - 1) <= 2 * most, (late, barrier["late"])
