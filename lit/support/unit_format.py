# unit_format.py - lets lit run the unit test programs of a build tree.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import os
import subprocess
import tempfile

import lit.Test
from lit.formats.base import TestFormat

# Exit status by which a test program says that this machine can't run it; its last line says why.
# Source: automake's test drivers and Meson use the same number.
SKIPPED = 77
TIMEOUT_S = 300


class UnitTests(TestFormat):
    """Each unit_* program in a directory is a test: exit status 0 is a pass."""

    def __init__(self, directory):
        self.directory = directory

    def getTestsInDirectory(self, testSuite, path_in_suite, litConfig, localConfig):
        for program in sorted(glob.glob(os.path.join(self.directory, "unit_*"))):
            if os.access(program, os.X_OK) and os.path.isfile(program):
                name = os.path.basename(program)
                yield lit.Test.Test(testSuite, path_in_suite + (name,), localConfig)

    def execute(self, test, litConfig):
        program = os.path.join(self.directory, test.path_in_suite[-1])
        with tempfile.TemporaryDirectory() as work:
            try:
                done = subprocess.run([program], cwd=work, env=test.config.environment, text=True,
                                      errors="replace", stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      timeout=TIMEOUT_S, check=False)
            except subprocess.TimeoutExpired:
                return lit.Test.Result(lit.Test.TIMEOUT, f"not done within {TIMEOUT_S} s")
        if done.returncode == 0:
            return lit.Test.Result(lit.Test.PASS, "")
        if done.returncode == SKIPPED:
            return lit.Test.Result(lit.Test.UNSUPPORTED, done.stdout)
        return lit.Test.Result(lit.Test.FAIL, f"{program}: exit status {done.returncode}\n" + done.stdout)
