"""Memory and time of max-margin word aligners by the number of sentences: dual extragradient compared with a QP solver.

It follows fig. 2.9 of Lacoste-Julien (2009). Thousands of labelled pairs are not available, so the links come from the best aligner: M+F,
trained on 100 pairs of the Hansards, aligns sentences of Europarl. M and M+F then learn from 500 to 5 000 of them with a fixed number of
iterations, at one lambda and one cost, so that nothing is chosen.

The QP starts with a few sentences. It ends with the last size of the list, or with the first size that exceeds a limit of time or memory,
is refused as too large, or is not proved. Each row has how the learner ended, its objective, and the certified relative gap. The memory of
text, features and model alone is that of one epoch of the perceptron, which has only weights. Exponents are fitted by least squares of
logarithms.

    ./dev bench aligner-scale
    ./dev bench aligner-scale --sizes 500,1000 --qp-sizes 5,10,20 --limit 300
"""

import argparse
import json

from alignment import splits
from alignment.labelled import Labelled, said, trellis
from alignment.session import Session
from peers import WORK, attempt, exponent, links, out_of_time, parallel_text, save, sized, table, within
from peers.curves import draw

REPORT = {
    "title": "Training on more sentences",
    "chapter": "Word alignment",
    "claims": {"growth": ["The time of dual extragradient grows with the number of sentences; its own memory does not. The rows of the "
                          "QP show how each size ended.", ""]},
    "minutes": [6, 150],
    "default": "there are at most 2 000 sentences, and the QP is stopped after two minutes instead of an hour",
    "needs": ["data"],
}

SHAPES = ("M", "M+F")
FEATURES = "features alone"
UNPROVED = ("stalled", "limit")  # ends of a solver that did not reach its optimum
LABELLED = 100  # pairs that the maker of the links is trained on


def make_gold(session, size):
    """Text of Europarl, `size` pairs, and the links that the best aligner finds there."""
    place = session.folder
    files = Labelled(session).files(place / "labelled", range(LABELLED))
    model = place / "maker.trellis"
    trellis(place / "maker.log", "align", "train", *files.text, "--gold", files.gold, "--generative", session.base("default"),
            *splits.shape_options("M+F", 2), "--model", model, "--json", "--quiet")
    pairs = session.text.pairs[-size:]  # the Hansards come first
    parallel_text.write(place / "made", pairs)
    output = trellis(place / "predict.log", "align", "predict", place / "made.en", place / "made.fr", "--model", model)["output"]
    found = [links.parse(line) for line in output.splitlines()]
    if len(found) != len(pairs):
        raise SystemExit(f"links of {len(found)} pairs were made of {len(pairs)}")
    return pairs, found


def write_first(place, gold, size):
    """Each text is the beginning of the next."""
    pairs, found = gold
    parallel_text.write(place / "train", pairs[:size])
    links.write(place / "train.links", found[:size])
    return [place / "train.en", place / "train.fr", "--gold", place / "train.links"]


def result_of(done, log, limit, megabytes):
    """Figures of a run, or at what it was stopped."""
    row = {"seconds": done.get("cpu"), "memory": done.get("memory"), "end": "", "objective": None, "gap": None}
    if done["status"] == 0:
        told = json.loads(done["output"])
        end = told["termination"]
        return {**row, "learning": told["seconds"], "end": end, **{key: told.get(key) for key in ("objective", "gap")},
                "stopped": f"ended as {end}" if end in UNPROVED else None}
    if out_of_time(done):
        return {**row, "stopped": f"stopped at {limit} s"}
    return {**row, "stopped": f"stopped, with {megabytes} MB allowed: {said(log)}"}


def growth(rows, figure):
    """The exponent of a figure in the number of sentences, over the runs that came to their end; None of fewer than two."""
    done = [row for row in rows if not row["stopped"] and row[figure]]
    return exponent([row["trained_on"] for row in done], [row[figure] for row in done]) if len(done) > 1 else None


class Measured:
    """Every training, as rows."""

    def __init__(self, session, gold, call):
        self.session, self.gold, self.call, self.rows = session, gold, call, []
        self.learners = {"extragradient": ["--steps", "governed", "--lambda", call.lam, "--epochs", call.epochs, "--gap", 0],
                         "qp": ["--lambda", call.lam], FEATURES: ["--epochs", 1]}

    def train(self, learner, shape, size):
        place = self.session.folder
        files = write_first(place, self.gold, size)
        log = place / f"{learner.replace(' ', '-')}-{shape}-{size}.log"
        done = trellis(log, "align", "train", *files, "--generative", self.session.base("default"), *splits.shape_options(shape, 2),
                       "--learner", "perceptron" if learner == FEATURES else learner, *self.learners[learner], "--cost", self.call.cost,
                       "--offset", 0, "--model", place / "scale.trellis", "--threads", 1, "--json", "--quiet",
                       call=attempt, preexec_fn=within(self.call.limit, self.call.megabytes))
        row = {"name": f"{learner}, {shape}", "learner": learner, "shape": shape, "trained_on": size,
               **result_of(done, log, self.call.limit, self.call.megabytes)}
        self.rows.append(row)
        return row

    def train_all(self, sizes, qp_sizes):
        for shape in SHAPES:
            for size in sizes:
                for learner in (FEATURES, "extragradient"):
                    self.train(learner, shape, size)
            for size in qp_sizes:
                if self.train("qp", shape, size)["stopped"]:
                    break

    def series(self):
        """Rows by name."""
        found = {}
        for row in self.rows:
            found.setdefault(row["name"], []).append(row)
        return found


