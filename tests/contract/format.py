#!/usr/bin/env python3
"""format.py - compares every tracked C file with .clang-format.

usage: format.py SOURCE_ROOT
Exits with 77, which meson shows as SKIP, if clang-format or git is missing. Prints the files that differ."""
import os
import shutil
import subprocess
import sys


def tracked(root):
    listed = subprocess.run(["git", "ls-files", "-z", "*.c", "*.h"], cwd=root, capture_output=True, text=True)
    if listed.returncode != 0:
        return None
    return [name for name in listed.stdout.split("\0") if name and os.path.exists(os.path.join(root, name))]


def differs(root, names):
    """Names of the files that clang-format would change."""
    checked = subprocess.run(["clang-format", "--dry-run", "-Werror", *names], cwd=root, capture_output=True, text=True)
    if checked.returncode == 0:
        return []
    blamed = {line.split(":")[0] for line in checked.stderr.splitlines() if ": error:" in line}
    return sorted(blamed) or [checked.stderr.strip()]


def main():
    root = sys.argv[1]
    for tool in ("clang-format", "git"):
        if not shutil.which(tool):
            print(f"SKIP: {tool} is not installed")
            return 77
    names = tracked(root)
    if names is None:
        print("SKIP: these sources are no git checkout")
        return 77
    if not names:
        print("git lists no C file at all")
        return 1
    bad = differs(root, names)
    for name in bad:
        print(f"{name}: not formatted; run clang-format -i on it")
    return 1 if bad else 0


sys.exit(main())
