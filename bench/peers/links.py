"""Links between the words of sentence pairs: how good they are, thresholds, and two directions made into one.

A link is (source word, target word), from 0. This is told again here, and not asked of the program, because peers have to be judged by
something that is not ours; the measurement compares the two."""

import gzip
import itertools

NEIGHBOURS = ((0, -1), (-1, 0), (0, 1), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))


def parse(line):
    """'0-0 1-2' as a set."""
    return {tuple(map(int, link.split("-"))) for link in line.split()}


def parse_scored(line):
    """'0-0:0.97 1-2:0.31' as a dictionary."""
    return {tuple(map(int, link.split("-"))): float(p) for link, p in (word.rsplit(":", 1) for word in line.split())}


def read(path, first=0, end=None):
    """Those of the lines [first, end)."""
    with open(path, encoding="utf-8") as file:
        return [parse(line) for line in itertools.islice(file, first, end)]


def read_gold(path):
    """(sure, possible) of each pair from lines of 'f-e' and 'f-e-P', the target word first; sure links are possible too."""
    gold = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            links = [word.split("-") for word in line.split()]
            possible = {(int(e), int(f)) for f, e, *_ in links}
            gold.append(({(int(e), int(f)) for f, e, *mark in links if mark != ["P"]}, possible))
    return gold


def write(path, found):
    """A line of 'i-j' for each pair, the source word first."""
    path.write_text("".join(" ".join(f"{i}-{j}" for i, j in sorted(pair)) + "\n" for pair in found), encoding="utf-8")


def write_gold(path, gold):
    """Likewise, with 'i-j-P' for links that are possible and not sure."""
    lines = ([f"{i}-{j}" if (i, j) in sure else f"{i}-{j}-P" for i, j in sorted(possible)] for sure, possible in gold)
    path.write_text("".join(" ".join(line) + "\n" for line in lines), encoding="utf-8")


def counts(found, gold):
    """(found, sure, found and sure, found and possible) of a pair: what the figures below are made of, summed over pairs."""
    sure, possible = gold
    return len(found), len(sure), len(found & sure), len(found & possible)


def aer(sums):
    """Percent (Och & Ney 2003)."""
    found, sure, right_sure, right_possible = sums
    return 100 * (1 - (right_sure + right_possible) / (found + sure)) if found + sure else 0.0


def precision(sums):
    return 100 * sums[3] / sums[0] if sums[0] else 0.0


def recall(sums):
    return 100 * sums[2] / sums[1] if sums[1] else 0.0


def total(rows):
    return [sum(column) for column in zip(*rows, strict=True)]


def best_threshold(scored, gold):
    """The least probability of a link that gives the least AER, and that AER. Half-way between the last link kept and the first left out."""
    every = sorted(((p, k, link) for k, links in enumerate(scored) for link, p in links.items()), key=lambda entry: -entry[0])
    sums = [0, sum(len(sure) for sure, _ in gold), 0, 0]
    best = (100.0, 1.0)
    groups = [(p, list(group)) for p, group in itertools.groupby(every, key=lambda entry: entry[0])]
    for at, (p, group) in enumerate(groups):
        for _, k, link in group:
            sums = [sums[0] + 1, sums[1], sums[2] + (link in gold[k][0]), sums[3] + (link in gold[k][1])]
        following = groups[at + 1][0] if at + 1 < len(groups) else 0.0
        if aer(sums) < best[0]:
            best = (aer(sums), (p + following) / 2)
    return best[1], best[0]


def scored_curve(scored, gold, thresholds):
    """(threshold, sums) of the links whose probability is at least so large."""
    for threshold in thresholds:
        kept = ({link for link, p in pair.items() if p >= threshold} for pair in scored)
        yield threshold, total(counts(found, true) for found, true in zip(kept, gold, strict=True))


def intersection(forward, reverse):
    return forward & reverse


def grow_diag_final_and(forward, reverse):
    """Koehn, Och & Marcu (2003) as Moses has it: the links that both have; those of either beside one that is there, where one of its words
    has none yet; in the end those of either, both words of which have none."""
    both = sorted(forward | reverse, key=lambda link: link[::-1])
    known, links = set(both), forward & reverse
    sources, targets = {i for i, _ in links}, {j for _, j in links}

    def add(link):
        links.add(link)
        sources.add(link[0])
        targets.add(link[1])

    size = -1
    while size != len(links):
        size = len(links)
        for i, j in both:
            if (i, j) not in links:
                continue
            for di, dj in NEIGHBOURS:
                near = (i + di, j + dj)
                if near in known and (near[0] not in sources or near[1] not in targets):
                    add(near)
    for direction in (forward, reverse):
        for link in both:
            if link in direction and link[0] not in sources and link[1] not in targets:
                add(link)
    return links
