#!/usr/bin/env python3
"""layers.py - holds the table of rooms in daemon/README.md against what the files really include.

usage: layers.py SOURCE_ROOT
Each row of the table names a room, the rooms and headers it may include, and the libraries, each with the one file that may.
Prints TAP."""
import os
import re
import sys

TABLE = "daemon/README.md"
STANDARD_C = set("""assert ctype errno fcntl float inttypes limits math poll pthread signal stdalign stdarg stdatomic stdbool
stddef stdint stdio stdlib string strings time unistd termios netdb malloc grp pwd dirent getopt setjmp""".split())
FREESTANDING = {"stdint.h", "stddef.h", "stdbool.h", "limits.h", "stdarg.h"}


def read_table(root):
    """room -> (allowed prefixes, {library header: file})"""
    rooms = {}
    with open(os.path.join(root, TABLE)) as page:
        for line in page:
            cells = [c.strip() for c in line.strip().strip("|").split("|")]
            if not line.startswith("| `") or len(cells) != 3:
                continue
            room = cells[0].strip("`")
            may = re.findall(r"`([^`]+)`", cells[1])
            libraries = dict(re.findall(r"`<([^>]+)>` in `([^`]+)`", cells[2]))
            rooms[room] = (may, libraries)
    return rooms


def room_of(path):
    parts = path.split("/")
    if parts[0] == "daemon":
        return "daemon/" + parts[1] if len(parts) > 2 else path
    return parts[0]


def is_system(header):
    return header.startswith(("sys/", "netinet/", "arpa/", "linux/", "asm/", "net/")) or header[:-2] in STANDARD_C


def complaints(root, rooms):
    """One sentence for each include that the table does not allow."""
    library_homes = {}
    for path in sorted(source_files(root)):
        room = room_of(path)
        if room not in rooms:
            yield f"{path}: its room is not in the table of {TABLE}"
            continue
        may, libraries = rooms[room]
        for header, quoted in includes(os.path.join(root, path)):
            if not quoted:
                if "/port/host/" in path:
                    continue  # a POSIX program
                if room in ("protocol", "firmware-ref") and header not in FREESTANDING:
                    yield f"{path}: <{header}> is not freestanding"
                elif is_system(header):
                    continue
                elif not path.endswith("/" + libraries.get(header, "?")):
                    yield f"{path}: <{header}> is a library that the table does not give to this file"
                else:
                    library_homes.setdefault(header, set()).add(path)
                continue
            target = resolve(root, path, header)
            if target is None:
                continue  # generated
            if room_of(target) == room or any(target == m or target.startswith(m + "/") for m in may):
                continue
            yield f"{path}: may not include {target}"
    for header, homes in library_homes.items():
        if len(homes) > 1:
            yield f"<{header}> is included by several files: {', '.join(sorted(homes))}"


def source_files(root):
    for top in ("protocol", "firmware-ref", "daemon"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith((".c", ".h", ".cpp")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def includes(path):
    with open(path, encoding="utf-8") as text:
        for line in text:
            found = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
            if found:
                yield found[2], found[1] == '"'


def resolve(root, path, header):
    for base in (os.path.dirname(path), "daemon", "", "protocol", "firmware-ref"):
        candidate = os.path.normpath(os.path.join(base, header))
        if os.path.exists(os.path.join(root, candidate)):
            return candidate
    return None


def main(root):
    rooms = read_table(root)
    found = list(complaints(root, rooms))
    print("1..2")
    print(("ok" if len(rooms) >= 12 else "not ok") + " 1 - the table of rooms is there")
    print(("not ok" if found else "ok") + " 2 - every include is one that the table allows")
    for sentence in found:
        print("# " + sentence)
    return 1 if found or len(rooms) < 12 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
