# sites.py - prints the allocation sites of profiles, one line each, most waste first: for tests.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   sites.py [--types] RETICLE PROFILE... [-- FUNCTION...]
#   KIND NAME objects N live N touched N bytes LEAST-MOST useful PERCENT ever PERCENT words OFFSET...
# NAME of an allocation: its innermost function, or the innermost of the FUNCTIONs in its call stack;
# sites with none of these are left out, if some are given. Then: marked BOOL sites N reason TEXT
# With --types instead: NAME type TYPE REASON
import json
import subprocess
import sys

with_types = sys.argv[1] == "--types"
del sys.argv[1:1 + with_types]
arguments = sys.argv[2:]
wanted = arguments[arguments.index("--") + 1:] if "--" in arguments else []
profiles = arguments[:arguments.index("--")] if "--" in arguments else arguments
report = json.loads(subprocess.run([sys.argv[1], "report", "--json", *profiles], check=True, text=True,
                                   stdout=subprocess.PIPE).stdout)


def percent(quantity):
    return "none" if quantity["value"] is None else f"{100 * quantity['value']:.1f}"


def name_of(site):
    if site["kind"] == "global":
        return site["name"].split(" ")[0]
    names = [frame["function"] for frame in site["stack"]]
    if not wanted:
        return names[0] if names else "?"
    return next((name for name in names if name in wanted), None)


for site in report["sites"]:
    name = name_of(site)
    if name is None or (wanted and name not in wanted):
        continue
    if with_types:
        print(f"{name} type {site['type']} {site['type_reason'] or ''}")
        continue
    words = " ".join(str(word["offset"]) for word in site["words"])
    print(f"{site['kind']} {name} objects {site['objects']} live {site['live_objects']} touched {site['touched_objects']} "
          f"bytes {site['min_bytes']}-{site['max_bytes']} useful {percent(site['useful_share'])} "
          f"ever {percent(site['ever_share'])} words {words}".rstrip())
coverage = report["site_coverage"]
print(f"marked {coverage['marked']} sites {'some' if report['sites'] else 'none'} reason {coverage['reason']}")
