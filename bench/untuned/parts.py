"""Files to train, choose and test with: those of a data set as they are, or for a quick run small parts of its training file alone."""

import dataclasses
import gzip
import json
import pathlib
import random
import typing

from untuned.session import Failed


@dataclasses.dataclass
class Parts:
    train: typing.Any
    dev: typing.Any  # None where the data have none
    test: typing.Any


def opened(path):
    """Lines end at LF alone, as our readers have it."""
    return (gzip.open if str(path).endswith(".gz") else open)(path, "rt", encoding="utf-8", errors="replace", newline="\n")


def blocks(path):
    """The sentences of a file, with the empty line behind each."""
    block = []
    with opened(path) as lines:
        for line in lines:
            block.append(line)
            if not line.strip(" \t\r\n"):
                yield "".join(block)
                block = []
    if block:
        yield "".join(block) + "\n"


def cut(units, sizes):
    """The first units, the next, and so on: a list for each size, all of them smaller where there are too few."""
    units, found, begin = list(units), [], 0
    share = min(1, len(units) / sum(sizes))
    for size in sizes:
        end = begin + max(int(size * share), 1)
        found.append(units[begin:end])
        begin = end
    return found


def shuffled(units):
    """In an order of chance, the same every time: files may come sorted by label."""
    units = list(units)
    return random.Random(1).sample(units, len(units))


def write(path, texts):
    pathlib.Path(path).write_text("".join(texts), encoding="utf-8")
    return path


def write_parts(place, suffix, train, test, dev=None):
    """Texts into files of their own."""
    return Parts(write(place / f"train{suffix}", train), None if dev is None else write(place / f"dev{suffix}", dev),
                 write(place / f"test{suffix}", test))


def dev_option(parts):
    return [] if parts.dev is None else ["--dev", parts.dev]


def chosen(trained):
    """What our program says that it has settled on, as far as it says it."""
    result = json.loads(trained.output)
    said = {**(result.get("dials") or {}), **result}
    names = ("method", "learner", "loss", "c", "lambda", "l1", "expand", "epochs", "best_epoch", "chosen_by")
    return ", ".join(f"{name} {said[name]}" for name in names if said.get(name) is not None)


def agree(figure, counts, reported):
    """Our own program's figure of the test part must be the one that is computed here from its predictions."""
    computed = figure(counts.sums([1] * counts.size))
    if abs(computed - reported) > 1e-6 * max(1, abs(reported)):
        raise Failed(f"evaluate says {reported}, its predictions say {computed}")
