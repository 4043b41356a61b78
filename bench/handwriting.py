"""Handwritten words (Taskar, Guestrin & Koller 2003): flat SVM, CRF and margin nets with kernels; BCFW compared with dlib.

order: letter error, trained on one fold and tested on the other nine; C is chosen on a split of the first fold for all. In the paper (a
figure without numbers) chains err less than single letters, margins less than likelihood, and kernels less than linear features.

nine: trained on nine folds and tested on one, linear features. A second-order chain gains from words that repeat. Values measured elsewhere:
88.5 % of the letters for CRFsuite's averaged perceptron, 87.0 for SVM-HMM, 84.6 for dlib.

speed: BCFW to a certified relative gap of 1e-3 compared with dlib at the same C with the same features, one thread each. dlib's epsilon
is 0.01, 0.003 and 0.001 until its objective is as good; the last run counts.

    ./dev bench handwriting [--folds K] [--part order|nine|speed] [--kernels linear quadratic cubic]
"""

import argparse
import collections
import gzip
import json
import subprocess

from peers import WORK, data, note, run, save, sized, table, trellis

REPORT = {
    "title": "Handwritten words",
    "chapter": "Sequences",
    "claims": {"order": ["Trained on one fold and tested on nine, in each column and row: chains make fewer mistakes than single "
                         "letters, margin nets fewer than conditional random fields, quadratic kernels fewer than linear features. "
                         "Without `--full` there is one fold, and no deviation is known.",
                         "--part order"],
               "nine": ["Percentage of correct letters after training on nine folds, by learner.", "--part nine"],
               "speed": ["BCFW certifies a gap of 1e-3 in less time than dlib takes to reach the same objective.", "--part speed"]},
    "minutes": [8, 240],
    "default": "there are the first fold, and kernels of the second degree at most",
    "needs": ["data", "debian"],
}
LINEAR = ["--states", "all", "--transitions", "all"]
KERNELS = {"linear": LINEAR, "quadratic": ["--kernel", "poly:2", "--transitions", "all"],
           "cubic": ["--kernel", "poly:3", "--transitions", "all"]}
# A letter alone is a sequence of one; its thousands of kernel features would fill the memory as cached cuts.
LEARNERS = {"multiclass SVM": ["--learner", "dca", "--loss", "svm", "--epochs", "20", "--no-boundaries"],
            "CRF": ["--learner", "dca", "--loss", "crf", "--dual", "stored", "--gap", "0.01", "--epochs", "40"],
            "margin net": ["--learner", "bcfw", "--loss", "svm", "--gap", "0.01", "--epochs", "100"]}
COSTS = {"linear": ["0.1", "1"], "quadratic": ["1", "10"], "cubic": ["1", "10"]}


def read_words():
    """The letters of each word, with the numbers of their black pixels; by fold."""
    words = collections.OrderedDict()
    with gzip.open(data("ocr_letters", "letter.data.gz"), "rt") as lines:
        for line in lines:
            field = line.rstrip("\n").split("\t")
            fold, letters = words.setdefault(field[3], (int(field[5]), []))
            letters.append((field[1], [i for i in range(128) if field[6 + i] == "1"]))
    folds = collections.defaultdict(list)
    for fold, letters in words.values():
        folds[fold].append(letters)
    return folds


def write(name, words, flat=False):
    """An item file; `flat` makes a sequence of every letter."""
    path = WORK / f"letters-{name}.txt"
    with open(path, "w") as out:
        for word in words:
            for letter, pixels in word:
                out.write("\t".join([letter] + [f"p{i}" for i in pixels]) + ("\n\n" if flat else "\n"))
            if not flat:
                out.write("\n")
    return path


def error(train, test, options):
    model = WORK / "letters.trellis"
    trellis("tag", "train", train, "--format", "items", "--model", model, "--quiet", *options)
    return 100 - json.loads(trellis("tag", "evaluate", test, "--model", model, "--json")["output"])["accuracy"]


def choose_c(folds, options, kernel, flat):
    """C by an 80/20 split of the first fold's words, for all folds."""
    words = folds[0]
    cut = len(words) * 4 // 5
    train, test = write("part", words[:cut], flat), write("held", words[cut:], flat)
    tried = {c: error(train, test, [*options, "--c", c]) for c in COSTS[kernel]}
    return min(tried, key=tried.get)


