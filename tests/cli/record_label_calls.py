"""The calls of `trellis label` that the record holds; files are those of record_data.py."""

from record_training import Training

TRAIN = "label train recipes/train.arff --labels recipes/recipes.xml"
AFTER = ("evaluate recipes/test.arff", "predict recipes/test.arff --scores")
MEASURES = (
    "macro-f1",
    "macro-fbeta:2",
    "macro-precision",
    "macro-recall",
    "hamming",
    "example-f1",
    "example-fbeta:0.5",
)
METHODS = ("bundle", "logistic", "svm", "chain")
PAIRWISE = "--measure example-f1 --pairwise"
VARIANTS = (
    # C and thresholds by cross-validation.
    "--c 0.01,0.1 --cv 3 --threads 2",
    "--measure hamming --c 0.01,0.1 --cv 3",
    "--measure example-f1 --c 0.1,1 --cv 3",
    "--measure example-f1 --learner bcfw --c 0.1,1 --cv 3",
    "--method logistic --c 1,10 --cv 3",
    "--method svm --c 0.1,1 --cv 3",
    "--method chain --c 1,10 --cv 3 --threads 2",
    "--joint --c 0.01,0.1 --cv 2",
    "--method logistic",
    "--per-label --c 0.01,0.1 --cv 3",
    "--per-label --measure hamming --c 0.01,0.1 --cv 3",
    "--per-label --method logistic --c 1,10 --cv 3",
    "--per-label --method svm --c 0.1,1 --cv 3",
    "--c 0.1 --thresholds both --cv 3",
    "--c 0.1 --thresholds cv --cv 3",
    "--c 0.1 --thresholds none",
    "--measure hamming --c 0.1 --thresholds train",
    "--measure example-f1 --c 1 --thresholds cv --cv 3",
    "--measure example-f1 --c 1 --thresholds none",
    "--method chain --measure example-f1 --c 1 --thresholds both --cv 3",
    # Reverse learning.
    "--joint --c 0.1 --thresholds train",
    "--joint --c 0.1 --thresholds train --threads 2 --epochs 5",
    "--joint --measure hamming --c 0.1",
    "--joint --measure macro-recall --c 0.1 --thresholds train",
    "--lambda 2 --thresholds train",
    "--c 0.1 --thresholds train --gap 0.1",
    "--c 0.1 --thresholds train --epochs 3",
    "--c 0.1 --thresholds train --constraint-generator bounded",
    "--c 0.1 --thresholds train --constraint-generator naive",
    "--c 0.1 --thresholds train --bias 0 --scale none",
    "--c 0.1 --thresholds train --bias 5 --scale max",
    "--c 0.1 --dev recipes/test.arff --thresholds train",
    # Forward learning.
    "--measure example-f1 --learner bmrm --c 1 --thresholds train --threads 2",
    "--measure example-f1 --learner bcfw --c 1 --thresholds train",
    "--rescale slack --c 1 --thresholds train",
    "--rescale slack --measure example-f1 --learner bcfw --c 1 --thresholds train --epochs 5",
    "--measure example-fbeta:2 --learner bcfw --c 1 --thresholds train --epochs 4",
    "--measure example-f1 --lambda 0.01 --thresholds train --dev recipes/test.arff",
    # Couplings.
    f"{PAIRWISE} --c 0.1 --thresholds train",
    f"{PAIRWISE} --c 0.1 --thresholds train --pairs 0.3 --threads 2",
    f"{PAIRWISE} --c 0.1 --thresholds train --generator algorithm5",
    f"{PAIRWISE} --c 0.1 --thresholds train --generator algorithm5 --algorithm6 --call-work 5",
    f"{PAIRWISE} --c 0.1 --thresholds train --call-work 1",
    f"{PAIRWISE} --c 0.1 --thresholds train --coupling-scale 10",
    f"{PAIRWISE} --c 0.1 --cv 2 --coupling-scale 1,10 --epochs 10",
    "--measure example-fbeta:2 --pairwise --c 0.1 --thresholds train --epochs 10",
    # Chains and baselines.
    "--method chain --order file --c 1 --thresholds train",
    "--method chain --order random --seed 4 --c 1 --thresholds train",
    "--method svm --c 1 --thresholds train --epochs 3",
    "--method logistic --c 1 --thresholds train --epochs 3",
    "--method logistic --lambda 0.01 --thresholds train",
    # Options of one method, which the others take, and do what they did without them.
    "--c 0.1 --thresholds train --order random --pairs 0.5 --generator algorithm5 --call-work 2",
    "--measure example-f1 --c 1 --thresholds train --order random --constraint-generator naive --pairs 0.5",
    *(
        f"--method {method} --c 1 --thresholds train --constraint-generator naive --pairs 0.5 --generator algorithm5"
        for method in METHODS
        if method != "bundle"
    ),
)
REFUSED = (
    "--pairwise",
    "--pairwise --measure hamming",
    "--pairwise --measure example-f1 --method logistic",
    "--pairwise --measure example-f1 --learner bcfw",
    "--pairwise --measure example-f1 --pairs 2",
    "--coupling-scale 2",
    "--algorithm6",
    "--learner bcfw",
    "--learner bcfw --measure hamming",
    "--learner bcfw --measure example-f1 --method svm",
    "--learner lbfgs",
    *(f"--joint --method {method}" for method in METHODS if method != "bundle"),
    "--joint --measure example-f1",
    "--per-label --method chain",
    "--per-label --joint",
    "--per-label --measure example-f1",
    "--per-label --measure example-f1 --method svm",
    "--per-label --c 1",
    "--measure micro-f1",
    "--measure macro-fbeta:0",
    "--c 1 --lambda 1",
    "--c 0",
    "--c 1,0",
    "--gap 0",
    "--cv 1",
    "--resume",
    "--scale standard",
    "--bias -1",
    "--method naive-bayes",
)


def trainings():
    for method in METHODS:
        for measure in MEASURES:
            c = 0.1 if method == "bundle" else 1
            yield Training(f"{TRAIN} --method {method} --measure {measure} --c {c} --thresholds train", AFTER)
    for options in VARIANTS:
        yield Training(f"{TRAIN} {options}", AFTER)
    libsvm = ("evaluate recipes/test.libsvm --beta 2", "predict recipes/test.libsvm --json --scores", "inspect --top 3")
    yield Training("label train recipes/train.libsvm --c 0.1 --thresholds train", libsvm)
    yield Training(f"label train recipes/train.libsvm {PAIRWISE} --c 0.3 --thresholds train", libsvm)
    dense = ("evaluate recipes/dense.arff", "predict recipes/dense.arff")
    for options in ("", "--scale unit ", "--method logistic ", "--measure example-f1 --learner bcfw "):
        yield Training(f"label train recipes/dense.arff --labels recipes/dense.xml {options}--c 1 --thresholds train", dense)


def refusals():
    for options in REFUSED:
        yield f"{TRAIN} {options}"
