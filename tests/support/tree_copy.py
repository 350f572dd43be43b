"""tree_copy.py - a copy of the sources in which a test makes a change as a person would, to see what it takes."""
import os
import re
import shutil
import subprocess
import tempfile

ROOMS = ("protocol", "daemon", "firmware-ref", "webroot", "scripts/packaging")
FILES = ("meson.build", "meson_options.txt", "LICENSE", "scripts/amalgamate")


class TreeCopy:
    """What the daemon is built of, copied to a folder that goes with this context manager. `edited` are the files that
    were changed or added in it, relative to its root."""

    def __init__(self, source_root):
        self.edited = set()
        self.folder = tempfile.mkdtemp(prefix="miniprofd-copy-")
        self.root = os.path.join(self.folder, "source")
        os.mkdir(self.root)
        for name in ROOMS:
            shutil.copytree(os.path.join(source_root, name), os.path.join(self.root, name),
                            ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
        for name in FILES:
            shutil.copy(os.path.join(source_root, name), os.path.join(self.root, name))

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        shutil.rmtree(self.folder)

    def insert_before(self, path, line, text):
        """Puts `text` before the only place in the file that begins with `line`. A file that has changed so much that
        there is no such place, or more than one, is named."""
        full = os.path.join(self.root, path)
        with open(full, encoding="utf-8") as file:
            before = file.read()
        assert before.count(line) == 1, f"{path} has {before.count(line)} places with {line!r}: name another one in this test"
        with open(full, "w", encoding="utf-8") as file:
            file.write(before.replace(line, text + line))
        self.edited.add(path)

    def add(self, path, text):
        """A file that was not there."""
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "x", encoding="utf-8") as file:
            file.write(text)
        self.edited.add(path)

    def add_word(self, path, names, word):
        """Puts the word at the end of the list `names` of a meson.build."""
        full = os.path.join(self.root, path)
        with open(full, encoding="utf-8") as file:
            after, lists = re.subn(rf"^({names} = \[[^\]]*)\]", rf"\1, '{word}']", file.read(), flags=re.MULTILINE)
        assert lists == 1, f"{path} has no list {names}"
        with open(full, "w", encoding="utf-8") as file:
            file.write(after)
        self.edited.add(path)

    def build(self, meson, ninja):
        """Builds the daemon as fast as can be, for nothing of it is measured; answers the program's path."""
        build = os.path.join(self.folder, "build")
        for command in ([meson, "setup", "--buildtype=plain", "-Dwarning_level=0", "-Dtests=false", build, self.root],
                        [ninja, "-C", build, "daemon/miniprofd"]):
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout[-4000:]}"
        return os.path.join(build, "daemon", "miniprofd")
