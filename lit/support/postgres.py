# postgres.py - a PostgreSQL of a test's own, on a socket in a short-lived folder: usage: postgres.py COMMAND... (with {url})
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Servers refuse to run as root: they then run as the user postgres, or nobody. {url} is of an empty database "perf", {bin} the
# folder of the server's programs. The server ends with the command.
import glob
import os
import pathlib
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time


def programs():
    """The folder with initdb and postgres; None: there is none."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda p: int(p.split("/")[4]))
    if found:
        return pathlib.Path(found[-1]).parent
    initdb = shutil.which("initdb")
    return pathlib.Path(initdb).parent if initdb else None


def _user():
    """Whom the server runs as; None: as we do."""
    if os.getuid():
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            pass
    return None


class Server:
    def __init__(self, folder=None, settings=()):
        # Paths of sockets are short: 107 bytes. Folders of lit let no other user in.
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="reticle-pg-", dir="/tmp"))
        self.settings, self.process, self.user = settings, None, _user()
        self.bin = programs()

    def _as_user(self, command, **more):
        user = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        return subprocess.Popen([str(w) for w in command], env={**os.environ, "HOME": str(self.folder), "LC_ALL": "C.UTF-8"},
                                cwd=self.folder, stdin=subprocess.DEVNULL, start_new_session=True, **user, **more)

    def create(self, encoding="UTF8"):
        self.folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        self.folder.chmod(0o755)
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        made = self._as_user([self.bin / "initdb", "-D", self.folder / "data", "-E", encoding, "--locale=C.UTF-8", "-A", "trust",
                              "-U", "postgres", "--no-sync"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = made.communicate()[0]
        if made.returncode:
            sys.exit(f"postgres.py: initdb: {said}")
        self.start()
        self.sql("CREATE DATABASE perf", "postgres")

    def start(self):
        command = [self.bin / "postgres", "-D", self.folder / "data", "-c", "listen_addresses=", "-c",
                   f"unix_socket_directories={self.folder}"]
        for setting in self.settings:
            command += ["-c", setting]
        with open(self.folder / "log", "ab") as log:
            self.process = self._as_user(command, stdout=log, stderr=log)
        for _ in range(600):
            if self.psql("SELECT 1", "postgres").returncode == 0:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        sys.exit(f"postgres.py: the server did not start: {(self.folder / 'log').read_text()[-2000:]}")

    def kill(self):
        """All of its processes at once, as a machine that loses power. Each is in a session of its own."""
        self.process.send_signal(signal.SIGSTOP)  # so that no new ones come
        children = [int(stat.parent.name) for stat in pathlib.Path("/proc").glob("[0-9]*/stat") if self._is_child(stat)]
        for pid in [self.process.pid, *children]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()

    def _is_child(self, stat):
        try:
            return int(stat.read_text().rsplit(")", 1)[1].split()[1]) == self.process.pid
        except (OSError, IndexError):
            return False

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()

    def url(self, database="perf", user="postgres"):
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def psql(self, sql, database="perf"):
        return subprocess.run([self.bin / "psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", self.url(database), "-c", sql],
                              capture_output=True, text=True, check=False)

    def sql(self, sql, database="perf"):
        done = self.psql(sql, database)
        if done.returncode:
            sys.exit(f"postgres.py: {sql}: {done.stderr}")
        return done.stdout

    def value(self, sql):
        return self.sql(sql).strip()

    def rows(self, sql):
        return [line.split("\t") for line in self.sql(sql).splitlines()]


def page_queries(page, values):
    """Titles and queries of a page in Markdown, as Grafana would send them: its variables and macros filled in."""
    found = []
    for title, body in re.findall(r"^### ([^\n]*)\n.*?^```sql\n(.*?)^```", page, re.M | re.S):
        body = re.sub(r"\$__timeFilter\(([^)]*)\)", r"\1 BETWEEN now() - interval '365 days' AND now()", body)
        body = re.sub(r"\$__timeGroup\(([^,]*), *([^)]*)\)", r"date_bin(\2, \1, '2000-01-01')", body)
        body = re.sub(r"\$\{?(\w+)\}?", lambda m: values[m[1]], body)
        found.append((title, body.strip().rstrip(";")))
    return found


def main():
    server = Server()
    try:
        server.create()
        words = {"url": server.url(), "bin": str(server.bin), "folder": str(server.folder)}
        command = [re.sub(r"\{(url|bin|folder)\}", lambda m: words[m[1]], word) for word in sys.argv[1:]]
        status = subprocess.run(command, env={**os.environ, "PG_URL": words["url"], "PG_FOLDER": words["folder"]},
                                check=False).returncode
    finally:
        server.stop()
        shutil.rmtree(server.folder, ignore_errors=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
