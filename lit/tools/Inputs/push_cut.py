# push_cut.py - reticle push through a proxy that ends its first connection at each step in turn: usage: push_cut.py RETICLE
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A step is a message of PostgreSQL's protocol. What the client sees is exact: it is stopped while its connection is ended behind a
# message, so that its next call of the kernel meets the end; or its next write fails, and what it then reads is the warning that a
# server sends of which another process crashed, and not yet the end.
import fcntl
import os
import pathlib
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import postgres  # noqa: E402

RETICLE = sys.argv[1]


def split(data, is_first):
    """The whole messages in it, and the rest. The client's first has no letter in front."""
    messages, at = [], 0
    while True:
        head = 0 if is_first else 1
        if len(data) < at + head + 4:
            return messages, data[at:]
        length = head + struct.unpack_from("!I", data, at + head)[0]
        if len(data) < at + length:
            return messages, data[at:]
        messages.append(data[at:at + length])
        at, is_first = at + length, False


class Proxy:
    """Passes everything on, but for the first connection behind arm()."""

    def __init__(self, folder, target):
        self.target, self.first, self.client = target, None, None
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(folder / ".s.PGSQL.5432"))
        self.listener.listen(16)
        threading.Thread(target=self.accept, daemon=True).start()

    def arm(self, first):
        self.first, self.client, self.was_cut, self.connections = first, None, False, 0

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            self.connections += 1
            first, self.first = self.first, None
            threading.Thread(target=self.serve, args=(client, first), daemon=True).start()

    def serve(self, client, first):
        with client:
            if callable(first):
                client.recv(4096)
                first(client)
                return
            with socket.socket(socket.AF_UNIX) as server:
                server.connect(self.target)
                self.pump(client, server, *(first or (None, None)))

    def pump(self, client, server, how, step):
        rest, count, is_first = {client: b"", server: b""}, {client: 0, server: 0}, True
        while True:
            for stream in select.select([client, server], [], [])[0]:
                data = stream.recv(1 << 16)
                if not data:
                    return
                messages, rest[stream] = split(rest[stream] + data, is_first and stream is client)
                for message in messages:
                    is_first = is_first and stream is not client
                    count[stream] += 1
                    is_step = count[stream] == step and (stream is client) == (how == "before")
                    if is_step:
                        self.cut(client, message, how)
                        return
                    (server if stream is client else client).sendall(message)

    def wait_for(self, state):
        """False: the client has ended."""
        while True:
            try:
                now = open(f"/proc/{self.client}/stat", encoding="utf-8").read().rsplit(")", 1)[1].split()[0]
            except OSError:
                return False
            if now in (state, "Z"):
                return now == state
            time.sleep(0.001)

    def cut(self, client, message, how):
        self.was_cut = True
        if how == "before":
            return
        while not self.client:
            time.sleep(0.001)
        os.kill(self.client, signal.SIGSTOP)
        self.wait_for("T")
        client.sendall(message)
        if how == "behind":
            client.close()
        else:
            client.shutdown(socket.SHUT_RD)
        os.kill(self.client, signal.SIGCONT)
        if how == "warned":
            # It has read the message, and may have tried to write: now it waits for more.
            while struct.unpack("i", fcntl.ioctl(client, termios.TIOCOUTQ, bytes(4)))[0]:
                time.sleep(0.001)
            if self.wait_for("S"):
                client.sendall(said(b"N", "WARNING", "57P02", "terminating connection because of crash of another server process"))


def said(kind, severity, state, words):
    """An error or a notice."""
    fields = b"".join(letter + text.encode() + b"\0" for letter, text in
                      ((b"S", severity), (b"V", severity), (b"C", state), (b"M", words), (b"F", "x.c"), (b"L", "1"), (b"R", "f")))
    return kind + struct.pack("!I", len(fields) + 5) + fields + b"\0"


def fatal(state, words):
    return said(b"E", "FATAL", state, words)


def push(proxy, first, *words):
    proxy.arm(first)
    running = subprocess.Popen([RETICLE, "push", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    proxy.client = running.pid
    words = "".join(running.communicate(timeout=120))
    return running.returncode, words


def cut_all(server, proxy, url):
    """Every step, until a push comes through without being cut."""
    names = {"before": "before the client's message", "behind": "behind the server's message",
             "warned": "behind the server's message, with a warning"}
    for how, name in names.items():
        fine = step = 0
        while True:
            step += 1
            status, words = push(proxy, (how, step), url, "job")
            rows = server.rows("SELECT (SELECT count(*) FROM reticle.runs), (SELECT count(*) FROM reticle.loops); "
                               "TRUNCATE reticle.runs, reticle.processes, reticle.loops, reticle.levels, reticle.findings")
            if not proxy.was_cut:
                break
            if status == 0 and rows == [["1", "2"]]:
                fine += 1
            else:
                print(f"step {step}: status {status}, runs and loops {rows}: {words.strip()}")
        print(f"cut {name}: {fine} of {step - 1} pushes fine")


def refuse(proxy, url, *words):
    """What becomes of a push whose first connections are refused so."""
    left = [2]  # libpq is asked a second time for the state

    def answer(client):
        left[0] -= 1
        if left[0]:
            proxy.first = answer
        client.sendall(b"".join(words))
    return push(proxy, answer, url, "job")


def main():
    server = postgres.Server()
    try:
        server.create()
        between = server.folder / "between"
        between.mkdir()
        proxy = Proxy(between, str(server.folder / ".s.PGSQL.5432"))
        url = f"postgresql://postgres@/perf?host={between}"
        proxy.arm(None)
        subprocess.run([RETICLE, "push", "--set-up", url], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([sys.executable, HERE / "make_ranks.py", "job", "1"], check=True)
        cut_all(server, proxy, url)
        password = b"R" + struct.pack("!II", 8, 3)
        cases = {"starting": fatal("57P03", "the database system is starting up"), "full": fatal("53300", "sorry, too many clients already"),
                 "password": fatal("28P01", 'password authentication failed for user "x"'), "no database": fatal("3D000", 'database "x" does not exist'),
                 "password asked for": password}
        for name, words in cases.items():
            status, answer = refuse(proxy, url, words)
            print(f"{name}: status {status}, {proxy.connections} connections: {re.sub('/tmp/[^ ]*', 'PATH', answer).strip()}")
        status, words = push(proxy, None, "postgresql:///perf?service=none", "job")
        print(f"no service: status {status}: {words.strip()}")
    finally:
        server.stop()
        subprocess.run(["rm", "-rf", str(server.folder)], check=False)


main()
