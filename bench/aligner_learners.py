"""Learners on one fertility model of word alignment (M+F): dual extragradient, BCFW, BMRM, MIRA, DCA.

All learners solve one problem: the first 100 labelled pairs of the Hansards, at one lambda and one cost, so that nothing is chosen. Each
runs on one thread until its certified relative gap is below --gap. The optimum lies between the lower bound and the objective of each
learner, so these intervals must have a point in common. Learners that do not close the gap ("near" and "rounds" in docs/learners.md) end
after --near-epochs and report their gap: MIRA takes each example once and does not return to its duals. `dca` is MIRA's step with stored
duals (Martins et al. 2010, sec. 4) and closes the gap.

    ./dev bench aligner-learners
    ./dev bench aligner-learners --learners bcfw,bmrm --gap 0.0001
"""

import argparse
import json
import pathlib

from alignment import splits
from alignment.labelled import Labelled, said, trellis
from alignment.session import Session
from peers import WORK, attempt, note, out_of_time, save, sized, table, within

REPORT = {
    "title": "Learners on one problem",
    "chapter": "Word alignment",
    "claims": {"optimum": ["Dual extragradient, BCFW, BMRM and DCA certify the same optimum of the fertility model; MIRA ends far above it.", ""]},
    "minutes": [2, 5],
    "needs": ["data"],
}

# What each is told beyond the problem. The online dual of DCA, and MIRA, end near the optimum.
LEARNERS = {"extragradient": [], "bcfw": [], "bmrm": [], "dca": ["--dual", "stored"], "mira": []}
NEAR = ("mira",)
SIZE = 100


def last_epoch(history):
    """Of a file of JSON lines; what a learner had reached when it was stopped."""
    lines = [line for line in history.read_text(encoding="utf-8").splitlines() if line.endswith("}")] if history.exists() else []
    return json.loads(lines[-1]) if lines else {}


def result_of(done, log, history, limit):
    """Figures of a run: whole, stopped by its limit, or refused with a reason."""
    row = {"seconds": done.get("cpu"), "memory": done.get("memory")}
    if done["status"] == 0:
        told = json.loads(done["output"])
        return {**row, **{key: told.get(key) for key in ("objective", "bound", "gap", "epochs")}, "learning": told["seconds"],
                "end": told["termination"]}
    if out_of_time(done):
        reached = last_epoch(history)
        return {**row, **{key: reached.get(key) for key in ("objective", "bound", "gap")}, "epochs": reached.get("epoch"),
                "end": f"stopped at {limit} s"}
    return {**row, "objective": None, "bound": None, "gap": None, "epochs": None, "end": f"failed: {said(log)}"}


def agreement(rows, gap):
    """Of those that certify the gap: the interval that all of theirs have in common (empty where the first is above the second), and the
    greatest relative difference between objectives."""
    certified = [row for row in rows if certifies(row, gap)]
    if not certified:
        return None
    objectives = [row["objective"] for row in certified]
    low, high = max(row["bound"] for row in certified), min(objectives)
    return {"learners": [row["name"] for row in certified], "low": low, "high": high,
            "same": low <= high + 1e-9 * abs(high), "difference": (max(objectives) - high) / max(abs(high), 1e-300)}


def certifies(row, gap):
    """Both gaps are relative to the objective."""
    return row["gap"] is not None and row["gap"] <= gap


def with_ratios(rows, gap):
    """CPU seconds of those that certify the gap, beside those of the fastest."""
    fastest = min((row["seconds"] for row in rows if certifies(row, gap)), default=None)
    return [{**row, "ratio": row["seconds"] / fastest if certifies(row, gap) else None} for row in rows]


def number(value, form):
    return "" if value is None else format(value, form)


def cells(row):
    forms = {"objective": ".8g", "bound": ".8g", "gap": ".2e", "epochs": "d", "seconds": ".2f", "learning": ".2f", "ratio": ".2f",
             "memory": ".0f"}
    return [row["name"], *(number(row.get(key), form) for key, form in forms.items()), row["end"]]


def tell(rows, call):
    table(f"M+F on {SIZE} pairs of the Hansards, lambda {call.lam}, cost {call.cost}, to a certified relative gap of {call.gap}; one thread",
          ["", "objective", "bound", "relative gap", "epochs", "CPU s", "learning s", "× fastest", "MB", "end"], [cells(row) for row in rows])
    found = agreement(rows, call.gap)
    if not found:
        note("none has certified this gap")
        return None
    verdict = "the same" if found["same"] else "NOT THE SAME"
    note(f"the optimum of {', '.join(found['learners'])} is {verdict}: between {found['low']:.8g} and {found['high']:.8g};"
         f" their objectives differ by at most {found['difference']:.2e}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--learners", default=",".join(LEARNERS), help="with commas between [all]")
    parser.add_argument("--lambda", dest="lam", type=float, default=0.01)
    parser.add_argument("--cost", type=float, default=10, help="of a link that is missing, beside one too many [10, as the thesis]")
    parser.add_argument("--gap", type=float, default=1e-3, help="certified and relative [0.001]")
    parser.add_argument("--epochs", type=int, default=100000, help="at most [100000]")
    parser.add_argument("--near-epochs", type=int, default=200, help="of those that do not close the gap [200]")
    parser.add_argument("--limit", type=int, default=900, help="CPU seconds of each; 0: none [900]")
    parser.add_argument("--pairs", type=int, default=20000, help="of text, for the generative model beneath [20000]")
    parser.add_argument("--continue", dest="resume", action="store_true", help="keep the generative model of an earlier run")
    call = sized(parser)
    names = call.learners.split(",")
    for name in names:
        if name not in LEARNERS:
            parser.error(f"no learner is called {name}; there are: {', '.join(LEARNERS)}")
    session = Session(WORK / "aligner-learners", "test", call.pairs, resume=call.resume)
    files = Labelled(session).files(session.folder / "train", range(SIZE))
    base = session.base("default")
    rows = []
    for name in names:
        log, history = (pathlib.Path(session.folder / f"{name}.{kind}") for kind in ("log", "history"))
        history.unlink(missing_ok=True)
        done = trellis(log, "align", "train", *files.text, "--gold", files.gold, "--generative", base, *splits.shape_options("M+F", 2),
                       "--learner", name, *LEARNERS[name], "--lambda", call.lam, "--cost", call.cost, "--offset", 0, "--certify",
                       "--gap", call.gap, "--epochs", call.near_epochs if name in NEAR else call.epochs, "--history", history,
                       "--model", session.folder / f"{name}.trellis", "--threads", 1, "--json", "--quiet",
                       call=attempt, preexec_fn=within(call.limit))
        rows.append({"name": name, **result_of(done, log, history, call.limit)})
    rows = with_ratios(rows, call.gap)
    found = tell(rows, call)
    save({"rows": [{**row, "metric": "seconds", "value": row["seconds"], "trained_on": SIZE, "shape": "M+F"} for row in rows],
          "agreement": found, "gap": call.gap, "lambda": call.lam, "cost": call.cost})


if __name__ == "__main__":
    main()
