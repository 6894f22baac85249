# fork_state.py - what a forked child finds in each mutable variable of the runtime is known.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: fork_state.py SOURCE BUILD LLVM_BIN
#
# runtime/support/fork.h has the three kinds. Those of the first are told by their section; the
# others stand below: a new variable that is in neither table is an error, as is a line that no
# variable needs any more. Prints how many variables there are for 1,000 lines of the runtime.
import glob
import os
import re
import subprocess
import sys

SECTION = "rrt_per_process"
# Loose variables are forgotten at a fork; those of a module in one struct are seen there.
MOST_PER_1000_LINES = 5.2

# Where zero would be wrong: the step of runtime/session/fork.c or the hook `forked` of a feature, and the variables
# that it sets.
STEPS = {
    "rrt_threads_forked": "session/threads.c:state probe/loop.c:__reticle_thread_self",
    "rrt_fields_forked": "feature/field/fields.c:state",
    "rrt_topdown_forked": "feature/topdown/topdown_asked.c:rrt_topdown_asked feature/topdown/topdown_table.c:state",
    "loops_forked": "feature/loop/store.c:rrt_store probe/known.c:rrt_known_ended",
    "rrt_sample_forked": "probe/sample.c:state feature/sample/pointers.c:slots",
    "rrt_heap_forked": "heap/heap.c:state heap/site.c:state heap/site.c:rrt_sites heap/sharing.c:state "
                       "probe/visit.c:rrt_visits "
                       "probe/shadow.c:rrt_shadow",
    "bound_forked": "feature/bound/bound.c:state feature/bound/case.c:state",
    "after_fork_child": "session/session.c:rrt_session probe/loop.c:rrt_probe",
}
# What a child goes on with, by the reason.
INHERITED = {
    "set once at start": "heap/draw.c:rrt_draw_every "
                         "support/options.c:rrt_options support/options.c:complaining "
                         "support/message.c:rrt_log_path support/environment.c:state "
                         "support/path.c:state "
                         "session/unload.c:state feature/loop/calibrate.c:loop feature/loop/calibrate.c:rrt_calibration_unit "
                         "sys/folder.c:rrt_sys_random.seed probe/sample.c:stacks",
    "what is mapped and loaded stays so": "probe/known.c:rrt_known_places heap/shadow_memory.c:state heap/malloc.c:state heap/new.c:definitions "
                                          "heap/mapped.c:state heap/globals.c:state heap/duty.c:state sys/memory.c:state "
                                          "feature/wait/waits.c:state "
                                          "heap/visits.c:state probe/visit.c:rrt_visit_sites feature/sample/unwind.c:state probe/unwind.c:published "
                                          "session/registry.c:state feature/field/fields_table.c:state",
    "memory and texts are handed out further": "support/arena.c:state support/strings.c:state "
                                               "heap/words.c:state heap/frames.c:named",
    "room whose use a variable of the first kind counts": "feature/sample/sample_perf.c:state "
                                                          "feature/sample/sample_timer.c:state support/stops.c:state "
                                                          "session/epoch.c:state feature/account/account.c:state feature/account/pressure.c:state",
    "written before it is read": "heap/shadow_scan.c:now heap/owner.c:last_head_with_memory.ranges "
                                 "session/owner.c:read_owner.chunks "
                                 "feature/sample/sample.c:open_engine.threads feature/sample/sample_map.c:state "
                                 "feature/sample/sample_table.c:state feature/sample/sample_stacks.c:state sys/thread.c:handed "
                                 "support/chunk.c:state feature/loop/loops.c:state feature/account/account_write.c:state "
                                 "feature/shadow/shadow_write.c:state feature/sample/sample_write.c:packed "
                                 "session/report.c:tool session/out.c:wanted support/trust.c:rrt_trust_program.named",
    "the sideline starts anew and sets it; its stack is used again": "session/sideline.c:state",
    "of all processes of the run": "session/children.c:table",
    "a message is given once in a run": "session/place_say.c:said feature/shadow/shadow.c:state support/message.c:state",
    "facts of the machine; those of the process are renewed by its number": "session/checkpoint.c:state session/writer.c:state "
                                                                            "feature/rank/rank.c:state",
    "rrt_place_start sets it, which follows": "session/place.c:own",
    "numbers of threads go on": "heap/draw.c:threads",
    "cells of the thread that lives on, and of those that end": "probe/loop.c:rrt_boot_cells "
                                                                "probe/loop.c:__reticle_cells",
    "of the thread that lives on": "heap/draw.c:__reticle_draw_row heap/new.c:__reticle_new_pending "
                                   "heap/walk.c:__reticle_stack_bounds "
                                   "probe/shadow_apart.c:__reticle_shadow_own",
}


