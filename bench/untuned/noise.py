"""Figures of predictions, and how far the difference between two of them could be chance.

A test part is a row of units that were drawn independently: sentences, documents, queries, pictures. A figure is a function of sums over
the units, such as right labels over all labels, so that it can be computed for any number of copies of each unit. The paired
bootstrap (Efron & Tibshirani 1993, ch. 13) draws as many units as there are, with replacement, and looks at the difference of the two figures
on the same draw; 95 of 100 such differences lie within the interval that is reported, once their mean is moved to the difference of the test
part itself (ibid., ch. 10): draws without some rare label shift a macro-F1 of many labels by more than it varies."""

import dataclasses
import operator
import random


class Counts:
    """What is summed over units for a figure: columns of numbers, of which only those that are not 0 are kept."""

    def __init__(self, size, columns):
        """columns: for each a dictionary from units to numbers."""
        self.size = size
        self.columns = [(list(column), list(column.values())) for column in columns]

    @classmethod
    def of_units(cls, rows):
        """rows: for each unit a tuple with its number for every column."""
        rows = list(rows)
        return cls(len(rows), [{i: x for i, x in enumerate(column) if x} for column in zip(*rows)])

    def sums(self, copies):
        """The sum of every column, a unit counting as often as `copies` says."""
        return [sum(map(operator.mul, map(copies.__getitem__, units), values)) for units, values in self.columns]


def ratio(sums):
    """Percent: of right labels among all, say, or the mean of a figure whose second column is 1."""
    return 100 * sums[0] / sums[1] if sums[1] else 0.0


def f1(sums):
    """Percent; columns are correct, found and gold."""
    correct, found, gold = sums
    return 200 * correct / (found + gold) if correct else 0.0


def macro_f1(sums):
    """Percent, the mean over labels; three columns a label: hits, given, true. Of nothing against nothing it is 1."""
    labels = len(sums) // 3
    total = 0.0
    for hits, given, true in zip(sums[0::3], sums[1::3], sums[2::3]):
        total += 2 * hits / (given + true) if given + true else 1.0
    return 100 * total / labels


@dataclasses.dataclass
class Difference:
    """ours − peer, and the interval of 95 %."""
    ours: float
    peer: float
    low: float
    high: float

    @property
    def value(self):
        return self.ours - self.peer

    @property
    def noise(self):
        """Half of the interval."""
        return (self.high - self.low) / 2

    @property
    def verdict(self):
        """Whether the interval has 0 in it: 'level' is within noise."""
        return "better" if self.low > 0 else "worse" if self.high < 0 else "level"


def compare(figure, ours, peer, draws=1000, seed=1):
    """The paired bootstrap over the units of `ours` and `peer`, which are those of the same test part."""
    if ours.size != peer.size:
        raise ValueError(f"{ours.size} units and {peer.size} are not of one test part")
    rng = random.Random(seed)
    units = range(ours.size)
    found = []
    for _ in range(draws):
        copies = [0] * ours.size
        for unit in rng.choices(units, k=ours.size):
            copies[unit] += 1
        found.append(figure(ours.sums(copies)) - figure(peer.sums(copies)))
    found.sort()
    once = [1] * ours.size
    tail = max(draws // 40, 1)  # 2.5 % on either side
    of_ours, of_peer = figure(ours.sums(once)), figure(peer.sums(once))
    bias = sum(found) / draws - (of_ours - of_peer)
    return Difference(of_ours, of_peer, found[tail - 1] - bias, found[-tail] - bias)
