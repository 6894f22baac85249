# made_trials.py - puts trials into a study whose pairs of runs are made up: made_trials.py STUDY LOOP LOOP
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sqlite3
import sys

CHANGES = """CREATE TABLE changes(id INTEGER PRIMARY KEY, form TEXT NOT NULL, setting TEXT NOT NULL, loop TEXT NOT NULL, finding TEXT NOT NULL, environment TEXT NOT NULL, flags TEXT NOT NULL, list TEXT NOT NULL, reason TEXT NOT NULL, lines TEXT NOT NULL, difference REAL)"""
PAIRS = """CREATE TABLE pairs(change INTEGER NOT NULL REFERENCES changes ON DELETE CASCADE, stage INTEGER NOT NULL, pair INTEGER NOT NULL, build INTEGER NOT NULL, plain_cpu_s REAL NOT NULL, changed_cpu_s REAL NOT NULL, plain_wall_s REAL NOT NULL, changed_wall_s REAL NOT NULL, plain_rss_bytes INTEGER NOT NULL, changed_rss_bytes INTEGER NOT NULL, PRIMARY KEY(change, stage, pair))"""
COPIES = """CREATE TABLE copies(change INTEGER NOT NULL REFERENCES changes ON DELETE CASCADE, loop TEXT NOT NULL, run INTEGER NOT NULL, build INTEGER NOT NULL, bin INTEGER NOT NULL, work REAL NOT NULL, plain_ns REAL NOT NULL, changed_ns REAL NOT NULL, PRIMARY KEY(change, run, bin))"""
NOISE = [1, -1, 0.5, -0.5, 0.25, -0.25, 0.75, -0.75, 0.1, -0.1]


def pairs(db, change, stage, count, factor, noise=0.005, builds=1, memory=1):
    for i in range(count):
        plain = 2 + 0.1 * i
        changed = plain * factor * (1 + noise * NOISE[i])
        db.execute("INSERT INTO pairs VALUES(?,?,?,?,?,?,?,?,?,?)", (
            change, stage, i + 1, i * builds // count, plain, changed, plain, changed, 10 ** 8, int(memory * 10 ** 8)))


def copies(db, change, loop, short, long):
    """Six runs: a tenth of the loop's time in executions of 64 iterations, the rest in those of 4096."""
    for run in range(6):
        for bin, work, ns, factor in (6, 1e7, 0.1, short), (12, 9e7, 0.1, long):
            ns *= 1 + 0.1 * run
            db.execute("INSERT INTO copies VALUES(?,?,?,?,?,?,?,?)", (
                change, loop, run + 1, run // 3, bin, work, ns, ns * factor * (1 + 0.005 * NOISE[run])))


def change(db, form, setting="", loop="", finding="", reason="", lines=""):
    return db.execute("INSERT INTO changes(form, setting, loop, finding, environment, flags, list, reason, lines)"
                      " VALUES(?,?,?,?,'','','',?,?)", (form, setting, loop, finding, reason, lines)).lastrowid


def main(study, first, second):
    db = sqlite3.connect(study)
    for table in "copies", "pairs", "changes":
        db.execute("DROP TABLE IF EXISTS " + table)
    db.execute(CHANGES)
    db.execute(PAIRS)
    db.execute(COPIES)
    same = change(db, "same")
    pairs(db, same, 1, 4, 1)
    pairs(db, same, 2, 10, 1)
    for setting, factor in ("4", 0.8), ("16", 0.6), ("64", 0.7):
        one = change(db, "prefetch", setting, first, "stall-memory", lines="17 18")
        pairs(db, one, 1, 4, factor)
        if setting == "16":
            pairs(db, one, 2, 10, 0.625, builds=5)
    change(db, "interleave", "4", first, "stall-core", reason="it has loops inside")
    change(db, "accumulators", "4", second, reason="results would be rounded otherwise: --allow-numerics tries it")
    huge = change(db, "huge-pages", finding="stall-memory")
    pairs(db, huge, 1, 4, 0.9)
    pairs(db, huge, 2, 10, 0.9, memory=1.5)
    luck = change(db, "flags", "-O3")
    pairs(db, luck, 1, 4, 0.96)
    pairs(db, luck, 2, 10, 1.0, builds=5)
    worse = change(db, "flags", "-march=native")
    pairs(db, worse, 1, 4, 1.1)
    noisy = change(db, "malloc-thresholds")
    pairs(db, noisy, 1, 4, 1.0, noise=0.2)
    together = change(db, "together")
    pairs(db, together, 2, 10, 0.58)
    again = change(db, "same", loop=second)
    copies(db, again, second, 1, 1)
    for setting, factor in ("4", 0.9), ("64", 0.5):
        drawn = change(db, "prefetch", setting, second, "hot", lines="18")
        copies(db, drawn, second, 1.1, factor)
        if setting == "64":
            pairs(db, drawn, 2, 10, 0.7, builds=5)
    nothing = change(db, "interleave", "4", second, "stall-core")
    copies(db, nothing, second, 1, 1.01)
    later = change(db, "of a later version")
    pairs(db, later, 2, 10, 0.1)
    db.commit()


main(*sys.argv[1:])
