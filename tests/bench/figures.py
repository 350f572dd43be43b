"""figures.py - measuring and printing for the benchmarks.

Seconds are processor time, user and system, as the kernel counts it for a finished process. Two programs are compared in turn,
A B A B, and the figure is the median of the ratios, so that a slow phase of the machine affects both."""
import os
import statistics
import subprocess


def run(arguments, **more):
    """Runs a command that must succeed. Returns (processor seconds, peak memory in MB)."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{arguments[0]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compare(first, second, rounds=5):
    """Returns medians: seconds of the first, seconds of the second, ratio of each pair."""
    run(first), run(second)  # loads their files into memory
    pairs = [(run(first)[0], run(second)[0]) for _ in range(rounds)]
    return (statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs),
            statistics.median(a / b for a, b in pairs))


def tell(what, figure, goal):
    print(f"{what:66} {figure:>18}   goal {goal}", flush=True)


def tell_machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "unknown")
    print(f"{model}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
