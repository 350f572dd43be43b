"""faults.py - makes calls of a running program fail, by tests/scarcity/nth_call.c, which is preloaded into it."""
import mmap
import os
import struct
import tempfile

KINDS = ("", "allocation", "read", "write", "sync", "rename", "thread", "socket", "open", "remove")  # enum kind in nth_call.c
HOW = {"once": 0, "on": 1, "each": 2, "hang": 3}  # enum how in nth_call.c
HEAD, COUNTS, PATH, THREAD = struct.Struct("<IIQQQ"), struct.Struct("<16Q"), 256, 16  # struct faults in nth_call.c


class Faults:
    """Controls the faults of a program that was started with `environment`. Fresh and freed memory is filled there: otherwise it is mostly zero,
    which hides reads of uninitialised memory."""

    def __init__(self, preload):
        self.file = tempfile.NamedTemporaryFile(prefix="faults-")
        self.file.truncate(HEAD.size + COUNTS.size + PATH + THREAD)
        os.chmod(self.file.name, 0o666)  # for daemons of other users
        self.map = mmap.mmap(self.file.fileno(), 0)
        self.environment = {**os.environ, "LD_PRELOAD": preload, "FAULTS": self.file.name,
                            "GLIBC_TUNABLES": "glibc.malloc.perturb=85:glibc.malloc.tcache_count=0"}

    def begin(self, kind, at, how="once", path="", thread=""):
        """Makes call number `at` of this kind fail, counted from now, on files with `path` in their name. With "on", later ones fail, too; with
        "each", every at-th; with "hang", the call does not return. With `thread`, only in threads of that name."""
        self.end()
        self.map[HEAD.size + COUNTS.size:] = path.encode().ljust(PATH, b"\0") + thread.encode().ljust(THREAD, b"\0")
        self.map[4:HEAD.size] = HEAD.pack(0, HOW[how], at, 0, 0)[4:]
        self.map[:4] = struct.pack("<I", KINDS.index(kind))

    def end(self):
        """Ends it and returns the number of calls that failed."""
        self.map[:4] = bytes(4)
        return HEAD.unpack(self.map[:HEAD.size])[4]

    @property
    def failed(self):
        return HEAD.unpack(self.map[:HEAD.size])[4]

    def counts(self):
        """Returns the number of calls of each kind so far."""
        return dict(zip(KINDS, COUNTS.unpack(self.map[HEAD.size:HEAD.size + COUNTS.size])))
