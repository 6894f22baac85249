# action_steps.py - runs the steps of an action.yml as a runner would: action_steps.py FILE [INPUT=VALUE]...
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints what they print; ends with the status of the first step that fails. An input or an expression that
# the file doesn't know stops it.
import os
import re
import subprocess
import sys

import yaml

with open(sys.argv[1], encoding="utf-8") as file:
    action = yaml.safe_load(file)
given = dict(argument.split("=", 1) for argument in sys.argv[2:])
assert given.keys() <= action["inputs"].keys(), given
known = {"github.action_path": os.path.dirname(os.path.abspath(sys.argv[1])), "github.base_ref": "main"}


def expand(text):
    return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda match: known[match[1]], text)


for name, about in action["inputs"].items():
    assert about["description"] and ("default" in about) != about.get("required", False), name
    known[f"inputs.{name}"] = given[name] if name in given else expand(about["default"])
assert action["runs"]["using"] == "composite"
environment = dict(os.environ, GITHUB_PATH="github_path", GITHUB_STEP_SUMMARY="summary.md")
for step in action["runs"]["steps"]:
    own = {key: expand(value) for key, value in step["env"].items()}
    assert step["shell"] == "bash" and "${{" not in step["run"], "values come by the environment: quoted once"
    status = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], env=environment | own, check=False).returncode
    if status:
        sys.exit(status)
