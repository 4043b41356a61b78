"""The calls of `trellis tag` that the record holds; files are those of record_data.py."""

from record_training import Training, cells

TRAIN = "tag train travel/train.txt --template travel/words.template"
FEW = "tag train travel/few.txt --template travel/words.template"
TINY = "tag train travel/tiny.txt --template travel/words.template"
ITEMS = "tag train travel/few.items --format items"
TINY_ITEMS = "tag train travel/tiny.items --format items"
AFTER = ("evaluate travel/test.txt", "predict travel/test.txt")
FEW_AFTER = ("evaluate travel/few-dev.txt", "predict travel/few-dev.txt")
ITEMS_AFTER = ("evaluate travel/few-dev.items", "predict travel/few-dev.items")

LOSSES = ("crf", "softmax-margin", "svm", "perceptron")
TAKES = {
    "lbfgs": ("crf", "softmax-margin"),
    "dca": ("crf", "softmax-margin", "svm"),
    "mira": ("svm",),
    "sgd": ("crf", "softmax-margin", "svm", "perceptron"),
    "perceptron": ("svm", "perceptron"),
    "bcfw": ("crf", "softmax-margin", "svm"),
    "bmrm": ("crf", "softmax-margin", "svm"),
    "extragradient": ("svm",),
    "projected-gradient": ("svm",),
    "structured-smo": ("svm",),
    "qp": ("svm",),
}
# They keep tables of pairs of labels for each token.
PART_LEARNERS = ("extragradient", "projected-gradient", "structured-smo", "qp")

# Options that are about one learner. The others refuse them.
OWN_OPTIONS = {
    "--warm-up 2": ("lbfgs",),
    "--epsilon 0.2": ("lbfgs",),
    "--delta 0.2": ("lbfgs",),
    "--no-average": ("dca", "mira", "perceptron"),
    "--k 2": ("mira",),
    "--cache 2": ("bcfw",),
    "--geometry euclidean": ("extragradient",),
    "--eta 0.3": ("sgd",),
}

OF_EACH = (
    "",  # as many epochs as suit the learner
    "--dev travel/few-dev.txt",
    "--certify --epochs 3",
    "--gap 0.2 --epochs 40",
    "--dev travel/few-dev.txt --epochs 12 --patience 2",
    "--order 2 --epochs 3",
    "--hash-bits 8 --epochs 3",
    "--label-weight B-CITY=3 --gamma 2 --epochs 3",
    "--c 0.1 --seed 7 --epochs 3",
)

