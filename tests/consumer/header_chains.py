"""Writes sources that prove of each installed header that it brings along what it needs: header_chains.py INCLUDE_DIR FOLDER

A header is proven by a source that has read nothing before it but what it includes itself, near or far. So one source will do for a
chain of headers, each of which includes the one before: as few chains as there can be, by a matching of each header with the next
(Fulkerson 1956). They stand in FOLDER/light and FOLDER/heavy, the latter where a chain comes to a library whose headers take long to
read; NAME.libraries is what a source of each kind may take as read, all that the headers of the house include of others
(tests/includes_test.py sees to that part).
"""

import pathlib
import re
import sys

LARGE = ("Eigen/", "nlohmann/json.hpp")
MACROS = ("hwy/",)  # their meaning hangs on what stands before them


def read(include_dir):
    """{header: those of the house that it includes}, {header: those of others}."""
    own, others = {}, {}
    for path in sorted(include_dir.glob("trellis/**/*.h")):
        header = str(path.relative_to(include_dir))
        found = re.findall(r'^#include [<"]([^>"]*)[>"]', path.read_text(encoding="utf-8"), re.MULTILINE)
        own[header] = [name for name in found if name.startswith("trellis/")]
        others[header] = [name for name in found if not name.startswith(("trellis/", *MACROS))]
    return own, others


def closures(own):
    """{header: all that it includes, near or far}, what is included before what includes it."""
    found = {}

    def visit(header):
        if header not in found:
            found[header] = set()  # a header that includes itself ends here
            for name in own[header]:
                found[header] |= {name} | visit(name)
        return found[header]

    for header in own:
        visit(header)
    return found


def chains(includes):
    """As few as there can be, each from the header that includes nothing of it to the one that includes all of it."""
    after = {}  # of a header: the next of its chain

    def give_next(header, seen):
        """Whether header can be the next of one that it includes, where others may take another one."""
        for name in sorted(includes[header] - seen):
            seen.add(name)
            if name not in after or give_next(after[name], seen):
                after[name] = header
                return True
        return False

    starts = [header for header in sorted(includes) if not give_next(header, set())]
    return [list(follow(start, after)) for start in starts]


def follow(header, after):
    while header:
        yield header
        header = after.get(header)


def main():
    include_dir, folder = map(pathlib.Path, sys.argv[1:])
    own, others = read(include_dir)
    includes = closures(own)
    libraries = {name for names in others.values() for name in names}
    light = {name for name in libraries if not name.startswith(LARGE)}
    for kind, known in (("light", light), ("heavy", libraries)):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        (folder / f"{kind}.libraries").write_text("\n".join(f"<{name}>" for name in sorted(known)), encoding="utf-8")
    for chain in chains(includes):
        heavy = any(set(others[header]) - light for header in includes[chain[-1]] | {chain[-1]})
        unit = folder / ("heavy" if heavy else "light") / (chain[-1].removesuffix(".h").replace("/", "_") + ".cc")
        unit.write_text("".join(f"#include <{header}>\n" for header in chain), encoding="utf-8")


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    main()
