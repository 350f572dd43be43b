#!/usr/bin/env python3
"""test_counter.py - the independent counter and its clock, on logs as QEMU writes them. Prints TAP."""
import io
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402

from clock import key  # noqa: E402
from counter import BEGIN, END_POLL, ENTER, EXIT, LEAVE, MARK, POLL, PUT, SWITCH, THAW, TREE_START, TREE_STOP, Counter, read_log  # noqa: E402
from times import Times, true  # noqa: E402

WRITE = "mpt_port_write"
KNOWN = {ENTER: 0x100, EXIT: 0x200, PUT: 0x300, MARK: 0x400, THAW: 0x500, SWITCH: 0x600, BEGIN: 0x700, TREE_START: 0x800, TREE_STOP: 0x900, POLL: 0xA00,
         END_POLL: 0xB00, LEAVE: 0xC00, WRITE: 0xD00}
ON, OFF, OFF_FROM_RING, OFF_FROM_FULL_RING = 7, 0xFFFF3006, 0xFFFF3006, 0x3006
F, G, H = 0x1000, 0x2000, 0x3000  # functions, each of 0x1000 bytes


class FakeImage:
    functions = KNOWN

    @staticmethod
    def is_function(address):
        return address & ~1 in (F, G, H)

    @staticmethod
    def host(address):
        return address & ~0xFFF

    @staticmethod
    def name(address):
        return f"{address:#x}"


class Log:
    """Functions enter at offset 0x11 and leave at 0x21 unless `at` says otherwise."""

    def __init__(self):
        self.text = ""

    def logged(self, name, r0=0, sp=0, returns_to=0, exception=0, call_site=0):
        self.text += (f"Trace 0: 0x7f00 [00800408/{KNOWN[name]:08x}/00000110/ff020200] {name}\nR00={r0:08x} R01={call_site:08x} R02=00000000 R03=00000000\n"
                      "R04=00000000 R05=00000000 R06=00000000 R07=00000000\nR08=00000000 R09=00000000 R10=00000000 R11=00000000\n"
                      f"R12=00000000 R13={sp:08x} R14={returns_to:08x} R15={KNOWN[name]:08x}\nXPSR={0x41000000 + exception:08x} -Z-- T priv-thread\n")

    def stopped(self):
        self.text += "Stopped execution of TB chain before 0x7f00 [00000100] __cyg_profile_func_enter\n"

    def read_at(self, ticks):
        """Logs a read of SysTick, which has 24 bits and counts down."""
        self.text += f"systick_read systick read addr 0x8 data 0x{-ticks & 0xFFFFFF:x} size 4\n"

    def exception_begins(self, number):
        self.text += f"nvic_acknowledge_irq NVIC acknowledge IRQ: {number} now active (prio 0)\n"

    def exception_ends(self, number):
        self.text += f"nvic_complete_irq NVIC complete IRQ {number} (secure 0)\n"

    def calls(self, ticks, function, sp, exception=0):
        self.enter(function, sp, exception=exception)
        self.read_at(ticks)

    def returns(self, ticks, function, sp, exception=0):
        self.exit(function, sp, exception=exception)
        self.read_at(ticks)

    def enter(self, function, sp, at=None, exception=0):
        self.logged(ENTER, function + 1, sp, at or function + 0x11, exception)

    def exit(self, function, sp, at=None, exception=0):
        self.logged(EXIT, function + 1, sp, at or function + 0x21, exception)

    def exit_by_jump(self, function, sp, call_site):
        self.logged(EXIT, function + 1, sp, call_site, call_site=call_site)

    def read(self, size=1 << 20):
        counter = Counter(FakeImage)
        read_log(io.BytesIO(self.text.encode()), counter, size)
        return counter


def started():
    log = Log()
    log.logged(MARK, ON)
    return log


def holds(counter, edges, ended=None, left=0):
    assert counter.edges == edges, counter.edges
    assert counter.ended == (edges if ended is None else ended), counter.ended
    assert (counter.unpaired, counter.left, counter.starts) == (0, left, 1), (counter.unpaired, counter.left, counter.starts)


