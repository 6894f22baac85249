# remarks.py - reads remarks as opt-viewer does, by a YAML parser, and prints each on a line.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   remarks.py FILE
import sys

import yaml


class Remark(yaml.YAMLObject):
    yaml_loader = yaml.SafeLoader


for kind in ("Analysis", "Missed", "Passed"):
    type(kind, (Remark,), {"yaml_tag": "!" + kind})

with open(sys.argv[1], encoding="utf-8") as file:
    for remark in yaml.safe_load_all(file):
        place = getattr(remark, "DebugLoc", None)
        text = "".join(value for argument in remark.Args for value in argument.values())
        assert all(isinstance(value, str) for argument in remark.Args for value in argument.values()), remark.Args
        assert isinstance(getattr(remark, "Hotness", 1), int)
        print(type(remark).__name__, remark.Pass, remark.Name, "hotness" if hasattr(remark, "Hotness") else "-",
              f"{place['File']}:{place['Line']}:{place['Column']}" if place else "nowhere", f"[{remark.Function}]", text)