def published_order(folds, used, call):
    """Train on one fold, test on the other nine."""
    rows = []
    for learner, learner_options in LEARNERS.items():
        flat = learner == "multiclass SVM"
        for kernel in call.kernels:
            options = [*learner_options, *KERNELS[kernel]]
            c = choose_c(folds, options, kernel, flat)
            errors = []
            for k in used:
                train = write("train", folds[k], flat)
                test = write("test", [w for j in folds if j != k for w in folds[j]], flat)
                errors.append(error(train, test, [*options, "--c", c]))
            rows.append({"learner": learner, "kernel": kernel, "c": c, "error": sum(errors) / len(errors), "errors": errors})
            print(f"  {learner}, {kernel}: {rows[-1]['error']:.2f}", flush=True)
    by = {(r["learner"], r["kernel"]): r["error"] for r in rows}
    table(f"Letter error (%), trained on one fold and tested on nine, mean of {len(used)}; C by a split of fold 0",
          ["", *KERNELS], [[l, *(by.get((l, k)) for k in KERNELS)] for l in LEARNERS], claim="order")
    note("C: " + ", ".join(f"{r['c']} of {r['learner']}, {r['kernel']}" for r in rows))
    return rows


def nine_folds(folds, used, _):
    """Train on nine folds, test on one, with linear features."""
    settings = {"averaged perceptron": ["--learner", "perceptron", "--epochs", "50"],
                "softmax-margin, dca": ["--learner", "dca", "--loss", "softmax-margin", "--c", "1", "--epochs", "20"],
                "softmax-margin, dca, second order": ["--learner", "dca", "--loss", "softmax-margin", "--c", "1", "--epochs",
                                                      "20", "--order", "2"]}
    rows = []
    for name, options in settings.items():
        right = []
        for k in used:
            train = write("train", [w for j in folds if j != k for w in folds[j]])
            right.append(100 - error(train, write("test", folds[k]), options))
        rows.append({"learner": name, "right": sum(right) / len(right), "folds": right})
    table(f"Letters right (%), trained on nine folds and tested on one, mean of {len(used)}",
          ["", "right"], [[r["learner"], r["right"]] for r in rows], claim="nine")
    return rows


def build_dlib():
    program = WORK / "dlib_sequence"
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "dlib-1"], capture_output=True, text=True, check=True)
    source = __file__.rsplit("/", 1)[0] + "/peers/dlib_sequence.cc"
    subprocess.run(["g++", "-O3", "-DNDEBUG", "-std=c++14", source, "-o", program, *flags.stdout.split(), "-lpthread"],
                   check=True)
    return program


def speed(folds, used, _, c="0.1"):
    """BCFW to a relative gap of 1e-3 beside dlib at the same C; dlib's epsilon falls until its objective is as good."""
    program = build_dlib()
    rows = []
    for k in used:
        path = write("speed", folds[k])
        call = trellis("tag", "train", path, "--format", "items", "--model", WORK / "letters.trellis", "--quiet", "--json",
                       *LINEAR, "--no-boundaries", "--learner", "bcfw", "--loss", "svm", "--c", c, "--gap", "1e-3",
                       "--epochs", "2000", "--threads", "1")
        ours = json.loads(call["output"])
        objective = ours["objective"] * len(folds[k]) * float(c)
        for epsilon in ("0.01", "0.003", "0.001"):
            theirs = json.loads(run(program, path, c, epsilon)["output"])
            if theirs["objective"] <= objective:
                break
        rows.append({"fold": k, "seconds": ours["seconds"], "objective": objective, "gap": ours["gap"],
                     "dlib_seconds": theirs["seconds"], "dlib_objective": theirs["objective"], "epsilon": epsilon})
    total, peer = sum(r["seconds"] for r in rows), sum(r["dlib_seconds"] for r in rows)
    table(f"BCFW to a certified relative gap of 1e-3 compared with dlib to the same objective, C = {c}, one thread each",
          ["fold", "seconds", "objective", "dlib s", "dlib objective", "epsilon"],
          [[r["fold"], r["seconds"], r["objective"], r["dlib_seconds"], r["dlib_objective"], r["epsilon"]] for r in rows], claim="speed")
    note(f"seconds of all folds: {total:.1f}, of dlib {peer:.1f}, a ratio of {total / peer:.3f}")
    return {"rows": rows, "ratio": total / peer}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folds", type=int, default=1, help="how many of the ten folds")
    parser.add_argument("--part", choices=["order", "nine", "speed"], help="only this part")
    parser.add_argument("--kernels", nargs="+", choices=KERNELS, default=["linear", "quadratic"])
    arguments = sized(parser, folds=10, kernels=list(KERNELS))
    folds = read_words()
    used = list(range(arguments.folds))
    parts = {"order": published_order, "nine": nine_folds, "speed": speed}
    save({name: part(folds, used, arguments) for name, part in parts.items() if arguments.part in (None, name)})


main()
