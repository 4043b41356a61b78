"""Writes ferry.bif, ferry.net, train.csv, test.csv and gaps.csv of this folder: crossings of a small ferry, the same every time.

The season makes wind, fog and demand; demand and a crew that may be short make the loading; wind, fog and the loading decide
whether the ferry leaves on time, late or not at all, and that is what is to be foretold. What is seen of it: the sea, the queue
on the quay and the café. ferry.bif has the probabilities that rows are drawn by, ferry.net the arrows alone. The rows of gaps.csv
have a sixth of their cells missing.
"""

import itertools
import pathlib
import random

ROWS = {"train": 800, "test": 400, "gaps": 300}
MISSING = {"gaps": 1 / 6}
VALUES = {
    "season": ("summer", "winter"),
    "wind": ("calm", "breeze", "gale"),
    "fog": ("no", "yes"),
    "crew": ("full", "short"),
    "demand": ("low", "high"),
    "loading": ("quick", "slow"),
    "departure": ("on_time", "late", "cancelled"),
    "sea": ("smooth", "rough"),
    "queue": ("none", "some", "long"),
    "cafe": ("quiet", "busy"),
}
# Parents, and for each of their values, the last running fastest, the probabilities of the variable's own.
TABLES = {
    "season": ((), [(0.5, 0.5)]),
    "wind": (("season",), [(0.45, 0.45, 0.10), (0.15, 0.50, 0.35)]),
    "fog": (("season",), [(0.85, 0.15), (0.65, 0.35)]),
    "crew": ((), [(0.8, 0.2)]),
    "demand": (("season",), [(0.3, 0.7), (0.75, 0.25)]),
    "loading": (("demand", "crew"), [(0.95, 0.05), (0.7, 0.3), (0.6, 0.4), (0.15, 0.85)]),
    "departure": (("wind", "fog", "loading"), [
        (0.95, 0.04, 0.01), (0.35, 0.64, 0.01), (0.55, 0.40, 0.05), (0.10, 0.80, 0.10),
        (0.90, 0.09, 0.01), (0.30, 0.68, 0.02), (0.45, 0.45, 0.10), (0.05, 0.80, 0.15),
        (0.15, 0.35, 0.50), (0.05, 0.40, 0.55), (0.03, 0.12, 0.85), (0.01, 0.09, 0.90)]),
    "sea": (("wind",), [(0.95, 0.05), (0.6, 0.4), (0.05, 0.95)]),
    "queue": (("demand", "departure"), [
        (0.80, 0.18, 0.02), (0.35, 0.50, 0.15), (0.55, 0.30, 0.15),
        (0.35, 0.50, 0.15), (0.05, 0.40, 0.55), (0.20, 0.30, 0.50)]),
    "cafe": (("queue",), [(0.85, 0.15), (0.5, 0.5), (0.2, 0.8)]),
}


def bif():
    lines = ["network ferry {", "}"]
    for name, values in VALUES.items():
        lines += [f"variable {name} {{", f"  type discrete [ {len(values)} ] {{ {', '.join(values)} }};", "}"]
    for name, (parents, rows) in TABLES.items():
        lines.append(f"probability ( {name}{' | ' if parents else ''}{', '.join(parents)} ) {{")
        for given, row in zip(itertools.product(*(VALUES[p] for p in parents)), rows):
            lines.append(f"  {'(' + ', '.join(given) + ')' if parents else 'table'} {', '.join(map(str, row))};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def net():
    lines = ["# A crossing of the ferry: its variables, and what each depends on."]
    lines += [f"variable {name} {' '.join(values)}" for name, values in VALUES.items()]
    lines += [f"{name} <- {' '.join(parents)}" for name, (parents, _) in TABLES.items() if parents]
    return "\n".join(lines) + "\n"


def crossing(dice):
    row = {}
    for name, (parents, rows) in TABLES.items():
        number = 0
        for parent in parents:
            number = number * len(VALUES[parent]) + VALUES[parent].index(row[parent])
        row[name] = dice.choices(VALUES[name], rows[number])[0]
    return row


def csv(dice, count, missing):
    lines = [",".join(VALUES)]
    for _ in range(count):
        row = crossing(dice)
        lines.append(",".join("?" if missing and dice.random() < missing else row[name] for name in VALUES))
    return "\n".join(lines) + "\n"


def main():
    here = pathlib.Path(__file__)
    here.with_name("ferry.bif").write_text(bif(), encoding="ascii")
    here.with_name("ferry.net").write_text(net(), encoding="ascii")
    dice = random.Random(17)
    for part, count in ROWS.items():
        here.with_name(f"{part}.csv").write_text(csv(dice, count, MISSING.get(part, 0)), encoding="ascii")


if __name__ == "__main__":
    main()
