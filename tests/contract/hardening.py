#!/usr/bin/env python3
"""hardening.py - checks that the program was built with hardening options.

usage: hardening.py MINIPROFD FOLDER... Prints TAP."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402


def readelf(*arguments):
    return subprocess.run(["readelf", "-W", *arguments, sys.argv[1]], capture_output=True, text=True, check=True).stdout


@case
def it_is_position_independent():
    assert "DYN" in readelf("-h"), readelf("-h")


@case
def its_tables_of_addresses_cannot_be_written_to():
    assert "GNU_RELRO" in readelf("-l") and "BIND_NOW" in readelf("-d"), readelf("-d")


@case
def its_data_cannot_be_run():
    stack = [line for line in readelf("-l").splitlines() if "GNU_STACK" in line]
    assert len(stack) == 1 and " RW " in stack[0], stack
    assert not [line for line in readelf("-l").splitlines() if "LOAD" in line and " RWE " in line]


@case
def a_shadow_stack_is_enabled():
    if "X86-64" in readelf("-h"):
        assert "SHSTK" in readelf("-n"), readelf("-n")


@case
def the_folder_of_the_build_is_not_in_it():
    with open(sys.argv[1], "rb") as file:
        program = file.read()
    for folder in sys.argv[2:]:
        assert os.path.abspath(folder).encode() not in program, folder


@case
def overflows_on_the_stack_and_in_known_buffers_are_noticed():
    symbols = readelf("--dyn-syms")
    assert "__stack_chk_fail" in symbols and "_chk@" in symbols.replace("__stack_chk_fail", ""), symbols


sys.exit(run_cases())
