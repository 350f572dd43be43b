"""image.py - an ELF image of 32 bits: where its functions are. Little-endian ARM, as the agent's mps2 port builds it."""
import bisect
import re
import struct

SYMTAB, STT_OBJECT, STT_FUNC = 2, 1, 2


class Image:
    """`functions` is {name: address without the Thumb bit}, `objects` {name: address}; of several local ones of a name it has one."""

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
        """Of the function at that address, bit 0 whatever it is."""
        at = self._at(address & ~1)
        return f"{address:#x}" if at is None else self.extents[at][2]

    def is_function(self, address):
        """True when one begins there."""
        at = self._at(address & ~1)
        return at is not None and self.starts[at] == address & ~1

    def _at(self, address):
        at = bisect.bisect_right(self.starts, address) - 1
        return at if at >= 0 and address < max(self.extents[at][1], self.extents[at][0] + 2) else None

    def host(self, address):
        """The name of the function that the instruction before a return address belongs to, clones and parts that gcc makes of it counted to it."""
        found = self.hosts.get(address)
        if found is None:
            found = self.hosts[address] = re.sub(r"\.(cold|part|constprop|isra)\b.*$", "", self.name((address & ~1) - 2))
        return found
