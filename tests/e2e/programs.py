#!/usr/bin/env python3
"""programs.py - random programs through miniprofd, each checked for: calls made = shown + lost + cleared.

A program is a session of a board that makes random calls (tests/support/random_program.py). Its packets, some of which the line loses, repeats,
cuts and damages, are a capture. The calls of each function are known, and a model computes what a host can know about them.
Others (tests/support/evicting_board.py) run on a target that evicts nodes of its call tree: sums of functions must be exact, and no chain of
callers may lack more than reported.

usage: programs.py MINIPROFD N. Prints TAP. Runs N programs of each kind (300 where TEST_ALL is set), or PROGRAMS=N, from the seed TEST_SEED=N on;
PROGRAM=SEED runs that one and prints its packets, and PROGRAMS_KEEP=FOLDER keeps captures and listings of those that fail."""
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from evicting_board import EvictingProgram  # noqa: E402
from random_program import Program  # noqa: E402
from read_exports import TEXTS, all_differences  # noqa: E402

MINIPROFD = sys.argv[1]
PROGRAMS = 300 if os.environ.get("TEST_ALL") else int(sys.argv[2])
AT_ONCE = 2 + (os.cpu_count() or 1)

def run(program, folder):
    """Returns exit status, standard error and exports of a batch run."""
    path = os.path.join(folder, f"capture-{program.seed}")
    with open(path, "wb") as f:
        f.write(program.capture)
    command = [MINIPROFD, "--port", "file:" + path, "--dialect", "miniprof", "--dialect-opt", "time_unit=ticks", "--no-http", "--strict"]
    for text in TEXTS:
        command += ["--export", f"{text}={path}.{text}"]
    done = subprocess.run(command, capture_output=True, timeout=300)
    texts = {}
    for text in TEXTS:
        if os.path.exists(f"{path}.{text}"):
            with open(f"{path}.{text}", "rb") as f:
                texts[text] = f.read()
            os.unlink(f"{path}.{text}")
    os.unlink(path)
    return done.returncode, done.stderr.decode(), texts


def calls_of(told):
    return Counter({int(f["address"], 16) if f["address"] else f["name"]: f["calls"] for f in told["functions"] if f["calls"]})


def judge_calls(program, told):
    """Yields errors of calls made = shown + lost + cleared, function by function."""
    host, shown, made, link = program.host, calls_of(told), program.made, told["link"]
    for function, calls in shown.items():
        if function != "(other)" and calls > made[function]:
            yield f"invented: function {function:#x} has {calls} calls, and made {made[function]}"
    of_all = shown.total() + link["calls_discarded"]
    if of_all > made.total():
        yield f"invented: {shown.total()} calls shown and {link['calls_discarded']} cleared of {made.total()}"
    if link["calls_discarded"] == host.cleared and shown != +host.shown:
        for kind, differs in (("shown", shown - host.shown), ("vanished", host.shown - shown)):
            if differs:
                yield f"{kind}: {dict(differs)} {'did not come' if kind == 'shown' else 'came and are not shown'}"
    elif of_all != host.shown.total() + host.cleared:  # it may keep calls instead of clearing them, but not change their number
        yield (f"{'shown' if of_all > host.shown.total() + host.cleared else 'vanished'}: {shown.total()} calls shown and "
               f"{link['calls_discarded']} cleared of {host.shown.total()} and {host.cleared}")
    of_calls = host.loss.total
    least = host.lost + (of_calls if program.are_losses_known else 0)
    most = of_calls + max(program.lost_most, program.missing)
    if not least <= told["link"]["records_lost"] <= most:
        yield f"lost: {told['link']['records_lost']} calls are reported to be, and {least} to {most} are"


