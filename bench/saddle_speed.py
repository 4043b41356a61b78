"""Seconds of extragradient to certified gaps of 1e-2 and 1e-3, in both geometries, compared with BCFW: chunks and horses.

There are two problems, each at one C, so that nothing is chosen: the first 300 sentences of CoNLL 2000 with the built-in template `chunk`
(C = 0.1), and the first 100 horses at scale 1/8 (C = 100), which have no sums, hence no entropic steps. Every run is on one thread, from
w = 0, without a warm-up, and ends at the given certified relative gap; seconds are those of learning, without reading. The ratio is to BCFW
at the same gap; targets are at most 3 for 1e-2 and 10 for 1e-3. Runs are stopped after --limit seconds. --full also has runs that move all
examples at once (`--steps governed`).

    ./dev bench saddle-speed
    ./dev bench saddle-speed --only horses --limit 120
"""

import argparse
import gzip
import json
import pathlib
import subprocess

from peers import PROGRAM, WORK, attempt, data, out_of_time, save, sized, table, within

REPORT = {
    "title": "Extragradient compared with BCFW",
    "chapter": "Saddle points",
    "claims": {"seconds": ["Extragradient by examples, compared with BCFW at the same certified gaps. Targets are at most 3 times the "
                           "time for 1e-2 and 10 times for 1e-3: entropic steps miss both, Euclidean steps reach both, on "
                           "both problems.", ""]},
    "minutes": [6, 30],
    "needs": ["data"],
    "default": "a run is stopped after 120 seconds, and none moves all examples at once",
}

GAPS = (1e-2, 1e-3)
SENTENCES, PICTURES = 300, 100
EXTRAGRADIENT = ("--learner", "extragradient", "--epochs", 10000)
BY_EXAMPLES = {"examples, euclidean": (*EXTRAGRADIENT, "--steps", "examples", "--geometry", "euclidean"),
               "examples, entropic": (*EXTRAGRADIENT, "--steps", "examples", "--geometry", "entropic")}
AT_ONCE = {"governed, entropic": (*EXTRAGRADIENT, "--steps", "governed", "--geometry", "entropic"),
           "governed, euclidean": (*EXTRAGRADIENT, "--steps", "governed", "--geometry", "euclidean")}
LEARNERS = {"bcfw": ("--learner", "bcfw", "--epochs", 10000), **BY_EXAMPLES}


def sentences():
    """The first of CoNLL 2000, as a file."""
    path = WORK / "saddle-speed.txt"
    with gzip.open(data("conll2000", "train.txt.gz"), "rt", encoding="utf-8") as whole, open(path, "w", encoding="utf-8") as part:
        ends = 0
        for line in whole:
            part.write(line)
            ends += not line.strip()
            if ends == SENTENCES:
                break
    return ["tag", "train", path, "--template", "chunk", "--loss", "svm", "--c", 0.1]


def horses():
    """The first of the horses, as a list."""
    folder = pathlib.Path(data("horses"))
    names = sorted(path.stem for path in folder.glob("*.png") if not path.stem.endswith(".mask"))[:PICTURES]
    path = WORK / "saddle-speed.list"
    path.write_text("".join(f"{folder / name}.png {folder / name}.mask.png\n" for name in names), encoding="utf-8")
    return ["segment", "train", path, "--scale", 0.125, "--c", 100]


PROBLEMS = {"chunks": sentences, "horses": horses}


def possible(problem, name):
    return problem != "horses" or "entropic" not in name


def measure(call, options, gap, limit):
    """One run to the gap: its figures, or how it ended."""
    done = attempt(PROGRAM, *call, *options, "--gap", gap, "--threads", 1, "--model", WORK / "saddle-speed.trellis", "--json", "--quiet",
                   stderr=subprocess.DEVNULL, preexec_fn=within(seconds=limit))
    if out_of_time(done):
        return {"end": f"stopped at {limit} s", "seconds": None}
    if done["status"] != 0:
        return {"end": f"failed with status {done['status']}", "seconds": None}
    told = json.loads(done["output"])
    reached = told["gap"] <= gap
    return {"end": told["termination"] if reached else f"{told['termination']}, gap not reached", "seconds": told["seconds"] if reached else None, "cpu": done["cpu"],
            "memory": done["memory"], **{key: told[key] for key in ("epochs", "objective", "bound", "gap")}}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="problems, with commas between: chunks, horses")
    parser.add_argument("--limit", type=int, default=120, help="CPU seconds of a run [120]")
    call = sized(parser, limit=600)
    WORK.mkdir(parents=True, exist_ok=True)
    rows = []
    for problem in [name for name in PROBLEMS if not call.only or name in call.only.split(",")]:
        files = PROBLEMS[problem]()
        for gap in GAPS:
            beside = None
            for name, options in {**LEARNERS, **(AT_ONCE if call.full else {})}.items():
                if not possible(problem, name):
                    continue
                row = {"problem": problem, "gap_wanted": gap, "learner": name, **measure(files, options, gap, call.limit)}
                beside = beside or row["seconds"]
                row["ratio"] = row["seconds"] / beside if row["seconds"] and beside else None
                rows.append(row)
    table("Seconds to a certified relative gap, one thread, from w = 0", ["problem", "gap", "learner", "epochs", "seconds", "of BCFW's", "objective", "relative gap", "end"],
          [[r["problem"], f"{r['gap_wanted']:g}", r["learner"], r.get("epochs", ""), "" if r["seconds"] is None else r["seconds"],
            "" if r["ratio"] is None else r["ratio"], r.get("objective", ""), f"{r['gap']:.2e}" if "gap" in r else "", r["end"]] for r in rows])
    save(rows)


if __name__ == "__main__":
    main()
