# blocks_oracle.py - compares blocks as list_blocks prints them with what LLVM says of the same file.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: blocks_oracle.py map LLVM_BIN LIST_BLOCKS FILE          with llvm-readobj --bb-addr-map
#        blocks_oracle.py code LIST_BLOCKS MAPPED UNMAPPED       the same code with and without a map
# Prints what was compared; exit status 1 and the first differences where they differ.
import collections
import re
import subprocess
import sys

# Flags that the map states; the rest comes from the code.
OF_MAP = {"HasReturn": "returns", "HasTailCall": "tail-call", "IsEHPad": "pad",
          "CanFallThrough": "falls", "HasIndirectBranch": "indirect"}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def of_llvm(llvm_bin, path):
    """function's address, name -> [(address, size, flags)], blocks without code left out"""
    functions = collections.defaultdict(list)
    key = base = block = None
    for line in output(f"{llvm_bin}/llvm-readobj", "--bb-addr-map", path).splitlines():
        word, _, value = line.strip().partition(": ")
        if word == "At":
            key = int(value, 16)
        elif word == "Name":
            key = (key, value)
            functions[key] = []
        elif word == "Base Address":
            base = int(value, 16)
        elif word == "Offset":
            block = [base + int(value, 16), 0, set()]
        elif word == "Size":
            block[1] = int(value, 16)
        elif word in OF_MAP and value == "Yes":
            block[2].add(OF_MAP[word])
        if word == "HasIndirectBranch" and block[1]:
            functions[key].append((block[0], block[1], frozenset(block[2])))
    return functions


def of_reticle(program, path):
    """function's address, name -> [(address, size, flags)], only of the BB address map or not"""
    mapped, other = {}, {}
    for line in output(program, path).splitlines():
        words = line.split()
        if words[0] == "function":
            into = mapped if "version" in words else other
            key = (int(words[3], 16), words[1])
            into[key] = []
        else:
            into[key].append((int(words[0], 16), int(words[1]), frozenset(words[7].split(","))))
    return mapped, other


def finish(differences, text):
    for difference in differences[:5]:
        print(difference)
    print(f"{len(differences)} differences in {text}")
    sys.exit(bool(differences))


def compare_map(llvm_bin, program, path):
    theirs = of_llvm(llvm_bin, path)
    mine, _ = of_reticle(program, path)
    by_address = {key[0]: key for key in mine}
    is_object = path.endswith(".o")
    known = frozenset(OF_MAP.values())
    differences, blocks, functions = [], 0, 0
    for key, expected in theirs.items():
        if not expected:
            continue
        # Symbols of one address: LLVM names one of them, list_blocks another.
        found = mine.get(key if is_object else by_address.get(key[0]))
        functions += 1
        blocks += len(expected)
        if found is None:
            differences.append(f"{key[1]} at {key[0]:#x} is not found")
            continue
        # What ends with a tail call or return is in the map in fewer words than in the code.
        stated = [(a, n, flags & known) for a, n, flags in found]
        short = [(a, n) for a, n, _ in stated]
        if short != [(a, n) for a, n, _ in expected]:
            differences.append(f"{key[1]}: {short} instead of {expected}")
        elif any(not flags <= got for (_, _, flags), (_, _, got) in zip(expected, stated)):
            differences.append(f"{key[1]}: flags {stated} instead of {expected}")
    if not functions:
        differences.append("there is no map")
    finish(differences, f"{functions} functions, {blocks} blocks")


def compare_code(program, mapped_path, unmapped_path):
    """A block of disassembly starts where one of the map does, unless a table hides the way there."""
    mapped, _ = of_reticle(program, mapped_path)
    _, other = of_reticle(program, unmapped_path)
    differences, blocks, same = [], 0, 0
    for key in mapped.keys() & other.keys():
        starts = {address for address, _, _ in mapped[key]}
        mine = {address for address, _, _ in other[key]}
        blocks += len(starts)
        same += len(starts & mine)
    if not blocks:
        differences.append("nothing was compared")
    print(f"{same} of {blocks} starts of blocks found ({100 * same / max(blocks, 1):.1f} %)")
    if same < 0.9 * blocks:
        differences.append("fewer than nine of ten")
    finish(differences, f"{blocks} blocks")


if sys.argv[1] == "map":
    compare_map(*sys.argv[2:])
compare_code(*sys.argv[2:])
