#!/usr/bin/env python3
"""example.py - tests the SyS-T example in an emulator, its line and the daemon: every message, text and value.

usage: example.py MINIPROFD SYST_COLLATERAL ELF QEMU_COMMAND...
The command ends before -kernel's argument; @SOCKET@ in it is where it serves the UART. Prints TAP. MIPI_SYST, a folder, may hold
sys-t_1-0.xsd, by which the collateral is judged then."""
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from cases import Skip, case, run_cases  # noqa: E402
from daemon import PATIENCE, Daemon  # noqa: E402

MINIPROFD, COLLATERAL, ELF, *QEMU = sys.argv[1:]
ROUNDS, BURST, BUILD = 40, 300, 0x20261
FOLDER = tempfile.TemporaryDirectory()
XML = os.path.join(FOLDER.name, "example.xml")


def start(name):
    """Starts the emulator; returns (process, path of the socket that it will serve)."""
    path = os.path.join(FOLDER.name, name)
    return subprocess.Popen([part.replace("@SOCKET@", path) for part in QEMU] + ["-kernel", ELF], stdin=subprocess.DEVNULL), path


def connect(process, path):
    """Returns a connection to the emulator, once it listens."""
    deadline = time.monotonic() + PATIENCE
    while True:
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(path)
            line.settimeout(PATIENCE)
            return line
        except OSError as problem:
            line.close()
            assert process.poll() is None and time.monotonic() < deadline, f"the emulator does not serve its UART: {problem}"
        time.sleep(0.01)


CAPTURES = {}


def capture(how):
    """Returns the bytes of the whole program, in the framing of the letter."""
    if how not in CAPTURES:
        process, path = start("uart-" + how)
        try:
            with connect(process, path) as line:
                line.sendall(how.encode())
                parts = []
                while part := line.recv(65536):
                    parts.append(part)
            process.wait(PATIENCE)
        finally:
            process.terminate()  # timeout(1) hands it on
            process.wait()
        CAPTURES[how] = b"".join(parts)
    return CAPTURES[how]


def read(content, framing, *options, export="json=-"):
    """Returns an export of a capture; with options None, without collateral, by the ELF alone."""
    options = () if options == (None,) else (*options, "collateral=" + XML)
    path = os.path.join(FOLDER.name, "capture")
    with open(path, "wb") as f:
        f.write(content)
    command = [MINIPROFD, "--port", "file:" + path, "--elf", ELF, "--no-http", "--export", export, "--dialect", "syst", "--dialect-opt", "framing=" + framing]
    for option in options:
        command += ["--dialect-opt", option]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def in_round(i):
    """Returns (type, severity, text) of each message of a round."""
    data = bytes((i * 7 + k * k) & 0xFF for k in range(33))[:i % 33]
    yield "STRING:ENTER", "control"
    yield "RAW:5", data.hex()
    yield "STRING:PRINTF32", "%d of forty, %5.2f bar, %#x %c%%" % (i - 20, i / 8, 0x100000000 * i + 0xABC, ord("a") + i % 26)
    yield "CATALOG:ID32P32", 'value %d of "%s", 100%% <&> \t|' % (i * -3, "odd" if i % 2 else "even")
    yield "STRING:EXIT", "control"
    yield "CATALOG:ID32P32", "%d %d %d %d %.3e 0x%x" % (i, -i, -5000000000 - i, i, 1 / (i + 1), 0x20000000 + i)
    yield "CATALOG:ID64P32", "64 bits, round %d" % i
    yield "CATALOG:ID32P32", "nothing to add"
    yield "STRING:GENERIC", "with file and line"
    yield "SHORT32", "0x%08X" % i
    yield "SHORT64", "0x%016X" % (0x123456789ABC000 + i)


def expected_before_burst():
    yield "CLOCK:SYNC", None
    yield "BUILD:LONG", f"0x{BUILD:016X} example 1.0"
    yield "BUILD:LONG", f"0x{BUILD:016X} example 1.0"
    for i in range(ROUNDS):
        yield from in_round(i)


