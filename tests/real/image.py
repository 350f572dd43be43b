"""image.py - finds the functions of a 32-bit little-endian ARM ELF image, as the agent's mps2 port builds it."""
import bisect
import re
import struct

SYMTAB, STT_OBJECT, STT_FUNC = 2, 1, 2


class Image:
    """`functions` is {name: address without the Thumb bit}, `objects` {name: address}. Of local symbols with one name it has only one."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        if self.bytes[:6] != b"\x7fELF\x01\x01":
            raise ValueError(f"{path} is no little-endian ELF image of 32 bits")
        self.functions, self.objects, extents = {}, {}, {}
        for kind, name, address, size in self._symbols():
            if kind == STT_OBJECT:
                self.objects[name] = address
            if kind != STT_FUNC:
                continue
            address &= ~1
            self.functions[name] = address
            extents[address] = max(size, extents.get(address, (0, ""))[0]), name
        self.extents = sorted((address, address + size, name) for address, (size, name) in extents.items())
        self.starts = [start for start, _, _ in self.extents]
        self.hosts = {}

    def _symbols(self):
        sections_at, = struct.unpack_from("<I", self.bytes, 32)
        size, count = struct.unpack_from("<HH", self.bytes, 46)
        sections = [struct.unpack_from("<10I", self.bytes, sections_at + size * i) for i in range(count)]
        for _, kind, _, _, at, length, link, _, _, each in sections:
            if kind != SYMTAB:
                continue
            names_at = sections[link][4]
            for symbol in range(at, at + length, each):
                name, value, extent, info, _, _ = struct.unpack_from("<IIIBBH", self.bytes, symbol)
                start = names_at + name
                yield info & 15, self.bytes[start:self.bytes.index(0, start)].decode(), value, extent

    def name(self, address):
        """Returns the name of the function at this address; bit 0 is ignored."""
        at = self._at(address & ~1)
        return f"{address:#x}" if at is None else self.extents[at][2]

    def is_function(self, address):
        """Returns True if a function begins at this address."""
        at = self._at(address & ~1)
        return at is not None and self.starts[at] == address & ~1

    def _at(self, address):
        at = bisect.bisect_right(self.starts, address) - 1
        return at if at >= 0 and address < max(self.extents[at][1], self.extents[at][0] + 2) else None

    def host(self, address):
        """Returns the name of the function that contains the call before a return address. Clones and parts that gcc makes count as the function."""
        found = self.hosts.get(address)
        if found is None:
            found = self.hosts[address] = re.sub(r"\.(cold|part|constprop|isra)\b.*$", "", self.name((address & ~1) - 2))
        return found
