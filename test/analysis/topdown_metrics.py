#!/usr/bin/env python3
# topdown_metrics.py - the expected shares in topdown_metrics.txt, by the kernel's and Intel's own expressions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   topdown_metrics.py DIRECTORY > topdown_metrics.txt
#
# DIRECTORY has, from other projects and not kept here:
#   amdzen4.json, amdzen5.json   pipeline.json of amdzen4, amdzen5 (Linux, perf, pmu-events)
#   n2.json                      metrics.json of neoverse-n2-v2, from the same
#   skx_full.json, icx_full.json, spr_full.json
#                                {SKX,ICX,SPR}/metrics/*_metrics.json of github.com/intel/perfmon
#   skylakex_core.json, icelakex_core.json, sapphirerapids_core.json
#                                {SKX,ICX,SPR}/events/*_core.json of the same
#
# Counters are random, in the proportions that the hardware keeps (slots are spent once); the expressions
# are evaluated as they stand, by Python. Nothing of Reticle's is used but the names of nodes.
import json
import random
import re
import sys

SETS = 5

# What the sources call a node.
AMD = {"frontend": "frontend_bound", "bad_speculation": "bad_speculation", "backend": "backend_bound",
       "smt_contention": "smt_contention", "retiring": "retiring"}
ZEN4 = {**AMD, "frontend_latency": "frontend_bound_latency", "frontend_bandwidth": "frontend_bound_bandwidth",
        "mispredicts": "bad_speculation_mispredicts", "restarts": "bad_speculation_pipeline_restarts",
        "memory": "backend_bound_memory", "core": "backend_bound_cpu", "fastpath": "retiring_fastpath",
        "microcode": "retiring_microcode"}
ZEN5 = {node: re.sub(r"_(latency|bandwidth|memory|cpu)$", r"_by_\1",
                     re.sub(r"_(mispredicts|pipeline_restarts|fastpath|microcode)$", r"_from_\1", name))
        for node, name in ZEN4.items()}
TMA = {"frontend": "Frontend_Bound", "frontend_latency": "Fetch_Latency", "frontend_bandwidth": "Fetch_Bandwidth",
       "bad_speculation": "Bad_Speculation", "mispredicts": "Branch_Mispredicts", "clears": "Machine_Clears",
       "backend": "Backend_Bound", "memory": "Memory_Bound", "core": "Core_Bound", "retiring": "Retiring",
       "l1": "L1_Bound", "stores": "Store_Bound"}
HEAVY = {"light": "Light_Operations", "heavy": "Heavy_Operations", "l2": "L2_Bound", "l3": "L3_Bound",
         "divider": "Divider"}
SKYLAKE = {**TMA, **HEAVY, "dram": "DRAM_Bound"}
ICELAKE = {**TMA, **HEAVY, "dram": "L3_Miss_Bound"}
GOLDENCOVE = {**TMA, **HEAVY, "dram": "L3_Miss_Bound"}
ARM = {"frontend": "frontend_bound", "bad_speculation": "bad_speculation", "backend": "backend_bound",
       "retiring": "retiring"}


def split(whole, *weights):
    """whole in random parts, about in the proportion of the weights."""
    parts = [weight * random.uniform(0.3, 1) for weight in weights]
    return [whole * part / sum(parts) for part in parts]


def amd(width, resync):
    starved = "de_no_dispatch_per_slot.no_ops_from_frontend"

    def draw():
        cycles = random.uniform(1e6, 1e9)
        front, bad, back, smt, retired = split(width * cycles, 3, 2, 4, 1, 4)
        waits = random.uniform(0.1, 0.6) * cycles
        return {"ls_not_halted_cyc": cycles, starved: front, "de_no_dispatch_per_slot.backend_stalls": back,
                f"{starved}:c{width}": front * random.uniform(0.2, 0.9) / width,
                "de_no_dispatch_per_slot.smt_contention": smt, "de_src_op_disp.all": retired + bad,
                "ex_ret_ops": retired, "ex_ret_ucode_ops": retired * random.uniform(0.01, 0.4),
                "ex_ret_brn_misp": cycles / random.uniform(20, 900), resync: cycles / random.uniform(90, 9000),
                "ex_no_retire.not_complete": waits,
                "ex_no_retire.load_not_complete": waits * random.uniform(0.05, 0.95)}
    return draw


