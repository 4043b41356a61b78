"""What the measurements share: peers in a virtual environment of their own, timed child processes, sizes, tables."""

import json
import math
import os
import pathlib
import resource
import signal
import subprocess
import sys
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
    if missing and subprocess.run([python, "-m", "pip", "install", "-q", *missing]).returncode:
        sys.exit(f"this measurement needs {', '.join(missing)} from PyPI, and pip could not install that in {home}")
    return str(python)


# A process is told to have had the memory of the one that it was forked from, which here may hold a whole data set: a small one stands between.
MEASURED = """
import json, os, sys, time
report, *command = sys.argv[1:]
os.set_inheritable(int(report), False)
start = time.monotonic()
child = os.fork()
if not child:
    try:
        os.execvp(command[0], command)
    finally:
        os._exit(127)
_, status, used = os.wait4(child, 0)
used = {"wall": time.monotonic() - start, "cpu": used.ru_utime + used.ru_stime, "memory": used.ru_maxrss / 1024}
os.write(int(report), json.dumps([os.waitstatus_to_exitcode(status), used]).encode())
"""


def attempt(*command, **options):
    """Runs a program; its status, output, wall and CPU seconds and peak memory (MB), those of its children with it."""
    command = [str(c) for c in command]
    read_end, write_end = os.pipe()
    process = subprocess.Popen([sys.executable, "-S", "-E", "-c", MEASURED, str(write_end), *command], stdout=subprocess.PIPE, text=True,
                               pass_fds=[write_end], **options)
    os.close(write_end)
    output = process.communicate()[0]
    with open(read_end, encoding="utf-8") as report:
        status, used = json.loads(report.read() or "[null, {}]")
    return {"status": status, "output": output, **used}


def run(*command, **options):
    """Likewise of a program without which there is nothing to measure."""
    done = attempt(*command, **options)
    if done["status"] != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with status {done['status']}")
    return done


def within(seconds=0, megabytes=0):
    """What `preexec_fn` holds a program to: CPU seconds and address space; 0: without end."""
    def hold():
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        if megabytes:
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    return hold


def out_of_time(done):
    """Whether what `attempt` returned was ended by the limit of CPU seconds."""
    return done["status"] in (-signal.SIGXCPU, 128 + signal.SIGXCPU)


def trellis(*arguments):
    return run(PROGRAM, *arguments, stderr=subprocess.DEVNULL)


def exponent(sizes, seconds):
    """Of the power law of seconds in sizes, by least squares of logarithms."""
    x, y = [math.log(s) for s in sizes], [math.log(s) for s in seconds]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def sized(parser, **full):
    """The call of a measurement that has two sizes: the parser's own defaults, which end within minutes, and with --full these."""
    parser.add_argument("--full", action="store_true", help="in the size of the papers: " + (
        ", ".join(f"{key.replace('_', '-')} {value if isinstance(value, (str, int, float)) else ' '.join(map(str, value))}"
                  for key, value in full.items()) or "there is one size alone, which this is"))
    if parser.parse_known_args()[0].full:
        parser.set_defaults(**full)
    return parser.parse_args()


TABLES = []  # the tables of this run, as docs/performance.md will have them (bench/suite)


def cell(value):
    """As a table shows it; what is kept has all digits."""
    if isinstance(value, float):
        return f"{value:.2f}" if abs(value) >= 0.1 or value == 0 or math.isnan(value) else f"{value:.2g}"
    return "" if value is None else str(value)


def table(title, header, rows, claim=None):
    """Prints a table, and keeps it for `save`. claim: which of the bench's REPORT["claims"] it bears out; none: the first."""
    rows = [list(row) for row in rows]
    TABLES.append({"claim": claim, "title": title, "columns": list(header), "rows": rows, "notes": []})
    print(f"\n{title}")
    shown = [list(header)] + [[cell(c) for c in row] for row in rows]
    widths = [max(len(row[i]) for row in shown) for i in range(len(header))]
    for row in shown:
        print("  " + "  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))))


def note(text):
    """A sentence below the table before it, with what the run has found."""
    TABLES[-1]["notes"].append(text)
    print(f"  {text}")


def save(result):
    """Figures as each bench has them, and its tables in one form: claim, title, columns, rows, notes."""
    kept = result if isinstance(result, dict) else {"rows": result}
    pathlib.Path(os.environ["TRELLIS_BENCH_JSON"]).write_text(json.dumps({**kept, "report": TABLES}, indent=1, default=str) + "\n", encoding="utf-8")
