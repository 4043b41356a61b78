"""Taskar, Klein, Collins, Koller & Manning 2004: max-margin parsing, the CRF, softmax-margin, and their generative grammar.

    ./dev bench paper-grammar [--only losses curve gap speed memory] [--max-words 40 15]

The data are the treebank's sample, 90/5/5 by the order of the file, sentences of at most 40 words, and of at most 15 as in the paper; F1 is
that of EVALB with COLLINS.prm. Epochs are chosen on the dev part; the test part is read once, by the run that prints it. CPU seconds and peak
memory are those of training, tagger included; sentences per second are those of one thread.

The rows "pcfg" are frequencies of rules and words only. The other rows have the same rules and also a tagger, features of words and spans,
and the PCFG's logarithms as a feature: their difference from the PCFG is not due to the loss alone. It cannot be compared with the gain of
1.4 that Klein & Taskar 2005 report, 87.2 (lexical and auxiliary features) over 85.8: the generative grammar there has annotated symbols
(Klein & Manning 2003) and learns from sections 2 to 21 of the Penn Treebank. There is no row of weights of rules alone, because the program
has no such model.
"""

import argparse
import gzip
import json
import math
import sys

from peers import WORK, data, save, sized, table, trellis
from peers.curves import draw

REPORT = {
    "title": "Constituency trees",
    "chapter": "Trees",
    "claims": {"losses": ["F1 of max-margin, softmax-margin and conditional likelihood, all with a tagger, features of words and the PCFG's scores; and of the PCFG alone.", "--only losses"],
               "curve": ["F1 by the number of sentences learned from.", "--only curve"],
               "gap": ["Max-margin is certified to a relative gap below 1e-2.", "--only gap"],
               "speed": ["Parsing grows with less than the cube of the words.", "--only speed"],
               "memory": ["With little memory for charts, peak memory grows less with the number of sentences.", "--only memory"]},
    "minutes": [6, 25],
    "default": "sentences have at most 25 and 15 words, instead of 40 and 15",
    "needs": ["data"],
}

LOSSES = {"crf": ["--loss", "crf"], "softmax-margin": ["--loss", "softmax-margin"], "max-margin": ["--loss", "svm"]}
GRAMMARS = {"v1 h1": [1, 1], "v2 h1": [2, 1]}
SHARES = [10, 20, 40, 70, 100]


def trees():
    """The trees of the sample as texts on a line each, with their numbers of words."""
    with gzip.open(data("treebank", "wsj_sample.mrg.gz"), "rt", encoding="utf-8") as file:
        text = file.read()
    depth, start = 0, 0
    for place, char in enumerate(text):
        if char == "(":
            start = place if depth == 0 else start
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                yield " ".join(text[start:place + 1].split())


def words(tree):
    return sum(1 for leaf in tree.split("(")[1:] if " " in leaf.strip().rstrip(") ") and not leaf.startswith("-NONE-"))


