"""guest.py - runs a small Linux in QEMU with a USB serial adapter that can be pulled out and plugged in.

QEMU emulates the processor (TCG), so neither KVM nor hardware is needed. The adapter is QEMU's usb-serial, an FTDI, for which the guest's kernel uses its real
driver. The other end of its wire is a Unix socket here."""
import json
import os
import queue
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time

from daemon import PATIENCE
from initramfs import Initramfs, Kernel
from ports import free_port

MODULES = ("virtio_pci", "virtio_net", "xhci_pci", "ftdi_sio")
ADAPTER = {"driver": "usb-serial", "id": "adapter", "chardev": "wire", "serial": "ADAPTER0", "bus": "usb.0", "port": "1"}
# The console is a shell without echo. The output of each command ends with a line that marks its end.
INIT = """#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /tmp
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc; mount -t sysfs sysfs /sys; mount -t devtmpfs dev /dev
exec </dev/ttyS0 >/dev/ttyS0 2>&1
stty -echo
for module in $(cat /modules/order); do insmod /modules/$module.ko || echo "guest: no $module"; done
ip link set lo up; ip link set eth0 up; ip addr add 10.0.2.15/24 dev eth0; ip route add default via 10.0.2.2
echo "guest: ready"
while read -r command; do eval "$command"; echo "guest: done"; done
"""


def missing_tools():
    """Returns a sentence about missing programs, or None."""
    for program, package in (("qemu-system-x86_64", "qemu-system-x86"), ("busybox", "busybox-static"), ("dpkg-deb", "dpkg"), ("ldd", "libc-bin")):
        if not shutil.which(program):
            return f"{program} is not installed (package {package})"
    said = subprocess.run(["ldd", shutil.which("busybox")], capture_output=True, text=True)
    return "busybox is not a static one (package busybox-static)" if "=>" in said.stdout else None


class Guest:
    """A context manager. `port` of 127.0.0.1 leads to its port 7777, and `wire` is the path of the socket at the end of the adapter's wire.

    `files` are {path in the guest: path here} of programs, which are copied with their libraries."""

    def __init__(self, kernel_package, files):
        self.folder = tempfile.TemporaryDirectory()
        self.wire, control, kernel, root = (os.path.join(self.folder.name, name) for name in ("wire", "control", "kernel", "root"))
        self._make(kernel_package, files, kernel, root)
        self.port = free_port()
        self.lines = queue.Queue()
        self.attached = queue.Queue()  # times when the kernel reported the adapter
        self.log = []
        self.qemu = subprocess.Popen(
            # QEMU ends with this program, even if that is killed.
            ["setpriv", "--pdeathsig", "KILL", "qemu-system-x86_64", "-M", "pc", "-accel", "tcg", "-cpu", "max", "-m", "384", "-nodefaults", "-no-user-config",
             "-display", "none", "-no-reboot", "-kernel", kernel, "-initrd", root, "-append", "console=ttyS0 loglevel=7 panic=-1", "-serial", "stdio",
             "-qmp", f"unix:{control},server=on,wait=off", "-device", "qemu-xhci,id=usb", "-netdev",
             f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-10.0.2.15:7777", "-device", "virtio-net-pci,netdev=net,romfile="],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
        self.reader = threading.Thread(target=self._read_console)
        self.reader.start()
        try:
            self._await("guest: ready")
            self.control = socket.socket(socket.AF_UNIX)
            self.control.settimeout(PATIENCE)
            self.control.connect(control)
            self.answers = self.control.makefile("r")
            self._tell("qmp_capabilities")
        except BaseException:
            self.__exit__(None, None, None)
            raise

    @staticmethod
    def _make(kernel_package, files, kernel_path, root_path):
        kernel, root = Kernel(kernel_package, MODULES), Initramfs()
        with open(kernel_path, "wb") as file:
            file.write(kernel.image)
        for name, content in kernel.modules.items():
            root.add(f"/modules/{name}.ko", content)
        root.add("/modules/order", "\n".join(kernel.modules).encode())
        root.add("/init", INIT.encode(), 0o755)
        root.add_program("/bin/busybox", shutil.which("busybox"))
        for path, program in files.items():
            root.add_program(path, program)
        for folder in ("/proc", "/sys", "/dev", "/tmp"):
            root.add_folder(folder)
        root.write(root_path)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.qemu.kill()
        self.qemu.wait()
        self.reader.join()
        self.folder.cleanup()

    def _read_console(self):
        for line in self.qemu.stdout:
            text = line.decode(errors="replace").strip()
            self.log.append(text)
            if "now attached to ttyUSB" in text:
                self.attached.put((time.monotonic(), text))
            if not re.match(r"\[ *\d+\.\d+\]", text):  # not a message of the kernel
                self.lines.put(text)
        self.lines.put(None)

    def _await(self, end):
        said, deadline = [], time.monotonic() + PATIENCE
        while True:
            try:
                line = self.lines.get(timeout=max(0, deadline - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                raise AssertionError(f"the guest never said '{end}': " + " | ".join(self.log[-20:]))
            if line == end:
                return said
            said.append(line)

    def ask(self, command):
        """Runs a shell command in the guest. Returns the lines that it prints."""
        self.qemu.stdin.write(command.encode() + b"\n")
        return self._await("guest: done")

    def _tell(self, command, **arguments):
        """Sends a QMP command. Returns its error as {"class", "desc"}, or None."""
        self.control.sendall(json.dumps({"execute": command, "arguments": arguments}).encode())
        while True:
            try:
                answer = json.loads(self.answers.readline())
            except (OSError, ValueError):
                raise AssertionError(f"QEMU ended with {self.qemu.wait()}: " + " | ".join(self.log[-8:])) from None
            if "return" in answer or "error" in answer:
                return answer.get("error")

    def _tell_until_done(self, command, **arguments):
        """QEMU refuses until it has released the previous device."""
        deadline = time.monotonic() + PATIENCE
        while problem := self._tell(command, **arguments):
            if time.monotonic() > deadline:
                raise AssertionError(f"{command}: {problem['desc']}")
            time.sleep(0.005)

    def lay_wire(self):
        """Opens the socket for the wire of the next adapter."""
        address = {"type": "unix", "data": {"path": self.wire}}
        self._tell_until_done("chardev-add", id="wire", backend={"type": "socket", "data": {"addr": address, "server": True, "wait": False}})

    def plug(self):
        """Plugs the adapter in and returns the time. Without a connection to the wire QEMU leaves the adapter unplugged."""
        self._tell_until_done("device_add", **ADAPTER)
        return time.monotonic()

    def unplug(self):
        """Removes the adapter, which QEMU has pulled out because the wire's other end was closed. The wire is removed as well: QEMU 7.2 crashes if an adapter
        is removed while bytes arrive for it, or if it gets a connection before it is released."""
        self._tell_until_done("device_del", id=ADAPTER["id"])
        self._tell_until_done("chardev-remove", id="wire")
