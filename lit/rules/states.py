# states.py - each word that a function makes of a state stands in the schemas, and no other.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: states.py ROOT
#
# A state gets its word in a switch without default, so that the compiler (-Wswitch) misses the one
# that has none; a table of names would give a null pointer, or what lies behind it.
import json
import pathlib
import re
import sys

# (file, function, where the words stand in docs/schema; words of no enumerator, or that no report has)
STATES = [
    ("tools/analysis/stats/quantity.c", "quantity_status_name",
     [f"{s}:definitions/quantity/properties/status" for s in
      ("annotate", "block", "calibrate", "diff", "diff-samples", "layout", "report", "topdown", "try")]),
    ("tools/analysis/block/block_cycles.c", "block_confidence_name",
     ["report:properties/blocks/items/properties/confidence",
      "annotate:properties/functions/items/properties/blocks/items/properties/confidence"]),
    ("tools/analysis/stall/stall_cause.c", "stall_group_name",
     ["report:properties/loops/items/properties/culprits/items/properties/group",
      "report:properties/blocks/items/properties/culprits/items/properties/group",
      "report:properties/tally/properties/culprits/items/properties/group",
      "annotate:properties/functions/items/properties/tally/properties/culprits/items/properties/group"]),
    ("tools/analysis/compare/diff_judge.c", "diff_verdict_name",
     ["diff:properties/loops/items/properties/verdict", "diff-samples:definitions/row/properties/verdict",
      "diff-samples:properties/total/properties/verdict"]),
    ("tools/analysis/loop/loop.c", "loop_verdict_name", ["report:properties/loops/items/properties/verdict"]),
    ("tools/analysis/loop/loop.c", "loop_shape_name", ["report:properties/loops/items/properties/shape"]),
    ("tools/analysis/stats/paired.c", "paired_verdict_name", ["try:properties/verdict"]),
    ("tools/analysis/heap/sharing.c", "sharing_verdict_name",
     ["report:properties/sites/items/properties/shared_lines/items/properties/verdict"]),
    ("tools/analysis/struct/element_cost.c", "exposure_name",
     ["report:properties/structs/items/properties/groups/items/properties/exposure",
      "layout:properties/groups/items/properties/exposure"]),
    ("tools/analysis/struct/struct_layout.c", "layout_method_name",
     ["report:properties/structs/items/properties/advice/items/properties/method",
      "layout:properties/advice/items/properties/method"]),
    ("tools/analysis/trial/change_judge.c", "change_result_name", ["report:properties/trials/items/properties/verdict"]),
    ("tools/analysis/struct/trial.c", "trial_state_name", ["report:definitions/trial/properties/state"]),
    ("tools/analysis/struct/trial.c", "trial_verdict_name", ["report:definitions/trial/properties/verdict"]),
    ("tools/render/json/block/block_json.c", "values_name", ["block:properties/values"]),
    ("tools/store/floor_find.c", "floor_source_name",
     ["report:properties/env/properties/floor_source", "diff:properties/a/properties/floor_source",
      "diff:properties/b/properties/floor_source"]),
    ("tools/store/input.c", "ending_name", ["report:properties/health/properties/ended_by"]),
    ("tools/model/report/sections.c", "work_class_name", ["report:properties/loops/items/properties/work_class"]),
    ("tools/model/sample/samples.c", "sampled_file_status_name",
     ["report:properties/loadfiles/items/properties/status"]),
    ("tools/render/json/loop/topdown_json.c", "state_name",
     ["report:properties/topdown/properties/state", "topdown:properties/topdown/properties/state"]),
    ("tools/model/finding/finding.c", "finding_severity_name",
     ["report:properties/findings/items/properties/severity"]),
    ("tools/model/finding/finding.c", "finding_proof_name", ["report:properties/findings/items/properties/proof"]),
    # Not in a report: the text shows them.
    ("tools/analysis/block/block_count.c", "block_count_status_name", []),
    ("tools/model/doctor/checks.c", "check_state_name", []),
    ("tools/binary/elf_file.c", "elf_file_kind_name", []),
]
# What stands behind the switch, for values that no enumerator has.
REST = re.compile(r'\n  \}\n  return "\w+";$')


def words_of(root, path, function):
    source = (root / path).read_text()
    body = re.search(r"\n(?:static )?const char \*" + function + r"\([^)]*\) \{(.*?)\n\}", source, re.S)
    if not body:
        sys.exit(f"{path}: no function {function}: put its new name into lit/rules/states.py")
    text = body.group(1)
    if "switch (" in text and "default:" not in text:
        text = REST.sub("", text)
    return set(re.findall(r'"(\w[\w -]*)"', text)), "names[" in text


def enum_of(root, place):
    name, path = place.split(":")
    node = json.loads((root / f"docs/schema/{name}.json").read_text())
    for key in path.split("/"):
        node = node[key]
    return {word for word in node["enum"] if word is not None}


def main(root):
    root = pathlib.Path(root)
    problems = []
    for path, function, places in STATES:
        words, is_table = words_of(root, path, function)
        if is_table and function != "trial_verdict_name":
            problems.append(f"{path}: {function} reads a table: a switch without default misses no state")
        for place in places:
            have = enum_of(root, place)
            problems += [f"docs/schema/{place}: lacks '{w}' of {function}" for w in sorted(words - have)]
            problems += [f"docs/schema/{place}: '{w}' is no word of {function}" for w in sorted(have - words)]
    known = {(path, function) for path, function, _ in STATES}
    for source in sorted(root.glob("tools/**/*.c")):
        path = str(source.relative_to(root))
        for function in re.findall(r"\nconst char \*(\w+_name)\(enum \w+ \w+\) \{\n  switch", source.read_text()):
            if (path, function) not in known:
                problems.append(f"{path}: {function} is not in lit/rules/states.py")
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(f"states: {len(problems)} found")
    print("states: none found")


if __name__ == "__main__":
    main(*sys.argv[1:])
