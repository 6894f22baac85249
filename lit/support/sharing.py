# sharing.py - prints the lines that threads share, one line each, suspects of a site first: for tests.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   sharing.py [--number NAME] RETICLE PROFILE...
#   NAME VERDICT offset N words KIND:POSITION:THREADS ... [neighbour]
# NAME of an allocation: its innermost function. KIND: r read, w written, b both; THREADS: numbers, + others; words of
# the site's own alone. Then: measured BOOL reason TEXT. With --number instead: the number (A1) of the site of that name.
import json
import subprocess
import sys

wanted = sys.argv[2] if sys.argv[1] == "--number" else None
arguments = sys.argv[3:] if wanted else sys.argv[1:]
report = json.loads(subprocess.run([arguments[0], "report", "--json", *arguments[1:]], check=True, text=True,
                                   stdout=subprocess.PIPE).stdout)


def name_of(site):
    if site["kind"] == "global":
        return site["name"].split(" ")[0]
    return site["stack"][0]["function"] if site["stack"] else "?"


def text_of(word):
    kind = "b" if word["read"] and word["written"] else "w" if word["written"] else "r"
    return f"{kind}:{word['position']}:{''.join(map(str, word['threads']))}{'+' if word['other_threads'] else ''}"


for site in report["sites"]:
    if wanted:
        if name_of(site) == wanted:
            print(site["id"])
        continue
    for line in site["shared_lines"] or []:
        words = " ".join(text_of(word) for word in line["words"] if word["own"])
        print(f"{name_of(site)} {line['verdict']} offset {line['offset']} words {words}"
              f"{' neighbour' if line['neighbour'] else ''}")
if not wanted:
    coverage = report["sharing_coverage"]
    print(f"measured {coverage['measured']} reason {coverage['reason']}")
