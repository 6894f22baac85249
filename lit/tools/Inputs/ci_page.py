# ci_page.py - the commands of a job of docs/ci.md, as the server's shell would get them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   ci_page.py PAGE github|gitlab
import re
import sys

import yaml

jobs = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", open(sys.argv[1]).read(), re.S)]
if sys.argv[2] == "github":
    steps = next(job for job in jobs if "jobs" in job)["jobs"]["performance"]["steps"]
    print("set -e", *[step["run"] for step in steps if "run" in step], sep="\n")
else:
    print("set -e", *next(job for job in jobs if "jobs" not in job)["performance"]["script"], sep="\n")