def variables(source_tree, build, llvm):
    """(source, name, section) of each; the parts that the compiler split a struct into are one."""
    folder = os.path.join(build, "runtime", "CMakeFiles", "reticle_rt.dir")
    objects = sorted(glob.glob(os.path.join(folder, "**", "*.o"), recursive=True))
    if not objects:
        sys.exit(f"{folder}: no objects: build the target reticle_rt")
    found = set()
    for path in objects:
        source = os.path.relpath(path, folder).removesuffix(".o")
        if not os.path.exists(os.path.join(source_tree, "runtime", source)):
            continue  # of a source that had another name when it was built
        listing = subprocess.run([os.path.join(llvm, "llvm-nm"), "--format=sysv", path],
                                 capture_output=True, text=True, check=True).stdout
        for line in listing.splitlines():
            field = [f.strip() for f in line.split("|")]
            if len(field) < 7 or field[3] not in ("OBJECT", "TLS"):
                continue
            if not re.search(r"rodata|data\.rel\.ro|\*UND\*", field[6]):
                found.add((source, re.sub(r"\.\d+$", "", field[0]), field[6]))
    return found


def line_count(source):
    folders = ("feature", "heap", "probe", "session", "support", "sys")
    paths = [p for f in folders for p in glob.glob(os.path.join(source, "runtime", f, "**", "*.[chS]"), recursive=True)]
    return sum(len(open(path, encoding="utf-8").readlines()) for path in paths)


def steps_of(source):
    """What fork.c calls by name, and what features have it call."""
    with open(os.path.join(source, "runtime/session/fork.c"), encoding="utf-8") as file:
        steps = set(re.findall(r"\b(\w+)\(", file.read()))
    for path in glob.glob(os.path.join(source, "runtime", "feature", "**", "*.c"), recursive=True):
        with open(path, encoding="utf-8") as file:
            steps.update(re.findall(r"\.forked = (\w+)", file.read()))
    return steps


def main(source, build, llvm):
    steps = steps_of(source)
    listed = {}
    problems = []
    for table in (STEPS, INHERITED):
        for why, names in table.items():
            listed.update({name: why for name in names.split()})
    problems += [f"{step}: no step of runtime/session/fork.c, no hook `forked` of runtime/feature" for step in STEPS if step not in steps]
    found = variables(source, build, llvm)
    names = {f"{path}:{name}" for path, name, _ in found}
    cleared = {f"{path}:{name}" for path, name, section in found if section == SECTION}
    for name in sorted(names - cleared - set(listed)):
        problems.append(f"runtime/{name}: does a forked child start with zero (RRT_PER_PROCESS), with "
                        f"what a step sets, or go on with it? (runtime/support/fork.h)")
    for name in sorted(set(listed) - (names - cleared)):
        problems.append(f"runtime/{name}: listed in lit/rules/fork_state.py, and no such variable"
                        + (" outside of RRT_PER_PROCESS" if name in cleared else ""))
    lines = line_count(source)
    share = 1000 * len(names) / lines
    print(f"{len(names)} mutable variables in {lines} lines: {share:.1f} for 1,000")
    if share > MOST_PER_1000_LINES:
        problems.append(f"more than {MOST_PER_1000_LINES} for 1,000 lines: put those of a module into one struct")
    print("\n".join(problems))
    sys.exit(f"state at a fork: {len(problems)} found" if problems else 0)


main(*sys.argv[1:])
