#!/usr/bin/env python3
"""test_flat.py - growth is detected, also slow and noisy growth, and nothing else is reported.

usage: test_flat.py. Prints TAP."""
import os
import random
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from flat import growth, sample, what_grows  # noqa: E402

COUNT, HOUR = 240, 3600
chance = random.Random(1)


def memory(value):
    """Returns samples with `value(number)` as memory."""
    return [{"memory": value(n), "threads": 20 + chance.randrange(4)} for n in range(COUNT)]


@case
def noise_spikes_and_a_warm_up_are_flat():
    assert what_grows(memory(lambda n: 50000 + chance.randrange(4000)), HOUR) == []
    assert what_grows(memory(lambda n: 50000 + (40000 if n % 10 == 0 else 0)), HOUR) == []
    assert what_grows(memory(lambda n: 10000 + 500 * min(n, COUNT // 3)), HOUR) == []
    assert what_grows(memory(lambda n: 60000 - 100 * n), HOUR) == []


@case
def a_leak_is_named_in_noise_and_in_steps():
    for leak in (lambda n: 50000 + 30 * n + chance.randrange(2000), lambda n: 50000 + 4096 * (n // 60)):
        told = what_grows(memory(leak), HOUR)
        assert len(told) == 1 and told[0].startswith("memory grows: from 5"), told


@case
def descriptors_are_named_by_their_kind():
    told = what_grows([{"descriptors": 30 + n // 20, "descriptors: socket": 20, "descriptors: pipe": 10 + n // 20} for n in range(COUNT)], HOUR)
    assert [line.split(" grows")[0] for line in told] == ["descriptors", "descriptors: pipe"], told


@case
def in_a_short_run_memory_may_get_warm():
    for kilobytes in 6000, 30000:
        told = what_grows(memory(lambda n, most=kilobytes: 15000 + most * n // COUNT), 20)
        assert bool(told) == (kilobytes == 30000), told


@case
def a_step_up_and_back_is_no_growth():
    assert growth([0] * 120 + [100] * 60 + [0] * 60)[2] <= 0


@case
def this_process_is_sampled():
    before = sample(os.getpid())
    ends = os.pipe()
    after = sample(os.getpid())
    for end in ends:
        os.close(end)
    assert after["descriptors"] == before["descriptors"] + 2 and after["descriptors: pipe"] == before.get("descriptors: pipe", 0) + 2
    assert after["memory"] > 1000 and (after["threads"], after["processes"]) == (1, 0), after


@case
def processes_that_it_made_count_also_when_they_are_zombies():
    child = subprocess.Popen(["sh", "-c", "sleep 100 & echo; wait"], stdout=subprocess.PIPE, start_new_session=True)
    child.stdout.readline()
    two = sample(os.getpid())
    os.killpg(child.pid, signal.SIGKILL)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    zombie = sample(os.getpid())
    child.communicate()
    assert two["processes"] == 2 and two["memory of processes"] > 500, two
    assert zombie["processes"] >= 1 and sample(os.getpid())["processes"] == 0, zombie


sys.exit(run_cases())
