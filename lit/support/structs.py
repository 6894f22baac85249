# structs.py - prints the structs of profiles, one line for each accessed field: for tests.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   structs.py RETICLE PROFILE...
#   STRUCT:LINE SIZE FIELD @OFFSET R N W N [C N]   unaccessed fields are left out; C: copies
#   STRUCT:LINE SIZE unplaced N                  if there are some
#   then: counted BOOL exact BOOL structs N
import json
import subprocess
import sys

report = json.loads(subprocess.run([sys.argv[1], "report", "--json", *sys.argv[2:]], check=True,
                                   text=True, stdout=subprocess.PIPE).stdout)
for struct in sorted(report["structs"], key=lambda s: (s["name"], s["line"], s["size"])):
    head = f"{struct['name']}:{struct['line']} {struct['size']}"
    for field in struct["fields"]:
        if field["reads"] or field["writes"] or field["copies"]:
            copies = f" C {field['copies']}" if field["copies"] else ""
            print(f"{head} {field['name']} @{field['offset']} R {field['reads']} W {field['writes']}{copies}")
    if struct["unplaced"]:
        print(f"{head} unplaced {struct['unplaced']}")
coverage = report["field_coverage"]
print(f"counted {coverage['counted']} exact {coverage['exact']} structs {len(report['structs'])}")
