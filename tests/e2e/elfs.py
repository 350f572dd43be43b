#!/usr/bin/env python3
"""elfs.py - several ELF files, also at other addresses than they were linked for: a boot loader and an application in one profile.

usage: elfs.py MINIPROFD EXAMPLE_HOST. Prints TAP."""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402
from elf_made import made, symbol  # noqa: E402
from packets import calls, metadata  # noqa: E402

MINIPROFD, EXAMPLE_HOST = sys.argv[1:3]
FOLDER = tempfile.TemporaryDirectory(prefix="miniprofd-test-")
BASE, AWAY = 0x08000000, 0x10000


def write(name, content):
    """Replaces the file by a whole one, as linkers do."""
    path = os.path.join(FOLDER.name, name)
    with open(path + "~", "wb") as file:
        file.write(content)
    os.rename(path + "~", path)
    return path


BOOT = write("boot.elf", made([symbol("Reset_Handler", BASE), symbol("copy", BASE + 0x10)], size=0x400))
APP = write("app.elf", made([symbol("main", BASE), symbol("copy", BASE + 0x10)], size=0x400))
BARE = write("bare.elf", made([], size=0x10, base=BASE + 2 * AWAY))
CAPTURE = write("run.bin", metadata() + calls(*[(BASE + at + 1, 1000 * n, 100, 0)
                                                for n, at in enumerate([0, 0x10, AWAY, AWAY + 0x10, 0x20000], 1)]))


def run(*arguments):
    return subprocess.run([MINIPROFD, "--port", "file:" + CAPTURE, "--no-http", *arguments], capture_output=True, text=True, timeout=120)


def names(*arguments):
    """Returns {address: name} of the called functions, and the snapshot."""
    done = run("--export", "csv=-", *arguments)
    assert done.returncode == 0, done.stderr
    return {int(row["address"], 16): row["function"] for row in csv.DictReader(io.StringIO(done.stdout))}, done.stderr


@case
def a_boot_loader_and_an_application_are_in_one_profile():
    named, told = names("--elf", BOOT, "--elf", f"{APP}@0x10000")
    assert named == {BASE: "Reset_Handler", BASE + 0x10: "copy", BASE + AWAY: "main", BASE + AWAY + 0x10: "copy",
                     BASE + 0x20001: "0x08020001"}, named
    assert told.count(f"1 of 5 functions, with 20.0 % of own time, are at addresses where none of {BOOT} and {APP}@0x10000 has a function") == 1, told


@case
def each_file_is_listed_with_its_place():
    done = run("--export", "json=-", "--elf", BOOT, "--elf", f"{APP}@65536")
    assert json.loads(done.stdout)["source"]["elf"] == {
        "path": BOOT, "name": f"{BOOT} and {APP}@0x10000", "state": "ok", "functions": 4, "error": None,
        "files": [{"path": BOOT, "offset": None, "functions": 2}, {"path": APP, "offset": "0x10000", "functions": 2}]}
    alone = json.loads(run("--export", "json=-", "--elf", BOOT).stdout)["source"]["elf"]
    assert alone["path"] == alone["name"] == BOOT and len(alone["files"]) == 1, alone


@case
def a_profile_is_called_after_the_file_with_most_functions():
    larger = write("larger.elf", made([symbol(name, BASE + 0x10 * n) for n, name in enumerate(["main", "copy", "more"])], size=0x400))
    done = run("--export", "markdown=-", "--elf", BOOT, "--elf", f"{larger}@0x10000")
    assert done.stdout.startswith("# Profile of larger.elf v1\n"), (done.stdout[:80], done.stderr)


@case
def a_trigger_on_a_name_of_two_files_asks_for_the_address():
    done = run("--trigger", "copy>5us", "--elf", BOOT, "--elf", f"{APP}@0x10000")
    assert f"Two of the ELF files have a function 'copy', at {BASE + 0x10:#x} and at {BASE + AWAY + 0x10:#x}; give the trigger the address" in done.stderr, done.stderr
    done = run("--trigger", "main>5us", "--elf", BOOT, "--elf", f"{APP}@0x10000")
    assert "Two of the ELF files" not in done.stderr, done.stderr


@case
def a_path_may_end_like_an_offset():
    with open(APP, "rb") as file:
        odd = write("app@12", file.read())
    named, told = names("--elf", odd)
    assert named[BASE] == "main", (named, told)
    assert names("--elf", odd + "@0x10000")[0][BASE + AWAY] == "main"


@case
def the_first_of_overlapping_files_wins_with_a_warning():
    named, told = names("--elf", APP, "--elf", BOOT)
    assert named[BASE] == "main" and named[BASE + 0x10] == "copy", named
    assert told.count("such as Reset_Handler at 0x08000000, which is in main there") == 1, told


@case
def a_file_that_cannot_be_used_is_named():
    for others, words in (
            ([FOLDER.name + "/gone.elf"], "cannot read the ELF file " + FOLDER.name + "/gone.elf: No such file"),
            ([CAPTURE], CAPTURE + " is not an ELF file"),
            ([EXAMPLE_HOST], EXAMPLE_HOST + " is for another processor than " + BOOT),
            ([APP + "@0xfffffffff"], f"the offset of {APP} puts its section .text outside the 32 bits"),
            ([BOOT], f"--elf {BOOT} was given twice"),
            ([f"{APP}@{n}" for n in range(8)], "--elf was given more than 8 times"),
            (["@0x10"], "--elf takes FILE or FILE@OFFSET")):
        done = run("--elf", BOOT, *[word for other in others for word in ("--elf", other)])
        assert done.returncode in (1, 2) and words in done.stderr, (words, done.returncode, done.stderr)


