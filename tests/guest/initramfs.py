"""initramfs.py - the file system a Linux guest boots into: busybox, kernel modules in the order in which they are loaded, and programs with their libraries.

Kernel and modules are extracted from a Debian package, without installing it."""
import gzip
import lzma
import os
import re
import stat
import subprocess
import tarfile


def unpack(package, wanted):
    """Returns {path: bytes} of the package's files for whose path `wanted` returns true."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as unpacking:
        with tarfile.open(fileobj=unpacking.stdout, mode="r|") as archive:
            found = {member.name.removeprefix("./"): archive.extractfile(member).read() for member in archive if member.isfile() and wanted(member.name)}
    if unpacking.returncode:
        raise AssertionError(f"dpkg-deb cannot unpack {package}")
    return found


class Kernel:
    """`image`, and the `modules` {name: bytes} requested and their dependencies, dependencies first."""

    def __init__(self, package, wanted):
        files = unpack(package, lambda name: "/boot/vmlinuz-" in name or name.endswith((".ko", ".ko.xz")))
        self.image = next(content for name, content in files.items() if "boot/vmlinuz-" in name)
        self._all = {os.path.basename(name).partition(".ko")[0].replace("-", "_"): lzma.decompress(content) if name.endswith(".xz") else content
                     for name, content in files.items() if ".ko" in os.path.basename(name)}
        self.modules = {}
        for name in wanted:
            self._take(name)

    def _take(self, name):
        if name in self.modules:
            return
        if name not in self._all:
            raise AssertionError(f"the kernel package has no module {name}")
        for needed in re.search(rb"\0depends=([^\0]*)\0", self._all[name])[1].decode().split(","):
            if needed:
                self._take(needed.replace("-", "_"))
        self.modules[name] = self._all[name]


class Initramfs:
    """Files by their path in the guest, written in the form the kernel reads: a cpio archive of the form "newc"."""

    def __init__(self):
        self.files = {}  # path: (mode, bytes)

    def add(self, path, content, mode=0o644):
        path = path.strip("/")
        folder = os.path.dirname(path)
        while folder and folder not in self.files:
            self.files[folder] = stat.S_IFDIR | 0o755, b""
            folder = os.path.dirname(folder)
        self.files[path] = stat.S_IFREG | mode, content

    def add_folder(self, path):
        self.files[path.strip("/")] = stat.S_IFDIR | 0o755, b""

    def add_program(self, path, program):
        """Adds a program and the shared libraries that it needs."""
        with open(program, "rb") as file:
            self.add(path, file.read(), 0o755)
        said = subprocess.run(["ldd", program], capture_output=True, text=True)
        for library in re.findall(r"(/\S+) \(0x", said.stdout):
            with open(library, "rb") as file:
                self.add(library, file.read(), 0o755)

    def write(self, path):
        with gzip.open(path, "wb", compresslevel=1) as out:
            for number, name in enumerate(sorted(self.files), 1):  # folders before their files
                self._write_one(out, number, name, *self.files[name])
            self._write_one(out, 0, "TRAILER!!!", 0, b"")

    @staticmethod
    def _write_one(out, number, name, mode, content):
        fields = [number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0]
        out.write(padded(b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"))
        out.write(padded(content))


def padded(content):
    return content + b"\0" * (-len(content) % 4)