def tell_rows(measured):
    alone = {(row["shape"], row["trained_on"]): row["memory"] for row in measured.rows if row["learner"] == FEATURES}
    lines = []
    for row in measured.rows:
        features = alone.get((row["shape"], row["trained_on"]))
        beyond = "" if features is None or row["learner"] == FEATURES else f"{row['memory'] - features:.0f}"
        figures = ("" if row[key] is None else f"{row[key]:.{digits}}" for key, digits in (("objective", "6g"), ("gap", "2e")))
        lines.append([row["name"], row["trained_on"], row["seconds"], row.get("learning", ""), f"{row['memory']:.0f}", beyond, *figures,
                      row["end"] or row["stopped"]])
    table(f"Max-margin training, one thread; {measured.call.epochs} iterations of extragradient, the QP to its end",
          ["", "sentences", "CPU s", "learning s", "MB", "beyond features", "objective", "relative gap", "end"], lines)


def tell_growth(measured):
    figures = ("seconds", "learning", "memory")
    found, lines = [], []
    for name, rows in measured.series().items():
        done = [row for row in rows if not row["stopped"]]
        if len(done) > 1:
            first, last = done[0], done[-1]
            powers = {figure: growth(rows, figure) for figure in figures}
            ratio = last["memory"] / first["memory"]
            found.append({"name": name, "metric": "exponent", **powers, "memory_ratio": ratio,
                          "sizes": [row["trained_on"] for row in done]})
            lines.append([name, f"{first['trained_on']} to {last['trained_on']}",
                          *("" if power is None else f"{power:.3f}" for power in powers.values()), ratio])
    table("Growth: figure = constant × sentences^exponent",
          ["", "sentences", "CPU s", "learning s", "MB", "MB of the last over the first"], lines)
    return found


def draw_all(measured):
    pictures = []
    for figure, title in (("memory", "MB"), ("seconds", "CPU seconds")):
        lines = {name: [(row["trained_on"], row[figure]) for row in rows if not row["stopped"]] for name, rows in measured.series().items()}
        lines = {name: line for name, line in lines.items() if line}
        if lines:
            pictures.append(WORK / f"aligner-scale-{figure}.svg")
            draw(pictures[-1], f"Max-margin word alignment: {title} by sentences", "sentences", title, lines, log_x=True, log_y=True)
    print(f"  drawn in {', '.join(map(str, pictures))}" if pictures else "  there is nothing to draw")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="500,1000,2000", help="sentences, with commas between [500,1000,2000]")
    parser.add_argument("--qp-sizes", default="2,5,10,20", help="of the QP; none where it is empty [2,5,10,20]")
    parser.add_argument("--epochs", type=int, default=20, help="iterations of extragradient [20]")
    parser.add_argument("--lambda", dest="lam", type=float, default=0.01)
    parser.add_argument("--cost", type=float, default=10)
    parser.add_argument("--limit", type=int, default=120, help="CPU seconds of a training; 0: none [120]")
    parser.add_argument("--megabytes", type=int, default=16000, help="address space of a training; 0: all there is [16000]")
    parser.add_argument("--pairs", type=int, default=20000, help="of text, for the generative model beneath [20000]")
    parser.add_argument("--continue", dest="resume", action="store_true", help="keep the generative model of an earlier run")
    call = sized(parser, sizes="500,1000,2000,5000", qp_sizes="2,5,10,20,50,100,200,500,1000", limit=3600)
    sizes, qp_sizes = (sorted(int(word) for word in said_sizes.split(",") if word) for said_sizes in (call.sizes, call.qp_sizes))
    session = Session(WORK / "aligner-scale", "test", call.pairs, resume=call.resume)
    measured = Measured(session, make_gold(session, max([*sizes, *qp_sizes])), call)
    measured.train_all(sizes, qp_sizes)
    tell_rows(measured)
    grown = tell_growth(measured)
    draw_all(measured)
    save({"rows": [{**row, "metric": "seconds", "value": row["seconds"]} for row in measured.rows] + grown, "epochs": call.epochs,
          "lambda": call.lam, "cost": call.cost})


if __name__ == "__main__":
    main()
