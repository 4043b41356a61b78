"""The calls of `trellis factors` that the record holds; files are those of record_data.py."""

from record_training import Training

OUTINGS = "factors train outings/few.txt"
AFTER = ("evaluate outings/test.txt", "predict outings/test.txt")
CELLS = (
    "--learner bcfw",
    "--learner bmrm",
    "--learner dca --dual stored",
    "--learner sgd --loss svm",
    "--learner perceptron",
    "--learner mira",
    "--inference relaxed --learner bcfw",
    "--inference relaxed --learner bmrm",
    "--inference beliefs --learner dca --loss crf",
    "--inference beliefs --learner sgd --loss crf",
    "--inference reweighted --learner lbfgs",
    "--inference reweighted --learner sgd --loss crf",
)
VARIANTS = (
    "--c 0.1 --gap 0.1 --seed 3",
    "--c 0.1,1 --dev outings/dev.txt --epochs 4 --threads 2",
    "--c 0.1,1 --cv 3 --epochs 4",
    "--loss softmax-margin --epochs 3",
    "--rescale slack --c 1 --epochs 5 --certify",
    "--inference relaxed --rescale slack --learner bmrm --epochs 5",
)
REFUSED = (
    "--inference exact --loss crf",
    "--inference relaxed --learner mira",
    "--inference beliefs --loss svm",
    "--inference beliefs --loss crf --certify",
    "--inference beliefs --learner lbfgs",
    "--inference reweighted --learner bmrm --loss crf",
    "--learner qp",
    "--inference reweighted --learner perceptron",
    "--inference guess",
    "--learner smo",
    "--c 0",
)


def trainings():
    for cell in CELLS:
        yield Training(f"{OUTINGS} {cell} --epochs 3", AFTER)
    for options in VARIANTS:
        yield Training(f"{OUTINGS} {options}", AFTER)
    more = ("predict outings/test.txt --inference relaxed", "predict outings/test.txt --marginals beliefs", "inspect --top 3")
    yield Training(f"{OUTINGS} --epochs 2", (*AFTER, *more))


def refusals():
    for options in REFUSED:
        yield f"{OUTINGS} {options}"
