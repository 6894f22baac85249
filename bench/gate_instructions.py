#!/usr/bin/env python3
# gate_instructions.py - which instructions and bytes the feature loop adds to real programs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts instructions of plain and instrumented programs with valgrind's callgrind: no clock, so a busy machine changes nothing.

Each program is built with -g by clang-19, by reticle-clang, and with the list that `reticle gates` makes of one run of the latter. A
part of the workload of bench/programs runs under callgrind, samples off (RETICLE_OPTIONS=loop=0), and each instruction that was executed is
told by its disassembly: the countdown of an entry, the test of an exit, what of the runtime ran, and the rest. The rest less the plain
program's instructions is what the compiler made otherwise: spills, moves, other inlining.

Bytes are told the same way: hot (countdowns and tests), cold (the calls), tables, the runtime. x86-64, code for executables.
"""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys

import common

VALGRIND = ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-strings=no", "--compress-pos=no", "--callgrind-out-file="]
COUNTDOWN = re.compile(r"^decl\s+(%fs:|[-0-9a-fx]*\((%r\w+),(%r\w+)\)$)")
TEST = re.compile(r"^cmpl\s+\$0x0, (%fs:|[-0-9a-fx]*\((%r\w+),(%r\w+)\)$)")
SECTIONS = {"tables": (".data", ".data.rel.ro", "reticle_units", "reticle_objects", ".tbss", ".tdata"),
            "names": (".rodata",), "relocations": (".rela.dyn",), "unwinding": (".eh_frame", ".eh_frame_hdr")}


def output(command, **more):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **more).stdout


# --- programs ---------------------------------------------------------------------------------------

def build(args, program, variant, compiler):
    """The built program; as it is if it was built before."""
    place = os.path.join(args.dir, f"{program}-{variant}")
    known = os.path.join(place, "binary")
    if not os.path.exists(known):
        script = os.path.join(common.BENCH, "programs", "build.sh")
        subprocess.run([script, program, variant, os.path.join(args.sources, program), place], check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, CC=compiler))
    with open(known, encoding="utf-8") as file:
        binary = file.read().strip()
    library = os.path.join(place, "tree", ".libs", "libsqlite3.so.0")
    if program == "sqlite3" and os.path.exists(library):  # `binary` is libtool's script, the code is in the library
        binary = os.path.join(place, "tree", ".libs", "sqlite3")
    # Older versions of valgrind give up at clang's debug information. Code and symbols stay.
    bare = os.path.join(place, "bare-" + os.path.basename(binary))
    if not os.path.exists(bare):
        subprocess.run(["objcopy", "--strip-debug", binary, bare], check=True)
        if program == "sqlite3":
            subprocess.run(["objcopy", "--strip-debug", os.path.realpath(library), code_of(bare)], check=True)
    return bare


def code_of(binary):
    """The file whose instructions are counted."""
    return os.path.join(os.path.dirname(binary), "libsqlite3.so.0") if binary.endswith("sqlite3") else binary


def smaller(text, divisor):
    """A workload with its numbers of five to seven digits, all of them sizes, divided."""
    return re.sub(r"\b\d{5,7}\b", lambda m: str(max(int(m.group()) // divisor, 1)), text)


def workload(args, program, binary, work):
    """Commands, and what each of them reads."""
    here = os.path.join(common.BENCH, "programs")
    if program in ("lz4", "zstd"):
        corpus = os.path.join(args.dir, f"corpus.{args.size_mib}")
        if not os.path.exists(corpus):
            subprocess.run([sys.executable, os.path.join(here, "corpus.py"), corpus, str(args.size_mib)], check=True)
        fast, slow = ("-1", "-9") if program == "lz4" else ("-3", "-9")
        return [([binary, "-q", "-f", fast, corpus, *(["-o"] if program == "zstd" else []), work + "/fast"], None),
                ([binary, "-q", "-f", slow, corpus, *(["-o"] if program == "zstd" else []), work + "/slow"], None),
                ([binary, "-q", "-f", "-d", work + "/slow", *(["-o"] if program == "zstd" else []), work + "/back"], None)]
    name = "workload.sql" if program == "sqlite3" else "workload.lua"
    with open(os.path.join(here, name), encoding="utf-8") as file:
        text = smaller(file.read(), args.divisor)
    script = os.path.join(work, name)
    with open(script, "w", encoding="utf-8") as file:
        file.write(text)
    if program == "lua5.4":
        return [([binary, script], None)]
    return [([binary, "-batch", "-init", "/dev/null", os.path.join(work, "database")], script)]


def run(args, program, binary, options, under=None):
    """Runs the workload; with `under`, each command under valgrind. Returns the files that it wrote."""
    if under and args.again:
        return sorted(os.path.join(args.dir, name) for name in os.listdir(args.dir) if name.startswith(os.path.basename(under) + "."))
    work = os.path.join(args.dir, "work")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    files = []
    for number, (command, read) in enumerate(workload(args, program, binary, work)):
        if under:
            files.append(f"{under}.{number}")
            command = VALGRIND[:-1] + [VALGRIND[-1] + files[-1]] + command
        with open(read or os.devnull, encoding="utf-8") as source:
            status = subprocess.run(command, check=False, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                    env=dict(os.environ, RETICLE_OPTIONS="report=0:" + options, LD_LIBRARY_PATH=os.path.dirname(binary)))
        if status.returncode:
            common.die(f"{' '.join(command)}: exit {status.returncode}: {status.stderr[-2000:]}")
    return files


# --- code -------------------------------------------------------------------------------------------

def table_loads(lines, i, *registers):
    """The three loads of a cell's address in -fPIC code, none in other code; None if the address isn't a cell's."""
    if registers[0] is None:
        return []

    def writer(register, before):
        for j in range(before - 1, max(before - 16, -1), -1):
            if lines[j][1].split("#")[0].rstrip().endswith(", " + register):
                return j
        return None

    writers = [writer(register, i) for register in registers]
    if None in writers:
        return None
    for base, unit in (writers, writers[::-1]):
        through = re.match(r"movq\s+%fs:\((%r\w+)\), ", lines[base][1])
        if through and re.match(r"movq\s+[-0-9a-fx]+\(%rip\), ", lines[unit][1]):
            slot = writer(through.group(1), base)
            return [base, unit] + ([slot] if slot is not None else [])
    return None