VARIANTS = (
    "--epochs 5",  # the learner and the loss that nobody named
    "--epochs 5 --threads 2",
    "--beta 3 --gamma 0.5 --epochs 5",
    "--l1 0.5 --epochs 12",
    "--l1 0.5 --c 10 --dev travel/dev.txt --epochs 8",
    "--warm-up 2 --epochs 4",
    "--warm-up 2 --loss softmax-margin --epochs 4",
    "--epsilon 0.05 --epochs 60",
    "--delta 0.2 --epochs 60",
    "--dev travel/dev.txt --epochs 60 --patience 4 --threads 2",
    "--loss softmax-margin --label-weight B-CITY=4 --label-weight O=0.5 --epochs 5",
    "--order 3 --epochs 3",
    "--min-count 2 --epochs 5",
    "--states all --transitions all --epochs 3",
    "--no-boundaries --allow-illegal --epochs 5",
    "--scheme bioes --epochs 5",
    "--scheme plain --epochs 5",
    "--hash-bits 10 --l1 0.2 --epochs 5",
    "--warm-start travel/old.model --epochs 4",
    "--learner dca --warm-start travel/old.model --epochs 2",
    "--learner dca --dual stored --loss crf --certify --epochs 4",
    "--learner dca --dual stored --loss softmax-margin --epochs 4",
    "--learner dca --dual stored --loss svm --gap 0.1 --epochs 30",
    "--learner dca --dual stored --dev travel/dev.txt --epochs 8",
    "--learner dca --no-average --epochs 3",
    "--learner dca --loss svm --no-average --epochs 3",
    "--learner dca --beta inf --gamma 2 --epochs 3",
    "--learner dca --dev travel/dev.txt --epochs 12",
    "--learner mira --k 1 --epochs 3",
    "--learner mira --k 5 --no-average --epochs 3",
    "--learner mira --dev travel/dev.txt --epochs 8",
    "--learner mira --gamma 3 --epochs 3",
    "--learner sgd --eta 0.1 --epochs 3",
    "--learner sgd --loss svm --eta 0.1 --epochs 3",
    "--learner sgd --dev travel/dev.txt --epochs 8",
    "--learner sgd --beta 2 --gamma 1 --epochs 3",
    "--learner perceptron --voters 7 --epochs 3",
    "--learner perceptron --voters 7 --dev travel/dev.txt --epochs 6",
    "--learner perceptron --loss svm --voters 3 --no-average --epochs 3",
    "--learner perceptron --no-average --epochs 3",
    "--learner perceptron --dev travel/dev.txt --epochs 12",
    "--learner bcfw --cache 0 --epochs 4",
    "--rescale slack --c 1 --epochs 3",
    "--rescale slack --learner bcfw --certify --label-weight B-CITY=2.5 --c 1 --epochs 3",
    "--rescale slack --learner bmrm --gamma 2 --c 0.1 --epochs 10 --threads 2",
    "--learner bcfw --cache 0 --no-average --epochs 4",
    "--learner bcfw --cache 2 --certify --epochs 4",
    "--learner bcfw --dev travel/dev.txt --epochs 12",
    "--learner bcfw --loss crf --gap 0.1 --epochs 30",
    "--learner bmrm --dev travel/dev.txt --epochs 12 --threads 2",
    "--learner bmrm --loss crf --gap 0.2 --epochs 30",
    "--learner extragradient --epochs 4 --threads 2",
    "--learner extragradient --radius 5 --dev travel/dev.txt --epochs 6",
)
FEW_VARIANTS = (
    "--learner extragradient --geometry entropic --epochs 5",
    "--learner extragradient --steps governed --epochs 4 --threads 2",
    "--learner extragradient --steps plain --radius 5 --geometry euclidean --certify --epochs 4",
    "--learner extragradient --geometry entropic --radius 4 --epochs 5",
    "--learner extragradient --geometry entropic --radius 20 --l1-ball --epochs 5",
    "--learner extragradient --geometry euclidean --epochs 5",
    "--learner extragradient --geometry euclidean --radius 4 --epochs 5",
    "--learner extragradient --geometry euclidean --radius 20 --l1-ball --epochs 5",
    "--learner extragradient --geometry euclidean --certify --dev travel/few-dev.txt --epochs 5 --threads 2",
    "--learner extragradient --gamma 2 --radius 4 --certify --epochs 5",
    "--learner projected-gradient --radius 4 --epochs 5",
    "--learner projected-gradient --radius 4 --certify --gap 0.5 --epochs 8 --threads 2",
    "--learner structured-smo --gamma 2 --epochs 3",
    # A hinge without a margin takes steps where there are weights to start from.
    "--learner dca --loss perceptron --warm-start travel/few.model --epochs 2",
    "--learner mira --loss perceptron --warm-start travel/few.model --epochs 2",
    "--learner bcfw --loss perceptron --warm-start travel/few.model --epochs 2",
    "--learner bmrm --loss perceptron --warm-start travel/few.model --epochs 2",
    "--learner structured-smo --warm-start travel/few.model --epochs 2",
    "--learner extragradient --warm-start travel/few.model --epochs 3",
    "--learner projected-gradient --warm-start travel/few.model --epochs 3",
    "--learner structured-smo --loss perceptron --warm-start travel/few.model --epochs 2",
    "--learner extragradient --loss perceptron --warm-start travel/few.model --epochs 3",
    "--learner projected-gradient --loss perceptron --warm-start travel/few.model --epochs 3",
    *(
        f"--learner {learner} --epochs 3 " + " ".join(option for option, own in OWN_OPTIONS.items() if learner not in own)
        for learner in TAKES
        if learner != "qp"
    ),
)
TINY_VARIANTS = (
    "--learner qp --radius 0.5",
    "--learner qp --gamma 2 --c 10",
    "--learner qp --warm-start travel/few.model",
    "--learner qp " + " ".join(OWN_OPTIONS),
)
TEMPLATES = (
    "tag train travel/train.txt --epochs 3",
    "tag train travel/train.txt --template chunk --epochs 3",
    "tag train travel/train.txt --template ner --chunk-column 1 --epochs 3",
    "tag train travel/train.txt --template ner-gazetteer --chunk-column 1 --gazetteer travel/cities.txt --epochs 3",
    "tag train travel/train.txt --template none --columns 1 --epochs 3",
    "tag train travel/train.txt --template travel/travel.template --learner dca --epochs 2",
    "tag train travel/train.txt --template travel/edges.template --epochs 3",
    "tag train travel/train.txt --template travel/edges.template --learner bcfw --epochs 2",
    "tag train travel/few.txt travel/train.txt --template travel/words.template --learner perceptron --epochs 2",
)
PARTIAL = (
    "--epochs 5",
    "--loss softmax-margin --epochs 5",
    "--l1 0.5 --epochs 5",
    "--learner sgd --epochs 3",
    "--learner sgd --eta 0.2 --dev travel/dev.txt --epochs 5",
)
KERNELS = (
    "--kernel linear --epochs 4",
    "--kernel poly:3 --epochs 4",
    "--kernel poly:2:0 --learner bcfw --certify --epochs 4",
    "--kernel rbf:0.5 --kernel-rank 20 --epochs 4",
    "--kernel rbf:2 --learner dca --dual stored --loss svm --dev travel/few-dev.items --epochs 6",
    "--kernel poly:2 --learner perceptron --voters 4 --epochs 3",
    "--kernel poly:2 --learner extragradient --geometry euclidean --radius 4 --kernel-rank 12 --epochs 3",
    "--kernel rbf:1 --learner extragradient --implicit --geometry euclidean --epochs 3",
    "--kernel poly:2 --learner extragradient --implicit --geometry entropic --dev travel/few-dev.items --epochs 3",
)
# What else can be asked of a model.
ASKED = (
    "predict travel/test.txt --marginals label",
    "predict travel/test.txt --marginals all --threads 2",
    "predict travel/test.txt --nbest 3 --scores",
    "predict travel/test.txt --nbest 2 --marginals --json",
    "predict travel/known.txt --constraints 2",
    "explain travel/test.txt --sentence 2 --top 3",
    "inspect --top 3",
    "evaluate travel/train.txt",
)