def memory(cycles):
    """Stalls that lie within each other, and what Intel's formulas make of them."""
    stalls = random.uniform(0.3, 0.7) * cycles
    load = stalls * random.uniform(0.3, 0.9)
    l1 = load * random.uniform(0.4, 0.95)
    l2 = l1 * random.uniform(0.4, 0.95)
    l3 = l2 * random.uniform(0.4, 0.95)
    store = random.uniform(0.01, 0.2) * cycles
    loads = cycles / random.uniform(3, 50)
    return {"CPU_CLK_UNHALTED.THREAD": cycles, "CYCLE_ACTIVITY.STALLS_TOTAL": stalls,
            "CYCLE_ACTIVITY.STALLS_MEM_ANY": load, "CYCLE_ACTIVITY.STALLS_L1D_MISS": l1,
            "CYCLE_ACTIVITY.STALLS_L2_MISS": l2, "CYCLE_ACTIVITY.STALLS_L3_MISS": l3,
            "EXE_ACTIVITY.BOUND_ON_LOADS": load, "MEMORY_ACTIVITY.STALLS_L1D_MISS": l1,
            "MEMORY_ACTIVITY.STALLS_L2_MISS": l2, "MEMORY_ACTIVITY.STALLS_L3_MISS": l3,
            "EXE_ACTIVITY.BOUND_ON_STORES": store,
            "EXE_ACTIVITY.1_PORTS_UTIL": random.uniform(0.05, 0.2) * cycles,
            "EXE_ACTIVITY.2_PORTS_UTIL": random.uniform(0.05, 0.2) * cycles,
            "MEM_LOAD_RETIRED.L2_HIT": loads * random.uniform(0.1, 0.8),
            "MEM_LOAD_RETIRED.FB_HIT": loads * random.uniform(0.1, 0.8), "MEM_LOAD_RETIRED.L1_MISS": loads,
            "L1D_PEND_MISS.FB_FULL_PERIODS": random.uniform(0.001, 0.05) * cycles,
            "L1D_PEND_MISS.FB_FULL:c1": random.uniform(0.001, 0.3) * cycles,
            "ARITH.DIVIDER_ACTIVE": random.uniform(0.01, 0.9) * cycles,
            "ARITH.DIV_ACTIVE": random.uniform(0.01, 0.9) * cycles,
            "BR_MISP_RETIRED.ALL_BRANCHES": cycles / random.uniform(20, 900),
            "MACHINE_CLEARS.COUNT": cycles / random.uniform(90, 9000)}


def skylake(smt):
    def draw():
        cycles = random.uniform(1e6, 1e9)
        both = cycles * random.uniform(1.05, 1.9)
        slots = 4 * both / 2 if smt else 4 * cycles
        front, bad, back, retired = split(slots, 3, 2, 4, 4)
        recovery = random.uniform(0.1, 0.6) * bad / 4
        return {**memory(cycles), "CPU_CLK_UNHALTED.THREAD_ANY": both, "IDQ_UOPS_NOT_DELIVERED.CORE": front,
                "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE": front * random.uniform(0.2, 0.9) / 4,
                "UOPS_ISSUED.ANY": retired + bad - 4 * recovery, "UOPS_RETIRED.RETIRE_SLOTS": retired,
                "INT_MISC.RECOVERY_CYCLES": recovery, "INT_MISC.RECOVERY_CYCLES_ANY": 2 * recovery,
                "UOPS_RETIRED.MACRO_FUSED": retired * 0.1,
                "INST_RETIRED.ANY": retired * random.uniform(0.8, 1.05)}
    return draw


