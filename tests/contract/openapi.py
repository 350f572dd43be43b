#!/usr/bin/env python3
"""openapi.py - checks that the OpenAPI document describes exactly the members of the JSON answers and events, by comparing it with the
answers of daemons with several targets to every route.

usage: openapi.py MINIPROFD EXAMPLE_HOST. Prints TAP; SHOW=1 prints the members and their types instead."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import TFM_NAMES, gprof_records, syst_message, syst_talk, tfm_dump  # noqa: E402
from cases import case, run_cases  # noqa: E402
from daemon import PATIENCE, Daemon, example  # noqa: E402
from elf_made import LOCAL, NOTYPE, WEAK, made, symbol  # noqa: E402
from packets import calls, description, metadata, signed, stream, varint  # noqa: E402

MINIPROFD, EXAMPLE_HOST = (os.path.abspath(path) for path in sys.argv[1:])


BASE = 0x08000000
# Schemas that do not occur with an example that was compiled without optimization.
OPTIMIZED_ONLY = {"source_inlined"}


class Specimens:
    """JSON that was sent, as [(key, JSON)]: the key is (method, route), ("event", name), or ("body", route) for a request's body."""

    def __init__(self):
        self.answers = []
        self.document = None

    def ask(self, daemon, method, route, path=None, body=None):
        status, headers, text = daemon.request(method, path or route, body)
        if body is not None:
            self.answers.append((("body", route), json.loads(body)))
        kind = headers.get("content-type", "")
        if kind.startswith("application/problem+json"):
            self.answers.append((("problem", route), json.loads(text)))
        elif kind.startswith("application/json"):
            assert status == 200, (path, status, text)
            self.answers.append(((method.lower(), route), json.loads(text)))
            return self.answers[-1][1]
        return None

    def read(self, daemon):
        """Every GET route, for the functions that were called most and least."""
        self.document = self.ask(daemon, "GET", "/api/v1/openapi.json")
        snapshot = self.ask(daemon, "GET", "/api/v1/snapshot")
        self.ask(daemon, "GET", "/api/v1/snapshot", "/api/v1/snapshot?from=0")
        for plain in "status", "limits", "windows", "link/history", "timeline", "slowest", "tasks", "doctor", "recordings":
            self.ask(daemon, "GET", "/api/v1/" + plain)
        self.ask(daemon, "GET", "/api/v1/timeline", "/api/v1/timeline?load=10")
        self.ask(daemon, "GET", "/api/v1/functions/{id}", "/api/v1/functions/1000000")
        called = sorted((row for row in snapshot["functions"] if row["kind"] == "function"), key=lambda row: -(row["calls"] or row["samples"] or 0))
        for row in snapshot["functions"][:200]:
            self.ask(daemon, "GET", "/api/v1/functions/{id}", f"/api/v1/functions/{row['id']}")
        for row in called:
            for part in "/source", "/over-time", "/periods":
                self.ask(daemon, "GET", "/api/v1/functions/{id}" + part, f"/api/v1/functions/{row['id']}{part}")
        for row in snapshot["contexts"]:
            self.ask(daemon, "GET", "/api/v1/split", f"/api/v1/split?context={row['id']}&from=0&to=1000000000")
        pause = self.order(daemon, "pauses")
        self.order(daemon, "pauses/end", pause=pause["pause"])
        return snapshot

    def hear(self, daemon, names, members=()):
        """Receives events until there was one of each name, and an update with each of these members."""
        wanted = {*names, *members}
        for name, data in daemon.events(PATIENCE):
            self.answers.append((("event", name), data))
            wanted -= {name, *(data if name == "delta" else ())}
            if not wanted:
                return
        raise AssertionError(f"no event {wanted} came")

    def order(self, daemon, word, **body):
        return self.ask(daemon, "POST", "/api/v1/" + word, body=json.dumps(body))


TOLD = Specimens()


