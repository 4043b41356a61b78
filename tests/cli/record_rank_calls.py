"""The calls of `trellis rank` that the record holds; files are those of record_data.py."""

from record_training import Training

TRAIN = "rank train search/train.txt"
AFTER = ("evaluate search/test.txt", "predict search/test.txt")
TAKES = {"map": ("lbfgs", "bmrm", "bcfw"), "max-margin": ("bmrm", "bcfw")}
OF_EACH = (
    "--gap 0.01",
    "--epochs 4 --gap 0 --lambda 0.01 --seed 2",
    "--lambda 1,0.1 --dev search/dev.txt --gap 0.01 --threads 2",
    "--lambda 1,0.1 --cv 2 --gap 0.02 --select ndcg@5",
    "--expand binned:4 --gap 0.01 --normalize minmax",
)
VARIANTS = (
    "",
    "--estimator max-margin --threads 2",
    "--dev search/dev.txt --gap 0.01 --select map",
    "--estimator max-margin --dev search/dev.txt --gap 0.05 --epochs 60",
    "--estimator max-margin --rescale slack --lambda 0.1 --epochs 5 --certify",
    "--gamma 1",
    "--estimator max-margin --gamma 2 --gap 0.01",
    "--expand random:20 --gap 0.01",
    "--estimator max-margin --expand random:20 --gap 0.05",
    "--normalize none --epochs 30",
    "--normalize scale",
    "--size 2 --subsets all",
    "--size 5 --subsets 0.1 --ties sample --gap 0.01",
    "--estimator max-margin --size 8 --subsets 0.1 --gap 0.05",
    "--position 1/log",
    "--position 1/j --ndcg letor",
    "--estimator max-margin --position root --ndcg linear --empty 1 --gap 0.01",
)
REFUSED = (
    "--learner sgd",
    "--estimator max-margin --gamma 0",
    "--gamma -1",
    "--lambda 0",
    "--lambda 1,2",
    "--cv 1",
    "--cv 3 --dev search/dev.txt",
    "--cv 1000",
    "--gap -1",
    "--epochs 0",
    "--expand binned:1",
    "--subsets many",
    "--select p@1",
)


def trainings():
    for estimator, learners in TAKES.items():
        for learner in learners:
            for options in OF_EACH:
                yield Training(f"{TRAIN} --estimator {estimator} --learner {learner} {options}", AFTER)
    for options in VARIANTS:
        yield Training(f"{TRAIN} {options}".strip(), AFTER)
    asked = (
        "evaluate search/test.txt --per-query --ndcg letor --empty skip",
        "predict search/test.txt --sorted",
        "predict search/test.txt --json --threads 2",
        "predict search/test.txt --scores",
        "inspect",
    )
    yield Training("rank train search/train.txt search/dev.txt --gap 0.001", asked)


def refusals():
    yield f"{TRAIN} --estimator max-margin --learner lbfgs"
    for options in REFUSED:
        yield f"{TRAIN} {options}"
