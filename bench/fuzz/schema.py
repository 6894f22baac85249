# schema.py - checks the fuzzer's sample of JSON outputs against docs/schema
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: schema.py SCHEMAS OUTPUTS     1 if one does not follow its schema
import collections
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    sys.exit("schema.py: needs jsonschema: python3 -m pip install jsonschema")

schemas, outputs = map(pathlib.Path, sys.argv[1:])
validators = {}
for path in schemas.glob("*.json"):
    schema = json.loads(path.read_text())
    validators[schema["title"]] = jsonschema.Draft7Validator(schema)
count, wrong = 0, collections.Counter()
for path in sorted(outputs.glob("*.json")):
    report = json.loads(path.read_text())
    validator = validators.get(report["schema"])
    if not validator:
        continue
    count += 1
    for error in validator.iter_errors(report):
        wrong[f"{report['schema']} {'.'.join('N' if isinstance(p, int) else str(p) for p in error.absolute_path)}: "
              f"{error.message[:200]}   (as in {path.name})"] += 1
for message, times in wrong.most_common(20):
    print(f"{times} times {message}")
print(f"{count} outputs, {len(wrong)} ways in which some don't follow their schema")
sys.exit(bool(wrong))
