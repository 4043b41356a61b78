"""What ./dev bench asks for: list, targets, run, all, keep, report."""

import argparse
import os
import pathlib
import sys

sys.path[0] = str(pathlib.Path(__file__).parents[1])

from suite import everything, page, record, regions  # noqa: E402
from suite.catalogue import NEEDS, all_benches  # noqa: E402


def known(name):
    benches = all_benches()
    if name not in benches:
        print(f"dev: no bench '{name}'; there are: {' '.join(benches)}", file=sys.stderr)
        sys.exit(2)
    return benches[name]


def show_list(_):
    for bench in all_benches().values():
        needs = "".join(f" [{need}]" for need in bench.needs if need != "data")
        print(f"{bench.name:22} {bench.minutes[0]:3d} min, full {bench.minutes[1]:4d}  {bench.summary}{needs}")
    print(f"\n[pypi]: needs {NEEDS['pypi']}; [debian]: {NEEDS['debian']}")


def show_targets(arguments):
    """What is to be built: the program, unless it is a micro-benchmark."""
    bench = known(arguments[0])
    print(*([] if bench.micro else ["trellis"]), *bench.targets)


def run(arguments):
    """The bench's own options are its own affair."""
    bench, limit = known(arguments[0]), os.environ.get("TRELLIS_BENCH_LIMIT")
    done = record.measure(bench, arguments[1:], float(limit) if limit else None)
    if done["state"] == "out of time":
        sys.exit(f"{bench.name} was ended after {done['seconds']:.0f} s")
    return done.get("status", 0) or 0


def measure_all(arguments):
    parser = argparse.ArgumentParser(prog="./dev bench all", description="Every measurement in turn, each alone.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="these alone")
    parser.add_argument("--full", action="store_true", help="in the size of the papers: a day or more")
    parser.add_argument("--anew", action="store_true", help="also what is there already")
    parser.add_argument("--wait", action="store_true", help="until the machine is idle, instead of refusing")
    parser.add_argument("--limit", type=float, metavar="MINUTES", help="of each [four times what it takes, at least 30]")
    call = parser.parse_args(arguments)
    failures = everything.measure_all(call.names, call.full, call.anew, call.wait, call.limit)
    return 2 if failures is None else int(failures > 0)


def keep(arguments):
    parser = argparse.ArgumentParser(prog="./dev bench keep", description="Copies results of build/bench to bench/results.")
    parser.add_argument("names", nargs="*", metavar="NAME")
    names = parser.parse_args(arguments).names
    for name in names:
        known(name)
    changed = page.keep(names)
    print(f"kept in bench/results: {' '.join(changed) or 'nothing new'}")


def report(arguments):
    parser = argparse.ArgumentParser(prog="./dev bench report", description="Writes docs/performance.md, its chapters, and the tables of other documents.")
    parser.add_argument("--keep", action="store_true", help="keep what build/bench has before")
    if parser.parse_args(arguments).keep:
        keep([])
    page.write(record.RESULTS)
    regions.write(record.RESULTS)
    rest = page.unkept()
    if rest:
        print(f"the pages have results that bench/results does not keep: {' '.join(rest)}; ./dev bench report --keep", file=sys.stderr)


COMMANDS = {"list": show_list, "targets": show_targets, "run": run, "all": measure_all, "keep": keep, "report": report}

if __name__ == "__main__":
    record.stop_when_told()
    sys.exit(COMMANDS[sys.argv[1]](sys.argv[2:]))
