#!/usr/bin/env python3
"""released.py - checks that the program of the release archive (scripts/release) runs without any other files.

usage: released.py SOURCES
The unpacked folder becomes the root of a separate file system, as root or in a namespace. Prints TAP."""
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import syst_messages  # noqa: E402
from cases import case, run_cases  # noqa: E402

ROOT = os.path.abspath(sys.argv[1])
FOLDER = None  # of the archive and its unpacked files
ALONE = ["chroot"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "chroot"]
REPLAY = ["--dialect", "syst", "--dialect-opt", "clock_hz=1000000"]


def unpacked():
    return os.path.join(FOLDER, "unpacked")


def alone(*words, **more):
    return subprocess.run([*ALONE, unpacked(), "/bin/miniprofd", *words], capture_output=True, text=True, check=False, timeout=120, **more)


@case
def is_one_file_with_its_sum():
    done = subprocess.run([os.path.join(ROOT, "scripts/release"), FOLDER], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    archive = done.stdout.strip().splitlines()[-1]
    with open(archive, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    with open(os.path.join(FOLDER, "SHA256SUMS"), encoding="utf-8") as file:
        assert file.read() == f"{digest}  {os.path.basename(archive)}\n"
    with tarfile.open(archive) as packed:
        packed.extractall(FOLDER)
        os.rename(os.path.join(FOLDER, packed.getnames()[0].split("/")[0]), unpacked())
    os.mkdir(os.path.join(unpacked(), "tmp"))
    with open(os.path.join(unpacked(), "tmp/capture"), "wb") as file:
        file.write(b"".join(syst_messages()))


@case
def names_no_folder_of_the_machine_that_built_it():
    for folder, _, files in os.walk(unpacked()):
        for name in files:
            with open(os.path.join(folder, name), "rb") as file:
                text = file.read()
            assert ROOT.encode() not in text and FOLDER.encode() not in text, name


@case
def has_the_licence_of_each_library():
    had = os.listdir(os.path.join(unpacked(), "share/doc/miniprofd/licences"))
    assert {"miniprofd", "libc6", "libcjson1", "libiberty-dev"} <= set(had), had


@case
def it_replays_without_other_packages():
    done = alone("--port", "file:/tmp/capture", *REPLAY, "--no-http", "--export", "csv=-")
    assert done.returncode == 0, done.stderr
    assert any(row.startswith("inner,") and ",10," in row for row in done.stdout.splitlines()), done.stdout


@case
def it_serves_the_page_without_other_packages():
    with subprocess.Popen([*ALONE, unpacked(), "/bin/miniprofd", "--port", "file:/tmp/capture", *REPLAY, "--listen", "127.0.0.1:0"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            address = process.stdout.readline().removeprefix("listening on ").strip()
            with urllib.request.urlopen(address, timeout=60) as answer:
                assert b"<title>" in answer.read()
            with open(f"/proc/{process.pid}/comm", encoding="utf-8") as file:
                assert file.read() == "miniprofd\n", "so that process lists find it"
        finally:
            process.terminate()
        assert process.wait(60) == 0


@case
def starts_itself_once_more():
    """`check` starts the program again to measure."""
    program = os.path.join(unpacked(), "bin/miniprofd")
    capture, profile = (os.path.join(unpacked(), "tmp", name) for name in ("capture", "profile.json"))
    made = subprocess.run([program, "--port", f"file:{capture}", *REPLAY, "--no-http", "--export", f"json={profile}"], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    done = subprocess.run([program, "check", "--baseline", profile, "--port", f"file:{capture}", *REPLAY], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0 and "0 of" in done.stdout, (done.returncode, done.stdout, done.stderr)


@case
def an_incomplete_archive_gives_an_error():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "miniprofd")
        with open(os.path.join(unpacked(), "bin/miniprofd"), "rb") as read, open(program, "wb") as written:
            written.write(read.read())
        os.chmod(program, 0o755)
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        assert done.returncode == 1 and "Unpack the whole archive" in done.stderr, done.stderr


if __name__ == "__main__":
    if subprocess.run([*ALONE, "/", "/bin/true"], capture_output=True, check=False).returncode != 0:
        print("1..0 # SKIP it takes root, or a system that lets users have namespaces (unshare -r)")
        sys.exit(0)
    with tempfile.TemporaryDirectory() as FOLDER:
        sys.exit(run_cases())
