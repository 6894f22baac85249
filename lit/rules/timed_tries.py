# timed_tries.py - tries of lit/support/timed.py with tests, controls and clocks that are made up.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   timed_tries.py LIT
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(sys.argv[1])))
import lit.Test
import timed

CODES = {"p": lit.Test.PASS, "f": lit.Test.FAIL, "u": lit.Test.UNSUPPORTED}


class Inner:
    """A test that ends as the letters of `ends` say, one a try."""

    def __init__(self, ends):
        self.ends, self.tries = ends, 0

    getTestsInDirectory = getTestsForPath = None

    def execute(self, *_):
        self.tries += 1
        return lit.Test.Result(CODES[self.ends[self.tries - 1]], "what the test said")


def tell(what, ends, others):
    others = iter(others)

    class Scripted(timed.Control):
        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.others, self.spread = next(others), 1.1

    inner = Inner(ends)
    real, timed.Control = timed.Control, Scripted
    result = timed.Timed(inner).execute(None, None)
    timed.Control = real
    said = result.output.splitlines()
    print(f"{what}: {result.code.name} after {inner.tries}, {said[0] if len(said) > 1 else 'nothing said'}")
    return said[-1]


tell("passes", "p", [0])
tell("passes at the third try", "ffp", [0] * 3)
tell("fails on a calm machine", "fffff", [0] * 5)
print("summed up:", tell("fails beside others", "fffff", [0.9] * 5))
tell("fails on a machine that was calm in three tries", "fffff", [0.9, 0, 0, 0.9, 0])
tell("can't run here", "u", [0])

# A try of 4 s on a machine whose processors were busy for 5 s, 3 s of them with the test.
clocks = {"machine_busy_s": iter([100.0, 105.0]), "children_cpu_s": iter([7.0, 10.0]), "spread": iter([1.1, 1.2])}
for name in clocks:
    setattr(timed, name, lambda name=name: next(clocks[name]))
times = iter([50.0, 54.0])
timed.time.monotonic = lambda: next(times)
with timed.Control() as control:
    pass
print(f"control: {control}, {'busy' if control.is_busy() else 'calm'}")
