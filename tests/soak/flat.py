"""flat.py - whether the resources of a process stay constant or grow."""
import glob
import os
import re
import statistics

WARM_UP = 1 / 3  # share of the samples until the timeline is full, all pages are touched and all heaps have their final size


GONE = FileNotFoundError, ProcessLookupError  # ended between two reads


def sample(pid):
    """Returns {name: value} of process `pid`: resident memory in kB, in all and by sort; descriptors and threads, in all and by kind; the number of its
    descendants, including zombies, and their memory."""
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
    """Returns VmRSS, RssAnon and RssFile in kB; nothing for a zombie or a process that has ended."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            return {name: int(kilobytes) for name, kilobytes in re.findall(r"^(VmRSS|RssAnon|RssFile):\s+(\d+) kB", file.read(), re.M)}
    except GONE:
        return {}


def descendants(pid):
    """Yields the ids of the process's descendants."""
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
    """Returns the growth from one value to the next: the median over all pairs (Theil-Sen), which tolerates three outliers in ten values."""
    step = max(1, len(values) // 400)  # 80,000 pairs are enough
    kept = values[::step]
    return statistics.median((kept[b] - kept[a]) / ((b - a) * step) for a in range(len(kept)) for b in range(a + 1, len(kept)))


def growth(values):
    """Returns (first, last, growth) after the warm-up: the medians of the first and last quarter, and the lesser of their difference and the slope times
    the whole time, so that neither a temporary rise nor an unlucky last quarter counts."""
    warm = values[int(len(values) * WARM_UP):]
    quarter = max(1, len(warm) // 4)
    first, last = statistics.median(warm[:quarter]), statistics.median(warm[-quarter:])
    return first, last, min(last - first, slope(warm) * (len(warm) - 1))


def allowed(name, first, seconds):
    """Returns the growth allowed in the whole time. Memory: 2 MB (8 MB in less than ten minutes, which are too short to warm up), or 5 % if that is more.
    Descriptors, threads and processes: 3, for requests in progress."""
    if not name.startswith("memory"):
        return 3
    return max(2048 if seconds >= 600 else 8192, first / 20)


def what_grows(samples, seconds):
    """Returns a sentence for each name that grows, in samples taken at equal intervals over `seconds` seconds."""
    told = []
    for name in sorted(set().union(*samples)):
        first, last, grown = growth([one.get(name, 0) for one in samples])
        most = allowed(name, first, seconds)
        if grown > most:
            unit = " kB" if name.startswith("memory") else ""
            told.append(f"{name} grows: from {first:.0f}{unit} to {last:.0f}{unit}; {most:.0f}{unit} more would be flat")
    return told