@case
def a_file_without_symbols_is_reported():
    named, told = names("--elf", BOOT, "--elf", BARE)
    assert named[BASE] == "Reset_Handler" and told.count(f"{BARE} has no symbols") == 1, told


@case
def a_file_without_sections_is_reported():
    whole = bytearray(made([symbol("main", BASE)], size=0x10))
    for fields in ((32, 4), (48, 2), (50, 2)), ((48, 2), (50, 2)):  # e_shoff, e_shnum, e_shstrndx
        bare = bytearray(whole)
        for at, n in fields:
            bare[at:at + n] = bytes(n)
        path = write("sections.elf", bare)
        _, told = names("--elf", path)
        assert told.count(f"{path} has no sections, so it has no symbols") == 1, told
        done = subprocess.run([MINIPROFD, "doctor", "--elf", path], capture_output=True, text=True, timeout=120)
        assert done.returncode == 1 and f"fail: {path} has no sections" in done.stdout, done.stdout


@case
def the_command_line_replaces_the_files_of_the_configuration():
    config = write("config.json", json.dumps({"elf": [BOOT, APP + "@0x10000"]}).encode())
    assert names("--config", config)[0][BASE + AWAY] == "main"
    named, _ = names("--config", config, "--elf", APP)
    assert named[BASE] == "main" and named[BASE + AWAY + 1] == "0x08010001", named
    named, _ = names("--config", config, "--elf", APP, "--elf", APP + "@0x10000")
    assert named[BASE + AWAY + 0x10] == "copy", named


@case
def a_file_that_changes_is_read_again_with_the_others():
    path = write("later.elf", made([symbol("main", BASE)], size=0x400))
    with Daemon(MINIPROFD, "--port", "file:" + CAPTURE, "--elf", BOOT, "--elf", path + "@0x10000") as daemon:
        def is_called(name):
            return lambda snapshot: [f["name"] for f in snapshot["functions"] if f["address"] == f"0x{BASE + AWAY:08x}"] == [name]
        daemon.wait_until(is_called("main"))
        write("later.elf", made([symbol("renamed", BASE)], size=0x400))
        snapshot = daemon.wait_until(is_called("renamed"))
        assert "Reset_Handler" in [f["name"] for f in snapshot["functions"]], snapshot["functions"]
        assert snapshot["source"]["elf"]["state"] == "ok", snapshot["source"]


@case
def addresses_of_no_file_are_in_the_log_once():
    with Daemon(MINIPROFD, "--port", "file:" + CAPTURE, "--elf", BOOT) as daemon:
        daemon.wait_until(lambda snapshot: len(snapshot["functions"]) == 5)
    words = f"3 of 5 functions, with 60.0 % of own time, are at addresses where {BOOT} has no function"
    assert daemon.errors.count(words) == 1, daemon.errors


@case
def the_doctor_examines_each_file():
    done = subprocess.run([MINIPROFD, "doctor", "--port", "file:" + CAPTURE, "--elf", BOOT, "--elf", APP + "@0x10000", "--elf", BARE],
                          capture_output=True, text=True, timeout=120)
    for words in (f"ok: {BOOT} has the symbols of 2 functions.", f"ok: {APP} has the symbols of 2 functions.", f"fail: {BARE} has no symbols",
                  "warn: 1 of 5 functions, with 20.0 % of own time, are at addresses where none of"):
        assert words in done.stdout, (words, done.stdout)
    other = subprocess.run([MINIPROFD, "doctor", "--port", "file:" + CAPTURE, "--elf", CAPTURE, "--elf", BOOT], capture_output=True, text=True,
                           timeout=120)
    assert other.returncode == 1 and "is not an ELF file" in other.stdout, other.stdout
    assert f"ok: {BOOT} has the symbols" in other.stdout, "the other is of use all the same: " + other.stdout


@case
def source_and_instructions_come_from_the_right_file():
    found = [line.split() for line in subprocess.run(["nm", EXAMPLE_HOST], capture_output=True, text=True, check=True).stdout.splitlines()]
    start = next(int(words[0], 16) for words in found if words[1:] == ["T", "adc_scan"] or words[1:] == ["t", "adc_scan"])
    away = 0x1000000
    capture = write("host.bin", metadata() + calls((start & 0xFFFFFFFF, 10, 5, 0), (start + away & 0xFFFFFFFF, 20, 5, 0)))

    def source_of(daemon, address):
        row = next(f for f in daemon.snapshot()["functions"] if f["address"] == f"0x{address:08x}")
        assert row["name"] == "adc_scan", row
        status, _, body = daemon.get(f"/api/v1/functions/{row['id']}/source")
        assert status == 200, body
        return json.loads(body)

    with Daemon(MINIPROFD, "--port", "file:" + capture, "--elf", EXAMPLE_HOST, "--elf", f"{EXAMPLE_HOST}@{away}") as daemon:
        daemon.wait_for_link(lambda link: link["records"] == 2)
        plain, moved = (source_of(daemon, start + offset) for offset in (0, away))
        assert plain["line"] == moved["line"] and plain["lines"] == moved["lines"] and plain["files"] == moved["files"]
        assert len(plain["instructions"]) == len(moved["instructions"]) > 3
        for one, other in zip(plain["instructions"], moved["instructions"]):
            assert int(other["address"], 16) == int(one["address"], 16) + away and one["bytes"] == other["bytes"], (one, other)


if __name__ == "__main__":
    sys.exit(run_cases())
