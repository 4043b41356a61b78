"""Chunking (CoNLL-2000) beside CRFsuite: same features, same objective, one run. F1, seconds, memory, tokens/s."""

import gzip
import json
import pathlib

from peers import WORK, data, peer_python, run, save, table, trellis

TRAIN, TEST = data("conll2000", "train.txt.gz"), data("conll2000", "test.txt.gz")
PEER = [peer_python("python-crfsuite"), pathlib.Path(__file__).parent / "peers" / "crfsuite.py"]
# CRFsuite's c2 = 1 is C = 1/2; it has no weights for the first and last label, and allows any label to follow any.
SAME = ["--template", "chunk", "--no-boundaries", "--allow-illegal", "--c", "0.5"]
REPEATS = 20


def crfsuite(algorithm, *options):
    model = WORK / f"crfsuite-{algorithm}.model"
    trained = run(*PEER, "train", algorithm, TRAIN, model, *options)
    tagged = json.loads(run(*PEER, "tag", model, TEST, "3")["output"])
    result = json.loads(trained["output"])
    return {"name": f"CRFsuite {algorithm}", "f1": tagged["f1"], "train": result["train_cpu"], "wall": result["train_wall"],
            "total": trained["cpu"], "memory": trained["memory"], "tokens_per_second": tagged["tokens_per_second"],
            "epochs": result["epochs"], "loss": result["loss"]}


def ours(name, threads, *options):
    model = WORK / "tag.trellis"
    trained = trellis("tag", "train", TRAIN, "--model", model, "--threads", threads, "--json", "--quiet", *options)
    result = json.loads(trained["output"])
    figures = json.loads(trellis("tag", "evaluate", TEST, "--model", model, "--json")["output"])
    return {"name": name, "f1": figures["f1"], "train": trained["cpu"], "wall": result["seconds"], "total": trained["cpu"],
            "memory": trained["memory"], "epochs": result["epochs"], "objective": result["objective"],
            "tokens_per_second": tagging_speed(model)}


def tagging_speed(model):
    """From raw columns to labels, on one thread, reading and writing included; loading the model is not."""
    many = WORK / "tag-test.txt"
    text = gzip.open(TEST, "rb").read()
    one = WORK / "tag-test-once.txt"
    one.write_bytes(text)
    many.write_bytes(text * (REPEATS + 1))
    tokens = sum(1 for line in text.splitlines() if line.strip())
    call = ["--model", model, "--threads", 1, "--output", WORK / "tag-test.out"]
    least = min(trellis("tag", "predict", one, *call)["cpu"] for _ in range(3))
    most = min(trellis("tag", "predict", many, *call)["cpu"] for _ in range(3))
    return tokens * REPEATS / (most - least)


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    peers = {a: crfsuite(a) for a in ("lbfgs", "ap", "pa")}
    rows = [
        ours("Trellis lbfgs", 1, *SAME),
        ours("Trellis lbfgs, 2 threads", 2, *SAME),
        ours("Trellis lbfgs, legal tags", 1, "--template", "chunk", "--c", "0.5"),
        ours("Trellis dca softmax-margin", 1, "--template", "chunk", "--learner", "dca", "--loss", "softmax-margin",
             "--c", "0.1", "--epochs", "8"),
        ours("Trellis dca svm", 1, "--template", "chunk", "--learner", "dca", "--loss", "svm", "--c", "0.1", "--epochs", "8"),
        ours("Trellis perceptron", 1, "--template", "chunk", "--learner", "perceptron", "--epochs", "10"),
    ]
    base = peers["lbfgs"]
    everything = list(peers.values()) + rows
    table("CoNLL-2000 chunking; CPU seconds; CRFsuite's do not include making its features, ours do",
          ["", "F1", "epochs", "train CPU s", "× CRFsuite lbfgs", "MB", "tokens/s", "× CRFsuite"],
          [[r["name"], r["f1"], r["epochs"], r["train"], r["train"] / base["train"], r["memory"],
            int(r["tokens_per_second"]), r["tokens_per_second"] / base["tokens_per_second"]] for r in everything])
    print(f"\n  wall seconds of lbfgs, one thread / two threads: {rows[0]['wall']:.1f} / {rows[1]['wall']:.1f}"
          f" = {rows[0]['wall'] / rows[1]['wall']:.2f}")
    if base["loss"]:
        print(f"  objective, as CRFsuite counts it (n times ours): CRFsuite {base['loss']:.2f}, Trellis {rows[0]['objective'] * 8936:.2f}")
    save(everything)


if __name__ == "__main__":
    main()
