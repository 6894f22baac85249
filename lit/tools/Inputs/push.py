# push.py - reticle push against a PostgreSQL of its own: usage: push.py RETICLE SCENARIO, in an empty folder
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import postgres  # noqa: E402

RETICLE = sys.argv[1]
TABLES = ("runs", "processes", "loops", "levels", "findings")


def reticle(*words, status=0, **more):
    """What it prints on both streams."""
    done = subprocess.run([RETICLE, *map(str, words)], capture_output=True, text=True, check=False, **more)
    assert done.returncode in (status if isinstance(status, tuple) else (status,)), (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def said(text, *parts):
    """All parts stand in the text, which is one line."""
    assert all(part in text for part in parts) and text.count("\n") == 1, text


def ranks(folder, count, *slow):
    subprocess.run([sys.executable, HERE / "make_ranks.py", folder, str(count), *slow], check=True)


def profile(path, *words):
    subprocess.run([sys.executable, HERE / "make_profile.py", path, *words], check=True)


def side(name, runs, ticks, first):
    """Profiles of runs, ten seconds apart: every other of them is the other side's."""
    pathlib.Path(name).mkdir()
    for i in range(runs):
        profile(f"{name}/{i}.prof", f"env.pid={first + i}", f"env.start_time_s={1700000000 + 20 * i + first % 20}", "object", "loop",
                "function=work", "id=8001", "line=8", f"raw=1800*{ticks + 17 * i}~200@64", "loop", "function=rest", "id=8002", "line=30",
                f"raw=1800*{10020 + 13 * i}~200@64")


def counts(server):
    return {name: int(server.value(f"SELECT count(*) FROM reticle.{name}")) for name in TABLES}


def without(text, *keys):
    """JSON as a value, without keys that differ between a file and a database."""
    def strip(node):
        if isinstance(node, dict):
            return {k: strip(v) for k, v in node.items() if k not in keys}
        return [strip(v) for v in node] if isinstance(node, list) else node
    return strip(json.loads(text))


def usual(server):
    url = server.url()
    ranks("job", 8, "5:slow")
    said(reticle("push", url, "job", status=3), "no tables of reticle are in this database: reticle push --set-up makes them")
    said(reticle("push", "--set-up", url), "tables of version 2 made, with roles reticle_writer and reticle_reader")
    said(reticle("push", "--set-up", url), "tables of version 2 are there")
    said(reticle("push", url, "job"), "pushed 8 runs")
    before = counts(server)
    assert before["runs"] == before["processes"] == 8 and before["loops"] == before["levels"] == 16, before
    said(reticle("push", url, "job"), "pushed 0 runs, 8 were there already")
    assert counts(server) == before
    # Of the database as of the files, to the last digit.
    for words in ((), ("#job=4711",), ("#program=book,last=8",), ("#since=2023-11-14T00:00Z,until=2023-11-15",)):
        assert without(reticle("ranks", "--json", url + "".join(words), status=1), "profile") == \
            without(reticle("ranks", "--json", "job", status=1), "profile"), words
    side("a", 5, 10020, 1000)
    side("b", 5, 12020, 2010)
    said(reticle("push", "--commit", "aaaa1111", "--label", "main", url, "a"), "pushed 5 runs")
    said(reticle("push", "-c", "bbbb2222", url, "b"), "pushed 5 runs")
    files, base = ("a/0.prof a/1.prof a/2.prof a/3.prof a/4.prof -- b/0.prof b/1.prof b/2.prof b/3.prof b/4.prof".split(),
                   (url + "#commit=aaaa", url + "#program=book,commit=bbbb2222"))
    for command in ("diff", "check"):
        from_files = json.loads(reticle(command, "--json", "--all", *files, status=(0, 1, 4)))
        from_base = json.loads(reticle(command, "--json", "--all", *base, status=(0, 1, 4)))
        key = {"diff": ("stable_id", "verdict", "mean_change", "median_change", "detectable"),
               "check": ("stable_id", "id", "verdict", "change", "detectable")}[command]
        told = [[{k: loop.get(k) for k in key} for loop in report["loops"]] for report in (from_files, from_base)]
        assert told[0] == told[1] and told[0], told
    assert [loop["verdict"] for loop in json.loads(reticle("diff", "--json", *base, status=1))["loops"]] == ["slower", "same"]
    # One side of files.
    assert "slower" in reticle("diff", base[0], "--", *files[6:], status=1)
    said(reticle("diff", base[0], url + "#commit=cccc", status=3), "no run with commit=cccc is in it")
    said(reticle("diff", url, base[1], status=3), "say which runs")
    said(reticle("diff", url + "#comit=a", base[1], status=3), "'comit=a' behind # says nothing", "keys are run, program, commit")
    said(reticle("diff", base[0], "a/0.prof", "--", base[1], status=3), "stands alone on its side")
    assert "--html need the profiles" in reticle("diff", "--html", "x", *base, status=2)
    # Days: partitions come with runs, and go.
    assert server.value("SELECT count(*) FROM pg_class WHERE relname ~ '^runs_[0-9]+$'") == "1"
    assert server.value("SELECT reticle.add_days(2)") == "3" and server.value("SELECT reticle.add_days(2)") == "0"
    assert server.value("SELECT reticle.drop_before('2024-01-01 00:00+00')") == "1"
    assert set(counts(server).values()) == {0}
    said(reticle("push", url, "job"), "pushed 8 runs")


def rights(server):
    url = server.url()
    reticle("push", "--set-up", url)
    server.sql("CREATE ROLE ci LOGIN; GRANT reticle_writer TO ci; CREATE ROLE see LOGIN; GRANT reticle_reader TO see; CREATE ROLE nobody_ LOGIN")
    ranks("job", 8, "5:slow")
    said(reticle("push", server.url(user="ci"), "job"), "pushed 8 runs")
    said(reticle("push", server.url(user="ci"), "job"), "pushed 0 runs, 8 were there already")
    assert "rank 5 memory" in reticle("ranks", server.url(user="see"), status=1)
    said(reticle("ranks", server.url(user="ci"), status=3), "permission denied", "GRANT")
    pathlib.Path("job2").mkdir()
    profile("job2/0.prof", "env.pid=9", "object", "loop", "raw=1800*10020~200@64")
    said(reticle("push", server.url(user="see"), "job2", status=3), "permission denied", "GRANT reticle_writer")
    said(reticle("push", server.url(user="nobody_"), "job2", status=3), "permission denied", "GRANT reticle_writer")
    said(reticle("push", "--set-up", server.url(user="nobody_", database="postgres"), status=3), "permission denied", "CREATEROLE")
    # The writer may add; whatever else is refused.
    writer = server.url(user="ci")
    for sql in ("SELECT * FROM reticle.runs", "SELECT * FROM reticle.loops", "DELETE FROM reticle.loops", "UPDATE reticle.levels SET work = 1",
                "TRUNCATE reticle.findings", "INSERT INTO reticle.runs DEFAULT VALUES", "SELECT reticle.drop_before(now())",
                "DROP TABLE reticle.loops", "CREATE TABLE reticle.x(y int)", "SELECT count(*) FROM reticle.loop_names",
                "INSERT INTO reticle.loops SELECT * FROM reticle.loops", "COPY reticle.levels TO STDOUT"):
        done = subprocess.run([server.bin / "psql", "-Xq", writer, "-c", sql], capture_output=True, text=True, check=False)
        assert done.returncode and ("permission denied" in done.stderr or "must be owner" in done.stderr), (sql, done.stderr)
    for sql in ("DELETE FROM reticle.loops", "INSERT INTO reticle.version VALUES (7)", "SELECT reticle.add_run('{}', '{}')"):
        done = subprocess.run([server.bin / "psql", "-Xq", server.url(user="see"), "-c", sql], capture_output=True, text=True, check=False)
        assert done.returncode and "permission denied" in done.stderr, (sql, done.stderr)


def versions(server):
    """Older tables get the command that mends them, newer ones a plain no; what is in them stays."""
    url, folder = server.url(), HERE.parents[2] / "tools" / "store" / "fleet"
    first = sorted(folder.glob("*.sql"))[0]
    server.sql(first.read_text() + "; INSERT INTO reticle.version(version) VALUES (1)")
    ranks("job", 4)
    said(reticle("push", url, "job", status=3), "of version 1, and this reticle needs version 2", "reticle push --set-up")
    server.sql("SELECT reticle.add_loop_names('{f}', '{f}', '{f}', '{a.c}', '{5}', '{1}', '{1}', '{1}', '{0}', '{0}')")
    said(reticle("push", "--set-up", url), "brought from version 1 to 2")
    assert server.value("SELECT function FROM reticle.loop_names") == "f"
    said(reticle("push", url, "job"), "pushed 4 runs")
    server.sql("INSERT INTO reticle.version(version) VALUES (99)")
    for words in (("push", url, "job"), ("push", "--set-up", url), ("ranks", url)):
        said(reticle(*words, status=3), "of version 99, and this reticle knows version 2: use a newer reticle")
    assert counts(server)["runs"] == 4
    # Two that set up at once wait for each other.
    server.sql("CREATE DATABASE two")
    both = [subprocess.Popen([RETICLE, "push", "--set-up", server.url("two")], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    words = sorted(p.communicate()[0] for p in both)
    assert ["tables of version 2 are there\n", "tables of version 2 made, with roles reticle_writer and reticle_reader\n"] == words, words
    server.sql("CREATE DATABASE ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    said(reticle("push", "--set-up", server.url("ascii"), status=3), "encoding isn't UTF8", "CREATE DATABASE")


# ESC, newline, tab, what COPY and arrays and SQL and pages take for themselves, no UTF-8, ten thousand characters.
HOSTILE = [b"\x1b[31mred\nFORGED\r\tx", b"'; DROP TABLE reticle.runs; --", b"\\N", b"\\.", b'{"a",NULL}', b"<script>alert(1)</script>", b"\xff\xfe\xc0\xaf\xed\xa0\x80",
           b"$__timeFilter(started) ${loop}", b"n" * 10000, b"\xf0\x9f\x98\x80" * 3000, b"%s%n", b'"\\']


def hostile(server):
    url = server.url()
    reticle("push", "--set-up", url)
    pathlib.Path("bad").mkdir()
    for i, name in enumerate(HOSTILE):
        profile("plain.prof", f"env.pid={5000 + i}", "object", "rank", "rank=0", "size=4", "job=JOB", "loop", f"id={9000 + i}",
                "function=FUNCTION", "file=FILE", "line=8", "raw=1800*10020~200@64")
        text = pathlib.Path("plain.prof.txt").read_bytes()
        quoted = b"".join(b"\\x%02x" % byte for byte in name)
        out = text.replace(b'"FUNCTION"', b'"' + quoted + b'"').replace(b'"FILE"', b'"' + quoted + b'"').replace(b'"JOB"', b'"' + quoted + b'"')
        for old in (b'"testhost"', b'"./book"', b'"/nonexistent/book"', b'"AMD EPYC 9R14 96-Core Processor"'):
            out = out.replace(old, b'"x' + quoted + b'"')
        pathlib.Path("bad.txt").write_bytes(out)
        reticle("dump", "--binary", "-o", f"bad/{i:02}.prof", "bad.txt")
    said(reticle("push", "--label", "it's \\ \" {x}", url, "bad"), f"pushed {len(HOSTILE)} runs")
    assert counts(server)["runs"] == len(HOSTILE) == counts(server)["loops"], counts(server)
    assert int(server.value("SELECT max(length(program)) FROM reticle.runs")) <= 255
    assert int(server.value("SELECT max(length(linkage)) FROM reticle.loop_names")) == 10000
    assert server.value("SELECT count(*) FROM reticle.loop_names WHERE linkage IN ('\\N', '\\.', '''; DROP TABLE reticle.runs; --')") == "3"
    shown = reticle("ranks", "--all", url + "#label=it's \\ \" {x}")
    assert "\x1b" not in shown and "\nFORGED" not in shown, shown
    reticle("ranks", "--json", url + "#job=%27; DROP TABLE reticle.runs; --")
    reticle("ranks", url + "#job=a%00b,host=%ff", status=3)
    # What can't be pushed is said, and the rest goes in.
    pathlib.Path("no.prof").write_bytes(b"RETICLE0" + b"x" * 100)
    words = reticle("push", url, "no.prof", "missing.prof", "bad/00.prof", status=3)
    assert "0 runs, 1 was there already, 2 could not be read" in words and "missing.prof" in words, words
    profile("future.prof", "env.start_time_s=7700000000", "env.pid=1", "object", "loop", "raw=1800*10020~200@64")
    said(reticle("push", url, "future.prof", status=3).splitlines()[-1] + "\n", "which can't be", "set the clock of the machine")
    profile("none.prof", "env.start_time_s=0", "env.pid=1", "object", "loop", "raw=1800*10020~200@64")
    assert "doesn't say when the run started" in reticle("push", url, "none.prof", status=3)
    # An earlier checkpoint that is there stays.
    profile("early.prof", "env.pid=77", "health.ended_by=0", "env.host=elsewhere", "env.elapsed_ticks=1000000000", "object", "loop", "raw=1800*10020~200@64")
    profile("late.prof", "env.pid=77", "env.host=elsewhere", "object", "loop", "raw=1800*10020~200@64")
    said(reticle("push", url, "early.prof"), "pushed 1 run")
    assert "an earlier checkpoint of this run is there as" in reticle("push", url, "late.prof")
    reticle("merge", "-o", "all.prof", "early.prof", "bad/00.prof")
    assert "processes merged into one profile can't be told apart" in reticle("push", url, "all.prof", status=3)
    # A process that still runs, on this host.
    profile("alive.prof", f"env.pid={os.getpid()}", f"env.host={os.uname().nodename}", f"env.executable={os.readlink('/proc/self/exe')}",
            "health.ended_by=0", "object", "loop", "raw=1800*10020~200@64")
    assert "its process still runs: push it when it has ended" in reticle("push", url, "alive.prof")
    assert set(server.value("SELECT count(*) FROM reticle.runs").split()) == {str(len(HOSTILE) + 1)}
    passwords(server)


def passwords(server):
    """In no message, and not in the process list."""
    secret = "s3cr3t"
    profile("p.prof", "env.pid=78", "object", "loop", "raw=1800*10020~200@64")
    bad = [f"postgresql://ci:{secret}@/none?host={server.folder}", f"postgresql://ci:{secret}@[::1/x", f"postgresql://ci:{secret}@/perf?nonsense=1",
           f"postgresql://ci:{secret}@/perf?host=/nowhere", f"postgresql:///perf?user=ci&password={secret}&host=/nowhere", f"postgresql://ci:a?{secret}@h/perf",
           f"postgresql://ci:a#{secret}@h/perf", f"postgresql://ci:a/{secret}@h/perf", f"postgresql://ci:%zz{secret}@h/perf", f"postgres://ci:{secret}@h:port/perf"]
    for url in bad:
        words = reticle("push", "--retry", "0", url, "p.prof", status=(2, 3))
        assert secret not in words and words.startswith("reticle: error: "), (url, words)
        words = reticle("ranks", url + "#job=1", status=(2, 3)) + reticle("diff", url + "#job=1", "p.prof", status=(2, 3))
        assert secret not in words, words
    # A URL that can't be read is no reason to try again.
    before = time.monotonic()
    reticle("push", "--retry", "60s", bad[1], "p.prof", status=3)
    assert time.monotonic() - before < 30
    running = subprocess.Popen([RETICLE, "push", "--retry", "20s", f"postgresql://ci:{secret}@/perf?host=/nowhere&password={secret}", "p.prof"],
                               stderr=subprocess.PIPE, text=True)
    for _ in range(100):
        line = pathlib.Path(f"/proc/{running.pid}/cmdline").read_bytes()
        if b"push" in line and secret.encode() not in line:
            break
        time.sleep(0.05)
    assert secret.encode() not in line and b"postgresql://ci:******@/perf" in line, line
    running.kill()
    running.communicate()


def lost(server):
    """Clients and servers that are killed, and a server that restarts: what is there is whole, and once."""
    url = server.url()
    reticle("push", "--set-up", url)
    ranks("job", 14)
    for number in range(4):
        server.sql("TRUNCATE reticle.runs, reticle.processes, reticle.loops, reticle.levels, reticle.findings")
        client = subprocess.Popen([RETICLE, "push", "--retry", "60s", url, "job"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while int(server.value("SELECT count(*) FROM reticle.runs")) < 2 + number and client.poll() is None:
            time.sleep(0.02)
        if number == 0:
            client.kill()
        elif number == 1:
            server.kill()
            server.start()
        elif number == 2:
            server.stop()
            server.start()
        else:
            server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'reticle'")
        words = client.communicate()
        assert number == 0 or client.returncode == 0, words
        reticle("push", url, "job")
        found = counts(server)
        assert (found["runs"], found["processes"], found["loops"], found["levels"]) == (14, 14, 28, 28), (number, found)
    # All at once: each run once, and nobody waits for ever.
    server.sql("TRUNCATE reticle.runs, reticle.processes, reticle.loops, reticle.levels, reticle.findings")
    clients = [subprocess.Popen([RETICLE, "push", url, "job"], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    pushed = sum(int(re.match(r"pushed (\d+) run", c.communicate()[0])[1]) for c in clients)
    assert pushed == 14 and counts(server)["loops"] == 28, (pushed, counts(server))
    server.stop()
    first, last = reticle("push", "--retry", "1s", url, "job", status=3).splitlines()
    assert first.endswith("; tried again for 1 s") and last.endswith("push again when the server is there; what is there already isn't pushed twice"), last
    said(reticle("ranks", url, status=3), "try again when the server is there")


def full(server):
    """A disk without room, which is then enlarged. Needs to mount one: else the state is made."""
    url, disk = server.url(), server.folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=17m", "tmpfs", str(disk)], capture_output=True, check=False).returncode == 0
    try:
        if mounted:
            if server.user:
                os.chown(disk, server.user.pw_uid, server.user.pw_gid)
            server.sql(f"CREATE TABLESPACE small LOCATION '{disk}'", "postgres")
            server.sql("ALTER DATABASE perf SET TABLESPACE small", "postgres")
        reticle("push", "--set-up", url)
        ranks("job", 24)
        if mounted:
            server.sql("CREATE TABLE filler(x text); ALTER TABLE filler ALTER x SET STORAGE EXTERNAL")
            for rows in (100, 1):  # until not even one more goes in
                while server.psql(f"INSERT INTO filler SELECT repeat('x', 7000) FROM generate_series(1, {rows})").returncode == 0:
                    pass
        else:
            server.sql("CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.rank = 15 THEN RAISE EXCEPTION 'could not extend file: "
                       "No space left on device' USING ERRCODE = '53100'; END IF; RETURN NEW; END $$; CREATE TRIGGER stop BEFORE INSERT ON reticle.runs "
                       "FOR EACH ROW EXECUTE FUNCTION stop()")
        words = reticle("push", url, "job", status=3)
        assert "No space left on device" in words and "make room on the server's disk" in words and words.count("error:") == 1, words
        if mounted:
            subprocess.run(["mount", "-o", "remount,size=100m", str(disk)], check=True)
        else:
            server.sql("DROP TRIGGER stop ON reticle.runs")
        reticle("push", url, "job")
        found = counts(server)
        assert (found["runs"], found["loops"], found["levels"]) == (24, 48, 48), found
        print("mounted" if mounted else "made")
    finally:
        server.stop()
        if mounted:
            subprocess.run(["umount", str(disk)], check=False)


def page(server):
    """All queries of docs/database.md, as the reader, and with rows."""
    url = server.url()
    reticle("push", "--set-up", url)
    ranks("job", 8, "5:slow")
    side("a", 3, 10020, 1000)
    side("b", 3, 12020, 2010)
    reticle("push", url, "job")
    reticle("push", "-c", "aaaa", url, "a")
    reticle("push", "-c", "bbbb", url, "b")
    server.sql("CREATE ROLE grafana LOGIN; GRANT reticle_reader TO grafana")
    loop = server.value("SELECT lpad(to_hex(loop), 16, '0') FROM reticle.loop_names WHERE function = 'work'")
    values = {"program": "book", "loop": loop, "commit_a": "aaaa", "commit_b": "bbbb", "job": "4711"}
    queries = postgres.page_queries((HERE.parents[2] / "docs" / "database.md").read_text(), values)
    rows = {}
    for title, sql in queries:
        done = subprocess.run([server.bin / "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", server.url(user="grafana"), "-c", sql.replace("365 days", "9999 days")],
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, (title, done.stderr)
        rows[title] = done.stdout.splitlines()
    empty = [title for title, lines in rows.items() if not lines]
    assert len(rows) >= 13 and empty in ([], ["Findings, most to gain first"]), empty
    assert rows["Variable: programs"] == ["book"]
    assert [line.split("|")[0] for line in rows["Commits: a loop from one to the next"]] == ["aaaa", "bbbb"]
    assert rows["Two commits, loop by loop"][0].startswith("work|") and 0.15 < float(rows["Two commits, loop by loop"][0].split("|")[-1]) < 0.25
    assert rows["A job's loops: imbalance over its ranks"][0].split("|")[-2] == "5", rows["A job's loops: imbalance over its ranks"]


def main():
    server = postgres.Server()
    try:
        server.create()
        {"usual": usual, "rights": rights, "versions": versions, "hostile": hostile, "lost": lost, "full": full, "page": page}[sys.argv[2]](server)
        print("fine")
    finally:
        server.stop()
        subprocess.run(["rm", "-rf", str(server.folder)], check=False)


main()
