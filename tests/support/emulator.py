"""emulator.py - starts an emulated board, with its UART at a port that miniprofd can open."""
import contextlib
import socket
import subprocess

# -icount: time follows the number of instructions, so runs are reproducible.
MPS2 = ("qemu-system-arm", "-M", "mps2-an386", "-icount", "shift=5", "-display", "none", "-monitor", "none")


def start(*command):
    """Starts QEMU with this command and returns (its process, the --port of the board's UART). The board begins once miniprofd connects.

    The port is of TCP, since a board sends single bytes. A unix socket holds 278 of them, each in a buffer of its own, so a board would lose
    records whenever its reader does not run for a moment. TCP joins them, and holds more than a run sends."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        process = subprocess.Popen([*command, "-chardev", f"socket,fd={server.fileno()},server=on,wait=on,id=line", "-serial", "chardev:line"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[server.fileno()])
        return process, "tcp:127.0.0.1:%d" % server.getsockname()[1]


@contextlib.contextmanager
def running(*command):
    """Yields the --port of the board's UART, and ends QEMU afterwards."""
    process, port = start(*command)
    try:
        yield port
    finally:
        process.kill()
        process.wait()
