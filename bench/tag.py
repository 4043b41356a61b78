"""Chunking (CoNLL-2000) compared with CRFsuite: same features, same objective, one run. F1, seconds, memory, tokens/s.

Features are those of CRFsuite's tutorial, and the objective is the same (c2 = 1 is C = 1/2): both programs must end at the same value. CPU
seconds are on one thread; CRFsuite's (python-crfsuite) are those of training only, ours include reading the raw columns and making the
features. CRFsuite tags from features, ours from raw columns. CoNLL-2000 has no dev part: loss, C and epochs of `dca` are the best of six on
every fifth sentence of the training part, learned from the others, and then trained on all; seconds are those of the last training.

Reasons for the speed: attributes are identified by 64-bit fingerprints that are combined from the hashes of their parts, so no text is built;
rows of frequent attributes are padded to all labels and added by vector operations; forward-backward runs in a scaled domain with kernels for
AVX-512, AVX2, SSE and NEON that give the same bits; L-BFGS starts from the end of three epochs of DCA.

    ./dev bench tag
"""

import argparse
import gzip
import json
import pathlib

from peers import WORK, data, note, peer_python, run, save, sized, table, trellis

REPORT = {
    "title": "Chunking compared with CRFsuite",
    "chapter": "Sequences",
    "claims": {"chunking": ["The same F1 as CRFsuite's, and the same objective to 0.02 %, in less than half of the CPU time; with dual "
                            "coordinate ascent an F1 that is about 0.1 lower, in less than a twentieth.", ""]},
    "minutes": [7, 8],
    "needs": ["data", "pypi"],
}
TRAIN, TEST = data("conll2000", "train.txt.gz"), data("conll2000", "test.txt.gz")
PEER = [peer_python("python-crfsuite"), pathlib.Path(__file__).parent / "peers" / "crfsuite.py"]
# CRFsuite's c2 = 1 is C = 1/2; it has no weights for the first and last label, and allows any label to follow any.
SAME = ["--template", "chunk", "--no-boundaries", "--allow-illegal", "--c", "0.5"]
REPEATS = 20
# Of dca, to choose from: loss, C, epochs.
SETTINGS = [("crf", 1, 8), ("svm", 0.1, 8), ("svm", 0.03, 6), ("softmax-margin", 1, 6), ("softmax-margin", 0.1, 5), ("softmax-margin", 0.1, 8)]


def crfsuite(algorithm, *options):
    model = WORK / f"crfsuite-{algorithm}.model"
    trained = run(*PEER, "train", algorithm, TRAIN, model, *options)
    tagged = json.loads(run(*PEER, "tag", model, TEST, "3")["output"])
    result = json.loads(trained["output"])
    return {"name": f"CRFsuite {algorithm}", "f1": tagged["f1"], "train": result["train_cpu"], "wall": result["train_wall"],
            "total": trained["cpu"], "memory": trained["memory"], "tokens_per_second": tagged["tokens_per_second"],
            "epochs": result["epochs"], "loss": result["loss"]}


def dca(setting):
    loss, c, epochs = setting
    return ["--template", "chunk", "--learner", "dca", "--loss", loss, "--c", c, "--epochs", epochs]


def choose_dca():
    """The setting whose F1 is best on every fifth sentence of the training part, learned from the others; with all figures."""
    sentences = [s for s in gzip.open(TRAIN, "rt", encoding="utf-8").read().split("\n\n") if s.strip()]
    learned, held = (WORK / f"tag-{name}.txt" for name in ("learned", "held-out"))
    for path, part in ((learned, [s for k, s in enumerate(sentences) if k % 5]), (held, sentences[::5])):
        path.write_text("\n\n".join(s.strip("\n") for s in part) + "\n\n", encoding="utf-8")
    figures, model = {}, WORK / "tag-held-out.trellis"
    for setting in SETTINGS:
        trellis("tag", "train", learned, "--model", model, "--threads", 1, "--quiet", *dca(setting))
        figures[setting] = json.loads(trellis("tag", "evaluate", held, "--model", model, "--json")["output"])["f1"]
    return max(figures, key=figures.get), figures


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
    sized(argparse.ArgumentParser(description=__doc__.splitlines()[0]))
    WORK.mkdir(parents=True, exist_ok=True)
    chosen, held_out = choose_dca()
    svm = max((s for s in SETTINGS if s[0] == "svm"), key=held_out.get)
    peers = {a: crfsuite(a) for a in ("lbfgs", "ap", "pa")}
    rows = [
        ours("Trellis lbfgs", 1, *SAME),
        ours("Trellis lbfgs, 2 threads", 2, *SAME),
        ours("Trellis lbfgs, legal tags", 1, "--template", "chunk", "--c", "0.5"),
        ours(f"Trellis dca {chosen[0]}, C = {chosen[1]:g}", 1, *dca(chosen)),
        *([] if svm == chosen else [ours(f"Trellis dca svm, C = {svm[1]:g}", 1, *dca(svm))]),
        ours("Trellis perceptron", 1, "--template", "chunk", "--learner", "perceptron", "--epochs", "10"),
    ]
    base = peers["lbfgs"]
    everything = list(peers.values()) + rows
    table("CoNLL-2000 chunking; CPU seconds; CRFsuite's do not include making its features, ours do",
          ["", "F1", "epochs", "train CPU s", "× CRFsuite lbfgs", "MB", "tokens/s", "× CRFsuite"],
          [[r["name"], r["f1"], r["epochs"], r["train"], r["train"] / base["train"], r["memory"],
            int(r["tokens_per_second"]), r["tokens_per_second"] / base["tokens_per_second"]] for r in everything])
    note(f"wall seconds of lbfgs, one thread / two threads: {rows[0]['wall']:.1f} / {rows[1]['wall']:.1f}"
         f" = {rows[0]['wall'] / rows[1]['wall']:.2f}")
    note("held-out F1 of dca: " + ", ".join(f"{loss}, C = {c:g}, {epochs} epochs {f1:.2f}" for (loss, c, epochs), f1 in held_out.items()))
    if base["loss"]:
        note(f"objective, as CRFsuite counts it (n times ours): CRFsuite {base['loss']:.2f}, Trellis {rows[0]['objective'] * 8936:.2f}")
    save(everything)


if __name__ == "__main__":
    main()
