"""The measurements and their descriptions.

A script bench/NAME.py has a docstring, which its page in docs/performance/ shows, and a literal

    REPORT = {
        "title": "Chunking compared with CRFsuite",
        "chapter": one of CHAPTERS,
        "claims": {key: [what a table of this key shows, the options that measure it alone; with --full if only a full run measures it]},
        "minutes": [about the minutes of a run, and of one with --full],
        "default": how a run without --full is smaller; left out if there is only one size,
        "needs": of NEEDS,
        "builds": [further targets],
        "groups": {a word of --only or --part: its parts},
    }

which is read without running the script. A program of our own that a script bench/NAME.py runs is bench/NAME_program.cc. The
micro-benchmarks bench/NAME_bench.cc have their description in the comment at their head, and the rest in suite/micro.py."""

import ast
import dataclasses
import pathlib
import re

BENCH = pathlib.Path(__file__).parents[1]
CHAPTERS = ("Every task", "Sequences", "Labels and sets of labels", "Word alignment", "Trees", "Pictures and matchings", "Rankings",
            "Saddle points", "Topics", "Generative models")
NEEDS = {"data": "the real data sets (`TRELLIS_DATA`)", "pypi": "packages from PyPI, which it installs in an environment of its own",
         "debian": "further Debian packages, by `./dev setup bench`"}
ENDS = r"(?<=\.)(?<! al\.)(?<! ch\.)(?<! sec\.)(?<! fig\.)(?<! figs\.)\s|\n\n"  # of sentences
LEAST_LIMIT = 30  # minutes of any run; a measurement in its default size is to end within half of that


@dataclasses.dataclass
class Bench:
    name: str
    path: pathlib.Path
    prose: str
    title: str
    chapter: str
    claims: dict  # key: [sentence, options]
    minutes: list
    default: str = ""
    needs: tuple = ()
    builds: tuple = ()
    groups: dict = dataclasses.field(default_factory=dict)

    @property
    def micro(self):
        return self.path.suffix == ".cc"

    @property
    def summary(self):
        """Its first sentence."""
        return re.split(ENDS, self.prose, maxsplit=1)[0].replace("\n", " ")

    @property
    def stem(self):
        return self.name.replace("-", "_")

    @property
    def one_size(self):
        return not self.default

    @property
    def targets(self):
        """What is built for it, in addition to the program `trellis` for a script."""
        if self.micro:
            return [f"{self.stem}_bench"]
        return [f"{self.stem}_program"] * (BENCH / f"{self.stem}_program.cc").exists() + list(self.builds)

    def limit(self, full):
        """Minutes after which a run is ended."""
        return max(LEAST_LIMIT, 4 * self.minutes[1 if full else 0])

    def claims_of(self, full):
        """Those that a run of this size measures."""
        return [claim for claim, (_, options) in self.claims.items() if full or "--full" not in options]

    def claim_of(self, table):
        """Its key; a table that names none bears out the first."""
        return table["claim"] or next(iter(self.claims))


def literal(path, name):
    """The value of a constant of a script, without running it; None where there is none."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            return ast.literal_eval(node.value)
    return None


def script(path):
    """None for a script that is not a measurement."""
    report = literal(path, "REPORT")
    if report is None:
        return None
    prose = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    return Bench(path.stem.replace("_", "-"), path, prose, **report)


def head_comment(path):
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.removeprefix("//").removeprefix(" "))
    return "\n".join(lines).strip()


def indented_lists(prose):
    """Of a comment with `name   what it is` on lines of their own: those as code, which keeps their columns."""
    return re.sub(r"(?m)^(\S+(?: {2,})\S.*|  +\S.*)$", r"    \1", prose)


def micro(path):
    from suite.micro import MICRO
    name = path.stem.removesuffix("_bench")
    return Bench(name.replace("_", "-"), path, indented_lists(head_comment(path)), default="each value takes half a second, with "
                 "`--full` two", **MICRO[name])


def all_benches(folder=BENCH):
    """By name, those of a chapter together."""
    found = [bench for bench in map(script, sorted(folder.glob("*.py"))) if bench]
    scripts = {bench.stem for bench in found}
    found += [micro(path) for path in sorted(folder.glob("*_bench.cc")) if path.stem.removesuffix("_bench") not in scripts]
    return {bench.name: bench for bench in sorted(found, key=lambda bench: (CHAPTERS.index(bench.chapter), bench.micro))}
