"""The calls of `trellis classify` that the record holds; files are those of record_data.py."""

from record_training import Training, cells

TRAIN = "classify train topics/train.tsv"
AFTER = ("evaluate topics/test.tsv", "predict topics/test.tsv --scores")

LOSSES = ("svm", "maxent", "softmax-margin", "perceptron")
TAKES = {
    "smo": ("svm", "maxent", "softmax-margin"),
    "dca": ("svm", "maxent", "softmax-margin"),
    "bcfw": ("svm", "maxent", "softmax-margin"),
    "bmrm": ("svm", "maxent", "softmax-margin"),
    "lbfgs": ("maxent", "softmax-margin"),
    "sgd": ("svm", "maxent", "softmax-margin", "perceptron"),
    "perceptron": ("svm", "perceptron"),
    "naive-bayes": (),
}
OF_EACH = (
    "",
    "--certify --epochs 3",
    "--gap 0.05 --epochs 60",
    "--dev topics/dev.tsv",
    "--dev topics/dev.tsv --epochs 12 --patience 2",
    "--label-weight sport=3 --gamma 2 --c 0.5 --seed 3 --epochs 4",
)
VARIANTS = (
    "",
    "--threads 2",
    "--loss maxent",
    "--loss perceptron",
    "--loss softmax-margin",
    "--beta 2 --gamma 0.5",
    "--gamma 3",
    "--learner smo --c 100 --gap 1e-6",
    "--learner lbfgs --l1 0.01",
    "--learner lbfgs --l1 0.01 --dev topics/dev.tsv",
    "--learner lbfgs --epsilon 0.01 --threads 2",
    "--learner lbfgs --delta 0.05",
    "--learner lbfgs --certify --gap 1e-4",
    "--learner dca --dual stored --loss svm",
    "--learner dca --dual stored --loss maxent --certify --epochs 10",
    "--learner dca --dual stored --loss softmax-margin --gap 0.01",
    "--learner dca --dual stored --dev topics/dev.tsv",
    "--learner dca --no-average",
    "--learner bcfw --no-average --epochs 5",
    "--rescale slack --label-weight sport=3 --c 1",
    "--rescale slack --learner perceptron --loss svm",
    "--learner bcfw --loss maxent --no-average --epochs 5",
    "--learner perceptron --no-average",
    "--learner sgd --eta 0.5",
    "--learner sgd --loss svm --eta 0.5 --dev topics/dev.tsv",
    "--learner naive-bayes",
    "--learner naive-bayes --alpha 0.7",
    "--learner naive-bayes --complement",
    "--learner naive-bayes --complement --alpha 0.5 --dev topics/dev.tsv",
    "--learner naive-bayes --dev topics/dev.tsv --no-bias",
    "--learner naive-bayes --weighting log-tfidf --normalize l2",
    # Options of one learner, which the others take, and do what they did without them.
    "--learner smo --alpha 3 --epsilon 0.3 --delta 0.3 --no-average --eta 0.3",
    "--learner dca --alpha 3 --epsilon 0.3 --delta 0.3 --eta 0.3",
    "--learner bcfw --alpha 3 --epsilon 0.3 --delta 0.3 --eta 0.3",
    "--learner bmrm --alpha 3 --epsilon 0.3 --delta 0.3 --no-average --eta 0.3",
    "--learner lbfgs --alpha 3 --no-average --eta 0.3",
    "--learner sgd --alpha 3 --epsilon 0.3 --delta 0.3 --no-average",
    "--learner perceptron --alpha 3 --epsilon 0.3 --delta 0.3 --eta 0.3",
    "--learner naive-bayes --epsilon 0.3 --delta 0.3 --dual stored --no-average --eta 0.3 --epochs 3 --patience 2",
    "--ngrams 2 --min-count 2",
    "--keep-case --no-bias",
    "--weighting binary --normalize none",
    "--weighting tfidf",
    "--weighting log --normalize l2",
    "--weighting count",
)
OTHERS = (
    Training("classify train topics/numbered.tsv", ("evaluate topics/numbered.tsv", "predict topics/numbered.tsv --top-k 2")),
    Training(
        "classify train topics/numbered.tsv --columns skip,label,text --learner dca",
        ("evaluate topics/numbered.tsv", "predict topics/numbered.tsv"),
    ),
    *(
        Training(f"classify train topics/train.libsvm {options}".strip(), ("evaluate topics/test.libsvm", "predict topics/test.libsvm"))
        for options in (
            "",
            "--normalize l2",
            "--loss maxent --dev topics/test.libsvm",
            "--learner perceptron",
            "--learner bmrm --loss maxent --gap 0.01",
            "--learner bcfw --epochs 5",
            "--learner sgd --epochs 5",
        )
    ),
    Training(
        f"{TRAIN} --loss maxent --c 3",
        (
            "evaluate topics/dev.tsv --confusions 3",
            "predict topics/test.tsv --probabilities --top-k 3",
            "predict topics/test.tsv --probabilities --top-k 2 --json --threads 2",
            "inspect --top 3",
        ),
    ),
    Training(f"{TRAIN} --learner naive-bayes --alpha 2", ("predict topics/test.tsv --probabilities --top-k 5",)),
)
REFUSED = (
    "--learner naive-bayes --c 2",
    "--learner naive-bayes --l1 1",
    "--learner naive-bayes --certify",
    "--learner naive-bayes --gap 0.1",
    "--learner naive-bayes --label-weight sport=2",
    "--learner naive-bayes --alpha 0",
    "--learner naive-bayes --beta 1",
    "--learner naive-bayes --resume",
    "--learner smo --complement",
    "--learner smo --beta 2",
    "--learner smo --dual stored",
    "--learner lbfgs --dual stored",
    "--learner lbfgs --beta inf",
    "--learner perceptron --beta 2",
    "--learner dca --dual stored --loss perceptron",
    "--learner dca --l1 1",
    "--l1 1",
    "--l1 -1 --loss maxent",
    "--kernel rbf:1",
    "--loss hinge",
    "--learner mira",
    "--c 0",
    "--gap -1",
    "--gamma -1",
    "--beta 0",
    "--label-weight fish=2",
    "--learner sgd --eta -1",
)


def trainings():
    for learner, loss, works in cells(TAKES, LOSSES):
        if works:
            yield Training(f"{TRAIN} --learner {learner} --loss {loss} --epochs 6", AFTER)
    for learner in TAKES:
        for options in OF_EACH if learner != "naive-bayes" else ():
            yield Training(f"{TRAIN} --learner {learner} {options}".strip(), AFTER)
    for options in VARIANTS:
        yield Training(f"{TRAIN} {options}".strip(), AFTER)
    yield from OTHERS


def refusals():
    for learner, loss, works in cells(TAKES, LOSSES):
        if not works:
            yield f"{TRAIN} --learner {learner} --loss {loss}"
        if loss == "svm" and learner not in ("lbfgs", "naive-bayes"):
            yield f"{TRAIN} --learner {learner} --l1 0.1"
    for options in REFUSED:
        yield f"{TRAIN} {options}"
