#!/usr/bin/env python3
"""sbom.py SBOM MINIPROFD - checks that scripts/sbom writes valid CycloneDX with every library of the program, the same each time."""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import Skip, case, run_cases  # noqa: E402

SBOM, MINIPROFD = map(os.path.abspath, sys.argv[1:3])

# Members that the schema of CycloneDX 1.5 requires, and the values that it allows, as far as they occur here.
REQUIRED = {"bom": ["bomFormat", "specVersion"], "component": ["type", "name"], "hash": ["alg", "content"], "dependency": ["ref"],
            "externalReference": ["url", "type"]}
MEMBERS = {"bom": {"bomFormat", "specVersion", "version", "metadata", "components", "dependencies"},
           "component": {"type", "bom-ref", "name", "version", "purl", "licenses", "hashes", "properties", "externalReferences"}}


def made():
    if not shutil.which("dpkg-query") or not shutil.which("readelf"):
        raise Skip("this is no Debian, or it has no binutils")
    done = subprocess.run([SBOM, MINIPROFD], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def requires(kind, entry):
    missing = [member for member in REQUIRED[kind] if not isinstance(entry.get(member), str) or not entry[member]]
    assert not missing, (kind, entry, missing)
    assert set(entry) <= MEMBERS.get(kind, set(entry)), entry


@case
def it_follows_the_schema():
    text = made()
    bom = json.loads(text)
    requires("bom", bom)
    assert (bom["bomFormat"], bom["specVersion"]) == ("CycloneDX", "1.5") and bom["version"] >= 1
    components = [bom["metadata"]["component"], *bom["components"]]
    for component in components:
        requires("component", component)
        assert component["type"] in ("application", "library") and component["purl"].startswith("pkg:"), component
        for entry in component.get("hashes", []):
            requires("hash", entry)
            assert entry["alg"] == "SHA-256" and re.fullmatch("[0-9a-f]{64}", entry["content"]), entry
        for entry in component.get("externalReferences", []):
            requires("externalReference", entry)
    references = [component["bom-ref"] for component in components]
    assert len(set(references)) == len(references), "each is of one component"
    for entry in bom["dependencies"]:
        requires("dependency", entry)
        assert {entry["ref"], *entry["dependsOn"]} <= set(references), entry
        assert len(set(entry["dependsOn"])) == len(entry["dependsOn"]), entry
    assert made() == text, "the same each time"


@case
def it_lists_the_version_and_each_linked_library():
    bom = json.loads(made())
    version = subprocess.run([MINIPROFD, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    own = bom["metadata"]["component"]
    assert own["version"] == version, own
    direct = next(entry["dependsOn"] for entry in bom["dependencies"] if entry["ref"] == own["bom-ref"])
    names = {component["name"] for component in bom["components"] if component["bom-ref"] in direct}
    for library in "libmicrohttpd", "libelf", "libdw", "libcapstone", "libserialport", "libcjson", "libexpat", "zlib", "libc6", "libiberty":
        assert any(name.startswith(library) for name in names), (library, names)


@case
def a_file_that_is_no_program_gives_an_error():
    for arguments, status in (["/nowhere/at/all"], 1), ([], 2):
        done = subprocess.run([SBOM, *arguments], capture_output=True, text=True)
        assert done.returncode == status and done.stderr and not done.stdout, done


if __name__ == "__main__":
    sys.exit(run_cases())
