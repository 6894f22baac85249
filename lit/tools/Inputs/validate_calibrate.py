# validate_calibrate.py - are these files of the schema reticle-calibrate/1? Says what is in them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   validate_calibrate.py SCHEMA FILE...
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
for name in sys.argv[2:]:
    report = json.load(open(name))
    for error in validator.iter_errors(report):
        sys.exit(f"{name}: {'.'.join(map(str, error.absolute_path))}: {error.message}")
    wrong = report | {"timers": [report["timers"][0] | {"pair": {"value": 0, "unit": "ns"}}]}
    if validator.is_valid(wrong):
        sys.exit("the schema takes a number without a status")
    for flush in report["flushes"]:
        for result in flush["results"]:
            for key in ("t_e", "t_min", "t_diff"):
                if result[key]["value"] == 0:
                    sys.exit(f"{name}: {flush['flush']}.{result['timer']}.{key} is 0")
    print(f"{name}: valid, {report['method']}, flushes", *(f["flush"] for f in report["flushes"]))
