"""elf_made.py - makes small ELF files for 32-bit ARM."""
import struct

FUNC, NOTYPE = 2, 0
LOCAL, GLOBAL, WEAK = 0, 1, 2
ABSOLUTE = 0xFFF1
TEXT = 1  # the section with the code


def symbol(name, address, size=0x10, kind=FUNC, binding=GLOBAL, section=TEXT):
    """Returns a symbol for made(); a function's address has the Thumb bit set."""
    return name, address | (kind == FUNC), size, kind, binding, section


def made(symbols, base=0x08000000, size=0x1000, machine=40, code=b"", flags=6):
    """Returns the bytes of an ELF file: `.text` at `base`, and symbols as symbol() makes them."""
    names, table = b"\0", struct.pack("<IIIBBH", 0, 0, 0, 0, 0, 0)
    for name, address, length, kind, binding, section in symbols:
        table += struct.pack("<IIIBBH", len(names), address, length, binding << 4 | kind, 0, section)
        names += name.encode() + b"\0"
    section_names = b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
    parts = [code.ljust(size, b"\0"), table, names, section_names]
    offsets = [52]
    for part in parts:
        offsets.append(offsets[-1] + len(part))

    def header(title, kind, flag, address, part, link=0, info=0, entry=0):
        return struct.pack("<10I", section_names.index(b"\0" + title) + 1, kind, flag, address, offsets[part], len(parts[part]), link, info, 4, entry)

    sections = bytes(40)
    sections += header(b".text\0", 1, flags, base, 0)
    sections += header(b".symtab", 2, 0, 0, 1, 3, 1, 16)
    sections += header(b".strtab", 3, 0, 0, 2)
    sections += header(b".shstrtab", 3, 0, 0, 3)
    head = b"\x7fELF\x01\x01\x01".ljust(16, b"\0")
    head += struct.pack("<HHIIIIIHHHHHH", 2, machine, 1, base, 0, offsets[-1], 0, 52, 32, 0, 40, 5, 4)
    return head + b"".join(parts) + sections
