# validate_block.py - is this file of the schema reticle-block/1? Says which statuses are in it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   validate_block.py SCHEMA FILE
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
report = json.load(open(sys.argv[2]))
for error in validator.iter_errors(report):
    sys.exit(f"{'.'.join(map(str, error.absolute_path))}: {error.message}")
block = report["blocks"][0]
for wrong in ({"status": "fine"}, {"cycles": {"value": 0, "unit": "cycles"}}, {"accepted": 2}):
    if validator.is_valid(report | {"blocks": [block | wrong]}):
        sys.exit(f"the schema takes {wrong}")
for block in report["blocks"]:
    value = block["cycles"]["value"]
    if value == 0 or (value is None) != (block["status"] not in ("ok", "noisy")):
        sys.exit(f"{block['hex']}: {block['status']} with {value} cycles")
print("valid:", *(f"{b['hex'][:8]}={'value' if b['cycles']['value'] else b['status']}" for b in report["blocks"]))
