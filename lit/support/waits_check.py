# waits_check.py - the report and `reticle ranks` on bench/waits.c, whose own clock is beside them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   waits_check.py SOURCE RETICLE MPI SIZE
#
# In the folder of a run of SIZE ranks: said, report, work/. Who was waited for is held against the program's own account:
# on a busy machine another rank than the one with most work may come last.
import json
import subprocess
import sys

import jsonschema

source, reticle, mpi, size = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])


def json_of(*arguments):
    done = subprocess.run([reticle, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done
    return done.stdout


said = json_of("ranks", "--json", "work")
open("ranks.json", "w").write(said)
ranks = json.loads(said)
jsonschema.validate(ranks, json.load(open(f"{source}/docs/schema/ranks.json")))
# One thread a rank, and nobody else's: the program's clock reads wrap the library's. A switch between the two is all that
# differs, so the sum stays within 2 %, also on a busy machine.
subprocess.run([sys.executable, f"{source}/lit/support/waits_compare.py", "said", "ranks.json", "0.02"], check=True)
barrier = next(w for w in ranks["waits"] if w["operation"] == "MPI_Barrier")
assert barrier["function"] == "main" and barrier["file"].endswith("waits.c") and barrier["processes"] == size, barrier
assert barrier["waited_for"] == barrier["waited_for_ranks"][0]["rank"] and 0 < barrier["waited_for_share"] <= 1, barrier
receive = [w for w in ranks["waits"] if w["operation"] == "MPI_Recv"]
known = {(c["rank"], b["rank"]) for w in receive for c in w["ranks"] for b in w["waited_for_ranks"]}
assert {b for _, b in known} == set(range(size)), known  # also of MPI_ANY_SOURCE with MPI_STATUS_IGNORE
report = open("report").read()
name = {"openmpi": "Open MPI v", "mpich": "MPICH Version: "}[mpi]
assert f"WAITS of {name}" in report and f"of the time of {size} processes in MPI" in report, report
profiles = [f"work/{r}.prof" for r in range(size)]
merged = json.loads(json_of("report", "--json", *profiles))
jsonschema.validate(merged, json.load(open(f"{source}/docs/schema/report.json")))
of = {w["stable_id"]: w for w in merged["waits"]}  # of a library's locks several have no line
assert len(of) == len(merged["waits"]) == len(ranks["waits"])
for wait in ranks["waits"]:  # the same, by another way
    assert of[wait["stable_id"]]["time"] == wait["time"], wait
    assert of[wait["stable_id"]]["waited_for"] == wait["waited_for"], wait
alone = json.loads(json_of("report", "--json", profiles[0]))
wait = next(w for w in alone["waits"] if w["operation"] == "MPI_Barrier")
assert wait["late"]["value"] is None and "reticle ranks" in wait["late"]["reason"], wait
# A merged file is as good.
subprocess.run([reticle, "merge", *profiles, "-o", "merged.prof"], check=True)
again = json.loads(json_of("report", "--json", "merged.prof"))
assert again["waits"] == merged["waits"]
