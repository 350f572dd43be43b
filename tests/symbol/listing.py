#!/usr/bin/env python3
"""listing.py - compares listings with those of binutils' objdump for the same program.

usage: listing.py LIST_ELF OBJDUMP ELF... Prints TAP.
Every address, every byte, every mnemonic, each target of a call or branch; and the line of every instruction."""
import bisect
import re
import subprocess
import sys

LIST_ELF, OBJDUMP = sys.argv[1:3]

# Mnemonics that differ between the two programs. Widths (.n, .w) follow from the bytes, which are compared, too.
SAME = {"movabs": "mov", "cs": "nop", "data16": "nop", "xchg": "nop", "stmdb": "push", "ldm": "pop", "adr": "add"}


def listed(elf):
    """address -> (bytes, is_data, target, line, file, text), of the functions only; and the functions' ranges."""
    rows, ranges = {}, []
    for line in subprocess.check_output([LIST_ELF, elf], text=True).splitlines():
        cells = line.split("\t")
        if cells[0] == "=":
            ranges.append((int(cells[2], 16), int(cells[2], 16) + int(cells[3], 16)))
            continue
        address, data, is_data, target, _, number, file, text, literal = cells
        rows[int(address, 16)] = (data.replace(" ", ""), is_data == "1", int(target, 16) if target else None, int(number), file,
                                  text, literal)
    return rows, ranges


def dumped(elf):
    """Returns {address: (bytes, mnemonic, operands)} as objdump prints them."""
    rows = {}
    arguments = [OBJDUMP, "-d", "-z", "-w", "--insn-width=16"]
    if is_x86(elf):
        arguments += ["-M", "intel"]
    for line in subprocess.check_output([*arguments, elf], text=True).splitlines():
        found = re.match(r"\s*([0-9a-f]+):\t([0-9a-f ]+)\t?(\S*)\s*(.*)", line)
        if found:
            # A prefix that only capstone leaves out: of jumps that -fcf-protection lets go anywhere.
            word, operands = found[4].split(None, 1) if found[3] == "notrack" else (found[3], found[4])
            rows[int(found[1], 16)] = (found[2].replace(" ", ""), word, operands)
    return rows


def is_x86(elf):
    with open(elf, "rb") as file:
        return file.read(20)[18:20] in (b"\x3e\0", b"\x03\0")


def mnemonic(word):
    word = re.sub(r"\.[nw]$", "", word)
    word = re.sub(r"(?<=.)(cc|cs)$", lambda m: {"cc": "lo", "cs": "hs"}[m[1]], word)  # of a condition, not the whole of it
    word = re.sub(r"^(stm|ldm)ia", r"\1", word)
    word = re.sub(r"^neg", "rsb", word)
    word = re.sub(r"^(lsl|lsr|asr|ror)", "mov", word)
    return SAME.get(word, word)


def is_same(text, word):
    return mnemonic(text.split()[0]) == mnemonic(word) or (text == "mov r8, r8" and word == "nop")


def compare(elf):
    """Yields a sentence for each difference."""
    rows, ranges = listed(elf)
    dump = dumped(elf)
    inside = sorted(a for a in dump if any(start <= a < end for start, end in ranges))
    if len(inside) < 50:
        yield f"only {len(inside)} instructions were compared"
    known = 0
    for address in inside:
        data, word, operands = dump[address]
        if word.startswith("."):
            covered = "".join(rows[a][0] for a in sorted(rows) if address <= a < address + len(data) // 2)
            if not covered or not rows[address][1]:
                yield f"{address:x}: data, but listed as {rows.get(address)}"
            continue
        if address not in rows:
            yield f"{address:x}: {word} {operands} is not listed"
            continue
        mine, is_data, target, _, _, text, literal = rows[address]
        if is_data:
            yield f"{address:x}: {word} {operands} is listed as data: {text}"
            continue
        known += 1
        if mine != data:
            yield f"{address:x}: bytes {mine} instead of {data}"
        if not is_same(text, word):
            yield f"{address:x}: {text} instead of {word} {operands}"
        goes = re.search(r"\b([0-9a-f]+) <", operands)
        if goes and "[" not in operands and re.match(r"(b|bl|blx|b[a-z]{2}|cbn?z|j[a-z]+|call)(\.[nw])?$", word) and target != int(goes[1], 16):
            yield f"{address:x}: {text} goes to {target} instead of {goes[1]}"
        found = re.search(r"@ \(([0-9a-f]+) <", operands)
        if word.startswith("ldr") and "[pc" in operands and found and re.match(r"ldr(\.[nw])?$", word):
            there = int(found[1], 16)
            if there in rows and rows[there][1] and int(rows[there][5].split()[-1], 16) != int(literal or "-1", 16):
                yield f"{address:x}: {text} loads {literal}, but at {there:x} is {rows[there][5]}"
    if known < 50:
        yield f"only {known} instructions are known"
    yield from compare_lines(elf, rows)


def line_table(elf, first):
    """The rows of the line tables, by address: (address, file's name, line), line 0 where a stretch of code ends. Stretches that begin before
    `first` are of code that was not linked in. addr2line is not asked: it names the unit's own file for a header's function that was not inlined."""
    rows, stretch = {}, []
    for line in subprocess.check_output([OBJDUMP, "--dwarf=decodedline", elf], text=True, stderr=subprocess.DEVNULL).splitlines():
        found = re.match(r"(\S.*?)\s+(\d+|-)\s+(0x[0-9a-f]+|0)\b", line)
        if not found:
            continue
        is_end = found[2] == "-"
        stretch.append((int(found[3], 16), (found[1], 0 if is_end else int(found[2]))))
        if is_end:
            end = stretch.pop()
            if stretch and stretch[0][0] >= first:
                rows.update(stretch)
                rows.setdefault(*end)
            stretch = []
    return [(address, *row) for address, row in sorted(rows.items())]


def compare_lines(elf, rows):
    wanted = [a for a in sorted(rows) if not rows[a][1]]
    table = line_table(elf, wanted[0])
    known = 0
    for address in wanted:
        at = bisect.bisect_right(table, (address, chr(0x10FFFF))) - 1
        if at < 0 or not table[at][2]:
            continue
        _, file, line = table[at]
        known += 1
        if line != rows[address][3] or file.split("/")[-1] != rows[address][4].split("/")[-1]:
            yield f"{address:x}: is at {rows[address][4]}:{rows[address][3]} instead of {file}:{line}"
    if known < min(len(wanted) // 2, 1000):  # what is linked in, the agent among it, comes without lines when it is built for release
        yield f"only {known} lines of {len(wanted)} instructions are known"


def main(elfs):
    print(f"1..{len(elfs)}")
    failed = False
    for number, elf in enumerate(elfs, 1):
        problems = list(compare(elf))
        failed |= bool(problems)
        print(("not ok" if problems else "ok") + f" {number} - {elf.rsplit('/', 1)[-1]} as {OBJDUMP.rsplit('/', 1)[-1]} has it")
        for problem in problems[:40]:
            print("# " + problem)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[3:]))
