# findings_limits.py - reads the reports of kept profiles: no gain above its place, no share above 1, no tally above the time.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# argv: the tool reticle, folders with profiles
import json
import pathlib
import subprocess
import sys

ERROR = 1e-6


def broken(finding):
    gain, share, stake = finding["gain"], finding["share"], finding["at_stake"]
    most = share["value"] if share["status"] == "ok" else 1
    if most > 1 + ERROR:
        return "takes more than all"
    if stake["status"] == "ok" and not 0 <= stake["value"] <= most + ERROR:
        return "more at stake than its place takes"
    if gain["status"] != "ok":
        return None
    if not gain["low"] <= gain["value"] <= gain["high"]:
        return "a gain outside of its interval"
    if gain["high"] > most + ERROR:
        return "a gain above its place"
    weak = gain["low"] <= 0 or gain["high"] > 4 * gain["low"] * (1 + ERROR)
    if weak and finding["proof"] in ("none", "estimate", "replayed") and not finding["possible"]:
        return "weak evidence that isn't called possible"
    return None


def main(tool, *folders):
    findings = profiles = bad = 0
    for folder in folders:
        for path in sorted(pathlib.Path(folder).glob("*.prof")):
            done = subprocess.run([tool, "report", "--json", path], capture_output=True, text=True, check=False)
            if done.returncode:
                continue  # damaged on purpose
            profiles += 1
            report = json.loads(done.stdout)
            for finding in report["findings"]:
                findings += 1
                why = broken(finding)
                if why:
                    bad += 1
                    print(f"{path.name}: {finding['code']} {finding['about']}: {why}")
    print(f"{findings} findings of {profiles} profiles, {bad} broken")


if __name__ == "__main__":
    main(*sys.argv[1:])
