"""flat.py - whether the resources of a process stay constant or grow."""
import glob
import os
import re
import statistics

WARM_UP = 1 / 3  # of the samples: until the timeline is full, every page was touched and every heap is as large as it gets


GONE = FileNotFoundError, ProcessLookupError  # between two looks


def sample(pid):
    """{name: value} of what the process `pid` has: resident memory in kB and of which sort, descriptors and threads, of each kind and all; how
    many processes it has made that are there, zombies among them, and their memory."""
    found = {}
    for name, kilobytes in memory(pid).items():
        found["memory" if name == "VmRSS" else "memory: " + name] = kilobytes
    for what, folder, kind in ("descriptors", "fd", descriptor_kind), ("threads", "task", thread_kind):
        found[what] = 0
        for entry in os.listdir(f"/proc/{pid}/{folder}"):
            try:
                name = f"{what}: {kind(f'/proc/{pid}/{folder}/{entry}')}"
            except GONE:
                continue
            found[what] += 1
            found[name] = found.get(name, 0) + 1
    made = list(descendants(pid))
    found["processes"], found["memory of processes"] = len(made), sum(memory(child).get("VmRSS", 0) for child in made)
    return found


def memory(pid):
    """Of its resident memory, in kB, VmRSS, RssAnon and RssFile; nothing of a zombie, or when it has gone."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            return {name: int(kilobytes) for name, kilobytes in re.findall(r"^(VmRSS|RssAnon|RssFile):\s+(\d+) kB", file.read(), re.M)}
    except GONE:
        return {}


def descendants(pid):
    """The ids of the processes that it made, and of those that these made."""
    for task in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(task, encoding="utf-8") as file:
                children = file.read().split()
        except GONE:
            continue
        for child in children:
            yield child
            yield from descendants(child)


def descriptor_kind(path):
    """`socket`, `pipe`, or the name of the open file without numbers."""
    return re.sub(r":\[\d+\]$|\d+$", "", os.readlink(path))


def thread_kind(path):
    with open(path + "/comm", encoding="utf-8") as file:
        return file.read().strip()


def slope(values):
    """What comes to them from one to the next: the median over all pairs (Theil and Sen), which three of ten wild values do not move."""
    step = max(1, len(values) // 400)  # 80,000 pairs are enough
    kept = values[::step]
    return statistics.median((kept[b] - kept[a]) / ((b - a) * step) for a in range(len(kept)) for b in range(a + 1, len(kept)))


def growth(values):
    """(from, to, how much it grew) after the warm-up: medians of the first and last quarter, and the lesser of their difference and of what
    the slope makes of the whole time, so that neither a step up and back nor an unlucky last quarter counts."""
    warm = values[int(len(values) * WARM_UP):]
    quarter = max(1, len(warm) // 4)
    first, last = statistics.median(warm[:quarter]), statistics.median(warm[-quarter:])
    return first, last, min(last - first, slope(warm) * (len(warm) - 1))


def allowed(name, first, seconds):
    """How much may come to it in the whole time: 2 MB, or 5 % where that is more, and 8 MB in less than ten minutes, in which memory does not get
    warm; 3 descriptors, threads or processes, for requests that are under way."""
    if not name.startswith("memory"):
        return 3
    return max(2048 if seconds >= 600 else 8192, first / 20)


def what_grows(samples, seconds):
    """A sentence for each name that grows, in samples of equal distance over `seconds` seconds."""
    told = []
    for name in sorted(set().union(*samples)):
        first, last, grown = growth([one.get(name, 0) for one in samples])
        most = allowed(name, first, seconds)
        if grown > most:
            unit = " kB" if name.startswith("memory") else ""
            told.append(f"{name} grows: from {first:.0f}{unit} to {last:.0f}{unit}; {most:.0f}{unit} more would be flat")
    return told
