# recorded.py - writes down each test as it ends, so that a run that is cut short loses nothing that it has found.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A line of JSON each: {"found": NAME} when lit has found a test, {"name", "code", "output", "cpu_s", "wall_s"} when
# it has ended. lit's own file of results (-o) is written at its end alone.
import fcntl
import json
import resource
import time
import traceback

import lit.Test


def children_cpu_s():
    """CPU time of all children that this process has waited for, and of theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Recorded:
    """A test format around another one; without a path it records nothing."""

    def __init__(self, inner, path):
        self.inner, self.path = inner, path

    def getTestsInDirectory(self, *arguments):
        for test in self.inner.getTestsInDirectory(*arguments):
            self.add(found=test.getFullName())
            yield test

    def getTestsForPath(self, *arguments):
        for test in self.inner.getTestsForPath(*arguments):
            self.add(found=test.getFullName())
            yield test

    def execute(self, test, lit_config):
        wall_s, cpu_s = time.monotonic(), children_cpu_s()
        try:
            result = self.inner.execute(test, lit_config)
        except Exception:
            result = lit.Test.Result(lit.Test.UNRESOLVED, traceback.format_exc())
        if isinstance(result, tuple):
            result = lit.Test.Result(*result)
        self.add(name=test.getFullName(), code=result.code.name,
                 output="" if result.code is lit.Test.PASS else result.output,
                 cpu_s=round(children_cpu_s() - cpu_s, 2), wall_s=round(time.monotonic() - wall_s, 2))
        return result

    def add(self, **record):
        if self.path:
            # lit's workers write at the same time.
            with open(self.path, "a", encoding="utf-8", errors="replace") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                file.write(json.dumps(record) + "\n")
