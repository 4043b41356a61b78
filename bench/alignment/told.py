"""The discriminative half of table 3.1 as it is printed, and what must hold of its rows."""

import dataclasses
import statistics

from alignment.splits import PUBLISHED, QUOTED, SHAPES
from peers import note, table

GENERATIVE = {"default": "on our default", "model2": "on IBM Model 2", "none": ""}
EXTENSIONS = (("M", "M+F"), ("M", "M+Q"), ("M+F", "M+F+Q"), ("M+Q", "M+F+Q"))
BELOW_M = 25.0  # percent
TARGETS = {"none": 5.5, "eflomal": 3.8}  # AER of M+F+Q; the second is the thesis's best


def label(row):
    words = [row["name"], "with eflomal's links" if row["external"] == "eflomal" else "", GENERATIVE[row["beneath"]]]
    return ", ".join(word for word in words if word)


def number(value):
    return "" if value is None else f"{value:.2f}"


def print_table(rows, size, tested):
    """Of the rows that were trained on so many pairs."""
    lines = []
    for row in rows:
        paper = PUBLISHED.get((row["name"], size, row["external"] != "none"), (None, None, None))
        lines.append([label(row), row["precision"], row["recall"], row["mean"], number(row["deviation"]), number(row["first_split"]),
                      *map(number, paper), f"{row['seconds']:.0f}" if "seconds" in row else ""])
    lines += [[f"{name} (quoted)", "", "", "", "", "", *map(number, paper), ""] for name, paper in QUOTED.get(size, {}).items()]
    draws = len(rows[0]["draws"])
    over = f"means over {draws} choices of chance" if draws else "the first pairs train"
    table(f"Table 3.1, discriminative: trained on {size} pairs, tested on the other {tested}; {over}",
          ["", "prec", "rec", "AER", "±", "first split", "paper: prec", "rec", "AER", "CPU s"], lines, claim="labelled")


@dataclasses.dataclass
class Check:
    claim: str
    holds: bool
    value: float
    against: float
    note: str = ""

    def line(self):
        return f"{'yes' if self.holds else 'no'}: {self.claim}: {self.value:.2f} to {self.against:.2f}{self.note}"


def below(claim, better, worse):
    """Of two rows, with the difference on each choice of the training pairs."""
    differences = [a - b for a, b in zip(better["draws"], worse["draws"], strict=True)]
    note = ""
    if len(differences) > 1:
        note = (f" ({statistics.mean(differences):+.2f} ± {statistics.stdev(differences):.2f} on the same pairs, lower in "
                f"{sum(d < 0 for d in differences)} of {len(differences)} choices)")
    return Check(claim, better["mean"] < worse["mean"], better["mean"], worse["mean"], note)


def checks_of(group, where, external, eflomal):
    """group: rows by shape, of one size, one model beneath, and with or without links of another aligner."""
    for worse, better in EXTENSIONS:
        if worse in group and better in group:
            yield below(f"{better} below {worse}{where}", group[better], group[worse])
    if all(shape in group for shape in SHAPES):
        figures = [group[shape]["mean"] for shape in SHAPES]
        in_order = all(a > b for a, b in zip(figures, figures[1:]))
        yield Check(f"AER falls in the paper's order, {', '.join(SHAPES)}{where}", in_order, figures[0], figures[-1],
                    f" ({', '.join(f'{figure:.2f}' for figure in figures)})")
    best = group.get("M+F+Q")
    if not best:
        return
    if "M" in group:
        percent = 100 * (1 - best["mean"] / group["M"]["mean"])
        yield Check(f"M+F+Q at least {BELOW_M:.0f} % below M{where}", percent >= BELOW_M, best["mean"], group["M"]["mean"],
                    f", {percent:.1f} % below")
    if eflomal:
        yield below(f"M+F+Q below eflomal's best ({eflomal['name'].removeprefix('eflomal, ')}){where}", best, eflomal)
    yield Check(f"M+F+Q at {TARGETS[external]} or below{where}", best["mean"] <= TARGETS[external], best["mean"], TARGETS[external],
                f" (first split {number(best['first_split'])})" if best["first_split"] is not None else "")


def checks(rows):
    """What issue and thesis claim of the rows that there are."""
    groups = {}
    for row in rows:
        if row["name"] in SHAPES:
            groups.setdefault((row["beneath"], row["external"], row["trained_on"]), {})[row["name"]] = row
    found = []
    for (beneath, external, size), group in groups.items():
        eflomal = min((row for row in rows if row["name"].startswith("eflomal") and row["trained_on"] == size),
                      key=lambda row: row["mean"], default=None)
        where = f" [{size} pairs, {GENERATIVE[beneath]}{', with eflomal' if external == 'eflomal' else ''}]"
        found += checks_of(group, where, external, eflomal)
    return found


def tell(supervised, rows, others):
    """Tables and checks; rows as JSON has them."""
    every = len(supervised.labelled.pairs)
    for size in supervised.sizes:
        print_table([row for row in rows + others if row["trained_on"] == size], size, every - size)
    held = checks(rows + others)
    print("\nWhat must hold, of the AER in the tables")
    for check in held:
        note(check.line())
    return rows + others, [dataclasses.asdict(check) for check in held]
