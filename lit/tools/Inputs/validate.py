# validate.py - does the JSON on stdin follow a schema of docs/schema? Prints what later words ask for.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   validate.py SCHEMA [PATH...]     PATH is like loops.0.p50.status; each is printed as "PATH: value"
import json
import sys

import jsonschema


def look_up(report, path):
    for key in path.split("."):
        report = report[int(key)] if isinstance(report, list) else report[key]
    return report


def must_fail(validator, report, why):
    if validator.is_valid(report):
        sys.exit(f"validate.py: the schema takes a report with {why}")


schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
report = json.load(sys.stdin)
for error in validator.iter_errors(report):
    sys.exit(f"validate.py: {'.'.join(map(str, error.absolute_path))}: {error.message}")

# The schema itself: a number without a status, and a null without a reason, are no quantities.
# The part that holds the quantity (none: the report itself), the quantity, a key that must be there.
part, quantity, needed = {"reticle-report/1": ("env", "t_min", "health"),
                          "reticle-diff/1": ("a", "t_diff", "design"),
                          "reticle-check/1": ("base", "t_diff", "program"),
                          "reticle-layout/1": (None, "useful_share", "advice"),
                          "reticle-try/1": (None, "gain", "verdict"),
                          "reticle-replay/1": (None, "gain", "verdict")}[report["schema"]]
for wrong, why in (({"value": 0, "unit": "ns"}, "a number without a status"),
                   ({"value": None, "status": "too_few"}, "a null without a reason"),
                   ({"value": 0, "status": "too_few", "reason": "x"}, "a number that was not measured")):
    must_fail(validator, report | ({part: report[part] | {quantity: wrong}} if part else {quantity: wrong}), why)
must_fail(validator, {k: v for k, v in report.items() if k != needed}, "no " + needed)

print("valid")
for path in sys.argv[2:]:
    print(f"{path}: {json.dumps(look_up(report, path))}")