@case
def calls_have_their_callers_in_logs_of_any_pieces():
    log = started()
    for _ in range(3):
        log.enter(F, 100)
        log.enter(G, 80)
        log.exit(G, 80)
        log.exit(F, 100)
    for size in (1, 7, 100, 1 << 20):
        holds(log.read(size), {(None, F): 3, (F, G): 3})


@case
def a_hook_stopped_before_it_ran_counts_when_it_runs():
    log = started()
    log.enter(F, 100)
    log.stopped()
    log.enter(G, 60, exception=31)
    log.exit(G, 60, exception=31)
    log.enter(F, 100)
    log.exit(F, 100)
    log.stopped()
    log.exit(F, 100)
    holds(log.read(), {(None, F): 1, (None, G): 1})


@case
def frames_that_a_longjmp_left_are_no_callers():
    log = started()
    log.enter(F, 100)
    for _ in range(2):  # as in a loop: the same call site and stack pointer
        log.enter(G, 80)
        log.enter(H, 60)
    log.enter(H, 80)  # at the same stack pointer as G before
    log.exit(H, 80)
    log.exit(F, 100)
    holds(log.read(), {(None, F): 1, (F, G): 2, (G, H): 2, (F, H): 1}, left=4)


@case
def an_exit_behind_a_longjmp_ends_its_own_frame():
    log = started()
    log.enter(F, 100)
    log.enter(F, 80)
    log.enter(F, 60)
    log.exit(F, 100)  # the outermost
    log.enter(G, 100)
    log.exit(G, 100)
    holds(log.read(), {(None, F): 1, (F, F): 2, (None, G): 1}, left=2)


@case
def a_hook_that_is_jumped_to_is_the_exit_of_its_function():
    log = started()
    log.enter(F, 100)
    log.enter(G, 80)
    log.exit_by_jump(G, 90, F + 0x31)
    log.enter(G, 80)
    log.exit_by_jump(G, 90, F + 0x41)
    log.enter(G, 80)  # a recursive call, whose inner level is left by a jump
    log.enter(G, 60)
    log.exit_by_jump(G, 90, F + 0x51)
    log.exit(F, 100)
    holds(log.read(), {(None, F): 1, (F, G): 3, (G, G): 1}, left=1)


@case
def functions_put_inline_run_within_their_hosts_frame():
    log = started()
    log.enter(F, 100)
    log.enter(G, 100, at=F + 0x51)
    log.enter(H, 100, at=F + 0x61)
    log.exit(H, 100, at=F + 0x71)
    log.exit(G, 100, at=F + 0x81)
    log.exit(F, 100)
    holds(log.read(), {(None, F): 1, (F, G): 1, (G, H): 1})


@case
def tasks_have_stacks_of_their_own_and_overlaps_are_seen():
    log = started()
    for task, sp in ((1, 1000), (2, 2000), (1, 980), (2, 1980)):
        log.logged(SWITCH, task)
        log.enter(F if sp % 1000 == 0 else G, sp)
    counter = log.read()
    holds(counter, {(None, F): 2, (F, G): 2}, ended={})
    assert not counter.overlapping(), counter.stacks
    log.enter(G, 990)  # after a task switch that the kernel did not report
    assert log.read().overlapping() == [(1, 2)]


@case
def calls_running_before_start_are_callers_only():
    log = Log()
    log.enter(F, 100)
    log.logged(MARK, ON)
    log.enter(G, 80)
    log.exit(G, 80)
    log.exit(F, 100)
    log.logged(MARK, 6)
    log.enter(H, 100)
    holds(log.read(), {(F, G): 1})


@case
def a_stop_in_the_ring_applies_from_its_entry():
    log = started()
    log.enter(F, 100)
    log.logged(PUT, OFF)
    log.exit(F, 100)
    log.logged(THAW)
    log.logged(MARK, OFF_FROM_RING)
    holds(log.read(), {(None, F): 1}, ended={})


@case
def a_stop_without_room_applies_once_there_is_room():
    log = started()
    log.enter(F, 100)
    log.logged(PUT, OFF)
    log.exit(F, 100)
    log.logged(THAW)
    log.enter(G, 100)
    log.logged(MARK, OFF_FROM_FULL_RING)
    holds(log.read(), {(None, F): 1})


