#!/usr/bin/env python3
# memcached_load.py - what four clients ask memcached at a time, and a checksum of the answers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: memcached_load.py SOCKET COUNT
import hashlib
import socket
import sys
import threading

BATCH = 100


def answers_of(connection, ends):
    """All that comes until `ends` answers have been read."""
    data = b""
    while data.count(b"END\r\n") + data.count(b"STORED\r\n") < ends:
        part = connection.recv(1 << 16)
        if not part:
            raise SystemExit("memcached_load.py: error: the server closed the connection")
        data += part
    return data


def client(path, number, count, digests):
    digest = hashlib.sha256()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        for first in range(0, count, BATCH):
            keys = [f"key-{number}-{i % 5000}" for i in range(first, first + BATCH)]
            connection.sendall(b"".join(f"set {key} 0 0 64\r\n{i:064d}\r\n".encode() for i, key in enumerate(keys)))
            digest.update(answers_of(connection, BATCH))
            connection.sendall(b"".join(f"get {key}\r\n".encode() for key in keys))
            digest.update(answers_of(connection, BATCH))
            connection.sendall(("get " + " ".join(keys) + "\r\n").encode())
            digest.update(answers_of(connection, 1))
    digests[number] = digest.hexdigest()


def main(path, count):
    digests = [""] * 4
    threads = [threading.Thread(target=client, args=(path, i, count, digests)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("\n".join(digests))


main(sys.argv[1], int(sys.argv[2]))
