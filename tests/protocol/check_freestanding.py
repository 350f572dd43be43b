#!/usr/bin/env python3
"""Checks that protocol/ is freestanding: only the compiler's headers, no globals except constants, no calls out of the room.
usage: check_freestanding.py CC NM ROOT FILE..."""
import os, re, subprocess, sys, tempfile

HEADERS = {"limits.h", "stdbool.h", "stddef.h", "stdint.h"}
# Functions that a compiler may call for a loop or an assignment even without a C library; not in files that targets link.
COMPILERS_OWN = {"memcpy", "memmove", "memset"}
HOST_ONLY = {"call_pairs.c", "compact_reader.c", "frame_reader.c", "crc16_fast.c", "crc16_clmul.c"}
ASKS_PROCESSOR = {"crc16_clmul.c": {"__cpu_model"}}  # libgcc's

cc, nm, root, *files = sys.argv[1:]
wrong = []
for name in sorted(os.listdir(os.path.join(root, "protocol"))):
    if name.endswith((".c", ".h")):
        text = open(os.path.join(root, "protocol", name), encoding="utf-8").read()
        wrong += [f"{name} includes <{h}>" for h in re.findall(r"#include <(.*?)>", text) if h not in HEADERS]
        wrong += [f'{name} includes "{h}"' for h in re.findall(r'#include "(.*?)"', text) if not h.startswith("protocol/")]
for path in files:
    name = os.path.basename(path)
    allowed = (COMPILERS_OWN if name in HOST_ONLY else set()) | ASKS_PROCESSOR.get(name, set())
    with tempfile.TemporaryDirectory() as folder:
        obj = os.path.join(folder, "out.o")
        subprocess.run([cc, "-std=c17", "-Os", "-ffreestanding", "-fno-stack-protector", "-fno-pic", "-I", root, "-c", path, "-o", obj], check=True)
        listing = subprocess.run([nm, obj], check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        kind, symbol = line.split()[-2:]
        if kind == "U" and not symbol.startswith("mp_") and symbol not in allowed:
            wrong.append(f"{name} calls {symbol}")
        if kind in "bBdDC":
            wrong.append(f"{name} has a variable, {symbol}")
        if kind in "TR" and not symbol.startswith("mp_"):
            wrong.append(f"{name} exports {symbol}")
print("\n".join(wrong) or f"{len(files)} files are freestanding")
sys.exit(bool(wrong))
