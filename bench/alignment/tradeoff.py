"""Precision against recall: M and M+F+Q by what is added to every link's score, the generative model by the threshold of its posteriors,
and eflomal's ways of combining its directions as points."""

import json

from alignment.labelled import evaluate, figures
from alignment.supervised import Job
from peers import links, table
from peers.curves import draw

SHAPES = ("M", "M+F+Q")
FURTHEST = 16.0  # offsets from that of the model
POINTS = 25
FINEST = 4096  # steps from the lowest to the highest
LEAST_RECALL = 50.0  # percent, of what is drawn
THRESHOLDS = [k / 50 for k in range(1, 50)]
RECALLS = (80, 85, 90, 92, 94, 96)  # percent, of the table
HEADER = ("name", "dial", "value", "precision", "recall", "aer")


def apart(one, other):
    """How far two points (precision, recall, …) are from each other as they are drawn. Where hardly a link is found, precision jumps."""
    if max(one[1], other[1]) < LEAST_RECALL:
        return 0.0
    return abs(one[1] - other[1]) + (abs(one[0] - other[0]) if min(one[1], other[1]) >= LEAST_RECALL else 0.0)


def widest_first(figure, low, high, count):
    """(x, *figure(x)) of at most `count` values of x from low to high, each half-way between the two neighbours whose figures are
    furthest apart; no more where neighbours are alike, or too near to each other for that."""
    found = {x: figure(x) for x in (low, high)}
    while len(found) < count:
        order = sorted(found)
        between = [(apart(found[a], found[b]), a, b) for a, b in zip(order, order[1:]) if b - a > (high - low) / FINEST]
        width, left, right = max(between, default=(0.0, low, high))
        if width == 0:
            break
        found[(left + right) / 2] = figure((left + right) / 2)
    return [(x, *found[x]) for x in sorted(found)]


def learned(supervised, shape, size):
    """By the offset, of a model that was trained on the thesis's split."""
    job = Job(shape, "default", "none", size, 0)
    place = supervised.folder / f"curve-{job.stem}"
    place.mkdir(exist_ok=True)
    model, trained = supervised.train(job, place)
    centre = json.loads(trained["output"])["offset"]
    files = supervised.labelled.files(place / "test", supervised.split(size, 0)[1])
    return widest_first(lambda offset: evaluate(place / "evaluate.log", model, files, "--offset", f"{offset:.6g}", threads=0),
                        centre - FURTHEST, centre + FURTHEST, POINTS)


def generative(supervised, numbers):
    """By the threshold of multiplied posteriors."""
    session = supervised.session
    scored = session.predict(session.base("default"), session.judged,
                             ["--symmetrise", "product", "--threshold", 0.001, "--probabilities"], links.parse_scored)
    gold = [supervised.labelled.gold[k] for k in numbers]
    return [(threshold, *figures(sums)) for threshold, sums in links.scored_curve([scored[k] for k in numbers], gold, THRESHOLDS)]


def measure(supervised):
    """Rows of HEADER."""
    size = supervised.sizes[0]
    numbers = supervised.split(size, 0)[1]
    rows = [(shape, "offset", *point) for shape in SHAPES for point in learned(supervised, shape, size)]
    rows += [("generative", "threshold", *point) for point in generative(supervised, numbers)]
    if "eflomal" in supervised.plan.externals:
        for one in supervised.session.peer_rows("eflomal", supervised.session.eflomal[0]):
            sums = supervised.labelled.sums([one.links[k] for k in numbers], numbers)
            rows.append((f"eflomal, {one.way}", "", "", *figures(sums)))
    return rows


def tell(supervised, rows):
    stem = supervised.session.folder / "precision-recall"
    text = ["\t".join(f"{c:.6g}" if isinstance(c, float) else str(c) for c in row) for row in (HEADER, *rows)]
    stem.with_suffix(".tsv").write_text("\n".join(text) + "\n", encoding="utf-8")
    lines = {}
    for name, _, _, precision, recall, _ in rows:
        if precision > 0 and recall > 0:  # no link at all is no point of the curve
            lines.setdefault(name, []).append((recall, precision))
    draw(stem.with_suffix(".svg"), f"Precision and recall, {supervised.sizes[0]} pairs to train on", "recall", "precision",
         {name: [p for p in line if p[0] >= LEAST_RECALL] or line for name, line in lines.items()})
    print(f"\nPrecision and recall by offset and threshold: {stem}.svg, and as a table {stem}.tsv")
    reached = [[name, *(max((p for r, p in line if r >= least), default=None) for least in RECALLS)] for name, line in lines.items()]
    table(f"The best precision at no less than this recall, {supervised.sizes[0]} pairs to train on", ["", *(f"{least} %" for least in RECALLS)],
          reached, claim="curves")
    return [dict(zip(HEADER, row)) for row in rows]
