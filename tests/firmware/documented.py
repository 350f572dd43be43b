#!/usr/bin/env python3
"""documented.py - compares the agent's memory in docs/target-cost.md with compiled sizes, for two rows of the table.

usage: documented.py ROOT SMALLEST_AGENT_SOURCE... -- AGENT_SOURCE... Prints TAP."""
import os
import sys

import memory

root, *sources = sys.argv[1:]
smallest, agent = sources[:sources.index("--")], sources[sources.index("--") + 1:]
with open(os.path.join(root, "docs/target-cost.md"), encoding="utf-8") as text:
    documented = text.read().splitlines()
rows = [memory.row(root, *core, smallest, agent) for core in memory.CORES if core[0] in ("Cortex-M0plus `-Os`", "Cortex-M4 `-O2`")]
print(f"1..{len(rows)}")
for number, row in enumerate(rows, 1):
    print(f"{'ok' if row in documented else 'not ok'} {number} - {row}")
sys.exit(any(row not in documented for row in rows))
