"""Runs one measurement, and records with its results where, when, from what and how they were made.

build/bench/NAME.json is what the bench saved, with `run` (the last call) and `report`: for each claim its tables and the run that
made them. A call with --only or --part replaces the claims that it measured, and leaves the others: a whole run can be spread over
several calls. Results with other options stand in `tried`, and are not reported. A run that fails leaves existing results unchanged, and
the reason in build/bench/NAME.failed.json."""

import collections
import contextlib
import datetime
import json
import os
import resource
import shlex
import signal
import subprocess
import sys
import threading
import time

from suite import machine, micro

BUILD = machine.ROOT / "build"
RESULTS = BUILD / "bench"
PARTS = ("--only", "--part")  # options that leave parts out
IDLE = ("--continue", "--keep")  # options that change no figure
SIZES = ("default", "full")  # from what is worth less; other ones are not reported


def options_of(arguments):
    """{option: the words behind it, which may have commas between}."""
    found, last = {}, ""
    for word in " ".join(arguments).replace("=", " ").replace(",", " ").split():
        if word.startswith("--"):
            last = word
            found[last] = []
        else:
            found.setdefault(last, []).append(word)
    return found


def size_of(bench, arguments):
    """default, full, or other where something else was asked for than whole claims of these."""
    options = options_of(arguments)
    if not set(options) <= {"--full", *PARTS, *IDLE}:
        return "other"
    for part in PARTS:
        asked = {word for group in options.get(part, ()) for word in bench.groups.get(group, [group])}
        claims = (set(options_of(claim.split()).get(part, ())) for _, claim in bench.claims.values())
        if asked - set().union(*(claim for claim in claims if claim <= asked)):
            return "other"
    return "full" if "--full" in options else "default"


def groups(bench, tables, run):
    """Tables by the claims that they bear out, in the order in which the bench has these."""
    found = collections.defaultdict(list)
    for table in tables:
        found[bench.claim_of(table)].append(table)
    order = [*bench.claims, *(claim for claim in found if claim not in bench.claims)]
    return [{"claim": claim, "run": run, "tables": found[claim]} for claim in order if found[claim]]


def merged(bench, old, new):
    """New groups, and the old ones of claims that these say nothing of."""
    by_claim = {group["claim"]: group for group in (*old, *new)}
    order = [*bench.claims, *(claim for claim in by_claim if claim not in bench.claims)]
    return [by_claim[claim] for claim in order if claim in by_claim]


def read(path):
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(path, value):
    """All of it or nothing."""
    new = path.with_suffix(".new")
    new.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    new.replace(path)


def whole(bench, result, full, source):
    """Whether a result has every claim, of this source, in the size that is asked for or in the larger one."""
    enough = ("default", "full") if not full or bench.one_size else ("full",)
    have = {group["claim"] for group in result.get("report", ()) if group["run"]["size"] in enough and group["run"]["source"] == source}
    return set(bench.claims_of(full)) <= have


def command(bench, arguments, output):
    if not bench.micro:
        return [sys.executable, str(bench.path), *arguments]
    options = [option for word in arguments for option in (micro.FULL if word == "--full" else [word])]
    return [str(BUILD / "release" / "bench" / f"{bench.stem}_bench"), f"--benchmark_out={output}", "--benchmark_out_format=json", *options]


def stop_when_told():
    """Signals that end a program are exceptions, so that what it has started ends with it: a bench would go on, beside the next run."""
    def leave(number, _):
        sys.exit(128 + number)

    for kind in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(kind) == signal.SIG_DFL:  # nohup stays as it is
            signal.signal(kind, leave)


@contextlib.contextmanager
def undivided():
    """What is begun here is whole before such a signal, or Ctrl-C, counts: a process that nobody knows yet would not be ended."""
    came = []
    kinds = [kind for kind in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT) if callable(signal.getsignal(kind))]
    before = {kind: signal.signal(kind, lambda number, _: came.append(number)) for kind in kinds}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)
        for number in came:
            signal.raise_signal(number)


def end(process):
    """The bench, and whatever it has started; politely first."""
    for kind in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, kind)
        except ProcessLookupError:
            return
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            pass


def watched(words, environment, limit):
    """Runs a program in a group of its own, for at most so many seconds. Its status, None where its time was over, and the last lines
    of what it complained of."""
    last, process = collections.deque(maxlen=20), None

    def listen():
        for line in process.stderr:
            sys.stderr.write(line)
            last.append(line.rstrip())

    listener = threading.Thread(target=listen, daemon=True)
    try:
        with undivided():
            process = subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)
        listener.start()
        status = process.wait(limit)
    except subprocess.TimeoutExpired:
        status = None
        end(process)
    except BaseException:
        if process:
            end(process)
        raise
    listener.join(5)
    return status, [line for line in last if line]


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(bench, arguments, limit=None):
    """Runs the bench and writes its result. limit: minutes. The record of the run, whose `state` is done, failed or out of time."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    path, failed, output = (RESULTS / f"{bench.name}.{ending}" for ending in ("json", "failed.json", "output.json"))
    output.unlink(missing_ok=True)
    run = {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"), "size": size_of(bench, arguments),
           "command": shlex.join(["./dev", "bench", bench.name, *arguments]), "processor": machine.processor(), "cores": os.cpu_count(),
           "commit": machine.commit(), "source": machine.source(bench), "load_before": machine.load()}
    start, busy, own = time.monotonic(), machine.busy_seconds(), cpu_of_children()
    status, complaint = watched(command(bench, arguments, output), {
        **os.environ, "TRELLIS_BUILD_DIR": str(BUILD / "release"), "TRELLIS_BENCH_JSON": str(output)}, limit and 60 * limit)
    seconds, cpu = time.monotonic() - start, cpu_of_children() - own
    run |= {"load_after": machine.load(), "seconds": round(seconds, 1), "cpu": round(cpu, 1)}
    if busy is not None:  # of processors that others had meanwhile
        run["others"] = round(max(0.0, machine.busy_seconds() - busy - cpu) / seconds, 2)
    if status == 0 and output.exists():
        run["state"] = "done"
        result = read(output)
        tables = micro.tables(bench.stem, result) if bench.micro else result.pop("report", [])
        old, new = read(path).get("report", []), groups(bench, tables, run)
        found = {"report": merged(bench, old, new)} if run["size"] in SIZES else {"report": old, "tried": new}
        write(path, {"run": run, **result, **found})
        failed.unlink(missing_ok=True)
    elif status == 0:
        run["state"] = "done"  # it was asked for something that is no figure, such as a list
    else:
        run |= {"state": "failed" if status is not None else "out of time", "status": status,
                "said": complaint[-1] if complaint else "nothing was said"}
        write(failed, {"run": run})
    output.unlink(missing_ok=True)
    return run
