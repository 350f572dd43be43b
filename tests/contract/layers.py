#!/usr/bin/env python3
"""layers.py - compares the tables of rooms with the files' includes and imports: the table in daemon/README.md for C,
the table in webroot/README.md for the page's scripts.

usage: layers.py SOURCE_ROOT
Each row of the table for C names a room, the rooms and headers it may include, and its libraries, each with the one file
that may include it. Each row for scripts names a room (a folder or one file) and the rooms it may import.
Prints TAP."""
import os
import re
import sys

TABLE = "daemon/README.md"
SCRIPTS = "webroot"
SCRIPTS_TABLE = "webroot/README.md"
IMPORT = re.compile(r"""(?:^\s*(?:import|export)\b[^;'"]*?\bfrom\s*|^\s*import\s*|\bimport\(\s*)['"]([^'"]+)['"]""", re.M)
STANDARD_C = set("""assert ctype errno fcntl float inttypes limits math poll pthread signal stdalign stdarg stdatomic stdbool
stddef stdint stdio stdlib string strings time unistd termios netdb malloc grp pwd dirent getopt regex setjmp""".split())
# The remaining circles of files, each with its reason.
CIRCLES_LEFT = {
    ("daemon/snapshot/figures", "daemon/snapshot/message", "daemon/snapshot/snapshot", "daemon/snapshot/timeline"):
        "snapshot.h is the second waist: its parts describe its rows, and snapshot.c frees the parts",
    ("daemon/source/reader", "daemon/source/source", "daemon/source/transport"):
        "a source may be read by a thread, which is handed the source",
    ("daemon/symbol/joint", "daemon/symbol/symtab"):
        "a symbol table of several files is made of symbol tables, and answers as one",
}
FREESTANDING = {"stdint.h", "stddef.h", "stdbool.h", "limits.h", "stdarg.h"}


def read_table(root, table):
    """Returns room -> (allowed prefixes, {library header: file})."""
    rooms = {}
    with open(os.path.join(root, table), encoding="utf-8") as page:
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
    """One message for each include that the table does not allow."""
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


def object_of(path):
    """Returns the object of a file: a .c file, its header, and a header x_private.h shared with split-off files are one object."""
    stem = os.path.splitext(path)[0]
    return stem.removesuffix("_private")


def include_graph(root, node_of):
    """Returns node -> the other nodes that its files include."""
    graph = {}
    for path in source_files(root):
        if not path.startswith("firmware-ref/"):
            nodes = graph.setdefault(node_of(path), set())
            targets = (resolve(root, path, header) for header, quoted in includes(os.path.join(root, path)) if quoted)
            nodes.update(node_of(target) for target in targets if target)
    return {node: targets - {node} for node, targets in graph.items()}


def circles(graph):
    """Each strongly connected set of nodes, as a sorted tuple."""
    reached = {}
    for start in graph:
        seen, ahead = set(), [start]
        while ahead:
            for node in graph.get(ahead.pop(), ()):
                if node not in seen:
                    seen.add(node)
                    ahead.append(node)
        reached[start] = seen
    found = {tuple(sorted(b for b in reached[a] if a in reached.get(b, ()))) for a in graph if a in reached[a]}
    return sorted(found)


def room_circles(root):
    return ["these rooms include one another: " + ", ".join(circle) for circle in circles(include_graph(root, room_of))]


def object_circles(root):
    """One message for each circle inside a room that is missing in CIRCLES_LEFT, and for each listed circle that no longer exists."""
    found = circles(include_graph(root, object_of))
    for circle in found:
        if circle not in CIRCLES_LEFT:
            yield "these files include one another: " + ", ".join(circle)
    for circle in CIRCLES_LEFT:
        if circle not in found:
            yield "this circle is no more, take it out of CIRCLES_LEFT: " + ", ".join(circle)


def twins(root):
    """One message for each name that two .c files have. Dialects have folders of their own, with the same names in each;
    the agent's glue lies in a folder a board."""
    homes = {}
    for path in sorted(source_files(root)):
        parts = path.split("/")
        if path.endswith(".c") and parts[0] != "firmware-ref" and not (parts[:2] == ["daemon", "dialect"] and len(parts) > 3):
            homes.setdefault(parts[-1], []).append(path)
    for name, paths in homes.items():
        if len(paths) > 1:
            yield f"{name} is the name of {' and '.join(paths)}: say the room or the noun in one of them"


def is_in(path, place):
    return path == place or path.startswith(place + "/")


def script_room(path, rooms):
    """Returns the room of a script: the row that names the file or a folder around it."""
    return next((room for room in sorted(rooms, key=len, reverse=True) if is_in(path, room)), None)


def view_of(path):
    """The view a script belongs to: js/view/flame.js and what lies in js/view/flame/ to "flame"; None for others."""
    found = re.match(r"js/view/([^/.]+)", path)
    return found[1] if found and path != "js/view/list.js" else None


def scripts(root):
    top = os.path.join(root, SCRIPTS)
    for folder, _, names in os.walk(top):
        for name in names:
            if name.endswith(".js"):
                yield os.path.relpath(os.path.join(folder, name), top)


def script_complaints(root, rooms):
    """One message for each import that the table does not allow; a view may import no other view."""
    for path in sorted(scripts(root)):
        room = script_room(path, rooms)
        if room is None:
            yield f"{path}: its room is not in the table of {SCRIPTS_TABLE}"
            continue
        with open(os.path.join(root, SCRIPTS, path), encoding="utf-8") as text:
            imports = IMPORT.findall(re.sub(r"^\s*//.*$", "", text.read(), flags=re.M))
        for address in imports:
            target = os.path.normpath(os.path.join(os.path.dirname(path), address))
            if not address.startswith("."):
                yield f"{path}: may not import {address}, which is no file beside it"
            elif not os.path.exists(os.path.join(root, SCRIPTS, target)):
                yield f"{path}: imports {target}, which is not there"
            elif view_of(path) and view_of(target) and view_of(path) != view_of(target):
                yield f"{path}: may not import {target}, which belongs to another view"
            elif script_room(target, rooms) != room and not any(is_in(target, may) for may in rooms[room][0]):
                yield f"{path}: may not import {target}"


def main(root):
    rooms = read_table(root, TABLE)
    script_rooms = {room.rstrip("/"): row for room, row in read_table(root, SCRIPTS_TABLE).items()}
    checks = [
        ("the table of rooms is there", [] if len(rooms) >= 12 else [f"{TABLE} has {len(rooms)} rooms"]),
        ("every include is one that the table allows", list(complaints(root, rooms))),
        ("no rooms include one another in a circle", room_circles(root)),
        ("no files inside a room do, except those that are left", list(object_circles(root))),
        ("no two .c files have one name", list(twins(root))),
        ("the table of the page's rooms is there",
         [] if len(script_rooms) >= 12 else [f"{SCRIPTS_TABLE} has {len(script_rooms)} rooms"]),
        ("every import of the page is one that its table allows", list(script_complaints(root, script_rooms))),
    ]
    print(f"1..{len(checks)}")
    for i, (name, found) in enumerate(checks, 1):
        print(("not ok" if found else "ok") + f" {i} - {name}")
        for sentence in found:
            print("# " + sentence)
    return 1 if any(found for _, found in checks) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