def check(messages):
    """Compares all messages of a run, in order, with those of the program."""
    said = [(m["type"], m["text"]) for m in messages]
    assert all(m.get("status", "OK") == "OK" for m in messages), [m for m in messages if m.get("status", "OK") != "OK"][:3]
    of_interrupts = [text for _, text in said if text.startswith("interrupt ")]
    assert of_interrupts == [f"interrupt {n}" for n in range(len(of_interrupts))], of_interrupts[:5]
    assert len(of_interrupts) > ROUNDS, "interrupts came while messages were written"
    of_main = [one for one in said if not one[1].startswith("interrupt ")]
    expected = list(expected_before_burst())
    for n, ((kind, text), (wanted_kind, wanted)) in enumerate(zip(of_main, expected)):
        assert kind == wanted_kind and (wanted is None or text == wanted), f"{n}: {kind} {text!r}, not {wanted_kind} {wanted!r}"
    burst = [text for _, text in of_main[len(expected):]]
    done = re.fullmatch(r"done: (\d+) interrupts, (\d+) lost", burst.pop())
    assert done and int(done[1]) == len(of_interrupts), done
    lost = int(done[2])
    assert 0 < lost < BURST
    assert burst == [f"burst {n}" for n in range(BURST - lost)] + [f"{lost} messages lost"], burst[-3:]
    return of_main


@case
def the_collateral_is_made_of_the_elf():
    subprocess.run([sys.executable, COLLATERAL, ELF, "--build", hex(BUILD), "-o", XML], check=True, timeout=PATIENCE)
    space = {"s": "http://www.mipi.org/1.0/sys-t"}
    clients = xml.parse(XML).getroot().findall("s:Client", space)
    assert [c.get("Name") for c in clients] == ["pump", "example-syst"]
    for client in clients:
        formats = {f.text for f in client.findall("s:Catalog32/s:Format", space)}
        assert formats == {"burst %u", "nothing to add", "%hhu %ld %lld %zu %.3e %p", 'value %d of "%s", 100%% <&> \t|'}, formats
        assert [f.text for f in client.findall("s:Catalog64/s:Format", space)] == ["64 bits, round %u"]
        assert {os.path.basename(f.text) for f in client.findall("s:SourceFiles/s:File", space)} == {"example_work.c"}
    assert {m.text for m in clients[1].findall("s:Modules/s:Module", space)} == {"motor", "timer interrupt"}


@case
def the_collateral_is_valid_by_mipis_schema():
    schema = os.path.join(os.environ.get("MIPI_SYST", ""), "sys-t_1-0.xsd")
    if not os.path.exists(schema) or not shutil.which("xmllint"):
        raise Skip("xmllint, and MIPI's sys-t_1-0.xsd in the folder that MIPI_SYST names, are not here")
    subprocess.run(["xmllint", "--noout", "--schema", schema, XML], check=True, capture_output=True, timeout=PATIENCE)


@case
def formats_cost_the_image_nothing():
    with open(ELF, "rb") as f:
        elf = f.read()
    assert elf.count(b"nothing to add\0") == 1
    sections = subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", ELF, os.path.join(FOLDER.name, "image")], timeout=PATIENCE)
    assert sections.returncode == 0
    with open(os.path.join(FOLDER.name, "image"), "rb") as f:
        image = f.read()
    assert b"nothing to add" not in image and b"with file and line" in image


def framing_case(letter, framing):
    snapshot = json.loads(read(capture(letter), framing))
    check(snapshot["messages"])
    link = snapshot["link"]
    assert not any(link.get(key) for key in ("bytes_skipped", "framing_errors", "crc_errors", "malformed")), link
    control = [f for f in snapshot["functions"] if f["name"] == "control"]
    assert len(control) == 1 and control[0]["calls"] == ROUNDS and control[0]["total_ticks"] > 0, control
    assert snapshot["target"]["ticks_per_second"] == 25000000
    here = [m for m in snapshot["messages"] if m["text"] == "with file and line"]
    assert all(re.search(r"example_work\.c:\d+$", m["location"]) for m in here), here[0]
    stamps = [m["timestamp"] for m in snapshot["messages"] if m.get("timestamp")]
    assert stamps == sorted(stamps), "in the order in which they were said"
    return snapshot