def live(folder):
    """Collects the JSON of the example firmware: its stream with limits, a recording and orders, then its tree with a trigger."""
    kept = os.path.join(folder, "kept")
    os.mkdir(kept)
    with example(EXAMPLE_HOST) as port, Daemon(MINIPROFD, "--port", port, "--elf", EXAMPLE_HOST, "--mode", "stream", "--record-dir", folder,
                                               "--keep-breaches", kept, "--breach-seconds", "1") as daemon:
        daemon.wait_for_link(lambda link: link["records"] > 3000)
        name = max((row for row in daemon.snapshot()["functions"] if row["kind"] == "function"), key=lambda row: row["calls"])["name"]
        TOLD.order(daemon, "limits", limit=f"{name}:max<1ns")
        TOLD.order(daemon, "limits", limit=f"{name}:mean<10s")
        nobody = TOLD.order(daemon, "limits", limit="nobody:p99<1ms")
        TOLD.order(daemon, "limits/end", id=nobody["id"])
        TOLD.order(daemon, "record/start")
        TOLD.hear(daemon, ("hello", "status", "snapshot", "delta", "limit"), members=["limits"])
        daemon.wait_until(lambda snapshot: snapshot["source"]["keeping"]["rows"])
        TOLD.read(daemon)
        ended = TOLD.order(daemon, "record/stop")
        TOLD.order(daemon, "recordings/open", path=ended["path"])
        TOLD.ask(daemon, "GET", "/api/v1/recordings")
        plain = [path for path, operations in TOLD.document["paths"].items() if path.startswith("/api/v1/device/")
                 and operations["post"]["requestBody"]["content"][JSON]["schema"].get("$ref", "").endswith("/nothing")]
        for path in [*plain, "/api/v1/device/start", "/api/v1/profile/clear"]:
            TOLD.ask(daemon, "POST", path, body="{}")
        setting = daemon.snapshot()["target"]["description"]["settings"][0]
        TOLD.order(daemon, "device/config", name=setting["name"], value=setting["value"])
        TOLD.order(daemon, "device/config", payload="FF")
        TOLD.order(daemon, "device/mode", mode="tree")
        TOLD.order(daemon, "device/trigger", when=f"{name}>1us")
        TOLD.order(daemon, "device/trigger", now=True)
        daemon.wait_until(lambda snapshot: snapshot["windows"]["rows"])
        TOLD.hear(daemon, ("snapshot", "delta"), members=["windows"])
        TOLD.read(daemon)


def replayed(folder, dialect, capture, *more):
    path = os.path.join(folder, dialect + ".bin")
    with open(path, "wb") as file:
        file.write(capture)
    with Daemon(MINIPROFD, "--dialect", dialect, "--port", "file:" + path, *more) as daemon:
        daemon.wait_until(lambda snapshot: snapshot["source"]["state"] == "ended")
        TOLD.read(daemon)
        TOLD.hear(daemon, ("hello", "snapshot"))


def exported(folder, capture, work):
    """Runs a measurement that ends after `work`, and keeps its JSON export."""
    path = os.path.join(folder, "work.bin")
    with open(path, "wb") as file:
        file.write(capture)
    subprocess.run([MINIPROFD, "--dialect", "miniprof", "--port", "file:" + path, "--no-http", "--work", work, "--export", f"json={path}.json"], check=True,
                   stderr=subprocess.DEVNULL, timeout=PATIENCE)
    with open(path + ".json", encoding="utf-8") as file:
        TOLD.answers.append((("get", "/api/v1/snapshot"), json.load(file)))


def waiting_board():
    """A task that waits in a call for another running task, and is preempted in a call."""
    at, runs, depth, packets, number = 1000, 0, {0: 0, 2: 0}, [metadata()], 0

    def say(tokens):
        packets.append(stream(tokens, number=number, time=at, runs=runs, depth=depth[runs]))

    for waits in [False] * 3 + [True, False] * 3:
        say("C0" + signed(0x100).hex() + "00")
        depth[0], number = 1, number + 1
        at += 30
        say(("C8" if waits else "C4") + varint(2).hex() + varint(0).hex() + "00")
        at, runs = at + 300, 2
        say("C4" + varint(0).hex() + varint(depth[0]).hex() + "00")
        at, runs = at + 20, 0
        say("C3" + signed(0x100).hex() + "00")
        depth[0], number = 0, number + 1
        at += 10
    return b"".join(packets)


