# pprof.py - reads a pprof file by itself and holds it against the report of the same profiles.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   pprof.py FILE.pb.gz REPORT.json    prints what agrees; an assertion says what doesn't
import collections
import gzip
import json
import os
import sys


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """{number: [values]} of a message: numbers as they are, the rest as bytes."""
    found, at = collections.defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        assert key & 7 in (0, 2), f"wire type {key & 7}"
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
            assert at <= len(data), "cut off"
        found[key >> 3].append(value)
    return found


def numbers(values):
    """A repeated number, packed or not."""
    out = []
    for value in values:
        if isinstance(value, int):
            out.append(value)
            continue
        at = 0
        while at < len(value):
            number, at = varint(value, at)
            out.append(number)
    return out


def one(message, number):
    return message[number][0] if message[number] else 0


def main(path, report_path):
    with gzip.open(path) as file:
        profile = fields(file.read())
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    texts = [text.decode() for text in profile[6]]
    assert texts[0] == "" and len(set(texts)) == len(texts)
    types = [(texts[one(t, 1)], texts[one(t, 2)]) for t in map(fields, profile[1])]
    assert types == [("samples", "count"), ("cpu", "nanoseconds")], types
    assert one(profile, 12) == report["sampling"]["engines"][0]["period_ns"]
    assert texts[one(profile, 14)] == "cpu"
    functions = {one(f, 1): f for f in map(fields, profile[5])}
    mappings = {one(m, 1): m for m in map(fields, profile[3])}
    locations = {one(l, 1): l for l in map(fields, profile[4])}
    assert 0 not in functions and 0 not in mappings and 0 not in locations
    outer, leaves, total, time_ns = collections.Counter(), collections.Counter(), 0, 0
    for sample in map(fields, profile[2]):
        (place,), (count, ns) = numbers(sample[1]), numbers(sample[2])
        location = locations[place]
        lines = [fields(line) for line in location[4]]
        names = [texts[one(functions[one(line, 1)], 3)] for line in lines]
        if one(location, 2):
            mapping = mappings[one(location, 2)]
            assert one(mapping, 2) <= one(location, 3) < one(mapping, 3), "an address outside of its mapping"
            outer[texts[one(mapping, 5)], names[-1]] += count
        if len(names) > 1:
            leaves[names[-1], texts[one(functions[one(lines[0], 1)], 2)]] += count
        total += count
        time_ns += ns
    assert total == report["sampling"]["samples"] and time_ns == report["sampling"]["time_ns"], (total, time_ns)
    print(f"totals agree: {total} samples")
    expected = {(f["loadfile"], f["linkage_name"] or ""): f["samples"] for f in report["functions"]}
    assert outer == expected, (outer, expected)
    print("functions agree")
    for f in report["functions"]:
        for copy in f["inlined"]:
            assert leaves[f["linkage_name"], copy["function"]] == copy["samples"], (copy, leaves)
            print(f"inlined copy agrees: {copy['function']} in {f['function']}")
    ids = {texts[one(m, 5)]: texts[one(m, 6)] for m in mappings.values()}
    assert ids == {f["path"]: f["build_id"] or "" for f in report["loadfiles"]}, ids
    print("build ids agree")
    for m in mappings.values():
        if one(m, 7):
            print(f"mapping {os.path.basename(texts[one(m, 5)])}: lines {one(m, 9)}, inlined {one(m, 10)}")
    for f in functions.values():
        if texts[one(f, 3)]:
            print(f"function {texts[one(f, 2)]} = {texts[one(f, 3)]} in {os.path.basename(texts[one(f, 4)])}")


main(*sys.argv[1:])
