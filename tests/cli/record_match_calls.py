"""The calls of `trellis match` that the record holds; files are those of record_data.py."""

from record_training import Training

GRAPHS = "match train creatures/graphs.txt"
PAIRS = "match train --pairs creatures/three.list"
GRAPHS_AFTER = ("evaluate creatures/test-graphs.txt", "predict creatures/test-graphs.txt")
PAIRS_AFTER = ("evaluate creatures/test.list", "predict creatures/test.list")
CELLS = (
    "--estimator max-margin --learner bmrm",
    "--estimator max-margin --learner bcfw",
    "--estimator map --learner lbfgs",
    "--estimator map --learner sgd --draws 4",
)
OF_EACH = (
    "--lambda 0.1",
    "--lambda 0.01 --epochs 5 --gap 0.1 --seed 2",
    "--lambda 1,0.1,0.01 --dev creatures/dev-graphs.txt --epochs 20 --threads 2",
    "--lambda 1,0.1 --cv 3 --epochs 20",
)
GRAPHS_VARIANTS = (
    "",
    "--estimator map",
    "--estimator map --draws 3 --epochs 5",
    "--estimator map --draws 3 --eta 0.05 --epochs 5 --lambda 0.1",
    "--dev creatures/dev-graphs.txt --threads 2",
    "--cover partial --lambda 0.1",
    "--cover partial --learner bcfw --lambda 0.1",
    "--rescale slack --lambda 0.1 --epochs 5 --certify",
    "--normalize none --lambda 0.1",
    "--normalize common --lambda 0.1 --estimator map",
    # Options of one learner, or of shapes, which others take, and do what they did without them.
    "--lambda 0.1 --eta 0.3 --points 5 --rings 2 --difference absolute --cv 2",
    "--lambda 0.1 --learner bcfw --eta 0.3 --rings 2",
    "--lambda 0.1 --estimator map --eta 0.3 --rings 2",
)
PAIRS_VARIANTS = (
    "--lambda 0.1",
    "--lambda 0.1 --learner bcfw --epochs 20",
    "--estimator distance",
    "--estimator map --draws 2 --lambda 1 --epochs 2",
    "--estimator map --lambda 1 --epochs 3 --threads 2",
    "--lambda 10,1 --dev creatures/dev.list",
    "--lambda 10,1 --cv 3 --threads 2",
    "--lambda 0.1 --rings 3 --sectors 6 --difference absolute --outline 40",
    "--lambda 0.1 --cover partial --normalize each",
    "--lambda 0.1 --centre none",
    "",
)
REFUSED = (
    "--estimator max-margin --learner lbfgs",
    "--estimator max-margin --learner sgd",
    "--estimator map --learner bmrm",
    "--estimator map --learner bcfw",
    "--estimator map --learner sgd",
    "--estimator map --learner sgd --draws 1",
    "--estimator map --learner lbfgs --draws 5",
    "--estimator map --cover partial",
    "--estimator max-margin --draws 5",
    "--estimator distance",
    "--learner perceptron",
    "--lambda 0",
    "--lambda 1,2",
    "--gap -1",
    "--cv 1",
    "--cv 100",
    "--cv 2 --dev creatures/dev-graphs.txt",
    "--centre unlearned",
    "--estimator map --draws 3 --eta -1 --lambda 1",
)


def trainings():
    for cell in CELLS:
        for options in OF_EACH:
            yield Training(f"{GRAPHS} {cell} {options}", GRAPHS_AFTER)
    for options in GRAPHS_VARIANTS:
        yield Training(f"{GRAPHS} {options}".strip(), GRAPHS_AFTER)
    for options in PAIRS_VARIANTS:
        yield Training(f"{PAIRS} {options}".strip(), PAIRS_AFTER)
    named = ("evaluate creatures/named-graphs.txt", "predict creatures/named-graphs.txt --k-best 2 --marginals", "inspect --top 3")
    yield Training("match train creatures/named-graphs.txt --lambda 0.1", named)
    yield Training("match train creatures/named-graphs.txt --lambda 0.1 --estimator map", (*named, f"{named[1]} --json"))


def refusals():
    for options in REFUSED:
        yield f"{GRAPHS} {options}"
    yield f"{PAIRS} --estimator distance --cover partial"
