#!/usr/bin/env python3
"""bundle.py - turns a page or picture and everything it refers to (bundle/whole.py) into one C source, split at its %PLACES% (template.h).

usage: bundle.py PAGE NAME OUT.c OUT.d

OUT.d names every input file."""
import os
import re
import sys

sys.dont_write_bytecode = True  # do not write into the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bundle"))
from whole import Whole  # noqa: E402


def c_literal(text):
    """Returns C string literals, one per line of text. Three-digit octal codes cannot merge with following digits."""
    plain = {byte: chr(byte) for byte in range(0x20, 0x7F) if chr(byte) not in '"\\?'}
    return "\n".join('    "%s"' % "".join(plain.get(byte, "\\%03o" % byte) for byte in line)
                     for line in text.encode().splitlines(keepends=True)) or '    ""'


def main(page, name, out, depfile):
    whole = Whole(page)
    # re.split() returns text, placeholder, text, placeholder, ..., text.
    pieces = re.split(r"%([A-Z]+)%", whole.text)
    with open(out, "w", encoding="ascii") as c:
        c.write('/* Made by bundle.py from %s; changes here are lost. */\n#include "export/template.h"\n' % os.path.basename(page))
        for i in range(0, len(pieces), 2):
            c.write("\nstatic const char part_%d[] =\n%s;\n" % (i // 2, c_literal(pieces[i])))
        c.write("\nconst struct template_part template_%s[] = {\n" % name)
        for i, place in enumerate(pieces[1::2] + [None]):
            c.write("    {part_%d, sizeof part_%d - 1, %s},\n" % (i, i, '"%s"' % place if place else "0"))
        c.write("};\n")
    with open(depfile, "w", encoding="utf-8") as d:
        d.write("%s: %s\n" % (out, " ".join(path.replace(" ", "\\ ") for path in sorted(set(whole.inputs)))))


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
