"""line.py - runs a firmware behind a serial line that damages data, and is unplugged and plugged in again."""
import os
import pty
import select
import subprocess
import threading
import time
import tty

FAULTS = "flips", "lost", "doubled", "inserted", "burst", "cut", "stall"
BYTES_BETWEEN = 2000  # mean distance between two strikes of a fault
FAULT_SECONDS, PLUGGED_SECONDS, AWAY_SECONDS, BOOTS = (1, 5), (4, 16), (0.1, 1.5), 0.3  # BOOTS: share of replugs that also reset the board


class Line(threading.Thread):
    """Carries bytes between `command`, on its standard input and output, and a pty at `path`. While unplugged, the line drops the firmware's
    bytes, as a wire does."""

    def __init__(self, path, command, chance):
        super().__init__(name="line")
        self.path, self.command, self.chance = path, command, chance
        self.replugs = self.boots = self.strikes = self.bytes = 0
        self.is_clean = True  # if True the line has no faults and stays plugged in
        self.ends = self.firmware = self.fault = None
        self.stopping = threading.Event()
        self.boot()
        self.plug()
        self.next_fault = time.monotonic()
        self.next_replug = time.monotonic() + chance.uniform(*PLUGGED_SECONDS)
        self.stalled_until, self.until_strike, self.gone = 0, 0, 0

    def boot(self):
        self.end_firmware()
        self.firmware = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True)
        os.set_blocking(self.firmware.stdin.fileno(), False)

    def end_firmware(self):
        if self.firmware:
            self.firmware.kill()
            self.firmware.wait()
            self.firmware.stdin.close()
            self.firmware.stdout.close()

    def plug(self):
        self.ends = pty.openpty()
        tty.setraw(self.ends[1])
        os.set_blocking(self.ends[0], False)
        os.symlink(os.ttyname(self.ends[1]), self.path)

    def unplug(self):
        os.unlink(self.path)
        for end in self.ends:
            os.close(end)
        self.ends = None

    def run(self):
        while not self.stopping.is_set():
            self.take_turns(time.monotonic())
            outputs = [] if time.monotonic() < self.stalled_until else [self.firmware.stdout.fileno()]
            for fd in select.select(outputs + ([self.ends[0]] if self.ends else []), [], [], 0.05)[0]:
                self.carry(fd)

    def take_turns(self, now):
        if self.is_clean:
            self.fault = None
            if not self.ends:
                self.plug()
            return
        if now >= self.next_fault:
            self.fault = self.chance.choice((None, *FAULTS))
            self.next_fault = now + self.chance.uniform(*FAULT_SECONDS)
        if now < self.next_replug:
            return
        if self.ends:
            self.unplug()
            self.next_replug = now + self.chance.uniform(*AWAY_SECONDS)
        else:
            if self.chance.random() < BOOTS:
                self.boot()
                self.boots += 1
            self.plug()
            self.replugs += 1
            self.next_replug = now + self.chance.uniform(*PLUGGED_SECONDS)

    def carry(self, fd):
        is_host = self.ends and fd == self.ends[0]
        try:
            data = self.damage(os.read(fd, 65536))
            if is_host:
                os.write(self.firmware.stdin.fileno(), data)
            elif self.ends:
                self.bytes += os.write(self.ends[0], data)  # bytes without room are lost
        except (BlockingIOError, BrokenPipeError):
            pass

    def damage(self, data):
        """Returns the bytes that arrive at the other end."""
        if not self.fault:
            return data
        out, at = bytearray(), 0
        while at < len(data):
            passed = data[at:at + self.until_strike]
            out += passed
            at += len(passed)
            self.until_strike -= len(passed)
            if at < len(data):
                at += self.strike(data[at], out)
                self.until_strike = int(self.chance.expovariate(1 / BYTES_BETWEEN))
                self.strikes += 1
        return bytes(out)

    def strike(self, byte, out):
        """Appends the result of the fault at this byte to `out`. Returns how many bytes of input it consumes."""
        if self.fault == "stall":
            self.stalled_until = time.monotonic() + self.chance.uniform(0, 1)
        elif self.fault == "flips":
            byte ^= 1 << self.chance.randrange(8)
        elif self.fault == "burst":
            out += self.chance.randbytes(self.chance.randrange(1, 60))
        if self.fault == "cut":
            return self.chance.randrange(1, 300)
        if self.fault == "lost":
            return 1
        out.append(byte)
        if self.fault == "doubled":
            out.append(byte)
        elif self.fault == "inserted":
            out.append(self.chance.randrange(256))
        return 1

    def stop(self):
        """Ends the thread and the firmware."""
        self.stopping.set()
        if self.is_alive():
            self.join()
        self.end_firmware()
        if self.ends:
            self.unplug()
