"""spec_reader.py - reads payloads of PROFILE_DATA by the text of protocol/SPEC.md, without the project's code."""


def compact(payload):
    """Returns the events of a payload of version 2, by section 10 alone, in the notation of that section."""
    at, clock, told = 10, int.from_bytes(payload[6:10], "little"), 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            at += 1
            value |= (payload[at - 1] & 127) << shift
            shift += 7
            if payload[at - 1] < 128:
                return value

    def signed():
        value = varint()
        return value >> 1 if value % 2 == 0 else -(value >> 1) - 1

    def function():
        nonlocal told
        told = (told + signed()) % 2**32
        return told << shift_of_code

    def time():
        nonlocal at
        at += 1
        byte = payload[at - 1]
        if byte == 255:
            return varint()
        if byte >= 224:
            at += 1
            return 224 + (byte - 224) * 256 + payload[at - 1]
        return byte

    slots_in_all, shift_of_code = 8 << (payload[1] & 3), payload[1] >> 4 & 3
    run_number = int.from_bytes(payload[2:6], "little")
    context, depth = varint(), varint()
    events = [f"run {run_number >> 28}, number {run_number % 2**28}, time {clock}, context {context}, depth {depth}"]
    slots, predictions, latest, given = [], {}, None, 0
    known, base, waiting = [], 0, []  # `known` above `base` belongs to the running context; of waiting ones: context, base, latest event

    def forget(n):
        """Forgets the outermost n known calls."""
        nonlocal base
        del known[:n]
        base = max(base - n, 0)
        for waiter in waiting:
            waiter[1] = max(waiter[1] - n, 0)

    def give(address):
        nonlocal given
        slot = given % slots_in_all
        if given >= slots_in_all:
            if slot in known:
                forget(len(known) - known[::-1].index(slot))
            for waiter in waiting:
                if waiter[2] and waiter[2][0] == slot:
                    waiter[2] = None
        given += 1
        slots[slot:slot + 1] = [address]
        predictions[slot, "+"] = predictions[slot, "-"] = "exit"
        return slot

    def change(to):
        """Switches to another context (C4, C8)."""
        nonlocal context, base, latest
        for i, (waiter, its_base, its_latest) in enumerate(waiting):
            if waiter == to:
                del known[waiting[i + 1][1] if i + 1 < len(waiting) else base:]
                base, latest = its_base, its_latest
                del waiting[i:]
                break
        else:
            if len(waiting) == 4:
                waiting.clear()
                known.clear()
                base = 0
            else:
                waiting.append([context, base, latest])
            base, latest = len(known), None
        context = to

    while at < len(payload) and payload[at] != 255:
        first = payload[at]
        at += 1
        if first < 0x80:
            if first == 0x7F:
                passed = varint()
            elif first >= 0x78:
                passed, at = 120 + 256 * (first - 0x78) + payload[at], at + 1
            else:
                passed = first
            slot = predictions[latest]
            sign = "-" if slot == "exit" else "+"
            slot = known.pop() if slot == "exit" else slot
        elif first <= 0xC0:
            slot = give(function()) if first == 0xC0 else first - 0x80
            sign, passed = "+", time()
            if latest:
                predictions[latest] = slot
        elif first <= 0xC3:
            sign = "-"
            if latest:
                predictions[latest] = "exit"
            if first == 0xC1:
                slot = known.pop()
            else:
                if first == 0xC2:
                    slot, at = payload[at], at + 1
                    address = slots[slot]
                else:
                    address = function()
                while len(known) > base and slots[known.pop()] != address:
                    pass
                if first == 0xC3:
                    slot = give(address)
            passed = time()
        else:
            if first in (0xC4, 0xC8):
                to, depth = varint(), varint()
                clock += time()
                change(to)
                events.append(f"context {context} {depth} {clock}" + (" blocked" if first == 0xC8 else ""))
            elif first == 0xC5:
                lost, net, low = varint(), signed(), varint()
                check, at = int.from_bytes(payload[at:at + 4], "little"), at + 4
                clock += time()
                waiting.clear()
                known.clear()
                base, latest = 0, None
                events.append(f"gap {lost} {net} {-low} {check:X} {clock}")
            elif first == 0xC6:
                events.append(f"clock {varint()}")
            elif first == 0xCA:
                assert payload[1] & 4
                kind, at = payload[at], at + 1
                events.append(f"window {kind} {function():X} {varint()} {varint()} {varint()}")
            elif first == 0xCB:
                assert payload[1] & 4
                events.append("over")
            elif first == 0xC9:
                named, flags, n = varint(), payload[at], payload[at + 1]
                at += 2 + n
                events.append(f"{'idle' if flags & 1 else 'name'} {named} {payload[at - n:at].decode()}")
            else:
                events.append(f"open {varint()} {function():X} {varint()}")
            continue
        clock += passed
        if sign == "+":
            if len(known) == 32:
                forget(1)
            known.append(slot)
        latest = slot, sign
        events.append(f"{sign}{slots[slot]:X} {clock}")
    return events


