# answers.py - judges what the tool says of recorded studies, as bench/answers does.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# argv: the tool reticle, bench/answers
import json
import lzma
import pathlib
import subprocess
import sys

import findings_limits

tool, answers = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(answers))
from judge import judge

cases = json.loads((answers / "canon.json").read_text())
gains = json.loads((answers / "recorded/gains.json").read_text())
broken = 0
for name, gain in gains.items():
    path = pathlib.Path(name + ".reticle")
    path.write_bytes(lzma.decompress((answers / "recorded" / (path.name + ".xz")).read_bytes()))
    done = subprocess.run([tool, "report", "--json", path], capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    findings = report["findings"]
    verdict, why = judge(findings, cases[name], gain)
    if verdict != "right" and any(file["status"] in ("changed", "gone") for file in report["loadfiles"]):
        verdict += " with other builds of the libraries"
    broken += sum(findings_limits.broken(f) is not None for f in findings)
    print(f"{name}: {verdict}" + ("" if verdict == "right" else f" ({why})"))
print(f"{broken} findings say more than there is")