def metrics(width, drop):
    """Ice Lake and later: shares in the register PERF_METRICS, and the same in general counters."""
    def draw():
        cycles = random.uniform(1e6, 1e9)
        slots = width * cycles
        front, bad, back, retired = split(slots, 3, 2, 4, 4)
        latency = front * random.uniform(0.3, 0.8)
        dropped = latency * random.uniform(0.01, 0.2)
        misp, mem = bad * random.uniform(0.2, 0.9), back * random.uniform(0.1, 0.9)
        heavy = retired * random.uniform(0.02, 0.5)
        return {**memory(cycles), "TOPDOWN.SLOTS:perf_metrics": slots, "TOPDOWN.SLOTS_P": slots,
                "PERF_METRICS.FRONTEND_BOUND": front, "PERF_METRICS.BAD_SPECULATION": bad,
                "PERF_METRICS.BACKEND_BOUND": back, "PERF_METRICS.RETIRING": retired,
                "PERF_METRICS.FETCH_LATENCY": latency, "PERF_METRICS.BRANCH_MISPREDICTS": misp,
                "PERF_METRICS.MEMORY_BOUND": mem, "PERF_METRICS.HEAVY_OPERATIONS": heavy,
                "INT_MISC.UOP_DROPPING": dropped, "INT_MISC.CLEARS_COUNT": bad * random.uniform(0.01, 0.1) / width,
                "IDQ_UOPS_NOT_DELIVERED.CORE": front, "IDQ_BUBBLES.CORE": front,
                "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE": latency / width,
                "IDQ_BUBBLES.CYCLES_0_UOPS_DELIV.CORE": latency / width,
                "TOPDOWN.BACKEND_BOUND_SLOTS": back, "TOPDOWN.MEMORY_BOUND_SLOTS": mem,
                "TOPDOWN.BR_MISPREDICT_SLOTS": misp, "UOPS_RETIRED.SLOTS": retired, "UOPS_RETIRED.HEAVY": heavy,
                "UOPS_ISSUED.ANY": retired + bad / 2, "IDQ.MS_UOPS": retired * random.uniform(0.01, 0.2),
                "UOPS_DECODED.DEC0": retired * 0.2, "UOPS_DECODED.DEC0:c1": retired * random.uniform(0.1, 0.2),
                "IDQ.MITE_UOPS": retired * random.uniform(0.3, 0.6)}
    return draw


def neoverse(width, erratum):
    def draw():
        cycles = random.uniform(1e6, 1e9)
        over = cycles if erratum else 0
        front, back, filled = split(width * cycles - over, 3, 4, 6)
        ops = random.uniform(0.6, 0.98)
        return {"CPU_CYCLES": cycles, "STALL_SLOT_FRONTEND": front + over, "STALL_SLOT_BACKEND": back,
                "STALL_SLOT": front + back + over, "OP_RETIRED": filled * ops, "OP_SPEC": filled,
                "BR_MIS_PRED": cycles / random.uniform(60, 900)}
    return draw


def evaluate(expression, values, others):
    """An expression of either source. values: event to count; others: names to expressions."""
    text = re.sub(r"cpu@(.*?)\\,cmask\\=0x(\d+)@", r"\1:c\2", expression)
    text = text.replace("#slots", "slots")

    def name(match):
        word = match[0]
        for key, value in values.items():
            if key.lower() == word.lower():
                return repr(value)
        if word in others:
            return "(" + repr(evaluate(others[word], values, others)) + ")"
        return word

    text = re.sub(r"[A-Za-z_][\w.]*(?::\w+)?", name, text)
    functions = {"d_ratio": lambda a, b: a / b if b else 0, "max": max, "min": min,
                 "strcmp_cpuid_str": lambda id: int(id == 0x410fd490 or values["is_fixed"])}
    return eval(text, {"__builtins__": {}}, functions)  # the sources are the user's own files


def linux(path):
    metrics_list = json.load(open(path))
    return {m.get("MetricName") or m.get("ArchStdEvent").lower(): m["MetricExpr"]
            for m in metrics_list if "MetricExpr" in m}


def intel(path, smt):
    """Intel's letters replaced by the events that they stand for."""
    found = {}
    for metric in json.load(open(path))["Metrics"]:
        name = re.sub(r"^metric_TMA_\.*|\(%\)$", "", metric.get("LegacyName", ""))
        letters = {event["Alias"]: event["Name"] for event in metric["Events"]}
        letters["smt_on"] = str(int(smt))
        found.setdefault(name, re.sub(r"\b[a-z]\w*\b", lambda m: letters.get(m[0], m[0]), metric["Formula"]))
    return found


