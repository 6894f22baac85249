# endless_server.py - a PostgreSQL server whose answer to the first question doesn't end
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: endless_server.py RETICLE
import re
import resource
import socket
import struct
import subprocess
import sys
import threading

reticle = sys.argv[1]
listener = socket.create_server(("127.0.0.1", 0))
PORT = listener.getsockname()[1]


def message(kind, body=b""):
    return kind + struct.pack(">I", len(body) + 4) + body


def take(client, count):
    data = b""
    while len(data) < count:
        part = client.recv(count - len(data))
        if not part:
            raise ConnectionError
        data += part
    return data


def serve():
    client, _ = listener.accept()
    length, = struct.unpack(">I", take(client, 4))
    if length == 8:  # asks for SSL or GSS
        take(client, 4)
        client.sendall(b"N")
        length, = struct.unpack(">I", take(client, 4))
    take(client, length - 4)
    client.sendall(message(b"R", struct.pack(">I", 0)) + message(b"S", b"server_version\x0015.0\0") +
                   message(b"S", b"client_encoding\0UTF8\0") + message(b"Z", b"I"))
    while take(client, 1) != b"S":  # up to Sync
        length, = struct.unpack(">I", take(client, 4))
        take(client, length - 4)
    column = b"a\0" + struct.pack(">IHIhIH", 0, 0, 25, -1, 0xffffffff, 0)
    client.sendall(message(b"1") + message(b"2") + message(b"T", struct.pack(">H", 2) + column * 2))
    row = message(b"D", struct.pack(">HI", 2, 1) + b"1" + struct.pack(">I", 1 << 20) + b"x" * (1 << 20))
    try:
        while True:
            client.sendall(row)
    except OSError:
        pass


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


server = threading.Thread(target=serve, daemon=True)
server.start()
run = subprocess.run([reticle, "ranks", f"postgresql://127.0.0.1:{PORT}/perf?sslmode=disable&gssencmode=disable"],
                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=limit)
assert run.returncode == 3 and re.search("its answer has more than 1 GB; ask for fewer runs", run.stdout), run
server.join(60)
assert not server.is_alive(), "the tool has left the connection open"
print("fine")