def judge_complete(program, told):
    host, link = program.host, told["link"]
    cleared = link["calls_discarded"]  # judge_calls() compares it with the received calls
    because = " ".join(told["incomplete_because"])
    is_one_stack = program.has_tasks_as_one and host.version == "calls"
    lacks = {"windows": program.lost_windows, "tasks sent as one": is_one_stack, "lost": host.lost + (host.loss.total if program.are_losses_known else 0), "cleared": cleared, "damage": program.is_damage_seen,
             "no room": host.crowded, "overflows": host.overflows}
    if any(lacks.values()):
        if told["complete"]:
            yield f"complete: true, and there are {({k: v for k, v in lacks.items() if v})}"
        elif not all(re.search(r"\d", reason) for reason in told["incomplete_because"]):
            yield f"reasons: one has no number: {told['incomplete_because']}"
        crowded = host.crowded if cleared == host.cleared else 0  # otherwise those of more runs are shown
        for what, number in (("lost", link["records_lost"]), ("cleared", cleared), ("no room", crowded)):
            if number and lacks[what] and not re.search(rf"\b{number}\b", because):
                yield f"reasons: {number} calls {what} are in none of {told['incomplete_because']}"
    elif program.missing == 0 and not (program.is_spoilt or program.callers_may_be_unknown or host.discards) and not told["complete"]:
        yield f"incomplete: nothing is missing, and it says {told['incomplete_because']}"
    elif told["complete"]:
        yield from missing_and_seen(program)


def missing_and_seen(program):
    """Returns the data that a host knows to be missing of a stopped tree that is reported as whole. Before that it is pending."""
    table = program.host.table
    if program.host.version == "tree" and table.run is not None and table.is_stopped:
        untold, ticks = table.head.in_use - len(table.shown), table.head.elapsed - table.told_ticks()
        if untold or ticks:
            yield f"untold: {untold} nodes and {ticks} ticks of a tree that was stopped are in no row, and it is complete"


def _is_all_told(program):
    return (program.acts == ["stream, end"] and program.agents[0].began_empty and not program.host.discards
            and not program.has_gap and not (program.is_spoilt or program.missing or program.silence))


def judge_times(program, told):
    """Yields errors of self times, which must be exact for sums, and otherwise not above the truth."""
    is_counted = program.host.version == "tree"
    own = Counter({int(f["address"], 16) if f["address"] else f["name"]: f["self_ticks"] for f in told["functions"]
                   if f["self_ticks"] and f["kind"] not in ("outside", "unknown")})
    if is_counted:
        if told["link"]["calls_discarded"] == program.host.cleared and own != +program.host.own:
            yield f"time: own times differ by {dict(own - program.host.own)} and {dict(program.host.own - own)} from what was sent"
        return
    if program.host.version == "calls" and (program.has_tasks_as_one or program.missing or program.is_spoilt or program.callers_may_be_unknown):
        return  # the time of a lost call, or of one without a known caller, counts for its caller
    own = Counter({function: ticks for function, ticks in own.items() if isinstance(function, int)})
    total = Counter({int(f["address"], 16): f["total_ticks"] for f in told["functions"] if f["address"] and f["total_ticks"]})
    if own - program.own:
        yield f"time: own times are {dict(own - program.own)} more than there was"
    if program.host.version == "stream" and total - program.total:
        yield f"time: total times are {dict(total - program.total)} more than there was"
    if _is_all_told(program) and program.own - own:
        yield f"time: own times lack {dict(program.own - own)}"


def judge_callers(program, told):
    """Yields callers that never made the shown call."""
    tree, functions = told["call_tree"], {f["id"]: f["address"] and int(f["address"], 16) for f in told["functions"]}
    if told.get("call_tree_estimated") or program.has_tasks_as_one:
        return
    happened = program.board.pairs | (program.board.nested if any(agent.mode == "calls" for agent in program.agents) else set())
    for at, parent in enumerate(tree["parent"]):
        pair = tuple(functions.get(tree["function"][i]) for i in (parent, at)) if parent > 0 else (None, None)
        if all(pair) and pair not in happened:
            yield f"caller: {pair[0]:#x} never called {pair[1]:#x}"


def judge_contexts(program, told):
    """Yields errors of each task's running time, if everything was sent."""
    if not _is_all_told(program) or program.agents[0].made.total() == 0:
        return
    ran = Counter()
    for (context, name), ticks in program.agents[0].ran_as.items():
        ran[name or context] += ticks
    seen = Counter({c["name"]: c["running_ticks"] for c in told["contexts"] if c.get("running_ticks")})
    for name in set(ran) & set(seen):
        if seen[name] > ran[name]:
            yield f"context: {name} ran {seen[name]} ticks, and did {ran[name]}"


def judge_exit(status, errors, told):
    if re.search("Sanitizer|runtime error", errors) or status < 0 or status > 4:
        yield f"crash: exit status {status}: {errors[-2000:]}"
    has_some = any(f["calls"] or f["total_ticks"] or f["self_ticks"] or f["running"] for f in told["functions"])
    want = 1 if not has_some else 0 if told["complete"] else 4
    if status != want:
        yield f"exit: status {status} in place of {want}"