def family(tree, nodes, expressions, draw, scale, extra=None, print_extra=()):
    for _ in range(SETS):
        counts = {event: round(value) for event, value in draw().items()}
        values = {**counts, **(extra or {})}
        print("set", tree, *print_extra)
        for event, value in counts.items():
            print("count", event, value)
        for node, name in nodes.items():
            print("share", node, f"{evaluate(expressions[name], values, expressions) * scale:.6f}")


def codes(tree, path, names):
    """Raw codes of events, as the kernel takes them."""
    by_name = {event["EventName"]: event for event in json.load(open(path))["Events"]}
    for name in names:
        event = by_name[name.split(":")[0]]
        mask = int(event["CounterMask"], 0)
        if ":c" in name:
            mask = int(name.split(":c")[1])
        code = int(event["EventCode"], 0)
        if "Fixed" in event["Counter"]:  # the general counter's code, which the kernel moves to the fixed one
            code = {0x01: 0xc0, 0x02: 0x3c}[int(event["UMask"], 0)]
            umask = 0
        else:
            umask = int(event["UMask"], 0)
        edge, both = int(event.get("EdgeDetect") or 0), int(event.get("AnyThread") or 0)
        print("code", tree, name, hex(code | umask << 8 | edge << 18 | both << 21 | mask << 24))


LOCATE = ("FRONTEND_RETIRED.LATENCY_GE_8", "FRONTEND_RETIRED.LATENCY_GE_2_BUBBLES_GE_1", "MACHINE_CLEARS.COUNT",
          "INST_RETIRED.PREC_DIST", "MEM_LOAD_RETIRED.L1_HIT", "MEM_LOAD_RETIRED.L2_HIT", "MEM_LOAD_RETIRED.L3_HIT",
          "MEM_LOAD_RETIRED.L3_MISS", "MEM_INST_RETIRED.ALL_STORES")
SKYLAKE_LOCATE = ("BR_MISP_RETIRED.ALL_BRANCHES", "IDQ.MS_UOPS", "ARITH.DIVIDER_ACTIVE")


def locate(tree, path, names):
    """What perf takes for the events that nodes are located with."""
    by_name = {event["EventName"]: event for event in json.load(open(path))["Events"]}
    for name in names:
        event = by_name[name]
        umask, mask = int(event["UMask"], 0), int(event["CounterMask"], 0)
        print("locate", tree, f"event=0x{int(event['EventCode'], 0):02x}" +
              (f",umask=0x{umask:02x}" if umask else "") + (f",cmask={mask}" if mask else "") +
              (",edge" if event.get("EdgeDetect") == "1" else "") +
              (f",frontend={event['MSRValue']}" if event.get("MSRIndex") == "0x3F7" else "") + f",name={name}/")


