#!/usr/bin/env python3
"""page.py - bundles the page into the few files that the program serves.

usage: page.py WEBROOT FOLDER      writes them to FOLDER, for miniprofd --webroot FOLDER

index.html refers to one script and one style sheet. Each worker that the script starts is a file. The report is a file that contains
everything it needs, since the page makes files of it."""
import os
import re
import sys

from modules import Script, taken
from whole import Whole

STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)">\s*')
MODULE = re.compile(r'<script type="module" src="([^"]+)"[^>]*></script>\s*')
FILE = re.compile(r'\b(?:href|src)="([^":#]+)"')
REPORT = "report/report.html"


def one_for_all(form, text, one):
    """Replaces the first match of the form by `one`, and removes the others. Returns the text and the matches."""
    found = []

    def placed(match):
        found.append(match[1])
        return one if len(found) == 1 else ""

    return form.sub(placed, text), found


def compact_style(text):
    """Returns a style sheet without comments and insignificant line breaks."""
    return re.sub(r"([;{},])\s*\n\s*", r"\1", re.sub(r"\s*/\*.*?\*/", "", text, flags=re.S)).lstrip()


def few_files(root):
    """Returns {path below root: text} of the page, and the paths of all input files."""
    inputs, script = [], Script(root)
    index = taken(root, "index.html", inputs)
    index, styles = one_for_all(STYLE, index, '<link rel="stylesheet" href="css/page.css">\n  ')
    index, modules = one_for_all(MODULE, index, '<script type="module" src="js/page.js"></script>\n')
    for path in modules:
        script.add(path)
    files = {"index.html": index,
             "css/page.css": compact_style("\n".join(taken(root, path, inputs) for path in styles)),
             "js/page.js": script.text("../")}
    for path in FILE.findall(index):
        if path not in files:
            files[path] = taken(root, path, inputs)
    for path in script.threads:
        thread = Script(root)
        thread.add(path)
        files[path] = thread.text("../" * path.count("/"))
        inputs += thread.inputs
    report = Whole(os.path.join(root, REPORT))
    files[REPORT] = report.text
    return files, inputs + script.inputs + report.inputs


def main(root, folder):
    for path, text in few_files(root)[0].items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