def findings(program, folder):
    status, errors, texts = run(program, folder)
    if not texts:
        if status != 1 or any(packet.fate in ("ok", "twice") for packet in program.packets):
            yield f"exit: status {status} and no export: {errors[-300:]}"
        return
    yield from judge(program, status, errors, texts)


def judge(program, status, errors, texts):
    told = json.loads(texts["json"])
    yield from judge_calls(program, told)
    yield from judge_complete(program, told)
    yield from judge_times(program, told)
    yield from judge_callers(program, told)
    yield from judge_contexts(program, told)
    yield from judge_exit(status, errors, told)
    for difference in all_differences(texts):
        if not (program.has_tasks_as_one and difference.startswith("node ")):  # calls of several tasks overlap
            yield f"sums: {difference}"


def examine(seed, folder):
    """Returns (seed, errors) of one program. An error of the model is a finding, too."""
    try:
        program = Program(seed)
    except Exception as problem:
        raise AssertionError(f"seed {seed}: {problem!r}") from problem
    if program.missing < 0:
        return seed, [f"model: {program.missing} calls are missing"]
    found = list(findings(program, folder))
    keep = os.environ.get("PROGRAMS_KEEP")
    if found and keep:
        with open(f"{keep}/{seed}.bin", "wb") as f:
            f.write(program.capture)
        with open(f"{keep}/{seed}.txt", "w") as f:
            f.write("\n".join([*found, str(program.acts), program.listing(), ""]))
    return seed, found


@case
def random_programs_are_shown_exactly_or_losses_reported():
    if "PROGRAM" in os.environ:
        seeds = [int(os.environ["PROGRAM"])]
        program = Program(seeds[0])
        print("# " + "\n".join([str(program.acts), program.listing()]).replace("\n", "\n# "))
    else:
        first = int(os.environ.get("TEST_SEED", 1))
        seeds = range(first, first + int(os.environ.get("PROGRAMS", PROGRAMS)))
    print(f"# seeds {seeds[0]} to {seeds[-1]}; PROGRAM=SEED runs one of them")
    wrong, kinds, firsts = [], Counter(), {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        for seed, found in pool.map(lambda seed: examine(seed, folder), seeds):
            for kind in {one.split(":")[0] for one in found}:
                kinds[kind] += 1
                firsts.setdefault(kind, []).append(seed)
            if found:
                wrong.append((seed, found))
    for kind, n in kinds.most_common():
        print(f"# {kind}: {n} programs, such as {firsts[kind][:8]}")
    assert not wrong, f"{len(wrong)} programs: " + "\n".join(f"seed {seed}: " + "\n  ".join(found) for seed, found in wrong[:10])


def chains_of(told):
    """Returns {functions outermost first: self ticks} of known chains."""
    functions = {f["id"]: int(f["address"], 16) if f["address"] and f["kind"] == "function" else None for f in told["functions"]}
    tree, above, sums = told["call_tree"], {-1: ()}, Counter()
    for row, (parent, function, ticks) in enumerate(zip(tree["parent"], tree["function"], tree["self_ticks"])):
        chain = above[parent]
        if function >= 0:
            chain = None if chain is None or functions[function] is None else (*chain, functions[function])
        above[row] = chain
        if chain:
            sums[chain] += ticks or 0
    return sums


def judge_evicting(program, status, errors, texts):
    """Yields errors of an evicting tree: sums of functions must be exact without lost packets, otherwise not above the truth; no chain may lack more
than reported."""
    told = json.loads(texts["json"])
    made, own, chains = program.sum("made"), program.sum("own"), Counter()
    for chain, ticks in program.sum("chains").items():
        chains[chain[1:]] += ticks
    calls = Counter({int(f["address"], 16): f["calls"] for f in told["functions"] if f["address"] and f["calls"]})
    ticks = Counter({int(f["address"], 16): f["self_ticks"] for f in told["functions"] if f["address"] and f["self_ticks"]})
    known = chains_of(told)
    is_exact = program.lost == 0 and not any(agent.refused for agent in program.agents)
    for what, shown, truth in (("calls", calls, made), ("own times", ticks, own), ("own times of chains", known, chains)):
        if shown - truth:
            yield f"invented: {what} are {dict(shown - truth)} more than there was"
        if is_exact and what != "own times of chains" and truth - shown:
            yield f"vanished: {what} lack {dict(truth - shown)}"
    lacks = max(((chains - known) or {None: 0}).values())
    # One chain may be in several contexts, each with the bound.
    bound = ((told["target"]["tree"] or {}).get("chain_lacks_ticks") or 0) * len(program.board.stacks)
    if is_exact and lacks > bound:
        yield f"bound: a chain lacks {lacks} ticks, and {bound} were reported"
    if is_exact and not told["complete"]:
        yield f"incomplete: nothing is missing, and it says {told['incomplete_because']}"
    yield from judge_exit(status, errors, told)
    for difference in all_differences(texts):
        yield f"sums: {difference}"


def examine_evicting(seed, folder):
    program = EvictingProgram(seed)
    status, errors, texts = run(program, folder)
    found = list(judge_evicting(program, status, errors, texts)) if texts else [f"exit: status {status} and no export: {errors[-300:]}"]
    keep = os.environ.get("PROGRAMS_KEEP")
    if found and keep:
        with open(f"{keep}/evicting-{seed}.bin", "wb") as f:
            f.write(program.capture)
    return seed, found, sum(agent.evictions for agent in program.agents)


@case
def programs_with_a_small_tree_are_shown_within_bounds():
    first = int(os.environ.get("PROGRAM", os.environ.get("TEST_SEED", 1)))
    seeds = range(first, first + (1 if "PROGRAM" in os.environ else int(os.environ.get("PROGRAMS", PROGRAMS))))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(lambda seed: examine_evicting(seed, folder), seeds))
    wrong = [(seed, found) for seed, found, _ in results if found]
    print(f"# seeds {seeds[0]} to {seeds[-1]}: {sum(evictions for *_, evictions in results)} evictions")
    assert not wrong, f"{len(wrong)} programs: " + "\n".join(f"seed {seed}: " + "\n  ".join(found) for seed, found in wrong[:10])


