"""The labelled pairs of the Hansards, and files of some of them: text, gold links, and the links of other aligners."""

import dataclasses
import json
import pathlib
import sys

from peers import PROGRAM, data, links, parallel_text, run


def said(log):
    """The last line of what a program said, beside its output, before it gave up."""
    return (pathlib.Path(log).read_text(encoding="utf-8").strip().splitlines() or ["no reason given"])[-1]


def trellis(log, *arguments, call=run, **options):
    """Ours; what it says beside its output goes to the log."""
    try:
        with open(log, "w", encoding="utf-8") as file:
            return call(PROGRAM, *arguments, stderr=file, **options)
    except SystemExit as reason:
        raise SystemExit(f"{reason}: {said(log)} ({log})") from None


@dataclasses.dataclass
class Files:
    """Of some pairs; every command that aligns them is given `text` and `external`."""
    text: list
    gold: pathlib.Path
    external: list  # of options


class Labelled:
    """A part of the Hansards with its links. externals: {name: the links that it has found in each pair}."""

    def __init__(self, session, externals=None):
        first, end = session.text.parts[session.judged]
        self.pairs = session.text.pairs[first:end]
        self.gold = links.read_gold(data("hansards", f"{session.judged}.align.gz"))
        self.externals = externals or {}
        if any(len(one) != len(self.pairs) for one in (self.gold, *self.externals.values())):
            sys.exit(f"there are {len(self.pairs)} pairs of {session.judged}, but not the links of as many")

    def files(self, stem, numbers, with_externals=False):
        """Of the pairs of these numbers."""
        parallel_text.write(stem, [self.pairs[k] for k in numbers])
        gold = pathlib.Path(f"{stem}.links")
        links.write_gold(gold, [self.gold[k] for k in numbers])
        external = []
        for name, found in self.externals.items() if with_externals else ():
            path = pathlib.Path(f"{stem}.{name}")
            links.write(path, [found[k] for k in numbers])
            external += ["--external", f"{name}={path}"]
        return Files([f"{stem}.en", f"{stem}.fr"], gold, external)

    def sums(self, found, numbers):
        """Of links of the pairs of these numbers."""
        return links.total(links.counts(one, self.gold[k]) for one, k in zip(found, numbers, strict=True))


def figures(sums):
    return links.precision(sums), links.recall(sums), links.aer(sums)


def evaluate(log, model, files, *options, threads=1):
    """(precision, recall, AER) in percent, as the program itself counts them."""
    scores = json.loads(trellis(log, "align", "evaluate", *files.text, "--gold", files.gold, "--model", model, *files.external, *options,
                                "--threads", threads, "--json")["output"])
    return tuple(100 * scores[name] for name in ("precision", "recall", "aer"))