def trainings():
    for learner, loss, works in cells(TAKES, LOSSES):
        if works and learner in PART_LEARNERS:
            columns = TINY if learner == "qp" else FEW
            epochs = "" if learner == "qp" else " --epochs 4"  # which it does not have
            yield Training(f"{columns} --learner {learner} --loss {loss}{epochs}", FEW_AFTER)
        elif works:
            yield Training(f"{TRAIN} --learner {learner} --loss {loss} --epochs 4", AFTER)
    for learner in TAKES:
        columns, items = (TINY, TINY_ITEMS) if learner == "qp" else (FEW, ITEMS)
        for options in OF_EACH:
            yield Training(f"{columns} --learner {learner} {options}".strip(), FEW_AFTER)
        yield Training(f"{items} --learner {learner} --kernel poly:2 --kernel-rank 25 --epochs 3", ITEMS_AFTER)
    for options in VARIANTS:
        yield Training(f"{TRAIN} {options}", AFTER)
    for options in FEW_VARIANTS:
        yield Training(f"{FEW} {options}", FEW_AFTER)
    for options in TINY_VARIANTS:
        yield Training(f"{TINY} {options}", FEW_AFTER)
    for call in TEMPLATES:
        yield Training(call, AFTER)
    for options in PARTIAL:
        yield Training(f"tag train travel/partial.txt --template travel/words.template --partial {options}", AFTER)
    yield Training(f"{ITEMS} --epochs 4", ITEMS_AFTER)
    for options in KERNELS:
        yield Training(f"{ITEMS} {options}", ITEMS_AFTER)
    yield Training(f"{TRAIN} --epochs 6", ASKED)
    yield Training(f"{TRAIN} --order 2 --epochs 4", ASKED)


REFUSED = (
    "--learner mira --beta 2",
    "--learner perceptron --beta 2",
    "--learner lbfgs --beta inf",
    "--learner dca --dual stored --loss perceptron",
    "--learner sgd --dual stored",
    "--learner sgd --l1 1",
    "--learner sgd --voters 3",
    "--learner lbfgs --radius 3",
    "--learner bcfw --radius 3",
    "--learner structured-smo --radius 3",
    "--learner extragradient --l1-ball",
    "--learner extragradient --radius 5 --steps examples",
    "--learner extragradient --steps sideways",
    "--learner projected-gradient --radius 3 --l1-ball",
    "--learner qp --radius 3 --l1-ball",
    "--learner extragradient --radius 5 --l1-ball --warm-start travel/few.model",
    "--learner extragradient --radius -1",
    "--learner mira --k 0",
    "--learner sgd --eta -1",
    "--learner svm",
    "--loss huber",
    "--beta 0",
    "--gamma -1",
    "--c 0",
    "--l1 -1",
    "--gap -1",
    "--order 5",
    "--kernel poly:2 --l1 1",
    "--kernel poly:2 --hash-bits 10",
    "--kernel poly:2 --min-count 2",
    "--kernel poly:2 --warm-start travel/few.model",
    "--kernel cubic",
    "--kernel-rank 10",
    "--label-weight B-PLANET=2",
    "--warm-start travel/few.model --hash-bits 8",
    "--partial --certify",
    "--partial --gap 0.1",
    "--partial --learner sgd --loss svm",
    "--dual both",
    "--geometry flat",
)


def refusals():
    for learner, loss, works in cells(TAKES, LOSSES):
        if not works:
            yield f"{FEW} --learner {learner} --loss {loss}"
    for learner in TAKES:
        if learner not in ("lbfgs", "sgd"):
            yield f"{FEW} --learner {learner} --partial"
        if learner != "lbfgs":
            yield f"{FEW} --learner {learner} --l1 0.5"
    for options in REFUSED:
        yield f"{FEW} {options}"
