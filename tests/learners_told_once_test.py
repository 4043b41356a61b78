#!/usr/bin/env python3
"""No task names a learner other than in its table of defaults: what is told of learners is told in trellis/fit.

Reads the sources of trellis/tasks and trellis/cli, and fails on an include of a learner, on a learner's enumerator
outside a function `defaults`, and on a learner's name in a text. Usage: learners_told_once_test.py SOURCE_DIR
"""

import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'#include "trellis/learn/(online|dual|batch|saddle_point)/')
ENUMERATOR = re.compile(r"\bLearnerKind::k\w+|using enum LearnerKind")
NAMES = "lbfgs dca sgd mira bcfw bmrm extragradient projected-gradient smo structured-smo qp".split()
NAME = re.compile(r"(?<![\w-])(" + "|".join(NAMES) + r")(?![\w-])")
DEFAULTS = re.compile(r"^[\w:<>&*\s]*\bTaskDefaults&?\s+\w*defaults\w*\(.*\{$")


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def outside_defaults(text):
    """Lines with their numbers, but for the bodies of functions that return TaskDefaults."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if DEFAULTS.match(line):
            inside = True
        if not inside:
            yield number, line
        if inside and line == "}":
            inside = False


def complaints(path, text):
    for number, line in outside_defaults(without_comments(text)):
        if INCLUDE.search(line):
            yield f"{path}:{number}: includes a learner"
        if ENUMERATOR.search(line):
            yield f"{path}:{number}: names a learner outside its table of defaults"
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
            found = NAME.search(literal)
            if found and not line.lstrip().startswith("#include"):
                yield f"{path}:{number}: says '{found.group(1)}', which fit says"


def main():
    root = Path(sys.argv[1])
    found = []
    count = 0
    for folder in ("tasks", "cli"):
        for path in sorted((root / "trellis" / folder).rglob("*.*")):
            if path.suffix in (".h", ".cc"):
                count += 1
                found += complaints(path.relative_to(root), path.read_text(encoding="utf-8"))
    for complaint in found:
        print(complaint)
    print(f"{count} files, {len(found) or 'no'} complaint{'s' if len(found) > 1 else ''}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
