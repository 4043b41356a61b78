"""Every measurement in turn, each alone: `./dev bench all`."""

import os
import signal
import subprocess
import sys
import time

from suite import machine, page, record
from suite.catalogue import all_benches

SETTLING = 300  # seconds at most that the load of our own building may take to fall


def tell(text):
    print(text, file=sys.stderr, flush=True)


def due(benches, full, anew):
    """Those whose results are not there, neither in build/bench nor kept."""
    return [bench for bench in benches if anew or not record.whole(bench, page.combined(bench, record.RESULTS), full, machine.source(bench))]


def wait_for_idle(seconds=None):
    """Whether the machine is idle, at the latest after so many seconds."""
    start = time.monotonic()
    while machine.load() > machine.BUSY:
        if seconds is not None and time.monotonic() - start > seconds:
            return False
        time.sleep(10)
    return True


def idle(wait):
    """Whether we may begin."""
    load = machine.load()
    if load <= machine.BUSY:
        return True
    if not wait:
        tell(f"the machine is busy: its load average is {load:.2f}, and above {machine.BUSY} nothing is measured; --wait waits")
        return False
    tell(f"waiting: the load average is {load:.2f}, and above {machine.BUSY} nothing is measured")
    return wait_for_idle()


def build(benches):
    """Beforehand, so that nothing is measured beside a compiler. Those that cannot be built say so when their turn comes."""
    for bench in benches:
        subprocess.run([machine.ROOT / "dev", "bench", "build", bench.name], stdin=subprocess.DEVNULL)


def run_one(bench, full, limit):
    """By way of ./dev; what it prints goes to a log. The record of the run."""
    log = record.RESULTS / f"{bench.name}.log"
    words = [machine.ROOT / "dev", "bench", bench.name, *["--full"] * full]
    failed, path = (record.RESULTS / f"{bench.name}.{ending}" for ending in ("failed.json", "json"))
    failed.unlink(missing_ok=True)
    with open(log, "w", encoding="utf-8") as file:
        process = None
        try:
            with record.undivided():
                process = subprocess.Popen(["env", f"TRELLIS_BENCH_LIMIT={limit}", *words], stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                           start_new_session=True)
            status = process.wait()
        except BaseException:
            if process:
                os.killpg(process.pid, signal.SIGTERM)  # it ends what it runs
                process.wait()
            raise
    run = record.read(failed).get("run") or (record.read(path).get("run") if status == 0 else None)
    return run or {"state": "failed", "said": f"see {log}", "seconds": 0}


def measure_all(names=(), full=False, anew=False, wait=False, limit=None):
    """The number of measurements that failed; None where nothing was begun."""
    known = all_benches()
    for name in names:
        if name not in known:
            tell(f"dev: no bench '{name}'; there are: {' '.join(known)}")
            raise SystemExit(2)
    asked = [bench for bench in known.values() if not names or bench.name in names]
    waiting = due(asked, full, anew)
    tell(f"{len(waiting)} of {len(asked)} measurements are to be made, about {sum(bench.minutes[full] for bench in waiting)} minutes")
    if not waiting:
        return 0
    if not idle(wait):
        return None
    record.RESULTS.mkdir(parents=True, exist_ok=True)
    build(waiting)
    wait_for_idle(None if wait else SETTLING)
    failures = []
    for number, bench in enumerate(waiting, 1):
        tell(f"[{number}/{len(waiting)}] {bench.name}, about {bench.minutes[full]} minutes")
        run = run_one(bench, full, limit or bench.limit(full))
        tell(f"    {run['state']} after {run['seconds']:.0f} s" + (f": {run['said']}" if "said" in run else ""))
        if run["state"] != "done":
            failures.append((bench.name, run))
    for name, run in failures:
        tell(f"{run['state']}: {name}: {run['said']} (build/bench/{name}.log)")
    tell(f"{len(waiting) - len(failures)} measured, {len(failures)} failed; ./dev bench keep && ./dev bench report")
    return len(failures)
