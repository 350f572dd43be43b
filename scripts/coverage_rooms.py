#!/usr/bin/env python3
"""coverage_rooms.py - adds up gcovr's figures of files for each room.

usage: coverage_rooms.py SUMMARY.json"""
import collections
import json
import sys


def room_of(path):
    """Returns daemon/api for daemon/api/route_sse.c, and daemon/*.c for daemon/main.c."""
    parts = path.split("/")
    if parts[0] == "daemon":
        return "/".join(parts[:2]) if len(parts) > 2 else "daemon/*.c"
    return parts[0]


def share(covered, total):
    return f"{100 * covered / total:6.1f}" if total else "     -"


def table(files):
    """Yields the lines to print for gcovr's "files"."""
    rooms = collections.defaultdict(lambda: [0, 0, 0, 0])
    for file in files:
        figures = [file[key] for key in ("line_covered", "line_total", "branch_covered", "branch_total")]
        for room in (room_of(file["filename"]), "all"):
            rooms[room] = [a + b for a, b in zip(rooms[room], figures)]
    yield f"{'room':<20} {'lines':>6} {'%':>6} {'branches':>9} {'%':>6}"
    for room in sorted(rooms, key=lambda name: (name == "all", name)):
        lines, all_lines, branches, all_branches = rooms[room]
        yield f"{room:<20} {all_lines:6} {share(lines, all_lines)} {all_branches:9} {share(branches, all_branches)}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        print("\n".join(table(json.load(file)["files"])))


if __name__ == "__main__":
    main()
