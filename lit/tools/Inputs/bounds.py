# bounds.py - makes files that ask for gigabytes or hours, and reads them under limits on memory and CPU time
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bounds.py RETICLE PROFILE     PROFILE is one of a process
import os
import resource
import shutil
import sqlite3
import struct
import subprocess
import sys
import zlib

reticle, profile = sys.argv[1:]
count = 0


def read(words, message, *arguments, status=3, feed=None, memory=1 << 30):
    """Runs the tool where there is 1 GB of memory and a minute of CPU time; it ends with the message."""
    global count

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))

    run = subprocess.run([reticle, *words.split(), *arguments], stdin=feed or subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, preexec_fn=limit)
    assert run.returncode == status and message in run.stdout, (words, arguments, run.returncode, run.stdout[-2000:])
    count += 1


def sparse(name, start, size=10 << 30):
    with open(name, "wb") as file:
        file.write(start)
        file.truncate(size)
    return name


# --- profiles: what it is and how long it must be is known from the header
whole = open(profile, "rb").read()
claims = whole[:16] + struct.pack("<Q", 10 << 30) + whole[24:]
for name, start, message in [("none.prof", b"", "byte 0 starts something else than a Reticle profile"),
                             ("longer.prof", whole, f"the file ends at byte {len(whole)} by its header but has 10737418240"),
                             ("claims.prof", claims, "claims.prof: has 10737418240 bytes, and 1073741824 are read at most")]:
    sparse(name, start)
    for command in "report", "dump", "merge -o out.prof", "ranks":
        read(command, message, name)
read("dump --binary -o out.prof", "none.prof: has 10737418240 bytes, and 1073741824 are read at most", "none.prof")

# --- lists and texts
sparse("long.csv", b"hex\n")
read("block", "long.csv: can't be read: has more than 256 MB", "long.csv")
for option in "--csv", "--asm-file":
    with open("/dev/zero", "rb") as zeros:
        read(f"block {option} -", "-: can't be read: has more than 256 MB", feed=zeros)
read("block -x 90 --values captured --values-file", "long.csv: can't be read: has more than 256 MB", "long.csv")
read("block -x 90 --resume -o", "long.csv: has more than 256 MB", "long.csv")


# --- studies
def study(name, *statements):
    if not os.path.exists("s.reticle"):
        subprocess.run([reticle, "ranks", "--save", "s.reticle", profile], check=True, stdout=subprocess.DEVNULL)
    shutil.copy("s.reticle", name)
    connection = sqlite3.connect(name)
    for statement, *values in statements:
        connection.execute(statement, values)
    connection.commit()
    connection.close()
    return name


endless = "CREATE VIEW profiles AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i id, 1 run, 'a' executable, 1.0 cpu_s, 1 bytes, zeroblob(1000) deflated FROM n"
for command in "report", "ranks":
    read(command, "view.reticle: its table 'profiles' is a view: take the file as reticle wrote it",
         study("view.reticle", ["DROP TABLE profiles"], [endless]))
read("report", "its table 'profiles' isn't there", study("none.reticle", ["DROP TABLE profiles"]))
read("report", "its table 'profiles' has other columns", study(
    "computed.reticle", ["DROP TABLE profiles"],
    ["CREATE TABLE profiles(id INTEGER PRIMARY KEY, run, executable, cpu_s, bytes, deflated AS (hex(zeroblob(300000000))))"],
    ["INSERT INTO profiles(run, executable) VALUES(1, 'a')"]))
read("report", "its table 'profiles' has other columns", study(
    "virtual.reticle", ["DROP TABLE profiles"],
    ["CREATE VIRTUAL TABLE profiles USING fts5(run, executable, cpu_s, bytes, deflated)"]))

packer = zlib.compressobj(9)
bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(4100)) + packer.flush()
assert len(bomb) < 5 << 20
for command in "report", "ranks":
    read(command, "bomb.reticle: its rows unpack to more than ",
         study("bomb.reticle", ["UPDATE profiles SET bytes=?1, deflated=?2", 4100 << 20, bomb]))
