"""read_exports.py - compares the sums in an export with those of the JSON.

Each `of_...` takes the bytes of an export and the JSON snapshot of the same moment, and yields a sentence for each difference."""
import csv
import gzip
import html
import io
import json
import re
from collections import Counter
from decimal import Decimal

TEXTS = "json", "csv", "collapsed", "callgrind", "speedscope", "pprof", "markdown", "prometheus"


def differ(what, seen, want):
    if seen != want:
        yield f"{what}: {seen}, and {want} in JSON"


def nanoseconds(told, ticks):
    rate = told["target"]["ticks_per_second"]
    return ticks * 10**9 // rate if rate else ticks


def of_csv(text, told):
    rows = list(csv.DictReader(io.StringIO(text.decode())))
    for key in ("calls", "total_ticks", "self_ticks"):
        seen = Counter()
        want = Counter()
        for row in rows:
            seen[row["function"]] += int(row[key] or 0)
        for function in told["functions"]:
            if function["kind"] != "below":  # its time belongs to functions
                want[function["name"]] += function[key] or 0
        yield from differ(f"csv {key}", +seen, +want)


def of_collapsed(text, told):
    lines = [line.rpartition(" ") for line in text.decode().splitlines()]
    yield from differ("collapsed, all", sum(int(ticks) for _, _, ticks in lines), sum(told["call_tree"]["self_ticks"]))


def of_callgrind(text, told):
    text = text.decode()
    names, own, calls, function, after_calls = {}, 0, Counter(), None, False
    for line in text.splitlines():
        if found := re.match(r"(c?fn)=\((\d+)\)(?: (.*))?", line):
            names.setdefault(found[2], found[3])
            function = found[2]
        elif found := re.match(r"calls=(\d+) ", line):
            calls[names[function].removesuffix("'2")] += int(found[1])
            after_calls = True
        elif re.fullmatch(r"\d+ \d+", line):
            own += 0 if after_calls else int(line.split()[1])
            after_calls = False
    want = sum(told["call_tree"]["self_ticks"])
    for key in ("summary", "totals"):
        yield from differ(f"callgrind {key}", int(re.search(rf"^{key}: (\d+)", text, re.M)[1]), want)
    yield from differ("callgrind, all costs", own, want)
    if not told["call_tree_estimated"]:
        tree, wanted = told["call_tree"], Counter()
        functions = {f["id"]: f["name"] for f in told["functions"]}
        for of, number in list(zip(tree["function"], tree["calls"]))[1:]:
            wanted[functions[of]] += number
        for name, number in calls.items():  # a call without an end has at least one there
            if wanted[name]:
                yield from differ(f"callgrind calls of {name}", number >= wanted[name], True)
    yield from differ("callgrind reasons", re.findall(r"^desc: Incomplete: (.*)", text, re.M), told["incomplete_because"])


def of_speedscope(text, told):
    told_there = json.loads(text, parse_float=Decimal)
    unit = 1000 if told["target"]["ticks_per_second"] else 1  # microseconds with three decimals, or ticks
    seen = sum(int(weight * unit) for profile in told_there["profiles"] for weight in profile["weights"])
    yield from differ("speedscope, all", seen, sum(nanoseconds(told, ticks) for ticks in told["call_tree"]["self_ticks"]))
    yield from differ("speedscope complete", "(incomplete)" not in told_there["name"], told["complete"])


