#!/usr/bin/env python3
"""Writes the C++ blocks of a Markdown page, in their order, as one source file.

So the code that the page shows is compiled and run by the tests. Lines keep their numbers, and
compilers report errors in the page itself. Usage: code_blocks.py PAGE SOURCE
"""

import sys
from pathlib import Path


def main():
    page, source = map(Path, sys.argv[1:])
    inside, lines = False, [f'#line 1 "{page}"']
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            inside = line == "```cpp"
            line = ""
        lines.append(line if inside else "")
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
