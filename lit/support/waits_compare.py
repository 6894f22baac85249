# waits_compare.py - what a profile says of calls of MPI beside what bench/waits.c clocked itself.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   waits_compare.py SAID RANKS_JSON [MOST]
#
# SAID is what the program wrote, RANKS_JSON of `reticle ranks --json`. Counts of calls must be equal for each rank and
# operation. Prints the times of both and their ratio for each operation, all ranks together; MOST is the largest
# part by which the sum of all may differ, and each operation of at least a tenth of it (default: 0.02). MPI_Init isn't in
# the sum: as the first call it has the library find MPI before the call, by the program's clock alone. That is 0.1 ms,
# or as long as a rank waits for a CPU or a page just then; ours can't be more than the program's.
import collections
import json
import sys

most = float(sys.argv[3]) if len(sys.argv) > 3 else 0.02
own = collections.defaultdict(lambda: [0, 0])
late, tied = collections.Counter(), collections.Counter()
for line in open(sys.argv[1]):
    words = line.split()
    if len(words) != 4 or not words[0].isdigit():
        continue
    if words[1] in ("late", "tied"):
        (late if words[1] == "late" else tied)[int(words[2])] += int(words[3])
        continue
    own[int(words[0]), words[1]][0] += int(words[2])
    own[int(words[0]), words[1]][1] += int(words[3])
found = collections.defaultdict(lambda: [0, 0])
report = json.load(open(sys.argv[2]))
for wait in report["waits"]:
    for cell in wait["ranks"]:
        found[cell["rank"], wait["operation"]][0] += cell["calls"]
        found[cell["rank"], wait["operation"]][1] += cell["time_ns"]
for key, (calls, _) in own.items():
    assert found[key][0] == calls, (key, calls, found[key])
times = {o: [sum(t for (_, p), (_, t) in of.items() if p == o) for of in (own, found)] for o in {o for _, o in own}}
wrong = []
init_ns, init_found_ns = times.pop("MPI_Init")
print(f"{'MPI_Init':14} own {init_ns / 1e6:10.3f} ms  reticle {init_found_ns / 1e6:10.3f} ms")
assert 0 < init_found_ns <= init_ns, (init_ns, init_found_ns)
total = sum(mine for mine, _ in times.values())
for operation, (mine, theirs) in sorted(times.items(), key=lambda item: -item[1][0]):
    print(f"{operation:14} own {mine / 1e6:10.3f} ms  reticle {theirs / 1e6:10.3f} ms  {theirs / mine:.4f}")
    if mine >= total / 10 and abs(theirs / mine - 1) > most:
        wrong.append(operation)
all_found = sum(theirs for _, theirs in times.values())
print(f"{'all':14} own {total / 1e6:10.3f} ms  reticle {all_found / 1e6:10.3f} ms  {all_found / total:.4f}")
barrier = next(w for w in report["waits"] if w["operation"] == "MPI_Barrier")
print(f"{'late':14} own {sum(late.values()) / 1e6:10.3f} ms  reticle {barrier['late']['value'] / 1e6:10.3f} ms")
assert not wrong and abs(all_found / total - 1) <= most, (wrong, all_found / total)
# Who was waited for. Where two came at nearly the same time, each clock may name another one.
whom = {b["rank"]: b["time_ns"] for b in barrier["waited_for_ranks"]}
for rank in set(late) | set(whom):
    print(f"  for rank {rank:3}  own {late[rank] / 1e6:10.3f} ms  reticle {whom.get(rank, 0) / 1e6:10.3f} ms")
    assert abs(late[rank] - whom.get(rank, 0)) <= 2 * most * sum(late.values()) + tied[rank], (rank, late, tied, whom)