@case
def calls_interrupted_by_start_or_stop_are_doubtful():
    log = Log()
    log.enter(F, 100)
    log.logged(MARK, ON)
    log.enter(G, 80)
    log.exit(G, 80)
    log.enter(H, 80)
    log.logged(MARK, 6, exception=31)
    log.enter(G, 60)
    assert log.read().doubtful == {(None, F), (F, H)}, log.read().doubtful


@case
def hooks_that_the_agent_runs_to_measure_them_are_no_calls():
    log = started()
    log.logged(ENTER, 0xFFFFFFFF, 100, F)
    log.logged(EXIT, 0xFFFFFFFF, 100, F)
    log.enter(F, 100)
    log.exit(F, 100)
    holds(log.read(), {(None, F): 1})


def tree_started():
    log = Log()
    log.logged(TREE_START)  # the agent, which measures its hooks
    log.logged(TREE_STOP)
    log.logged(POLL)
    log.logged(TREE_START)
    log.read_at(0)
    return log


def tree_of(log, at):
    log.logged(TREE_STOP)
    log.read_at(at)
    return log.read()


def takes(counter, functions, contexts):
    sums = true(counter.clock)
    assert sums.functions == {function: list(times) for function, times in functions.items()}, sums.functions
    assert sums.contexts == contexts, sums.contexts


@case
def a_call_lasts_from_entry_reading_to_exit_reading():
    log = tree_started()
    log.calls(10, F, 100)
    log.calls(30, G, 80)
    log.calls(0x1000005, F, 60)  # the counter has wrapped around
    log.returns(0x1000008, F, 60)
    log.returns(0x1000010, G, 80)
    log.returns(0x1000020, F, 100)
    takes(tree_of(log, 0x1000030), {F: (20 + 3 + 16, 0x1000016), G: (0x1000005 - 30 + 8, 0x1000010 - 30)}, {0: 0x1000030})


@case
def an_interrupt_in_a_hook_lasts_between_its_outermost_hooks():
    log = tree_started()
    log.calls(10, F, 100)
    log.enter(G, 80)
    log.exception_begins(31)
    log.calls(20, H, 60, exception=31)
    log.returns(27, H, 60, exception=31)
    log.exception_ends(31)
    log.read_at(40)
    log.returns(45, G, 80)
    log.returns(50, F, 100)
    takes(tree_of(log, 50), {F: (28, 33), G: (5, 5), H: (7, 7)}, {0: 43, key(0, 31): 7})


@case
def a_hook_that_reads_again_after_an_interrupt_has_the_time_of_its_last_read():
    log = tree_started()
    log.calls(10, F, 100)
    log.exception_begins(31)
    log.exception_ends(31)
    log.read_at(25)
    log.returns(30, F, 100)
    log.exception_begins(31)  # the hook has ended
    log.exception_ends(31)
    log.logged(POLL)
    log.read_at(60)
    counter = tree_of(log, 70)
    takes(counter, {F: (5, 5)}, {0: 70})
    assert counter.clock.repeated == 1, counter.clock.repeated


@case
def the_end_of_a_tree_interrupt_reads_the_clock_again():
    for exception, second, ends_at in ((None, None, 20), (15, None, 20), (15, 24, 24)):
        log = tree_started()
        log.exception_begins(31)
        log.calls(10, H, 60, exception=31)
        log.returns(20, H, 60, exception=31)
        if exception:
            log.exception_begins(exception)
            log.exception_ends(exception)
        if second:
            log.read_at(second)
        log.logged(LEAVE, exception=31)
        log.read_at(26)
        log.exception_ends(31)
        takes(tree_of(log, 40), {H: (ends_at - 10, ends_at - 10)}, {0: 50 - ends_at, key(0, 31): ends_at - 10})


