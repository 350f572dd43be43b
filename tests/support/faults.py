"""faults.py - makes calls of a program fail while it runs, by tests/scarcity/nth_call.c, which it was started with."""
import mmap
import os
import struct
import tempfile

KINDS = ("", "allocation", "read", "write", "sync", "rename", "thread", "socket", "open", "remove")  # enum kind in nth_call.c
HOW = {"once": 0, "on": 1, "each": 2, "hang": 3}  # enum how there
HEAD, COUNTS, PATH, THREAD = struct.Struct("<IIQQQ"), struct.Struct("<16Q"), 256, 16  # struct faults there


class Faults:
    """What fails in a program that was started with `environment`. Fresh and freed memory is filled there: it is mostly zero else, which hides
    that it is read before anything was written to it."""

    def __init__(self, preload):
        self.file = tempfile.NamedTemporaryFile(prefix="faults-")
        self.file.truncate(HEAD.size + COUNTS.size + PATH + THREAD)
        os.chmod(self.file.name, 0o666)  # daemons of other users, too
        self.map = mmap.mmap(self.file.fileno(), 0)
        self.environment = {**os.environ, "LD_PRELOAD": preload, "FAULTS": self.file.name,
                            "GLIBC_TUNABLES": "glibc.malloc.perturb=85:glibc.malloc.tcache_count=0"}

    def begin(self, kind, at, how="once", path="", thread=""):
        """Of the calls of this kind from now on, on files with `path` in their name, the one with the number `at` fails; with "on" those after it,
        too; with "each" all that it divides; with "hang" that one does not return. With `thread` only in threads of that name."""
        self.end()
        self.map[HEAD.size + COUNTS.size:] = path.encode().ljust(PATH, b"\0") + thread.encode().ljust(THREAD, b"\0")
        self.map[4:HEAD.size] = HEAD.pack(0, HOW[how], at, 0, 0)[4:]
        self.map[:4] = struct.pack("<I", KINDS.index(kind))

    def end(self):
        """How many failed."""
        self.map[:4] = bytes(4)
        return HEAD.unpack(self.map[:HEAD.size])[4]

    @property
    def failed(self):
        return HEAD.unpack(self.map[:HEAD.size])[4]

    def counts(self):
        """How many calls of each kind there were so far."""
        return dict(zip(KINDS, COUNTS.unpack(self.map[HEAD.size:HEAD.size + COUNTS.size])))
