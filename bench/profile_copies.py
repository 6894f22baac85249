# profile_copies.py - profiles changed byte by byte, as many runs or ranks are made of one.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import struct
import sys

MASK = 2**64 - 1
HEADER = struct.Struct("<8sIIQQQII")
CHUNK = struct.Struct("<16sQQQQII")


def checksum(data):
    value, count = 0xCBF29CE484222325, len(data)
    for (word,) in struct.iter_unpack("<Q", data + bytes(-count % 8)):
        value = (value ^ word) * 0x100000001B3 & MASK
        value ^= value >> 29
    return (value ^ count) * 0x100000001B3 & MASK


class Profile:
    """A profile's bytes, whose chunks can be changed and summed anew."""

    def __init__(self, data):
        self.data = bytearray(data)
        head = HEADER.unpack_from(self.data)
        self.table, self.count, self.step = head[4], head[6], head[7]
        self.chunks = {}
        for i in range(self.count):
            name, offset, size, records, _, step, _ = CHUNK.unpack_from(self.data, self.table + i * self.step)
            self.chunks[name.rstrip(b"\0").decode()] = (i, offset, size, records, step)

    def put(self, name, index, at, form, value):
        _, offset, _, _, step = self.chunks[name]
        struct.pack_into(form, self.data, offset + index * step + at, value)

    def get(self, name, index, at, form):
        _, offset, _, _, step = self.chunks[name]
        return struct.unpack_from(form, self.data, offset + index * step + at)[0]

    def seal(self, names):
        for name in names:
            i, offset, size, _, _ = self.chunks[name]
            struct.pack_into("<Q", self.data, self.table + i * self.step + 40, checksum(self.data[offset:offset + size]))
        table = self.data[self.table:self.table + self.count * self.step]
        struct.pack_into("<Q", self.data, 32, checksum(table))


def with_hosts(profile, hosts):
    """The profile with names of hosts among its strings. Returns offsets of the names."""
    return with_names(profile, [f"node{h:04d}" for h in range(hosts)])


def with_names(profile, names):
    """The profile with names behind its strings, which lie at the end of the file. Returns offsets of the names."""
    i, offset, size, _, _ = profile.chunks["strings"]
    end = max(c[1] + c[2] for c in profile.chunks.values())
    if offset + size != end:
        sys.exit("profile_copies.py: the strings aren't the last chunk: take a profile as a program wrote it")
    places, data = [], profile.data[:end]
    for name in names:
        places.append(len(data) - offset)
        data += name.encode() + b"\0"
    new = len(data) - offset
    struct.pack_into("<Q", data, 16, len(data))
    struct.pack_into("<QQ", data, profile.table + i * profile.step + 24, new, new)
    changed = Profile(data)
    changed.seal(["strings"])
    return changed, places
