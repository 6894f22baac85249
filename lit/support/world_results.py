#!/usr/bin/env python3
# world_results.py - results as bench/world keeps them: good ones, and each way to be bad
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: world_results.py DIR
import json
import os
import sys


def keep(program, which, results=None, **more):
    record = {"program": program, "set": which, "llvm": 19, "state": "ran", "suite_status": 0, "left": [], "stray": [],
              "unreadable": [], "results": results if results is not None else {"a": "ok", "b": "ok", "c": "FAILED"}, **more}
    with open(os.path.join(sys.argv[1], f"{program}.{which}.19.json"), "w", encoding="utf-8") as file:
        json.dump(record, file)


for name in ("nginx", "xz", "hydro"):
    keep(name, "plain")
keep("nginx", "loop")
keep("nginx", "all", {"a": "ok", "b": "FAILED", "c": "FAILED"})
keep("xz", "loop", {"a": "ok", "c": "FAILED"}, stray=["tree/reticle.xz.1.prof"])
keep("xz", "all", state="no build", why="status 1")
keep("hydro", "loop", left=["daemon"])
keep("hydro", "all", suite_status="timeout")
keep("memcached", "plain", state="skipped", why="no source")
keep("redis", "plain", {})
keep("redis", "loop", {})
keep("redis", "all", {}, suite_status=139)
