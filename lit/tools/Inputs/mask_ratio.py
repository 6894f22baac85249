# mask_ratio.py - does t_diff scale with the step of the timer?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   mask_ratio.py RETICLE FINE COARSE      steps in ticks
import json
import subprocess
import sys


def measure(ticks):
    """The calibration with readings cut to `ticks`, and t_diff of the probes' timer or None."""
    command = [sys.argv[1], "calibrate", "--quick", "--time-limit", "3", "--flush", "0", "--timer", "rdtscp",
               "--json", "--mask-ticks", str(ticks)]
    report = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)
    return report, report["flushes"][0]["results"][0]["t_diff"]["value"]


fine_ticks, coarse_ticks = int(sys.argv[2]), int(sys.argv[3])
fine, t_fine = measure(fine_ticks)
coarse, t_coarse = measure(coarse_ticks)
# The ladder of differences has steps of 1.5, either way.
scale = coarse_ticks / fine_ticks
grows = bool(t_fine and t_coarse) and scale / 2.3 < t_coarse / t_fine < scale * 2.3
print("t_diff grows with the step:", grows)
steps = [r["env"]["tick_ns"] * r["env"]["timer_hz"] / 1e9 for r in (fine, coarse)]
print("tick_ns is the step:", all(abs(s / n - 1) < 0.01 for s, n in zip(steps, (fine_ticks, coarse_ticks))))
print("stored:", coarse["stored"])