def calls_of_short_functions():
    """Each call of a long function contains one call of a function that is shorter than its hooks."""
    return calls(*(record for n in range(400) for record in ((BASE + 1, 10000 * n + 100, 50, 1), (BASE + 0x101, 10000 * n, 1000, 0))))


def aliased_elf(folder):
    path = os.path.join(folder, "aliased.elf")
    with open(path, "wb") as file:
        file.write(made([symbol("Default_Handler", BASE, 2, NOTYPE, LOCAL)] + [symbol(name, BASE, 2, binding=WEAK) for name in ("A_Handler", "B_Handler")]
                        + [symbol("long_one", BASE + 0x100, 0x100)]))
    return path


def collect():
    with tempfile.TemporaryDirectory() as folder:
        names = os.path.join(folder, "names.json")
        with open(names, "w", encoding="utf-8") as file:
            file.write(TFM_NAMES)
        live(folder)
        replayed(folder, "syst", b"".join(syst_talk()))
        replayed(folder, "syst", b"".join(syst_message(2, 11, 100 * n, b"here\0", location=b"\0\1\0\2\0") for n in range(20)))
        replayed(folder, "gprof", b"".join(gprof_records()), "--elf", EXAMPLE_HOST)
        replayed(folder, "gprof", b"".join(gprof_records()))
        replayed(folder, "miniprof", waiting_board())
        replayed(folder, "miniprof", metadata() + description(hooks=16 * 40) + calls_of_short_functions(),
                 "--elf", aliased_elf(folder))
        exported(folder, metadata() + calls_of_short_functions(), f"0x{BASE:08X}=100")
        replayed(folder, "tfm", tfm_dump(), "--dialect-opt", "names=" + names)


class Reader:
    """Compares the output with the document: which members it describes, and which of these were written."""

    def __init__(self, document):
        self.document, self.schemas = document, document["components"]["schemas"]
        self.problems, self.written = {}, {}  # {where: what}, {schema: {members}}

    def schema_of(self, what, name):
        """The schema of this answer in the document."""
        if what == "event":
            return self.document["paths"]["/api/v1/events"]["get"]["responses"]["200"]["x-events"][name]
        operation = self.document["paths"][name]
        if what == "problem":
            return next(reply for method in operation.values() for reply in method["responses"].values() if PROBLEM in reply["content"])["content"][PROBLEM]["schema"]
        if what == "body":
            return operation["post"]["requestBody"]["content"][JSON]["schema"]
        return operation[what]["responses"]["200"]["content"][JSON]["schema"]

    def hold(self, schema, value, where):
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            return self.hold_object(name, self.schemas[name], value, where)
        if "oneOf" in schema:
            return value is None or self.hold(schema["oneOf"][0], value, where)
        types = schema.get("type", [])
        fits = [TYPES[name] for name in ([types] if isinstance(types, str) else types)]
        if not any(fit(value) for fit in fits):
            self.problems[where] = f"is {value!r}, and should be {types}"
        if "enum" in schema and value not in schema["enum"]:
            self.problems[where] = f"is {value!r}, and should be one of {schema['enum']}"
        for inner in value if isinstance(value, list) and "items" in schema else ():
            self.hold(schema["items"], inner, where + "[]")
        return True

    def hold_object(self, name, schema, value, where):
        if not isinstance(value, dict):
            self.problems[where] = f"is {value!r}, and should be an object of schema {name}"
            return
        for key, inner in value.items():
            self.written.setdefault(name, set()).add(key)
            if key not in schema["properties"]:
                self.problems[f"{where}.{key}"] = f"is written, and schema {name} does not describe it (a row in daemon/api/schema_*.c)"
            else:
                self.hold(schema["properties"][key], inner, f"{where}.{key}")

    def used(self):
        """The schemas that routes and events refer to, directly or through members."""
        found, waiting = set(), [self.document["paths"]]
        while waiting:
            at = waiting.pop()
            for key, inner in at.items() if isinstance(at, dict) else enumerate(at):
                if key == "$ref" and inner.rsplit("/", 1)[1] not in found:
                    found.add(inner.rsplit("/", 1)[1])
                    waiting.append(self.schemas[inner.rsplit("/", 1)[1]])
                elif isinstance(inner, (dict, list)):
                    waiting.append(inner)
        return found