def split(limit):
    """Files of the three parts, of sentences up to so many words."""
    every = list(trees())
    ends = {"train": len(every) * 90 // 100, "dev": len(every) * 95 // 100, "test": len(every)}
    begin, files = 0, {}
    for part, end in ends.items():
        chosen = [tree for tree in every[begin:end] if words(tree) <= limit]
        files[part] = WORK / f"grammar-{limit}-{part}.mrg"
        files[part].write_text("".join(tree + "\n" for tree in chosen), encoding="utf-8")
        begin = end
    return files


def train(files, name, *options, part="train"):
    model, history = WORK / f"grammar-{name}.trellis", WORK / f"grammar-{name}.jsonl"
    call = trellis("grammar", "train", files[part], "--dev", files["dev"], "--model", model, "--max-words", 0, "--json", "--quiet",
                   *([] if "--generative" in options else ["--history", history]), *options)
    print(name, *options, f"{call['cpu']:.0f} s, {call['memory']:.0f} MB", file=sys.stderr, flush=True)
    return {"model": str(model), "cpu": call["cpu"], "memory": call["memory"], **json.loads(call["output"])}


def f1(run, file):
    return json.loads(trellis("grammar", "evaluate", file, "--model", run["model"], "--json")["output"])["f1"]


def losses(limits):
    rows = []
    for limit in limits:
        files = split(limit)
        for grammar, (vertical, horizontal) in GRAMMARS.items():
            orders = ["--vertical", vertical, "--horizontal", horizontal]
            for name, options in {"pcfg": ["--generative"], **LOSSES}.items():
                run = train(files, f"{limit}-{vertical}{horizontal}-{name}", *orders, *options)
                rows.append({"max_words": limit, "grammar": grammar, "row": name, "dev_f1": f1(run, files["dev"]), "f1": f1(run, files["test"]),
                             "cpu": run["cpu"], "memory": run["memory"]})
        mine = [r for r in rows if r["max_words"] == limit]
        base = {r["grammar"]: r["f1"] for r in mine if r["row"] == "pcfg"}
        table(f"At most {limit} words: F1 of brackets", ["grammar", "", "dev f1", "test f1", "minus pcfg", "CPU s", "MB"],
              [[r["grammar"], r["row"], r["dev_f1"], r["f1"], r["f1"] - base[r["grammar"]], r["cpu"], r["memory"]] for r in mine], claim="losses")
    return rows


def shares_of(files, limit):
    """The first so many percent of the training sentences."""
    lines = files["train"].read_text(encoding="utf-8").splitlines(keepends=True)
    for share in SHARES:
        files[share] = WORK / f"grammar-{limit}-train-{share}.mrg"
        files[share].write_text("".join(lines[:len(lines) * share // 100]), encoding="utf-8")
    return len(lines)


def curve(limit):
    files = split(limit)
    size = shares_of(files, limit)
    lines = {"PCFG": [], "max-margin": []}
    for share in SHARES:
        for name, options in (("PCFG", ["--generative"]), ("max-margin", [])):
            run = train(files, f"{limit}-curve-{share}-{name}", *options, part=share)
            lines[name].append((size * share // 100, f1(run, files["dev"])))
    picture = WORK / "paper-grammar-curve.svg"
    figures = [y for line in lines.values() for _, y in line]
    draw(picture, f"At most {limit} words: F1 on the dev part", "sentences to learn from", "F1", lines, (min(figures) - 2, max(figures) + 2), log_x=True)
    print(f"  {picture}")
    table(f"Learning curve: dev F1, at most {limit} words", ["sentences", *lines],
          [[x, *(dict(line)[x] for line in lines.values())] for x, _ in lines["PCFG"]], claim="curve")
    return lines


def gap(limits):
    rows = []
    for limit in limits:
        run = train(split(limit), f"{limit}-gap", "--learner", "bcfw", "--gap", 0.01, "--epochs", 200, "--patience", 0)
        rows.append({"max_words": limit, "cpu": run["cpu"], "epochs": run["epochs"], "gap": run["gap"]})
    table("Max-margin to a relative gap of 1e-2", ["max words", "CPU s", "epochs", "gap"],
          [[r["max_words"], r["cpu"], r["epochs"], r["gap"]] for r in rows], claim="gap")
    return rows


def speed(limit):
    """One thread; sentences of about one length at a time, so often that starting does not count."""
    files = split(60)
    run = train(split(limit), "speed")
    rows = []
    for low, high in ((5, 9), (10, 14), (15, 19), (20, 24), (25, 29), (30, 34), (35, 40)):
        chosen = [tree for tree in files["train"].read_text(encoding="utf-8").splitlines() if low <= words(tree) <= high][:100]
        some = WORK / "grammar-speed.mrg"
        seconds = {}
        for times in (1, 4):
            some.write_text("\n".join(chosen * times) + "\n", encoding="utf-8")
            seconds[times] = trellis("grammar", "predict", some, "--model", run["model"], "--threads", 1, "--quiet")["cpu"]
        each = (seconds[4] - seconds[1]) / (3 * len(chosen))
        rows.append({"words": sum(map(words, chosen)) / len(chosen), "seconds": each})
    x, y = [math.log(r["words"]) for r in rows], [math.log(r["seconds"]) for r in rows]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    exponent = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)
    table(f"Parsing on one thread; exponent of the number of words {exponent:.2f} (asked at most 3)", ["words", "sentences/s"],
          [[r["words"], 1 / r["seconds"]] for r in rows], claim="speed")
    return {"rows": rows, "exponent": exponent}


def memory(limit):
    """With little room for charts, most of them are made anew whenever they are looked at."""
    files = split(limit)
    size = shares_of(files, limit)
    rows = []
    for megabytes in (1024, 64):
        for share in (20, 40, 100):
            run = train(files, f"{limit}-memory-{share}", "--epochs", 1, "--no-tagger", "--chart-memory", megabytes, part=share)
            rows.append({"chart_memory": megabytes, "sentences": size * share // 100, "memory": run["memory"], "cpu": run["cpu"]})
    table("Peak memory of training", ["memory for charts, MB", "sentences", "MB", "CPU s of one pass"],
          [[r["chart_memory"], r["sentences"], r["memory"], r["cpu"]] for r in rows], claim="memory")
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="+", default=["losses", "curve", "gap", "speed", "memory"])
    parser.add_argument("--max-words", type=int, nargs="+", default=[25, 15])
    call = sized(parser, max_words=[40, 15])
    WORK.mkdir(parents=True, exist_ok=True)
    result = {}
    if "losses" in call.only:
        result["losses"] = losses(call.max_words)
    if "curve" in call.only:
        result["curve"] = curve(call.max_words[0])
    if "gap" in call.only:
        result["gap"] = gap(call.max_words)
    if "speed" in call.only:
        result["speed"] = speed(call.max_words[0])
    if "memory" in call.only:
        result["memory"] = memory(call.max_words[0])
    save(result)


if __name__ == "__main__":
    main()
