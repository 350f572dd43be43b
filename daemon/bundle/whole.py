"""whole.py - makes one text of a page or picture and everything it refers to.

Style sheets and scripts become elements with their text (modules one script, see modules.py), and pictures become data: addresses."""
import os
import re
from urllib.parse import quote

from modules import Script, taken, uncommented

# Texts that end a script, and placeholders of a page (export/template.h).
NOT_INSIDE = re.compile(r"</[Ss]cript|<!--|%[A-Z]+%")


class Whole:
    """`text` is the bundled page at `path`, with placeholders unchanged; `inputs` are the paths of all input files."""

    def __init__(self, path):
        self.folder = os.path.dirname(os.path.abspath(path))
        self.inputs = []
        self.text = self._page(self._read(os.path.basename(path)))

    def _read(self, name):
        return taken(self.folder, name, self.inputs)

    def _script(self, found):
        return "<script>\n%s</script>" % self._read(found[1])

    def _modules(self, found):
        return '<script type="module">\n%s</script>' % self._joined(found[1])

    def _joined(self, name):
        """Returns the module with all its imports as one script."""
        root = os.path.dirname(self.folder)  # the folder of the live page, which has the modules
        script = Script(root)
        script.add(os.path.relpath(os.path.join(self.folder, name), root))
        self.inputs += script.inputs
        text = script.text("../")
        other = NOT_INSIDE.search(text)
        if other:
            raise SystemExit("%s: a module says %s, which the page would take for its own. Write it in two pieces." % (self.folder, other[0]))
        return text

    def _picture(self, found):
        return found[0].replace(found[1], "data:image/svg+xml," + quote(self._read(found[1]).strip(), safe=" =:/"))

    def _page(self, text):
        forms = [(r'<style>@import url\("([^"]+)"\);</style>', lambda found: "<style><![CDATA[\n%s]]></style>" % self._read(found[1])),
                 (r'<script href="([^"]+)"/>', lambda found: "<script><![CDATA[\n%s]]></script>" % self._joined(found[1])),
                 (r'<link rel="stylesheet" href="([^"]+)">', lambda found: "<style>\n%s</style>" % uncommented(self.folder, found[1], self.inputs)),
                 (r'(?:href|src)="([^":]+\.svg)"', self._picture),
                 (r'<script type="module" src="([^"]+)"></script>', self._modules),
                 (r'<script src="([^"]+)"></script>', self._script)]
        for form, made in forms:
            text = re.sub(form, made, text)
        return text
