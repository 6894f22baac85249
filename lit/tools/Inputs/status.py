# status.py - runs a command that must end with one of the statuses.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   status.py 1,4 COMMAND...
import subprocess
import sys

status = subprocess.run(sys.argv[2:], check=False).returncode
if str(status) not in sys.argv[1].split(","):
    sys.exit(f"ended with {status}, not with {sys.argv[1]}")
