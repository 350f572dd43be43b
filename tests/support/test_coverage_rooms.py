#!/usr/bin/env python3
"""test_coverage_rooms.py - figures of files are added up by room. Prints TAP."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from cases import case, run_cases  # noqa: E402
from coverage_rooms import table  # noqa: E402


def file(name, *figures):
    return dict(zip(("filename", "line_covered", "line_total", "branch_covered", "branch_total"), (name, *figures)))


@case
def files_of_a_room_are_one_line_and_all_is_the_last():
    lines = list(table([file("daemon/api/route_sse.c", 1, 4, 1, 2), file("daemon/api/http.c", 2, 4, 0, 0), file("daemon/main.c", 5, 5, 0, 0),
                        file("protocol/crc16.c", 0, 7, 0, 6)]))
    assert [line.split() for line in lines[1:]] == [
        ["daemon/*.c", "5", "100.0", "0", "-"], ["daemon/api", "8", "37.5", "2", "50.0"], ["protocol", "7", "0.0", "6", "0.0"],
        ["all", "20", "40.0", "8", "12.5"]], lines


if __name__ == "__main__":
    sys.exit(run_cases())
