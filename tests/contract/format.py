#!/usr/bin/env python3
"""format.py - compares every tracked C file with .clang-format.

usage: format.py SOURCE_ROOT
Exits with 77, which meson shows as SKIP, if clang-format or git is missing. Prints the files that differ. Files that were formatted in an
earlier run in the same build folder, and have not changed since, are not read by clang-format again."""
import hashlib
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


def digests(root, names):
    """Returns {name: digest of all that decides whether it is formatted}."""
    tool = subprocess.run(["clang-format", "--version"], capture_output=True, check=True).stdout
    with open(os.path.join(root, ".clang-format"), "rb") as style:
        tool += style.read()
    found = {}
    for name in names:
        with open(os.path.join(root, name), "rb") as file:
            found[name] = hashlib.sha256(tool + name.encode() + b"\0" + file.read()).hexdigest()
    return found


def changed(root, names, checked):
    """Names of the files that are not in the list CHECKED as they are now; all without a list (''). Returns (names, the list as text if all of
    them are formatted)."""
    now = digests(root, names)
    before = set()
    if os.path.exists(checked):
        with open(checked, encoding="ascii") as file:
            before = set(file.read().split())
    return [name for name in names if now[name] not in before], "\n".join(now.values())


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
    build = os.environ.get("MESON_BUILD_ROOT", "")
    checked = build and os.path.join(build, "formatted")
    names, text = changed(root, names, checked)
    bad = differs(root, names) if names else []
    for name in bad:
        print(f"{name}: not formatted; run clang-format -i on it")
    if not bad and checked:
        with open(checked, "w", encoding="ascii") as file:
            file.write(text)
    return 1 if bad else 0


sys.exit(main())