JSON, PROBLEM = "application/json", "application/problem+json"
TYPES = {"object": lambda value: isinstance(value, dict), "array": lambda value: isinstance(value, list), "string": lambda value: isinstance(value, str),
         "boolean": lambda value: isinstance(value, bool), "null": lambda value: value is None,
         "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
         "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool)}


def held():
    reader = Reader(TOLD.document)
    for (what, name), value in TOLD.answers:
        reader.hold(reader.schema_of(what, name), value, f"{what} {name}")
    return reader


@case
def every_member_that_is_written_is_described_with_its_type():
    reader = held()
    assert not reader.problems, "\n".join(f"{where} {problem}" for where, problem in sorted(reader.problems.items()))


@case
def every_member_that_is_described_is_written():
    reader = held()
    missing = [f"{name}.{key}" for name in sorted(reader.used() - (OPTIMIZED_ONLY - set(reader.written))) for key in reader.schemas[name]["properties"]
               if key not in reader.written.get(name, ())]
    assert not missing, "described, and written by no target of this test: " + ", ".join(missing)


@case
def every_json_route_and_event_has_a_schema():
    for path, operations in TOLD.document["paths"].items():
        for method, operation in operations.items():
            for kind, content in operation["responses"]["200"]["content"].items():
                assert kind != JSON or "$ref" in content["schema"], (method, path)
            assert method != "post" or "$ref" in operation["requestBody"]["content"][JSON]["schema"], path
    asked = {name for (what, name), _ in TOLD.answers if what in ("get", "post")}
    for path, operations in TOLD.document["paths"].items():
        for operation in operations.values():
            assert JSON not in operation["responses"]["200"]["content"] or path in asked, f"{path} was not asked in this test"


@case
def every_member_has_a_meaning_and_every_number_a_unit():
    for name, schema in TOLD.document["components"]["schemas"].items():
        for key, member in schema["properties"].items():
            target = member if "description" in member else schemas_behind(member)
            assert target.get("description"), f"{name}.{key} has no description"
            inner = member.get("items", member)
            if {"integer", "number"} & set([inner["type"]] if isinstance(inner.get("type"), str) else inner.get("type", [])):
                assert inner.get("x-unit"), f"{name}.{key} has no unit"


def schemas_behind(member):
    """Returns the schema that a member refers to."""
    refers = member if "$ref" in member else member.get("oneOf", [{}])[0]
    return TOLD.document["components"]["schemas"].get(refers.get("$ref", "").rsplit("/", 1)[-1], {})


def show():
    shapes = {}

    def walk(name, value):
        shapes.setdefault(name, set()).add(type(value).__name__)
        for key, inner in value.items() if isinstance(value, dict) else ():
            walk(f"{name}.{key}", inner)
        for inner in value if isinstance(value, list) else ():
            walk(name + "[]", inner)

    for (method, route), answer in TOLD.answers:
        if route != "/api/v1/openapi.json":
            walk(f"{method} {route}", answer)
    for name, types in shapes.items():
        print(name, *sorted(types))


if __name__ == "__main__":
    collect()
    if os.environ.get("SHOW"):
        show()
        sys.exit(0)
    sys.exit(run_cases())
