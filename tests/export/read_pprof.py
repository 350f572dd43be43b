#!/usr/bin/env python3
"""read_pprof.py - pprof reads our profiles, and every stack has our figures; protoc finds nothing else in them.

usage: read_pprof.py SPECIMENS. Prints TAP."""
import glob
import gzip
import re
import shutil
import subprocess

from readers import Missing, case, check, main, need, run

# Debian's golang-N-go installs it here; /usr/bin/pprof or that of Go elsewhere will do.
TOOLS = [shutil.which("pprof"), *sorted(glob.glob("/usr/lib/go-*/pkg/tool/*/pprof"))]
PPROF = next((tool for tool in TOOLS if tool), None)


def pprof(*arguments):
    if not PPROF:
        raise Missing("pprof", "golang-1.19-go")
    return run(PPROF, "-symbolize=none", *arguments)


def raw(specimen):
    """Returns the output of `pprof -raw`: header, locations, mappings, and [(values, locations, labels)]."""
    text = pprof("-raw", specimen.path("pprof"))
    head, rest = text.split("Samples:\n", 1)
    body, rest = rest.split("Locations\n", 1)
    places, mappings = rest.split("Mappings\n", 1)
    samples = []
    for line in body.splitlines()[1:]:
        if re.match(r" +\d+ +\d+:", line):
            values, stack = line.split(":", 1)
            samples.append(([int(v) for v in values.split()], [int(i) for i in stack.split()], []))
        else:
            samples[-1][2].append(line.strip())
    return head + body.splitlines()[0], places, mappings, samples


def functions_of(specimen, places):
    """Returns {location: function}; pprof renumbers locations."""
    found = {}
    for number, address, name in re.findall(r"^ +(\d+): (0x[0-9a-f]+) (.*)", places, re.M):
        found[int(number)] = next(f["id"] for f in specimen.functions
                                  if (int(f["address"], 16) == int(address, 16) if f["address"] else name.startswith(f["name"])))
    return found


@case
def every_stack_has_its_calls_and_its_time(specimens):
    for specimen in specimens.values():
        want = {}
        for node in specimen.nodes[1:]:
            if node["calls"] or node["self_ticks"]:
                key = (tuple(reversed(node["path"])), node["context"])
                before = want.get(key, (0, 0))
                want[key] = (before[0] + node["calls"], before[1] + specimen.nanoseconds(node["self_ticks"]))
        found = {}
        names = [context["name"] for context in specimen.json["contexts"]]
        _, places, _, samples = raw(specimen)
        functions = functions_of(specimen, places)
        for values, locations, labels in samples:
            stack = tuple(functions[location] for location in locations)
            context = next((names.index(label[len("context:["):-1]) for label in labels), 0)
            assert (stack, context) not in found
            found[stack, context] = tuple(values)
        check(found, want, specimen)


@case
def units_are_nanoseconds_if_the_clock_is_known(specimens):
    head = raw(specimens["plain"])[0]
    assert "calls/count time/nanoseconds[dflt]" in head, head
    assert "PeriodType: time nanoseconds\nPeriod: 1000\n" in head, head
    assert "Time: 2023-11-14 22:13:20.123456789" in head, head
    assert "calls/count time/ticks[dflt]" in raw(specimens["huge"])[0]


def duration_of(specimen):
    """Returns field 10 of the message, as protoc prints it; None if it is missing."""
    done = subprocess.run([need("protoc", "protobuf-compiler"), "--decode_raw"], capture_output=True, timeout=300, check=True,
                          input=gzip.decompress(specimen.read("pprof")))
    found = re.search(rb"^10: (\d+)$", done.stdout, re.M)
    return int(found[1]) if found else None


@case
def the_duration_covers_the_busy_time_of_each_context(specimens):
    for specimen in specimens.values():
        busy = {}
        for node in specimen.nodes[1:]:
            busy[node["context"]] = busy.get(node["context"], 0) + node["self_ticks"]
        if specimen.rate and any(busy.values()):
            assert duration_of(specimen) >= max(map(specimen.nanoseconds, busy.values())) > 0, specimen.name
        else:
            assert not duration_of(specimen), specimen.name


@case
def a_guess_is_called_one(specimens):
    assert "Comment: Stacks are estimated" in raw(specimens["sampled32"])[0]
    assert "estimated" not in raw(specimens["plain"])[0]
    assert "estimated" in specimens["sampled32"].read("callgrind").decode()
    assert "estimated" in specimens["sampled32"].read("svg").decode()


@case
def the_mapping_is_the_elf_file(specimens):
    _, _, mappings, _ = raw(specimens["plain"])
    assert mappings.strip() == "1: 0x8000100/0x8000400/0x0 build/firmware.elf deadbeef [FN][FL][LN]", mappings


@case
def inclusive_time_counts_recursion_once(specimens):
    for name in ("plain", "huge"):
        specimen = specimens[name]
        text = pprof("-top", "-nodecount=0", "-nodefraction=0", "-sample_index=time",
                   "-unit=us" if specimen.rate else "-unit=ticks", specimen.path("pprof"))
        want = specimen.outermost("total_ticks")
        found = {}
        for line in text.split("cum%\n", 1)[1].splitlines():
            flat, _, _, cum, _, function = re.split(r" +", line.strip(), 5)
            found[function] = int(re.match(r"\d+", cum)[0])
        check(found, {specimen.functions[f]["name"]: n for f, n in want.items()}, specimen)


@case
def names_files_and_lines_survive(specimens):
    for specimen in specimens.values():
        places = raw(specimen)[1]
        for function in specimen.functions:
            assert f"{function['name']} {function['file'] or ''}:{function['line'] or 0} s=" in places, function


@case
def protoc_finds_every_name_in_the_string_table(specimens):
    for specimen in specimens.values():
        done = subprocess.run([need("protoc", "protobuf-compiler"), "--decode_raw"], capture_output=True, timeout=300,
                              input=gzip.decompress(specimen.read("pprof")))
        assert done.returncode == 0, done.stderr
        # protoc prints a string as an embedded message if it could be one; names here could not.
        for function in specimen.functions:
            text = "".join(escaped(byte) for byte in function["name"].encode())
            assert f'\n6: "{text}"\n' in done.stdout.decode(), text[:200]


def escaped(byte):
    """Returns a byte of a string as protoc writes it."""
    known = {0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t", 0x22: '\\"', 0x27: "\\'", 0x5C: "\\\\"}
    return known.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}")


main()