def main(where):
    random.seed(20140323)
    print("# topdown_metrics.txt - written by topdown_metrics.py: counts and the shares they come to, in %")
    print("# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception")
    family("zen4", ZEN4, linux(f"{where}/amdzen4.json"), amd(6, "resyncs_or_nc_redirects"), 100)
    family("zen5", ZEN5, linux(f"{where}/amdzen5.json"), amd(8, "bp_redirects.resync"), 100)
    for smt in (False, True):
        family("skylake_smt" if smt else "skylake", SKYLAKE, intel(f"{where}/skx_full.json", smt), skylake(smt), 1)
    level2 = intel(f"{where}/icx_full.json", False)
    icelake, goldencove = metrics(5, True), metrics(6, True)
    for tree in ("icelake", "icelake_counters"):
        family(tree, ICELAKE, level2, icelake, 1)
    for tree in ("goldencove", "goldencove_counters"):
        family(tree, GOLDENCOVE, intel(f"{where}/spr_full.json", False), goldencove, 1)
    arm = linux(f"{where}/n2.json")
    for tree, width, erratum in (("neoverse_n2", 5, True), ("neoverse_n2", 5, False), ("neoverse_v2", 8, False)):
        family(tree, ARM, arm, neoverse(width, erratum), 1, {"slots": width, "is_fixed": not erratum},
               ("erratum",) if erratum else ())
    skx = [name for name in skylake(False)()]
    codes("skylake", f"{where}/skylakex_core.json", [name for name in skx if "MEMORY_ACT" not in name and
                                                     name not in ("EXE_ACTIVITY.BOUND_ON_LOADS", "ARITH.DIV_ACTIVE",
                                                                  "L1D_PEND_MISS.FB_FULL_PERIODS",
                                                                  "CPU_CLK_UNHALTED.THREAD_ANY",
                                                                  "INT_MISC.RECOVERY_CYCLES_ANY")])
    codes("skylake_smt", f"{where}/skylakex_core.json", ["CPU_CLK_UNHALTED.THREAD_ANY", "INT_MISC.RECOVERY_CYCLES_ANY",
                                                         "CPU_CLK_UNHALTED.THREAD"])
    both = ["INT_MISC.UOP_DROPPING", "EXE_ACTIVITY.BOUND_ON_STORES", "TOPDOWN.BACKEND_BOUND_SLOTS", "TOPDOWN.SLOTS_P",
            "UOPS_RETIRED.SLOTS"]
    codes("icelake_counters", f"{where}/icelakex_core.json",
          both + ["INT_MISC.CLEARS_COUNT", "IDQ_UOPS_NOT_DELIVERED.CORE", "BR_MISP_RETIRED.ALL_BRANCHES",
                  "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE", "MACHINE_CLEARS.COUNT",
                  "CYCLE_ACTIVITY.STALLS_TOTAL", "CYCLE_ACTIVITY.STALLS_MEM_ANY", "CYCLE_ACTIVITY.STALLS_L1D_MISS",
                  "EXE_ACTIVITY.1_PORTS_UTIL", "EXE_ACTIVITY.2_PORTS_UTIL", "CYCLE_ACTIVITY.STALLS_L2_MISS",
                  "CYCLE_ACTIVITY.STALLS_L3_MISS", "MEM_LOAD_RETIRED.L2_HIT", "MEM_LOAD_RETIRED.FB_HIT",
                  "MEM_LOAD_RETIRED.L1_MISS", "L1D_PEND_MISS.FB_FULL_PERIODS", "UOPS_ISSUED.ANY", "IDQ.MS_UOPS",
                  "UOPS_DECODED.DEC0", "UOPS_DECODED.DEC0:c1", "IDQ.MITE_UOPS", "ARITH.DIVIDER_ACTIVE"])
    codes("goldencove_counters", f"{where}/sapphirerapids_core.json",
          both + ["TOPDOWN.MEMORY_BOUND_SLOTS", "TOPDOWN.BR_MISPREDICT_SLOTS", "UOPS_RETIRED.HEAVY",
                  "IDQ_BUBBLES.CORE", "IDQ_BUBBLES.CYCLES_0_UOPS_DELIV.CORE", "EXE_ACTIVITY.BOUND_ON_LOADS",
                  "MEMORY_ACTIVITY.STALLS_L1D_MISS", "MEMORY_ACTIVITY.STALLS_L2_MISS",
                  "MEMORY_ACTIVITY.STALLS_L3_MISS", "ARITH.DIV_ACTIVE"])
    locate("skylake", f"{where}/skylakex_core.json",
           LOCATE + SKYLAKE_LOCATE + ("UOPS_RETIRED.RETIRE_SLOTS",))
    locate("icelake", f"{where}/icelakex_core.json",
           LOCATE + SKYLAKE_LOCATE + ("UOPS_RETIRED.SLOTS", "TOPDOWN.BACKEND_BOUND_SLOTS"))
    locate("goldencove", f"{where}/sapphirerapids_core.json",
           LOCATE + ("ARITH.DIV_ACTIVE", "UOPS_RETIRED.HEAVY", "UOPS_RETIRED.SLOTS", "TOPDOWN.BACKEND_BOUND_SLOTS",
                     "TOPDOWN.BR_MISPREDICT_SLOTS"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: topdown_metrics.py DIRECTORY (see the head of this file)")
    main(sys.argv[1])
