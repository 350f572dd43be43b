"""modules.py - bundles a module of the page and everything it imports into one script.

A browser takes longer to request two hundred files than to run them. Each module becomes a function that returns its exports, after the
modules that it imports. Its text is unchanged, except that comments (a sixth of the text) and empty lines are removed, and indentation
becomes a tab per level. So modules may not import each other in a circle nor export variables that change, and each import and export must begin its line.
Otherwise the build ends with an error."""
import os
import re

PATH = r"'(\.{1,2}/[^']+)';$"
IMPORT = re.compile(r"^import (?:(\{[^}]*\}|\* as \w+) from )?" + PATH, re.M)
EXPORT = re.compile(r"^export (?=(?:async )?function\*? (\w+)|class (\w+)|const (\w+) =)", re.M)
OTHER = re.compile(r"^(?:import|export)\b.*|^.*\bimport\(.*", re.M)
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)\n", re.M | re.S)
LAST = re.compile(r"^([^'\"`/\n]*\S)[ \t]+// [^\n]*$", re.M)  # a comment after code without quotes and slashes, so surely one
INDENT = re.compile(r"^(?:  )+", re.M)
THREAD = re.compile(r"new URL\('(\./[^']+\.js)', import\.meta\.url\)")


def taken(root, path, inputs):
    """Returns the text of the file at `path` below the folder `root`, and adds the file to `inputs`."""
    inputs.append(os.path.normpath(os.path.join(root, path)))
    with open(inputs[-1], encoding="utf-8") as f:
        return f.read()


def uncommented(root, path, inputs):
    """Like taken(), without comment lines, for a script or style sheet."""
    return COMMENT.sub("", taken(root, path, inputs))


class Script:
    """Bundles modules below the folder `root` into one text. `inputs` are their paths, `threads` the paths below root of the scripts
    that they start as workers."""

    def __init__(self, root):
        self.root = root
        self.inputs, self.threads = [], []
        self._names = {}  # path -> result of its function; None while its imports are added
        self._parts = []

    def add(self, path):
        """Adds the module at `path` below root, after all its imports. Returns the name of the object with its exports."""
        if path in self._names:
            if self._names[path] is None:
                raise SystemExit("%s imports itself by way of others. Break the circle." % path)
            return self._names[path]
        self._names[path] = None
        text = LAST.sub(r"\1", uncommented(self.root, path, self.inputs))
        for line in text.split("\n"):
            if line.count("`") % 2:  # indentation is part of the content of template literals
                raise SystemExit("%s: '%s' begins or ends a template of several lines. modules.py takes indentation away; join shorter texts." % (path, line.strip()))
        text = re.sub(r"\n\n+", "\n", INDENT.sub(lambda found: "\t" * (len(found[0]) // 2), text))
        beside = os.path.dirname(path)
        self.threads += [os.path.normpath(os.path.join(beside, found)) for found in THREAD.findall(text)]
        exported = []
        text = IMPORT.sub(lambda found: self._imported(found[1], os.path.normpath(os.path.join(beside, found[2]))), text)
        text = EXPORT.sub(lambda found: exported.append(found[1] or found[2] or found[3]) or "", text)
        other = OTHER.search(text)
        if other:
            raise SystemExit("%s: modules.py does not know '%s'. Teach it, or export a constant, a function or a class by its name." % (path, other[0]))
        text = text.replace("import.meta.url", 'new URL("%s", $root).href' % path)  # keeps its original address
        name = self._names[path] = "$%d" % len(self._parts)
        self._parts.append("const %s = (() => { // %s\n%s\nreturn { %s };\n})();\n" % (name, path, text.strip(), ", ".join(exported)))
        return name

    def _imported(self, what, path):
        name = self.add(path)
        if what is None:
            return ""
        return "const %s = %s;" % (re.sub(r"(\w+) as (\w+)", r"\1: \2", what) if what[0] == "{" else what[5:], name)

    def text(self, up):
        """Returns the whole script. `up` is the path from the script to the folder root, used to find separate files."""
        text = "".join(self._parts)
        return 'const $root = new URL("%s", import.meta.url);\n%s' % (up, text) if "$root" in text else text
