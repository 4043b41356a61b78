"""What the measurements share: peers in a virtual environment of their own, timed child processes, tables."""

import json
import math
import os
import pathlib
import subprocess
import sys
import time
import venv

BUILD = pathlib.Path(os.environ["TRELLIS_BUILD_DIR"])
PROGRAM = BUILD / "trellis" / "cli" / "trellis"
WORK = BUILD.parent / "bench"


def data(*parts):
    """A file of the real data sets; the measurement is skipped where they are not at hand."""
    root = os.environ.get("TRELLIS_DATA")
    if not root:
        sys.exit("TRELLIS_DATA is not set: this measurement needs the real data sets, and is skipped")
    return str(pathlib.Path(root, *parts))


def closed(event, arguments):
    """An audit hook for runs that try things out: they must not so much as open a test part."""
    if event == "open" and isinstance(arguments[0], (str, os.PathLike)):
        path = pathlib.Path(arguments[0])
        if path.is_relative_to(data()) and "test" in path.name:
            raise PermissionError(f"{path} is a test part, which this run does not read")


def peer_python(*packages):
    """A Python with these packages from PyPI, apart from everything else."""
    home = WORK / "venv"
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
    missing = [p for p in packages if subprocess.run([python, "-m", "pip", "show", "-q", p], capture_output=True).returncode]
    if missing:
        subprocess.run([python, "-m", "pip", "install", "-q", *missing], check=True)
    return str(python)


def run(*command, **options):
    """Runs a program; its output, wall and CPU seconds and peak memory (MB)."""
    start = time.monotonic()
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, text=True, **options)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(str(c) for c in command)} ended with status {process.returncode}")
    return {
        "output": output,
        "wall": time.monotonic() - start,
        "cpu": usage.ru_utime + usage.ru_stime,
        "memory": usage.ru_maxrss / 1024,
    }


def trellis(*arguments):
    return run(PROGRAM, *arguments, stderr=subprocess.DEVNULL)


def exponent(sizes, seconds):
    """Of the power law of seconds in sizes, by least squares of logarithms."""
    x, y = [math.log(s) for s in sizes], [math.log(s) for s in seconds]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def table(title, header, rows):
    print(f"\n{title}")
    rows = [header] + [[f"{c:.2f}" if isinstance(c, float) else str(c) for c in row] for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
    for row in rows:
        print("  " + "  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))))


def save(result):
    pathlib.Path(os.environ["TRELLIS_BENCH_JSON"]).write_text(json.dumps(result, indent=1) + "\n")
