"""Speed of dependency parsing (UD English EWT): training compared with CRFsuite's, sentences per second, and the time of each step.

    ./dev bench parse-speed [--only training speed steps] [--reuse] [--epochs K] [--second-epochs K] [--repeats R]

One thread, processor time, the dev part with gold tags. The first order trains to the plateau of the dev part, compared with L-BFGS of
CRFsuite to its own end on CoNLL-2000 chunking. Prediction includes reading and writing, and excludes loading the model: it is the time of
many copies of the treebank minus that of one. A candidate arc has about eighty features, and the tree of few arcs is found fast, so features
take most of the time.

`--epochs` and `--second-epochs` shorten training. `--reuse` takes the models of the last run and skips training.
"""

import argparse
import gzip
import json
import pathlib
import sys

from peers import BUILD, WORK, data, peer_python, run, save, sized, table, trellis

REPORT = {
    "title": "Speed of dependency parsing",
    "chapter": "Trees",
    "claims": {"training": ["Training takes a fraction of the time of CRFsuite's on another task.", "--only training"],
               "speed": ["Thousands of sentences per second in first order, and hundreds in second, by a model of as many epochs as the "
                         "table says.", "--only speed"],
               "steps": ["The time of each step of a sentence, and the number of iterations of AD³.", "--only steps"]},
    "minutes": [6, 15],
    "default": "the second order trains for two epochs",
    "needs": ["data", "pypi"],
}
TRAIN, DEV = data("ud", "en_ewt", "train.conllu.gz"), data("ud", "en_ewt", "dev.conllu.gz")
CHUNKS = data("conll2000", "train.txt.gz")
PEER = [peer_python("python-crfsuite"), pathlib.Path(__file__).parent / "peers" / "crfsuite.py"]
ASKED = {"training": 1.9, "speed": {1: 5000, 2: 500}, "steps": 4, "within_200": 95}


def train(order, epochs):
    model = WORK / f"parse-speed-{order}.trellis"
    more = ["--epochs", epochs] if epochs else []
    call = trellis("parse", "train", TRAIN, "--dev", DEV, "--model", model, "--order", order, "--threads", 1, "--json", "--quiet", *more)
    result = json.loads(call["output"])
    print(f"order {order}: trained in {call['cpu']:.0f} s", file=sys.stderr, flush=True)
    scores = result["dev"]["without_punctuation"]
    return {"order": order, "model": str(model), "seconds": call["cpu"], "epochs": result["epochs"], "uas": scores["uas"], "las": scores["las"]}


def trained(order):
    """By the last run."""
    model = WORK / f"parse-speed-{order}.trellis"
    scores = json.loads(trellis("parse", "evaluate", DEV, "--model", model, "--json")["output"])["without_punctuation"]
    return {"order": order, "model": str(model), "uas": scores["uas"], "las": scores["las"]}


def training(first):
    """To the plateau of the dev part, beside L-BFGS to its own end on CoNLL-2000 chunking."""
    peer = json.loads(run(*PEER, "train", "lbfgs", CHUNKS, WORK / "parse-speed-crfsuite.model")["output"])
    ratio = first["seconds"] / peer["train_cpu"]
    table("Training; CPU seconds", ["", "epochs", "CPU s", "× CRFsuite", "asked at most"],
          [["CRFsuite lbfgs, CoNLL-2000", peer["epochs"], peer["train_cpu"], 1.0, ""],
           ["Trellis parse, first order, EWT", first["epochs"], first["seconds"], ratio, ASKED["training"]]], claim="training")
    return {"crfsuite": peer, "ratio": ratio}


def parsing_speed(model, repeats):
    """From lines to lines, on one thread."""
    text = gzip.open(DEV, "rb").read()
    sentences = sum(1 for line in text.splitlines() if line.startswith(b"1\t"))
    one, many = WORK / "parse-speed-once.conllu", WORK / "parse-speed-many.conllu"
    one.write_bytes(text)
    many.write_bytes(text * (repeats + 1))
    call = ["--model", model, "--threads", 1, "--quiet", "--output", WORK / "parse-speed.out"]
    least = min(trellis("parse", "predict", one, *call)["cpu"] for _ in range(3))
    most = min(trellis("parse", "predict", many, *call)["cpu"] for _ in range(3))
    return sentences * repeats / (most - least)


def speed(runs, repeats):
    rates = {r["order"]: parsing_speed(r["model"], repeats if r["order"] == 1 else max(1, repeats // 10)) for r in runs}
    table("Prediction on one thread, reading and writing included", ["order", "epochs", "dev UAS", "dev LAS", "sentences/s", "asked at least"],
          [[r["order"], r.get("epochs", ""), r["uas"], r["las"], int(rates[r["order"]]), ASKED["speed"][r["order"]]] for r in runs], claim="speed")
    return rates


def steps(runs, repeats):
    """The steps of a sentence in first order; the iterations of AD³ in second order."""
    dev = WORK / "parse-speed-once.conllu"
    dev.write_bytes(gzip.open(DEV, "rb").read())
    results = [json.loads(run(BUILD / "bench" / "parse_speed_program", r["model"], dev, repeats)["output"]) for r in runs]
    first, second = results
    scoring = first["atoms"] + first["scores"]
    table(f"First order: microseconds for a sentence, of {first['arcs']:.0f} candidate arcs",
          ["atoms", "filter", "labels", "features and scores", "best tree", "(atoms + scores) / tree", "asked at most"],
          [[first["atoms"], first["filter"], first["labels"], first["scores"], first["tree"], scoring / first["tree"], ASKED["steps"]]], claim="steps")
    table("Second order: iterations of AD³ to a residual of 1e-6; percent of the sentences",
          ["within 200", "asked at least", "converged", "whole", "50 %", "90 %", "95 %", "99 %", "most"],
          [[second["within_200"], ASKED["within_200"], second["converged"], second["whole"],
            *(second[f"its_{q}"] for q in ("50", "90", "95", "99", "most"))]], claim="steps")
    return {"first": first, "second": second, "ratio": scoring / first["tree"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="+", default=["training", "speed", "steps"], choices=["training", "speed", "steps"])
    parser.add_argument("--reuse", action="store_true", help="the models of the last run")
    parser.add_argument("--epochs", type=int, default=0, help="of the first order; 0: the program's own")
    parser.add_argument("--second-epochs", type=int, default=2, help="of the second; 0: the program's own")
    parser.add_argument("--repeats", type=int, default=10)
    options = sized(parser, second_epochs=0, repeats=20)
    WORK.mkdir(parents=True, exist_ok=True)
    needed = (1,) if options.only == ["training"] else (1, 2)
    epochs = {1: options.epochs, 2: options.second_epochs}
    runs = [trained(order) if options.reuse else train(order, epochs[order]) for order in needed]
    results = {"runs": runs}
    if "training" in options.only and not options.reuse:
        results["training"] = training(runs[0])
    if "speed" in options.only:
        results["speed"] = speed(runs, options.repeats)
    if "steps" in options.only:
        results["steps"] = steps(runs, options.repeats)
    save(results)


if __name__ == "__main__":
    main()
