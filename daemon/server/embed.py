#!/usr/bin/env python3
"""embed.py - turns the page, bundled into few files (bundle/page.py), into the C table of asset.h.

usage: embed.py WEBROOT OUT.c OUT.d

OUT.d names every input file.

The files that index.html refers to are in a folder named by a hash of all files, so that browsers may cache them forever: a changed
file is in another folder. They refer to each other by relative paths, and are embedded unchanged.
"""
import hashlib
import os
import re
import sys

sys.dont_write_bytecode = True  # do not write into the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bundle"))
from page import few_files  # noqa: E402


def literal(data):
    """Returns C string literals, 64 bytes per line. Three-digit octal codes cannot merge with following digits."""
    plain = {byte: chr(byte) for byte in range(0x20, 0x7F) if chr(byte) not in '"\\?'}
    lines = [data[i : i + 64] for i in range(0, len(data), 64)] or [b""]
    return "\n".join('     "%s"' % "".join(plain.get(byte, "\\%03o" % byte) for byte in line) for line in lines)


def folder_of(contents):
    """Returns the name of the folder for these files, {path: bytes}."""
    whole = hashlib.sha256()
    for path, data in contents.items():
        whole.update(b"%s %d\n%s" % (path.encode(), len(data), data))
    return "v-" + whole.hexdigest()[:16] + "/"


def refer_to(folder, contents):
    """Prefixes references of index.html to these files with `folder`."""
    def moved(found):
        known = found[2].decode() in contents
        return found[1] + (folder.encode() if known else b"") + found[2]

    contents["index.html"] = re.sub(rb'(\b(?:href|src)=")([^"]*)', moved, contents["index.html"])


def main(root, out, depfile):
    files, inputs = few_files(root)
    contents = {path: text.encode() for path, text in sorted(files.items())}
    folder = folder_of(contents)
    refer_to(folder, contents)
    with open(out, "w", encoding="ascii") as c:
        c.write('/* Made by embed.py from webroot/; changes here are lost. */\n#include "server/asset.h"\n\n')
        c.write('const char assets_folder[] = "%s";\n\n' % folder)
        c.write("const struct asset assets[] = {\n")
        for path, data in contents.items():
            etag = hashlib.sha256(data).hexdigest()[:16]
            c.write('    {"%s", "\\"%s\\"",\n%s, %d},\n' % (path, etag, literal(data), len(data)))
        c.write("    {0},\n};\n")
    with open(depfile, "w", encoding="utf-8") as d:
        d.write("%s: %s\n" % (out, " ".join(path.replace(" ", "\\ ") for path in sorted(set(inputs)))))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
