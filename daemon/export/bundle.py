#!/usr/bin/env python3
"""bundle.py - puts a page or picture and everything it names (bundle/whole.py) into one C text, split at its %PLACES% (template.h).

usage: bundle.py PAGE NAME OUT.c OUT.d

OUT.d names every file that went in."""
import os
import re
import sys

sys.dont_write_bytecode = True  # into the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bundle"))
from whole import Whole  # noqa: E402


def c_literal(text):
    """C string literals, a line of the text to the line. Octal codes of three digits cannot run into what follows."""
    plain = {byte: chr(byte) for byte in range(0x20, 0x7F) if chr(byte) not in '"\\?'}
    return "\n".join('    "%s"' % "".join(plain.get(byte, "\\%03o" % byte) for byte in line)
                     for line in text.encode().splitlines(keepends=True)) or '    ""'


def main(page, name, out, depfile):
    whole = Whole(page)
    # Split gives text, place, text, place, ..., text.
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
