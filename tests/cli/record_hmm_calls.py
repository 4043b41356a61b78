"""The calls of `trellis hmm` that the record holds; files are those of record_data.py."""

from record_training import Training

TRAIN = "hmm train lighthouse/train.tsv"
TEST = "lighthouse/test.tsv"
AFTER = (f"evaluate {TEST}", f"predict {TEST}")
WAYS = (
    f"predict {TEST} --marginals",
    f"predict {TEST} --decode posterior --json",
    f"evaluate {TEST} --decode posterior --loss ring",
    "inspect --tables",
    "inspect --tables --json",
    "sample --count 3 --length 10 --seed 2",
)
MARGIN = "--estimator max-margin --eta 0.1 --gamma 1 --gap 0.02"
VARIANTS = (
    "--smoothing 0.1 --loss ring",
    "--rare 500",
    "--estimator em --state 2 --observations 1,3 --iterations 5",
    "--estimator em --iterations 10",
    "--estimator conditional --eta 0.1 --gap 0.02",
    f"{MARGIN} --loss ring --threads 2",
    f"{MARGIN} --towards uniform --start uniform --divergence reverse",
    f"{MARGIN} --penalty quadratic --vertices 20 --directions 2 --proximal 0.1",
    f"{MARGIN} --working-sets 4 --set-steps 2 --rounds 5",
    f"{MARGIN} --working-sets 4 --online --rounds 5",
    "--estimator max-margin --penalty rescaled --eta 0.05 --gap 0.05",
    "--estimator max-margin --eta 0.01,0.1 --gamma 1 --gap 0.05 --cv 2",
    f"--estimator conditional --eta 0.01,0.1 --gap 0.05 --dev {TEST}",
)
HIDDEN = "--estimator em --state none --observations 1,2 --states 3 --restarts 2 --iterations 10 --smoothing 0 --seed 2"
REFUSED = (
    "--estimator best",
    "--eta 1",
    "--restarts 3",
    "--states 3",
    "--state none",
    "--observations 3",
    "--sequence day",
    "--smoothing nan",
    "--loss rnig",
    "--estimator em --state none",
    "--estimator max-margin --eta 0",
    "--estimator max-margin --gamma 1,-1",
    "--estimator max-margin --rounds 3",
    "--estimator max-margin --eta 1 --gamma 1 --cv 3",
    "--estimator max-margin --penalty rescaled --gamma 1",
    "--estimator conditional --penalty linear",
    "--estimator conditional --smoothing 0",
)


def trainings():
    yield Training(TRAIN, (*AFTER, *WAYS))
    for options in VARIANTS:
        yield Training(f"{TRAIN} {options}", AFTER)
    yield Training(f"{TRAIN} {HIDDEN}", (f"predict {TEST}",))
    yield Training("hmm train lighthouse/train.csv --sequence night --state bearing", ("predict lighthouse/train.csv --sequence night",))


def refusals():
    for options in REFUSED:
        yield f"{TRAIN} {options}"
