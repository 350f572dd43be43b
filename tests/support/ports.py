"""ports.py - finds a free port of this machine."""
import socket


def free_port():
    """Returns the number of a TCP port of 127.0.0.1 that nothing listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
