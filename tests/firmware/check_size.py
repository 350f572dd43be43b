#!/usr/bin/env python3
"""Prints the agent's size in ROM and RAM, and fails above a limit.

    check_size.py ARM_SIZE NAME=ELF=ROM_LIMIT=RAM_LIMIT...

The ELFs are the agent alone: hooks, ring, packets, commands and what it needs of libgcc; without stack and the board's driver."""
import subprocess
import sys

arm_size, *images = sys.argv[1:]
too_big = 0
for image in images:
    name, elf, rom_limit, ram_limit = image.split("=")
    output = subprocess.run([arm_size, elf], capture_output=True, text=True, check=True).stdout
    text, data, bss = (int(field) for field in output.splitlines()[1].split()[:3])
    rom, ram = text + data, data + bss
    print(f"{name:18} ROM {rom:5} bytes (limit {rom_limit}), RAM {ram:5} bytes (limit {ram_limit})")
    too_big += rom > int(rom_limit) or ram > int(ram_limit)
sys.exit(1 if too_big else 0)