@case
def text_lines_have_every_message_and_value():
    framing_case("h", "hex")
    framing_case("h", "auto")


@case
def raw_messages_have_every_message_and_value():
    framing_case("r", "raw")


@case
def an_stp_stream_has_every_message_and_value():
    framing_case("s", "stp")
    framing_case("s", "auto")


@case
def without_collateral_the_elf_has_the_formats():
    messages = json.loads(read(capture("r"), "raw", None))["messages"]
    wide = [m for m in messages if m["type"] == "CATALOG:ID64P32"]
    assert all(m["text"] == "64 bits, round %d" % i for i, m in enumerate(wide)) and len(wide) == ROUNDS
    check(messages)


@case
def origins_are_named_by_the_collateral():
    rows = read(capture("h"), "hex", export="systcsv=-").splitlines()[1:]
    origins = {}
    for row in rows:
        cells = re.findall(r'(?:^|,)("(?:[^"]|"")*"|[^,]*)', row)
        origins.setdefault(cells[4], set()).add((cells[2].split(":")[0], cells[5]))
    assert ("RAW", "300") in origins["pump"] and ("STRING", "1") in origins["motor"], origins
    assert origins["timer interrupt"] == {("STRING", "0")}, origins


@case
def collateral_of_another_build_is_reported():
    other = os.path.join(FOLDER.name, "other.xml")
    subprocess.run([sys.executable, COLLATERAL, ELF, "--build", "0x99999", "-o", other], check=True, timeout=PATIENCE)
    with open(other) as f:
        text = f.read()
    with open(XML) as f:
        kept = f.read()
    try:
        with open(XML, "w") as f:
            f.write(text)
        messages = json.loads(read(capture("h"), "hex"))["messages"]
    finally:
        with open(XML, "w") as f:
            f.write(kept)
    builds = [m for m in messages if m["type"] == "BUILD:LONG"]
    assert len(builds) == 2 and all(m["status"] == "MISSING_COLLATERAL" and "no collateral is of this build" in m["text"] for m in builds), builds


@case
def beside_call_records_messages_come_in_packets():
    process, path = start("uart-agent")
    try:
        with Daemon(MINIPROFD, "--port", "unix:" + path, "--elf", ELF, "--dialect", "miniprof", "--dialect-opt", "syst.collateral=" + XML) as daemon:
            deadline = time.monotonic() + PATIENCE
            while True:
                snapshot = daemon.snapshot()
                if any(m["text"].startswith("done: ") for m in snapshot["messages"]):
                    break
                assert time.monotonic() < deadline, [m["text"] for m in snapshot["messages"][-3:]]
                time.sleep(0.1)
    finally:
        process.terminate()  # timeout(1) hands it on
        process.wait()
    check(snapshot["messages"])
    assert {"pump", "motor", "timer interrupt"} <= {m.get("origin_name") for m in snapshot["messages"]}, snapshot["messages"][:3]
    calls = {f["name"]: f["calls"] for f in snapshot["functions"]}
    assert calls["work_round"] == calls["filter"] == calls["control"] == ROUNDS, calls


@case
def a_file_without_messages_gives_an_error():
    empty = os.path.join(FOLDER.name, "empty")
    with open(ELF, "rb") as f:
        elf = f.read()
    for content, words in ((b"", "not a little-endian ELF"), (elf[:100], "damaged"), (elf.replace(b".mpt_syst\0", b".mpt_none\0"), "no section .mpt_syst")):
        with open(empty, "wb") as f:
            f.write(content)
        done = subprocess.run([sys.executable, COLLATERAL, empty], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 1 and words in done.stderr and "Traceback" not in done.stderr, done.stderr


sys.exit(run_cases())