def tree(payload):
    """Returns the records of a payload of version 3, by section 12 alone: a row as node, parent or caller, function, context,
    calls, ticks and the longest."""
    at, form, number = 10, payload[1], int.from_bytes(payload[2:6], "little")

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            at += 1
            value |= (payload[at - 1] & 127) << shift
            shift += 7
            if payload[at - 1] < 128:
                return value

    def function():
        nonlocal told
        step = varint()
        told = (told + (step >> 1 if step % 2 == 0 else -(step >> 1) - 1)) % 2**32
        return f"{told << (form >> 4 & 3):X}"

    elapsed, hz, nodes, room = varint(), varint(), varint(), varint()
    node = told = context = 0
    records = [f"run {number >> 28}, number {number % 2**28}, time {int.from_bytes(payload[6:10], 'little')}, elapsed {elapsed}, clock {hz}, "
               f"{nodes} of {room} nodes"]
    if form & 64:
        records[0] += f", bound {varint()}, evictions {varint()}"
    while at < len(payload) and payload[at] != 255:
        first, at = payload[at], at + 1
        if first < 0x80:
            node += first
            if form & 1:
                from_where = function()
            elif form & 64:
                up, generation = varint(), varint()
                up = up >> 1 if up % 2 == 0 else -(up >> 1) - 1
                from_where = f"{node - up}.{varint()}" if up else "-"
            else:
                up = varint()
                from_where = str(node - up) if up else "-"
            row = [f"{node}.{generation}" if form & 64 else str(node), from_where, function(), str(context)]
            records.append(" ".join(row + [str(varint()) for _ in range(3 if form & 2 else 2)]))
        elif first == 0xC0:
            node = varint()
        elif first == 0xC4:
            context = varint()
        elif first == 0xC8:
            records.append(" ".join(["sums", str(context)] + [str(varint()) for _ in range(4)]))
        elif first == 0xC9:
            named, flags, n = varint(), payload[at], payload[at + 1]
            records.append(f"name {named} {'idle ' * (flags & 1)}{payload[at + 2:at + 2 + n].decode()}")
            at += 2 + n
        elif first == 0xCC:
            records.append(" ".join(["evicted", function()] + [str(varint()) for _ in range(3 if form & 2 else 2)]))
        elif first == 0xCD:
            below = varint()
            records.append(f"below {below - 1}.{varint()} {varint()}" if below else f"below context {context} {varint()}")
        elif first == 0xCE:
            records.append(f"round {varint()} {varint()}")
        else:
            assert first in (0xCA, 0xCB)
            if first == 0xCB:
                records.append(f"chains {varint()} {varint()} {varint()}")
                continue
            records.append(f"runs {varint()} {varint() - 1}".replace(" -1", " -"))
    return records
