# waits_omp.py - waits of OpenMP beside what lit/timed/waits-omp.c clocked itself.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   waits_omp.py SAID WAITS_JSON REPORT
import json
import sys

THREADS, STEPS, SLOW = 3, 20, 1
own = {int(w[0]): [int(n) for n in w[1:]] for w in (line.split() for line in open(sys.argv[1]))}
waits = json.load(open(sys.argv[2]))["waits"]


def by_thread(operation):
    found = [0] * THREADS
    for wait in waits:
        if wait["operation"] == operation:
            for cell in wait["ranks"]:
                assert cell["rank"] is None
                found[cell["thread"]] += cell["time_ns"]
    return found


barrier = [w for w in waits if w["operation"] == "omp barrier"]
assert len(barrier) == 1 and barrier[0]["calls"] == THREADS * STEPS and barrier[0]["threads"] == THREADS, barrier
assert barrier[0]["file"].endswith("waits-omp.c") and barrier[0]["kind"] == "barrier", barrier
for column, operation in enumerate(["omp barrier", "omp critical"]):
    found, clocked = by_thread(operation), [own[t][column] for t in range(THREADS)]
    assert abs(sum(found) / sum(clocked) - 1) < 0.02, (operation, found, clocked)
assert sum(c["calls"] for w in waits if w["operation"] == "omp critical" for c in w["ranks"]) == THREADS * STEPS
# The task is executed by the thread that waits for it, or by another one: its own time is no waiting.
tasks = [w for w in waits if w["operation"] == "omp taskwait"]
assert tasks and tasks[0]["calls"] == STEPS and tasks[0]["time"]["value"] < 1.02 * sum(own[t][2] for t in own), tasks
# 3 ms between the regions are no wait: 20 times 3 ms for two workers would be 120 ms. In the region a worker waits for the
# others' critical sections, 2 ms at most, and 0.2 ms of the task.
region = [w for w in waits if w["operation"] == "omp parallel, end"]
assert sum(c["calls"] for w in region for c in w["ranks"]) == THREADS * STEPS, region
said = open(sys.argv[3]).read()
assert "WAITS of LLVM OMP version" in said and "omp barrier" in said, said
