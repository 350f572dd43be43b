#!/usr/bin/env python3
"""endless.py - checks that memory does not grow with the length of a capture, which is generated while it is read.

usage: endless.py MINIPROFD BENCH_GENERATE [CALLS]. Prints figures."""
import os
import subprocess
import sys

from figures import tell, tell_machine

MINIPROFD, GENERATE = sys.argv[1:3]
CALLS = int(float(sys.argv[3])) if len(sys.argv) > 3 else 1_000_000_000

tell_machine()
for calls in (CALLS // 100, CALLS):
    generator = subprocess.Popen([GENERATE, "--calls", str(calls)], stdout=subprocess.PIPE)
    daemon = subprocess.Popen([MINIPROFD, "--port", "-", "--no-http"], stdin=generator.stdout, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    generator.stdout.close()
    _, status, usage = os.wait4(daemon.pid, 0)
    daemon.returncode = os.waitstatus_to_exitcode(status)
    generator.wait()
    seconds = usage.ru_utime + usage.ru_stime
    tell(f"{calls:,} calls through a pipe, {calls / seconds / 1e6:.1f} M calls/s: peak memory", f"{usage.ru_maxrss / 1024:.0f} MB", "flat")
    if daemon.returncode:
        sys.exit(1)