def _fields(message):
    """Yields (number, value) of each field of a protobuf message; the value is bytes or an integer."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = varint()
        if key & 7 == 2:
            n = varint()
            yield key >> 3, message[at:at + n]
            at += n
        elif key & 7 == 0:
            yield key >> 3, varint()
        else:
            raise AssertionError(f"wire type {key & 7}")


def of_pprof(text, told):
    calls = own = 0
    for number, sample in _fields(gzip.decompress(text)):
        if number != 2:
            continue
        values = []
        for part, value in _fields(sample):
            if part == 2 and isinstance(value, int):
                values.append(value)
            elif part == 2:
                values += [v for _, v in _fields(b"".join(b"\x08" + piece for piece in re.findall(rb"[\x80-\xff]*[\x00-\x7f]", value)))]
        calls, own = calls + values[0], own + values[1]
    tree = told["call_tree"]
    yield from differ("pprof calls", calls, sum(tree["calls"]))
    yield from differ("pprof, all", own, sum(nanoseconds(told, ticks) for ticks in tree["self_ticks"]))


def of_markdown(text, told):
    text = html.unescape(text.decode()).replace("\\", "")
    for reason in told["incomplete_because"]:
        if "* " + reason not in text:
            yield f"markdown lacks: {reason}"
    yield from differ("markdown complete", "Nothing of it is known to be missing" in text, told["complete"])
    part = text.partition("\n## Functions\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line[1:-1].split(" | ")] for line in part.splitlines() if line.startswith("| ")]
    functions = {f["name"]: f for f in told["functions"]}
    yield from differ("markdown has functions", bool(rows), any(f["calls"] or f["self_ticks"] or f["samples"] for f in told["functions"]))
    for row in (dict(zip(rows[0], row)) for row in rows[1:]):
        function = functions[row["function"]]
        is_known = function["kind"] == "function" and function["calls"] is not None
        yield from differ(f"markdown calls of {row['function']}", row["calls"], str(function["calls"]) if is_known else "–")
        if "samples" in row:
            yield from differ(f"markdown samples of {row['function']}", row["samples"], str(function["samples"] or 0))
        elif function["kind"] == "function":
            yield from differ(f"markdown has a total of {row['function']}", row["total"] != "–", function["total_ticks"] is not None)
            yield from differ(f"markdown has own time of {row['function']}", row["self"] != "–", function["self_ticks"] is not None)
    checkpoints = re.findall(r"^\| .* → .* \| (\d+) \| .* \|$", text.partition("\n## Checkpoints\n")[2].partition("\n## ")[0], re.M)
    yield from differ("markdown checkpoints", sum(map(int, checkpoints)), sum(row["count"] or 0 for row in told["checkpoints"] if not row["name"]))


def of_prometheus(text, told):
    text = text.decode()
    series = re.findall(r"^miniprofd_function_calls_total\{.*\} (\d+)$", text, re.M)
    yield from differ("prometheus calls", sum(map(int, series)), sum(f["calls"] or 0 for f in told["functions"]))
    yield from differ("prometheus complete", re.findall(r"^miniprofd_profile_complete (\d)", text, re.M), [str(int(told["complete"]))])
    lost, cleared = (int(re.search(rf"^miniprofd_link_{key}_total (\d+)", text, re.M)[1]) for key in ("records_lost", "calls_discarded"))
    yield from differ("prometheus calls_discarded", cleared, told["link"]["calls_discarded"])
    yield from differ("prometheus records_lost, which never falls", max(lost, told["link"]["records_lost"]), lost)


def of_json(told):
    """Checks sums within the JSON: of functions, of the tree, and of contexts."""
    tree = told["call_tree"]
    own = sum(function["self_ticks"] or 0 for function in told["functions"])
    if not told["call_tree_estimated"]:  # which is rounded
        yield from differ("own time of functions", own, sum(tree["self_ticks"]))
    if all("running_ticks" in context for context in told["contexts"]) and told["contexts"]:  # a carried dialect has no switches
        yield from differ("own time of functions and running time of contexts", own, sum(c["running_ticks"] for c in told["contexts"]))
    if told["call_tree_estimated"]:
        return
    calls = sum(function["calls"] or 0 for function in told["functions"])
    # A tree that evicts has calls whose chain is not known.
    is_less = (told["target"].get("tree") or {}).get("evictions") and sum(tree["calls"]) < calls
    yield from differ("calls of functions", sum(tree["calls"]) if is_less else calls, sum(tree["calls"]))
    below = [0] * len(tree["parent"])
    for at in range(len(below) - 1, 0, -1):
        if tree["total_ticks"][at] != tree["self_ticks"][at] + below[at]:
            yield f"node {at}: total {tree['total_ticks'][at]}, own {tree['self_ticks'][at]}, below {below[at]}"
        below[tree["parent"][at]] += tree["total_ticks"][at]
    yield from differ("complete and its reasons", not told["incomplete_because"], told["complete"])


def all_differences(texts):
    """Returns the differences between exports of one moment, {format: bytes}."""
    told = json.loads(texts["json"])
    yield from of_json(told)
    for name, text in texts.items():
        if name != "json":
            yield from globals()["of_" + name](text, told)