read("report", "a profile in it is damaged", study("lies.reticle", ["UPDATE profiles SET bytes=100, deflated=?1", bomb]))

# Many profiles are merged a few at a time.
packed = zlib.compress(whole)
many = study("many.reticle")
connection = sqlite3.connect(many)
connection.executemany("INSERT INTO profiles(run, executable, cpu_s, bytes, deflated) SELECT run, executable, 1, ?, ? FROM profiles "
                       "WHERE id=1", [(len(whole), packed)] * 24575)
connection.commit()
connection.close()
read("report", "", many, status=0, memory=400 << 20)


# Pages that refer to one page five hundred times each: millions of rows of a few kilobytes.
def share_pages(name):
    study(name, ["DELETE FROM profiles"], ["PRAGMA user_version=1"])
    connection = sqlite3.connect(name)
    connection.executemany("INSERT INTO profiles VALUES(?, 1, 'a', 1, 1, x'00')", [(i,) for i in range(1, 2000)])
    connection.commit()
    root, = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name='profiles'").fetchone()
    size, = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    pages = bytearray(open(name, "rb").read())

    def page(number):
        return memoryview(pages)[(number - 1) * size:number * size]

    def refer(number, child):
        """An inner page, all of whose cells are the child; the keys of all are 1."""
        cells = (size - 12) // 7
        start = size - 5 * cells
        head = struct.pack(">BHHHBI", 5, 0, cells, start, 0, child)
        at = b"".join(struct.pack(">H", start + 5 * i) for i in range(cells))
        body = (head + at).ljust(start, b"\0") + struct.pack(">IB", child, 1) * cells
        page(number)[:] = body

    top = page(root)
    assert top[0] == 5
    cells, = struct.unpack(">H", top[3:5])
    children = [struct.unpack(">I", top[at:at + 4])[0] for at in struct.unpack(f">{cells}H", top[12:12 + 2 * cells])]
    leaf, inner = children[:2]
    refer(inner, leaf)
    refer(root, inner)
    open(name, "wb").write(pages)
    return name


read("report", "pages.reticle: a question takes more than ", share_pages("pages.reticle"))

# --- a history
history = sqlite3.connect("h.history")
history.executescript("PRAGMA application_id=0x52657468; PRAGMA user_version=1; CREATE VIEW checks AS WITH RECURSIVE "
                      "n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i FROM n; CREATE VIEW levels AS SELECT * FROM checks;")
history.close()
read("history", "h.history: its table 'checks' is a view", "h.history")
sparse("s.history", b"SQLite format 3\0")
read("history", "s.history: ", "s.history")
sparse("sparse.reticle", b"SQLite format 3\0")
read("report", "sparse.reticle: ", "sparse.reticle")


# --- executables: what sections say that they unpack to
def bloat(name):
    """Section .debug_info says that it unpacks to 1 TB."""
    file = bytearray(open("packed", "rb").read())
    sections, = struct.unpack_from("<Q", file, 40)
    each, number, names = struct.unpack_from("<HHH", file, 58)
    name_at, = struct.unpack_from("<Q", file, sections + names * each + 24)
    for i in range(number):
        at = sections + i * each
        text = name_at + struct.unpack_from("<I", file, at)[0]
        if file[text:text + 12] == b".debug_info\0":
            assert struct.unpack_from("<Q", file, at + 8)[0] & 0x800
            data, = struct.unpack_from("<Q", file, at + 24)
            struct.pack_into("<Q", file, data + 8, 1 << 40)
    open(name, "wb").write(file)
    return name


open("a.c", "w").write("int main(void) { return 0; }\n")
subprocess.run(["gcc", "-g", "-O1", "a.c", "-o", "app"], check=True)
subprocess.run(["objcopy", "--compress-debug-sections=zlib", "app", "packed"], check=True)
read("block --function main --elf", "has compressed sections that say they unpack to more than 64 times the file", bloat("bloated"))
print(f"fine: {count} files")
