"""tree_copy.py - a copy of the sources in which a test makes a change as a developer would, to see which files it needs."""
import json
import os
import re
import shutil
import subprocess
import tempfile

# Contract tests that are not run on a copy: the first would copy the copy, the others need an optimised program or an installed one.
NOT_ON_A_COPY = ("contract/additions", "contract/hardening", "contract/install")


def files_of(source_root):
    """Returns the source files: those that git knows or does not ignore; without git, all except built ones."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=source_root, capture_output=True,
                            text=True, check=False)
    if listed.returncode == 0:
        return [name for name in listed.stdout.split("\0") if name and os.path.lexists(os.path.join(source_root, name))]
    found = []
    for folder, folders, files in os.walk(source_root):
        folders[:] = [name for name in folders if not name.startswith(("build", ".git")) and name not in ("node_modules", "__pycache__")]
        found += [os.path.relpath(os.path.join(folder, name), source_root) for name in files]
    return found


class TreeCopy:
    """The sources, copied to a folder that exists as long as this context manager. `edited` are the files changed or added since it was emptied
    last, relative to its root."""

    def __init__(self, source_root):
        self.edited = set()
        self.folder = tempfile.mkdtemp(prefix="miniprofd-copy-")
        self.root = os.path.join(self.folder, "source")
        self.program = os.path.join(self.folder, "build", "daemon", "miniprofd")
        for name in files_of(source_root):
            to = os.path.join(self.root, name)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy2(os.path.join(source_root, name), to, follow_symlinks=False)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        shutil.rmtree(self.folder)

    def insert_before(self, path, line, text):
        """Inserts `text` before the only line of the file that begins with `line`. Names the file if there is no such line, or more than
        one."""
        full = os.path.join(self.root, path)
        with open(full, encoding="utf-8") as file:
            before = file.read()
        assert before.count(line) == 1, f"{path} has {before.count(line)} places with {line!r}: name another one in this test"
        with open(full, "w", encoding="utf-8") as file:
            file.write(before.replace(line, text + line))
        self.edited.add(path)

    def add(self, path, text):
        """Adds a new file."""
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "x", encoding="utf-8") as file:
            file.write(text)
        self.edited.add(path)

    def add_word(self, path, names, word):
        """Appends the word to the list `names` of a meson.build."""
        full = os.path.join(self.root, path)
        with open(full, encoding="utf-8") as file:
            after, lists = re.subn(rf"^({names} = \[[^\]]*)\]", rf"\1, '{word}']", file.read(), flags=re.MULTILINE)
        assert lists == 1, f"{path} has no list {names}"
        with open(full, "w", encoding="utf-8") as file:
            file.write(after)
        self.edited.add(path)

    def replace(self, path, old, new):
        """Replaces `old`, which occurs once in the file, by `new`."""
        full = os.path.join(self.root, path)
        with open(full, encoding="utf-8") as file:
            before = file.read()
        assert before.count(old) == 1, f"{path} has {before.count(old)} places with {old!r}: name another one in this test"
        with open(full, "w", encoding="utf-8") as file:
            file.write(before.replace(old, new))
        self.edited.add(path)

    def edited_by(self, add):
        """Returns the files that add(self) changes or adds, formatted by clang-format if that is installed."""
        self.edited = set()
        add(self)
        written = [path for path in self.edited if path.endswith((".c", ".h"))]
        if written and shutil.which("clang-format"):
            subprocess.run(["clang-format", "-i", *written], cwd=self.root, check=True)
        return self.edited

    def build(self, meson, ninja):
        """Builds the daemon without optimisation, and the programs of the contract tests; returns the daemon's path."""
        self.meson, self.build_folder = meson, os.path.join(self.folder, "build")
        for command in (["git", "init", "-q", self.root], ["git", "-C", self.root, "add", "-A"]):  # contract/format asks git for names
            if shutil.which("git"):
                subprocess.run(command, check=True)
        self.run(meson, "setup", "--buildtype=plain", "-Dwarning_level=0", self.build_folder, self.root)
        self.run(ninja, "-C", self.build_folder, "daemon/miniprofd", *self.targets_of_contracts())
        return self.program

    def run(self, *command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout[-4000:]}"
        return done.stdout

    def contracts(self):
        """Returns the contract tests that run on a copy, as meson describes them."""
        told = json.loads(subprocess.run([self.meson, "introspect", "--tests", self.build_folder], capture_output=True, check=True).stdout)
        return [test for test in told if any(suite.endswith(":contract") for suite in test["suite"]) and test["name"] not in NOT_ON_A_COPY]

    def targets_of_contracts(self):
        told = json.loads(subprocess.run([self.meson, "introspect", "--targets", self.build_folder], capture_output=True, check=True).stdout)
        files = {target["id"]: target["filename"] for target in told}
        return sorted({os.path.relpath(file, self.build_folder) for test in self.contracts() for needed in test["depends"] for file in files[needed]})

    def broken_contracts(self):
        """Returns {name: output} of the contract tests that fail on the copy."""
        broken = {}
        for test in self.contracts():
            done = subprocess.run(test["cmd"], cwd=test["workdir"] or self.build_folder, env={**os.environ, **test["env"]}, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, errors="replace", check=False)
            said = [line for line in done.stdout.splitlines() if not line.startswith("ok ")]
            if done.returncode not in (0, 77) or any(line.startswith("not ok") for line in said):
                broken[test["name"]] = "\n".join(said)[-4000:]
        return broken