class Code:
    """A program's instructions: which are a gate's or an exit's, hot or cold."""

    def __init__(self, binary):
        self.kind = {}  # address: kind
        self.bytes = collections.Counter()
        self.places = collections.Counter()
        self.read(binary)

    def read(self, binary):
        lines = []
        for line in output(["llvm-objdump-19", "-d", "--no-show-raw-insn", "--no-leading-headers", binary]).splitlines():
            found = re.match(r"\s*([0-9a-f]+):\s+(.*)", line)
            if found:
                lines.append((int(found.group(1), 16), found.group(2).strip()))
        index = {address: i for i, (address, _) in enumerate(lines)}

        def put(i, kind):
            self.kind[lines[i][0]] = kind
            if i + 1 < len(lines):
                self.bytes[kind] += min(lines[i + 1][0] - lines[i][0], 15)

        for i, (_, text) in enumerate(lines):
            entry, test = COUNTDOWN.match(text), TEST.match(text)
            if not (entry or test):
                continue
            kind = "entries" if entry else "exits"
            loads = table_loads(lines, i, (entry or test).group(2), (entry or test).group(3))
            if loads is None:
                continue
            for load in loads:
                put(load, kind)
            jump = next((j for j in range(i + 1, min(i + 8, len(lines))) if re.match(r"j\w+\s", lines[j][1])), None)
            if jump is None or not re.match(r"jn?s\s", lines[jump][1]):
                continue
            put(i, kind)
            put(jump, kind)
            self.places[kind] += 1
            target = re.search(r"0x([0-9a-f]+)", lines[jump][1])
            start = jump + 1 if lines[jump][1].startswith("jns") else index.get(int(target.group(1), 16)) if target else None
            self.cold(lines, start, put)

    def cold(self, lines, i, put):
        """The block of a cold call: up to the barrier behind the call, and the jump behind that."""
        last = min(i + 60, len(lines)) if i is not None else 0
        end = next((j for j in range(i, last) if lines[j][1] == "lfence"), None) if last else None
        if end is None:
            return
        if end + 1 < len(lines) and lines[end + 1][1].startswith("jmp"):
            end += 1
        for j in range(i, end + 1):
            if lines[j][0] not in self.kind:
                put(j, "cold")


