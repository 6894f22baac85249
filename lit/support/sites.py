# sites.py - prints the allocation sites of profiles, one line each, most waste first: for tests.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   sites.py [--types|--bytes|--sums|--heat] RETICLE PROFILE... [-- FUNCTION...]
#   KIND NAME objects N live N touched N bytes LEAST-MOST useful PERCENT ever PERCENT words OFFSET...
# NAME of an allocation: its innermost function, or the innermost of the FUNCTIONs in its call stack;
# sites with none of these are left out, if some are given. Then: marked BOOL sites N reason TEXT
# With --types instead: NAME type TYPE REASON
# With --heat: NAME heat OFFSET:INTERVALS ... of the touched words
# With --bytes: KIND NAME ever USED of FETCHED, in bytes, of each profile's sites
# With --sums: NAME objects N live N touched N ever USED of FETCHED, of all allocations of a NAME, by name
import json
import subprocess
import sys

mode = sys.argv.pop(1) if sys.argv[1].startswith("--") else ""
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


def bytes_of(identity):
    """Touched and fetched bytes in its objects' lives: the report has only their ratio."""
    for profile in profiles:
        text = subprocess.run([sys.argv[1], "dump", profile], check=True, text=True, stdout=subprocess.PIPE).stdout
        for record in text.split("\n\n"):
            lines = record.splitlines()
            values = dict(line.split(" ", 1) for line in lines if " " in line)
            if "[sites]" in lines and int(values["id"]) == int(identity, 16):
                yield f"{values['ever_used_bytes']} of {values['ever_fetched_bytes']}"


sums = {}
for site in report["sites"]:
    name = name_of(site)
    if name is None or (wanted and name not in wanted):
        continue
    if mode == "--types":
        print(f"{name} type {site['type']} {site['type_reason'] or ''}")
        continue
    if mode == "--heat":
        print(f"{name} heat", *(f"{word['offset']}:{word['heat']}" for word in site["words"]))
        continue
    if mode == "--sums":
        ever = [int(number) for text in bytes_of(site["stable_id"]) for number in text.split(" of ")]
        counts = [site["objects"], site["live_objects"], site["touched_objects"], *ever]
        sums[name] = [a + b for a, b in zip(sums.get(name, [0] * 5), counts)]
        continue
    if mode == "--bytes":
        print(f"{site['kind']} {name} ever {' '.join(bytes_of(site['stable_id']))}")
        continue
    words = " ".join(str(word["offset"]) for word in site["words"])
    print(f"{site['kind']} {name} objects {site['objects']} live {site['live_objects']} touched {site['touched_objects']} "
          f"bytes {site['min_bytes']}-{site['max_bytes']} useful {percent(site['useful_share'])} "
          f"ever {percent(site['ever_share'])} words {words}".rstrip())
for name, (objects, live, touched, used, fetched) in sorted(sums.items()):
    print(f"{name} objects {objects} live {live} touched {touched} ever {used} of {fetched}")
if mode == "--sums":
    sys.exit()
coverage = report["site_coverage"]
print(f"marked {coverage['marked']} sites {'some' if report['sites'] else 'none'} reason {coverage['reason']}")
