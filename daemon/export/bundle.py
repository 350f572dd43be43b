#!/usr/bin/env python3
"""bundle.py - puts a page or picture and everything it names into one C text, split at its %PLACES% (template.h).

usage: bundle.py PAGE NAME OUT.c OUT.d

Style sheets and classic scripts become elements with their text, pictures and ES modules data: addresses. Modules go on
importing each other, by names that an import map leads to those addresses; so each stays a module of its own. OUT.d names
every file that went in."""
import base64
import os
import re
import sys
from urllib.parse import quote

IMPORT = re.compile(r"(\b(?:import|export)\b[^;'\"]*?\bfrom\s*|\bimport\s*)(['\"])(\.{1,2}/[^'\"]+)\2")


class Bundle:
    def __init__(self, page):
        self.root = os.path.dirname(os.path.abspath(page))
        self.inputs = []
        self.modules = {}  # name -> text
        self.text = self.page(page)

    def read(self, path):
        self.inputs.append(os.path.abspath(path))
        with open(path, encoding="utf-8") as f:
            return f.read()

    def name_of(self, path):
        """A module's name in the import map; no module is below the page's directory twice."""
        return os.path.relpath(path, self.root).replace("../", "")

    def module(self, path):
        """Takes in the module and all that it imports; answers its name."""
        name = self.name_of(path)
        if name not in self.modules:
            self.modules[name] = None  # being read: modules may import each other in a circle
            text = self.read(path)

            def renamed(found):
                below = os.path.normpath(os.path.join(os.path.dirname(path), found[3]))
                return found[1] + found[2] + self.module(below) + found[2]

            self.modules[name] = IMPORT.sub(renamed, text)
        return name

    def page(self, path):
        text = self.read(path)

        def local(found):
            return os.path.join(self.root, found[1])

        def picture(found):
            return found[0].replace(found[1], "data:image/svg+xml," + quote(self.read(local(found)).strip(), safe=" =:/"))

        def style(found):
            return "<style>\n%s</style>" % self.read(local(found))

        def script(found):
            return "<script>\n%s</script>" % self.read(local(found))

        def main_module(found):
            name = self.module(os.path.normpath(local(found)))
            addresses = ",\n".join('"%s": "data:text/javascript;base64,%s"' % (name, base64.b64encode(text.encode()).decode())
                                   for name, text in sorted(self.modules.items()))
            return '<script type="importmap">{"imports": {\n%s\n}}</script>\n  <script type="module">import "%s";</script>' % (
                addresses, name)

        def svg_style(found):
            return "<style><![CDATA[\n%s]]></style>" % self.read(local(found))

        def svg_script(found):
            return "<script><![CDATA[\n%s]]></script>" % self.read(local(found))

        text = re.sub(r'<style>@import url\("([^"]+)"\);</style>', svg_style, text)
        text = re.sub(r'<script href="([^"]+)"/>', svg_script, text)
        text = re.sub(r'<link rel="stylesheet" href="([^"]+)">', style, text)
        text = re.sub(r'<script type="module" src="([^"]+)"></script>', main_module, text)
        text = re.sub(r'<script src="([^"]+)"></script>', script, text)
        return re.sub(r'(?:href|src)="([^":]+\.svg)"', picture, text)


def c_literal(text):
    """C string literals, a line of the text to the line. Octal codes of three digits cannot run into what follows."""
    plain = {byte: chr(byte) for byte in range(0x20, 0x7F) if chr(byte) not in '"\\?'}
    return "\n".join('    "%s"' % "".join(plain.get(byte, "\\%03o" % byte) for byte in line)
                     for line in text.encode().splitlines(keepends=True)) or '    ""'


def main(page, name, out, depfile):
    bundle = Bundle(page)
    # Split gives text, place, text, place, ..., text.
    pieces = re.split(r"%([A-Z]+)%", bundle.text)
    with open(out, "w", encoding="ascii") as c:
        c.write('/* Made by bundle.py from %s; changes here are lost. */\n#include "export/template.h"\n' % os.path.basename(page))
        for i in range(0, len(pieces), 2):
            c.write("\nstatic const char part_%d[] =\n%s;\n" % (i // 2, c_literal(pieces[i])))
        c.write("\nconst struct template_part template_%s[] = {\n" % name)
        for i, place in enumerate(pieces[1::2] + [None]):
            c.write("    {part_%d, sizeof part_%d - 1, %s},\n" % (i, i, '"%s"' % place if place else "0"))
        c.write("};\n")
    with open(depfile, "w", encoding="utf-8") as d:
        d.write("%s: %s\n" % (out, " ".join(path.replace(" ", "\\ ") for path in sorted(set(bundle.inputs)))))


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
