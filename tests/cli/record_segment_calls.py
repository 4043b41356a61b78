"""The calls of `trellis segment` that the record holds; files are those of record_data.py."""

from record_training import Training

PICTURES = "segment train blobs/four.list --scale 0.5"
GRAPHS = "segment train --graph blobs/graphs.txt"
AFTER = ("evaluate blobs/test.list", "predict blobs/test.list")
GRAPHS_AFTER = ("evaluate --graph blobs/test-graphs.txt", "predict --graph blobs/test-graphs.txt")

LEARNERS = ("bcfw", "extragradient", "bmrm", "perceptron", "sgd")
OF_EACH = (
    "--epochs 4",
    "--certify --epochs 3 --c 0.1 --seed 5",
    "--dev blobs/dev.list --epochs 6 --patience 2",
)
GRAPHS_OF_EACH = (
    "",  # as many epochs as suit the learner
    "--dev blobs/dev-graphs.txt",
    "--epochs 5",
    "--gap 0.1 --epochs 60",
    "--dev blobs/dev-graphs.txt --epochs 10 --patience 3 --threads 2",
    "--unary --balanced --certify --epochs 4",
)
VARIANTS = (
    "--epochs 4 --threads 2",
    "--neighbours 4 --epochs 3",
    "--unary --epochs 3",
    "--balanced --epochs 3",
    "--no-average --epochs 3",
    "--rescale slack --c 0.1 --epochs 3 --certify",
    "--learner perceptron --no-average --epochs 3",
    "--learner sgd --no-average --eta 0.1 --epochs 3",
    "--learner sgd --eta 0.1 --dev blobs/dev.list --epochs 3",
    "--learner bmrm --threads 2 --gap 0.5 --epochs 20",
    "--learner extragradient --radius 3 --epochs 3",
    "--learner extragradient --radius 3 --warm-up 2 --epochs 3 --threads 2",
    "--learner extragradient --warm-up 2 --certify --epochs 3",
    "--learner extragradient --unary --epochs 3",
)
GRAPHS_VARIANTS = (
    "--no-average --epochs 4",
    "--learner perceptron --no-average --epochs 4",
    "--learner sgd --eta 0.3 --epochs 4",
    "--learner sgd --no-average --epochs 4",
    "--learner extragradient --radius 2 --epochs 6",
    "--learner extragradient --radius 2 --certify --gap 0.1 --epochs 60",
    "--learner extragradient --warm-up 3 --epochs 4",
    "--learner bmrm --c 100 --gap 0.01 --epochs 100",
    # Options of one learner, or of pictures, which others take, and do what they did without them.
    "--learner bcfw --warm-up 2 --eta 0.3 --scale 0.5 --neighbours 4 --epochs 4",
    "--learner extragradient --no-average --eta 0.3 --epochs 4",
    "--learner bmrm --warm-up 2 --no-average --eta 0.3 --epochs 4",
    "--learner perceptron --warm-up 2 --eta 0.3 --epochs 4",
    "--learner sgd --warm-up 2 --epochs 4",
)
REFUSED = (
    *(f"--learner {learner} --radius 3" for learner in LEARNERS if learner != "extragradient"),
    "--learner extragradient --radius -1",
    "--learner lbfgs",
    "--learner smo",
    "--c 0",
    "--gap -1",
    "--learner sgd --eta -1",
    "--neighbours 6",
)


def trainings():
    for learner in LEARNERS:
        for options in OF_EACH:
            yield Training(f"{PICTURES} --learner {learner} {options}", AFTER)
        for options in GRAPHS_OF_EACH:
            yield Training(f"{GRAPHS} --learner {learner} {options}".strip(), GRAPHS_AFTER)
    for options in VARIANTS:
        yield Training(f"{PICTURES} {options}", AFTER)
    for options in GRAPHS_VARIANTS:
        yield Training(f"{GRAPHS} {options}", GRAPHS_AFTER)
    yield Training("segment train blobs/train.list --epochs 2", (*AFTER, "predict blobs/test.list --overlay", "inspect --top 3"))


def refusals():
    for options in REFUSED:
        yield f"{GRAPHS} {options}"
    yield f"{PICTURES} --scale 3"