@case
def a_poll_in_an_interrupt_without_hooks_is_time_of_that():
    log = tree_started()
    log.calls(10, F, 100)
    log.exception_begins(31)
    log.logged(POLL, exception=31)
    for at, name in ((15, WRITE), (20, END_POLL), (30, LEAVE), (32, None)):
        log.read_at(at)
        if name:
            log.logged(name, exception=31)
    log.exception_ends(31)
    log.returns(40, F, 100)
    takes(tree_of(log, 50), {F: (5 + 10, 5 + 10)}, {0: 10 + 15 + 10, key(0, 31): 15})


@case
def stop_within_a_hook_ends_all_times_at_its_reading():
    log = tree_started()
    log.calls(10, F, 100)
    log.calls(30, G, 80)
    log.exception_begins(31)
    log.logged(TREE_STOP, exception=31)
    log.read_at(37)

    class Run:
        image, counter = FakeImage, log.read()

    def wrong(own_of_f, own_of_g):
        functions = [{"id": place, "kind": "function", "name": "", "address": hex(address + 1)} for place, address in enumerate((F, G))]
        tree = {"parent": [-1, 0, 1], "context": [0, 0, 0], "function": [-1, 0, 1], "self_ticks": [10, own_of_f, own_of_g]}
        Run.snapshot = {"functions": functions, "call_tree": tree, "contexts": [{"id": 0, "name": "main", "running_ticks": 10 + own_of_f + own_of_g}]}
        return Times(Run, False).wrong

    for own_of_f, own_of_g in ((20, 7), (27, 0), (7, 0)):  # over; not gone over to G; nor added what F had run for
        assert not wrong(own_of_f, own_of_g), wrong(own_of_f, own_of_g)
    for own_of_f, own_of_g in ((21, 6), (20, 0), (26, 0), (0, 7), (20, 8)):
        assert wrong(own_of_f, own_of_g), (own_of_f, own_of_g)


@case
def a_task_runs_until_the_next_switch():
    log = tree_started()
    log.calls(10, F, 100)
    for task, at in ((1, 30), (0, 75)):
        log.exception_begins(14)
        log.logged(SWITCH, task, exception=14)
        log.read_at(at)
        log.exception_ends(14)
        if task:
            log.calls(40, G, 1000)
    log.returns(80, F, 100)
    takes(tree_of(log, 90), {F: (25, 25), G: (35, 35)}, {0: 45, 1: 45})


@case
def in_a_stream_time_is_from_the_first_hook_to_the_last():
    log = Log()
    log.read_at(0)
    log.logged(MARK, ON)
    log.read_at(3)
    log.calls(10, F, 100)
    log.returns(25, F, 100)
    log.logged(POLL)
    log.read_at(90)
    log.logged(PUT, OFF)
    log.read_at(100)
    log.logged(MARK, OFF_FROM_RING)
    for to_stop, ticks in ((False, 15), (True, 90)):
        counter = log.read()
        takes(counter, {F: (15, 15)}, {0: 100})
        counter.clock.keep_to_hooks(to_stop)
        takes(counter, {F: (15, 15)}, {0: ticks})


@case
def a_tick_of_the_wrong_function_is_found():
    log = tree_started()
    log.calls(10, F, 100)
    log.calls(15, G, 80)
    log.returns(20, G, 80)
    log.returns(30, F, 100)

    class Run:
        image, counter = FakeImage, tree_of(log, 40)

    def wrong(own_of_f, own_of_g, context=40):
        functions = [{"id": place, "kind": "function", "name": "", "address": hex(address + 1)} for place, address in enumerate((F, G))]
        tree = {"parent": [-1, 0, 1], "context": [0, 0, 0], "function": [-1, 0, 1], "self_ticks": [0, own_of_f, own_of_g]}
        Run.snapshot = {"functions": functions, "call_tree": tree, "contexts": [{"id": 0, "name": "main", "running_ticks": context}]}
        return Times(Run, False).wrong

    assert wrong(15, 5) == [], wrong(15, 5)
    assert wrong(14, 6) == ["0x1000's own time: 14 ticks shown, 15 true", "0x2000's own time: 6 ticks shown, 5 true", "0x2000's total time: 6 ticks shown, 5 true"], wrong(14, 6)
    assert wrong(15, 5, 41) == ["the time of main: 41 ticks shown, 40 true"], wrong(15, 5, 41)


sys.exit(run_cases())