@case
def the_check_of_small_trees_finds_a_wrong_tick():
    program = next(program for program in map(EvictingProgram, range(1, 1000)) if not program.lost and program.agents[0].evictions > 100)
    with tempfile.TemporaryDirectory() as folder:
        status, errors, texts = run(program, folder)

    def kinds(change):
        told = json.loads(texts["json"])
        change(told, next(f for f in told["functions"] if f["address"] and f["self_ticks"]))
        return {one.split(":")[0] for one in judge_evicting(program, status, errors, {**texts, "json": json.dumps(told).encode()})}
    assert kinds(lambda told, function: None) == set()
    for key in ("calls", "self_ticks"):
        assert "invented" in kinds(lambda told, function, key=key: function.update({key: function[key] + 1}))
        assert "vanished" in kinds(lambda told, function, key=key: function.update({key: function[key] - 1}))
    assert "bound" in kinds(lambda told, function: told["target"]["tree"].update(chain_lacks_ticks=0))


@case
def the_check_finds_a_wrong_call():
    program = next(program for program in map(Program, range(1, 10000)) if program.acts == ["stream, end"] and program.made.total() > 20
                   and program.missing and program.host.lost and program.host.shown.total() > 5)
    with tempfile.TemporaryDirectory() as folder:
        status, errors, texts = run(program, folder)

    def kinds(change):
        told = json.loads(texts["json"])
        change(told)
        return {one.split(":")[0] for one in judge(program, status, errors, {**texts, "json": json.dumps(told).encode()})}

    def of_first(told, key, n):
        function = next(f for f in told["functions"] if f["calls"])
        function[key] += n
    assert kinds(lambda told: None) == set()
    assert "shown" in kinds(lambda told: of_first(told, "calls", 1)) and "vanished" in kinds(lambda told: of_first(told, "calls", -1))
    assert "invented" in kinds(lambda told: of_first(told, "calls", 10000)) and "sums" in kinds(lambda told: of_first(told, "self_ticks", 1))
    assert "lost" in kinds(lambda told: told["link"].update(records_lost=0)) and "exit" in kinds(lambda told: told.update(complete=True))
    assert "complete" in kinds(lambda told: told.update(complete=True, incomplete_because=[]))


if __name__ == "__main__":
    sys.exit(run_cases())
