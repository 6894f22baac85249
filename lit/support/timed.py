# timed.py - the form of all tests that judge real time: up to five tries, with a control of the machine beside each.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A test of lit/timed passes with the first try that passes. Where none does, the control decides: did most of the tries
# have the machine for themselves, the test has failed; else it is skipped, and each try with its control is the reason.
import os
import time

import lit.Test
from recorded import children_cpu_s

TRIES = 5
# What others may take of the processors, as a part of one. On a virtual machine with two they took 0.00 to 0.02 where
# nothing else ran (12 times), and 1.3 to 2.0 beside compilers.
OTHERS = 0.2
# By how much the same work may take longer in one of ten times: 1.18 to 1.42 there, and 1.3 to 4.0 beside compilers. It is for
# what the first figure can't see: other guests on the same core.
SPREAD = 1.5
WORK, TIMES = 20000, 200


def machine_busy_s():
    """CPU time that anybody used on this machine, with what its host took away."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def spread():
    """The ninth of ten durations of the same work, by the shortest."""
    durations = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        sum(range(WORK))
        durations.append(time.perf_counter() - begin)
    durations.sort()
    return durations[TIMES * 9 // 10] / durations[0]


class Control:
    """What else went on while a test ran. The test's own load doesn't count: the work's spread is taken before and after it."""

    def __enter__(self):
        self.spread = spread()
        self.wall_s, self.busy_s, self.own_s = time.monotonic(), machine_busy_s(), children_cpu_s()
        return self

    def __exit__(self, *_):
        wall_s = max(time.monotonic() - self.wall_s, 0.01)
        own_s = children_cpu_s() - self.own_s
        self.others = max((machine_busy_s() - self.busy_s - own_s) / wall_s, 0)
        self.spread = max(self.spread, spread())

    def is_busy(self):
        return self.others > OTHERS or self.spread > SPREAD

    def __str__(self):
        return f"others used {self.others:.2f} processors, the same work took up to {self.spread:.2f} times as long"


class Timed:
    """A test format around another one."""

    def __init__(self, inner):
        self.inner = inner
        self.getTestsInDirectory, self.getTestsForPath = inner.getTestsInDirectory, inner.getTestsForPath

    def execute(self, test, lit_config):
        tries, busy = [], 0
        for number in range(1, TRIES + 1):
            with Control() as control:
                result = self.inner.execute(test, lit_config)
            tries.append(f"try {number} of {TRIES}: {result.code.name}; {control}")
            if result.code is not lit.Test.FAIL:
                break
            busy += control.is_busy()
        output = "\n".join(tries) + "\n" + result.output
        if result.code is lit.Test.FAIL and busy > TRIES / 2:
            why = f"the machine was too busy in {busy} of {TRIES} tries, the last: {control}"
            return lit.Test.Result(lit.Test.UNSUPPORTED, output + "\n" + why)
        if len(tries) == 1:
            return result
        return lit.Test.Result(lit.Test.FLAKYPASS if result.code is lit.Test.PASS else result.code, output)
