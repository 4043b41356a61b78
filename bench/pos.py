"""Parts of speech (UD English EWT, Greek GDT), order 1 and 2, compared with CRFsuite with equal features.

The metric is UPOS accuracy on the test parts. Equal features and the same objective, by L-BFGS (C = 1/2 is CRFsuite's c2 = 1), and our
template `pos` with the defaults of `tag train`, which choose C by folds of the training part. Nothing else is chosen.

    ./dev bench pos [--treebanks en_ewt el_gdt]
"""

import argparse
import gzip
import json

from peers import WORK, data, peer_python, run, save, sized, table, trellis

REPORT = {
    "title": "Parts of speech",
    "chapter": "Sequences",
    "claims": {"accuracy": ["On equal features the accuracy is CRFsuite's, to two digits. The table also has a second order and the "
                            "template `pos`, whose noise is not measured.", ""]},
    "minutes": [4, 30],
    "default": "there is Greek alone",
    "needs": ["data", "pypi"],
}

PEER_CODE = '''
import gzip, json, sys, pycrfsuite
def read(path):
    xs, ys, x, y = [], [], [], []
    for line in gzip.open(path, "rt", encoding="utf-8"):
        fields = line.rstrip("\\n").split("\\t")
        if len(fields) > 1:
            y.append(fields[0]); x.append([f.replace("\\\\:", ":").replace("\\\\\\\\", "\\\\") for f in fields[1:]])
        elif x:
            xs.append(x); ys.append(y); x, y = [], []
    return xs, ys
xs, ys = read(sys.argv[1])
trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
for x, y in zip(xs, ys): trainer.append(x, y)
trainer.set_params({"c2": 1})
trainer.train(sys.argv[3])
tagger = pycrfsuite.Tagger(); tagger.open(sys.argv[3])
xs, ys = read(sys.argv[2])
right = total = 0
for x, y in zip(xs, ys):
    p = tagger.tag(x); right += sum(a == b for a, b in zip(p, y)); total += len(y)
print(json.dumps({"accuracy": 100 * right / total}))
'''


def escape(text):
    return text.replace("\\", "\\\\").replace(":", "\\:")


def sentences(path):
    words = []
    for line in (gzip.open if str(path).endswith(".gz") else open)(path, "rt", encoding="utf-8"):
        fields = line.rstrip("\n").split("\t")
        if len(fields) > 1 and fields[0].isdigit():
            words.append((fields[1], fields[3]))
        elif len(fields) == 1 and not line.startswith("#") and words:
            yield words
            words = []
    if words:
        yield words


def features(words, t):
    """Words in a window, affixes, a shape: plain enough for any tagger."""
    word = words[t][0]
    items = [f"w[{o}]={words[t + o][0]}" for o in (-2, -1, 0, 1, 2) if 0 <= t + o < len(words)]
    items += [f"low={word.lower()}"]
    items += [f"p{n}={word[:n]}" for n in range(1, 5) if len(word) >= n] + [f"s{n}={word[-n:]}" for n in range(1, 5) if len(word) >= n]
    items += [f"{name}" for name, holds in (("digit", any(c.isdigit() for c in word)), ("upper", word[:1].isupper()),
                                            ("hyphen", "-" in word), ("first", t == 0), ("last", t + 1 == len(words))) if holds]
    if t > 0:
        items.append(f"w[-1]|w[0]={words[t - 1][0]}|{word}")
    if t + 1 < len(words):
        items.append(f"w[0]|w[1]={word}|{words[t + 1][0]}")
    return items


def write_items(source, target):
    with gzip.open(target, "wt", encoding="utf-8") as out:
        for words in sentences(source):
            for t, (_, tag) in enumerate(words):
                out.write("\t".join([tag, *(escape(f) for f in features(words, t))]) + "\n")
            out.write("\n")


def accuracy(model, test):
    return json.loads(trellis("tag", "evaluate", test, "--model", model, "--json")["output"])["accuracy"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", nargs="+", default=["el_gdt"])
    treebanks = sized(parser, treebanks=["en_ewt", "el_gdt"]).treebanks
    WORK.mkdir(parents=True, exist_ok=True)
    python = peer_python("python-crfsuite")
    results = []
    for name in treebanks:
        files = {p: data("ud", name, f"{p}.conllu.gz") for p in ("train", "dev", "test")}
        items = {p: WORK / f"{name}-{p}.items.gz" for p in ("train", "test")}
        for part, target in items.items():
            write_items(files[part], target)
        peer = json.loads(run(python, "-c", PEER_CODE, items["train"], items["test"], WORK / "pos.crfsuite")["output"])
        row = {"treebank": name, "crfsuite": peer["accuracy"]}
        model = WORK / "pos.trellis"
        for order in (1, 2):
            trellis("tag", "train", items["train"], "--format", "items", "--c", "0.5", "--order", order, "--model", model, "--quiet")
            row[f"order{order}"] = accuracy(model, items["test"])
        for order in (1, 2):
            trellis("tag", "train", files["train"], "--template", "pos", "--word-column", "1", "--label-column", "3",
                    "--order", order, "--model", model, "--quiet")
            row[f"template_order{order}"] = accuracy(model, files["test"])
        results.append(row)
    table("UPOS accuracy on the test set; C = 1/2 (CRFsuite's c2 = 1), L-BFGS",
          ["", "CRFsuite", "order 1", "order 2", "template pos, order 1", "order 2"],
          [[r["treebank"], r["crfsuite"], r["order1"], r["order2"], r["template_order1"], r["template_order2"]] for r in results])
    save(results)


if __name__ == "__main__":
    main()