def counts(files, binary):
    """Instructions executed: {address: count} of the program, and the sum of all other objects."""
    own, other = collections.Counter(), 0
    for name in files:
        is_own = is_inclusive = False
        with open(name, encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("ob="):
                    is_own = os.path.realpath(line[3:].strip()) == os.path.realpath(binary)
                elif line.startswith("calls="):
                    is_inclusive = True
                elif line.startswith("0x"):
                    fields = line.split()
                    if is_inclusive:
                        is_inclusive = False
                    elif is_own:
                        own[int(fields[0], 16)] += int(fields[2])
                    else:
                        other += int(fields[2])
    return own, other


def runtime_ranges(binary, plain):
    """Address ranges of the functions that the archive of the runtime brought: names that the plain program has are its own."""
    archive = os.path.join(os.path.dirname(common.reticle_bin()), "lib", "reticle", "libreticle_rt.a")
    names = {line.split()[-1] for line in output(["nm", "--defined-only", archive], stderr=subprocess.DEVNULL).splitlines()
             if len(line.split()) == 3}
    names -= {line.split()[-1] for line in output(["nm", "--defined-only", plain]).splitlines()}
    ranges = []
    for line in output(["nm", "-S", "--defined-only", binary]).splitlines():
        fields = line.split()
        if len(fields) == 4 and fields[2] in "tTwW" and fields[3] in names:
            ranges.append((int(fields[0], 16), int(fields[1], 16)))
    return ranges


# --- tables -----------------------------------------------------------------------------------------

def sections(binary):
    sizes = {}
    for line in output(["size", "-A", binary]).splitlines()[2:]:
        fields = line.split()
        if len(fields) == 3:
            sizes[fields[0]] = int(fields[1])
    return sizes


def plain_instructions(args, program, plain):
    """Of the program's own code, and of all."""
    files = run(args, program, plain, "", os.path.join(args.dir, f"{program}.plain.callgrind"))
    own, other = counts(files, code_of(plain))
    return sum(own.values()), sum(own.values()) + other


def describe(args, program, plain, reference, variant, binary):
    """A row of both tables. reference: plain_instructions."""
    files = run(args, program, binary, "loop=0", os.path.join(args.dir, f"{program}.{variant}.callgrind"))
    own, _ = counts(files, code_of(binary))
    code = Code(code_of(binary))
    ranges = runtime_ranges(code_of(binary), code_of(plain))
    in_runtime = sum(n for a, n in own.items() if any(s <= a < s + size for s, size in ranges))
    kinds = collections.Counter()
    for address, n in own.items():
        kinds[code.kind.get(address, "")] += n
    if not kinds["entries"]:
        common.die(f"{program}: no countdown ran; was it loaded at another address, or built with -fPIC?")
    gates = kinds["entries"] + kinds["exits"] + kinds["cold"]
    lost = sum(own.values()) - in_runtime - gates - reference[0]
    instructions = [program, variant, f"{reference[1] / 1e6:.0f}"] + [
        f"{100 * n / reference[1]:.2f} %" for n in (kinds["entries"], kinds["exits"], lost, gates + lost)]
    before, after = sections(code_of(plain)), sections(code_of(binary))
    runtime_bytes = sum(size for _, size in ranges)
    growth = {what: sum(after.get(s, 0) - before.get(s, 0) for s in names) for what, names in SECTIONS.items()}
    other = after[".text"] - before[".text"] - runtime_bytes - code.bytes["entries"] - code.bytes["exits"] - code.bytes["cold"]
    sizes = [program, variant, before[".text"], code.places["entries"], code.places["exits"], code.bytes["entries"] + code.bytes["exits"],
             code.bytes["cold"], other, runtime_bytes, *growth.values()]
    return instructions, [str(s) for s in sizes]


def listed(args, program, loop):
    """The compiler with the list of loops that one run of the whole workload found too short."""
    gates = os.path.join(args.dir, f"{program}.gates")
    if not os.path.exists(gates):
        prof = os.path.join(args.dir, f"{program}.prof")
        shutil.rmtree(prof, ignore_errors=True)
        os.makedirs(prof)
        subprocess.run([os.path.join(common.BENCH, "programs", "run.sh"), "--quiet", program, loop, os.path.join(args.dir, "whole")], check=True,
                       env=dict(os.environ, RETICLE_OPTIONS=f"report=0:out={prof}/%p.prof", LD_LIBRARY_PATH=os.path.dirname(loop)))
        subprocess.run([os.path.join(common.reticle_bin(), "reticle"), "gates", "-o", gates, *common.profiles(prof)], check=True,
                       stdout=subprocess.DEVNULL)
    return f"{common.reticle_bin()}/reticle-clang -g -fplugin-arg-reticle-ignorelist={gates}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default=",".join(common.PROGRAMS))
    parser.add_argument("--sources", default=os.path.join(common.ROOT, "build", "programs"), help="what bench/programs/fetch.sh left")
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "gate_instructions"), help="builds and outputs")
    parser.add_argument("--size-mib", type=int, default=8, help="input of lz4 and zstd")
    parser.add_argument("--divisor", type=int, default=20, help="what sizes in the other two are divided by")
    parser.add_argument("--again", action="store_true", help="tables of the outputs that are in --dir, nothing runs")
    args = parser.parse_args()
    args.dir = os.path.abspath(args.dir)
    os.makedirs(args.dir, exist_ok=True)
    rows, sizes = [], []
    for program in args.programs.split(","):
        plain = build(args, program, "plain", "clang-19 -g")
        loop = build(args, program, "loop", f"{common.reticle_bin()}/reticle-clang -g")
        variants = {"loop": loop, "listed": build(args, program, "listed", listed(args, program, loop))}
        reference = plain_instructions(args, program, plain)
        for variant, binary in variants.items():
            row, size = describe(args, program, plain, reference, variant, binary)
            rows.append(row)
            sizes.append(size)
            common.note(f"{program} {variant}: {' '.join(row[3:])}")
    print(f"{common.machine()}.\n")
    print("Instructions that loops add, of those that the plain program executes:\n")
    print(common.table(["program", "build", "plain, 10^6", "entries", "exits", "made otherwise", "all"], rows))
    print("\nBytes that loops add:\n")
    print(common.table(["program", "build", "plain text", "gates", "exits", "hot", "cold", "made otherwise", "runtime",
                        *SECTIONS], sizes))


main()
