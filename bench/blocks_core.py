# blocks_core.py - which processor core this is, for blocks whose cycles are known
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import csv

WIDTH = {"zen4": 6, "golden_cove": 6, "raptor_cove": 6}  # instructions dispatched in a cycle
LOADS, STORES = 3, 2  # in a cycle, on all of them


def core():
    """Name of the core as test/blocks/known.csv has it, "" for one that is not known."""
    facts = {}
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            key, _, value = line.partition(":")
            if not key.strip():
                break
            facts[key.strip()] = value.strip()
    flags = set(facts.get("flags", "").split())
    vendor, family = facts.get("vendor_id"), facts.get("cpu family")
    if vendor == "GenuineIntel" and "avx_vnni" in flags and "avx512_fp16" in flags:
        if facts.get("model") == "207":
            return "raptor_cove"  # Emerald Rapids
        return "golden_cove"  # or its successor Redwood Cove, which a virtual machine may hide
    if vendor == "AuthenticAMD" and family == "25" and "avx512f" in flags:
        return "zen4"
    return ""


def known(path):
    """(blocks of test/blocks/known.csv that hold here, names of the others)."""
    here = core()
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    mine = [row for row in rows if {"any", here} & set(row["cores"].split())]
    return mine, [f"{row['name']} ({row['cores']})" for row in rows if row not in mine]
