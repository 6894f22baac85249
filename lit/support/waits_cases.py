# waits_cases.py - counts and peers of lit/timed/Inputs/waits_cases.c, run with three ranks.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   waits_cases.py SOURCE RETICLE FOLDER
import json
import subprocess
import sys

import jsonschema

done = subprocess.run([sys.argv[2], "ranks", "--json", sys.argv[3]], capture_output=True, text=True, check=False)
assert done.returncode in (0, 1), done
report = json.loads(done.stdout)
jsonschema.validate(report, json.load(open(f"{sys.argv[1]}/docs/schema/ranks.json")))


def calls(operation, rank):
    return sum(c["calls"] for w in report["waits"] if w["operation"] == operation for c in w["ranks"] if c["rank"] == rank)


def peers(operation):
    return {b["rank"] for w in report["waits"] if w["operation"] == operation for b in w["waited_for_ranks"]}


expected = {"MPI_Init_thread": 1, "MPI_Gather": 1, "MPI_Alltoallv": 1, "MPI_Startall": 3, "MPI_Waitall": 3, "MPI_Comm_split": 3,
            "MPI_Allreduce": 3, "MPI_Barrier": 3, "MPI_Comm_free": 3, "MPI_Finalize": 1, "MPI_Recv_init": 1, "MPI_Sendrecv": 602}
for rank in range(3):
    for operation, count in expected.items():
        found = calls(operation, rank)
        assert found == count or (operation == "MPI_Sendrecv" and found == 2), (operation, rank, found)
assert calls("MPI_Irecv", 0) == 4 and calls("MPI_Irecv", 1) == 0 and calls("MPI_Waitany", 0) == 2
assert peers("MPI_Waitany") == {1, 2} and peers("MPI_Waitall") == {0, 1, 2}, (peers("MPI_Waitany"), peers("MPI_Waitall"))
assert peers("MPI_Waitsome") <= {1, 2} and peers("MPI_Gather") <= {1, 2}
# Communicators of the ranks {0, 2}, {1}: rank 1 waits for nobody, and nobody there for it.
assert 1 not in peers("MPI_Allreduce"), peers("MPI_Allreduce")
assert not report["warnings"] or all(w["code"] == "too_few_ranks" for w in report["warnings"]), report["warnings"]
