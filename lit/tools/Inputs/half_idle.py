# half_idle.py - what two reports on half_idle.c say of its loops' shares.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

cpu, wall = ({loop["function"]: loop for loop in json.load(open(name))["loops"] if loop["function"] != "main"}
             for name in sys.argv[1:])
for name in ("works", "waits"):
    print(name, *(loops[name][key]["value"] for loops in (cpu, wall) for key in ("share", "cpu_share", "wall_share")))
    assert cpu[name]["share"] == cpu[name]["cpu_share"] == wall[name]["cpu_share"]
    assert wall[name]["share"] == wall[name]["wall_share"] == cpu[name]["wall_share"]
assert cpu["works"]["share"]["value"] > 0.85 and cpu["waits"]["share"]["value"] < 0.15
assert wall["works"]["share"]["value"] < 0.7 and wall["waits"]["share"]["value"] > 0.3
