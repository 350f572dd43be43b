"""wire.py - writes to a pty whose reader may not run for a moment."""
import contextlib
import os


def write_whole(line, data, stop):
    """Writes all of `data` to a non-blocking descriptor, waiting for room, unless the event `stop` is set: a part of a packet would be damage."""
    while data and not stop.is_set():
        with contextlib.suppress(BlockingIOError):
            data = data[os.write(line, data):]
        if data:
            stop.wait(0.005)
