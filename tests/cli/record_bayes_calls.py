"""The calls of `trellis bayes` that the record holds; files are those of record_data.py."""

from record_training import Training

TRAIN = "bayes train ferry/train.csv --target departure"
TEST = "ferry/test.csv"
AFTER = (f"evaluate {TEST}", f"predict {TEST}")
WAYS = (
    f"predict {TEST} --marginals",
    f"predict {TEST} --decode posterior --json --marginals --hide queue,cafe",
    "predict ferry/gaps.csv --hide none",
    f"evaluate {TEST} --decode posterior --hide departure,queue --loss ring",
    "inspect --tables",
    "inspect --tables --json",
    "sample --count 3 --seed 2",
    "sample --count 3 --given wind=gale,cafe=busy",
    "export",
)
MARGIN = "--estimator max-margin --eta 0.01 --gamma 1 --gap 0.02"
VARIANTS = (
    "--smoothing 0.1 --loss ring",
    "--structure naive",
    "--structure chow-liu --threads 2",
    "--max-parents 1",
    "--structure ferry/ferry.net",
    "--structure ferry/ferry.bif --keep-tables",
    "--columns season,wind,fog,departure",
    "--estimator conditional --eta 0.01 --gap 0.02",
    f"{MARGIN} --loss ring --threads 2",
    f"{MARGIN} --structure ferry/ferry.bif --keep-tables",
    f"{MARGIN} --towards uniform --start uniform --divergence reverse",
    f"{MARGIN} --penalty quadratic --vertices 20 --directions 2 --proximal 0.1",
    f"{MARGIN} --working-sets 4 --set-steps 2 --rounds 5",
    f"{MARGIN} --working-sets 4 --online --rounds 5 --structure naive",
    "--estimator max-margin --penalty rescaled --eta 0.01 --gap 0.05",
    "--estimator max-margin --eta 0.001,0.01 --gamma 1 --gap 0.05 --cv 2",
    f"--estimator conditional --eta 0.001,0.01 --gap 0.05 --dev {TEST}",
)
GAPS = "bayes train ferry/gaps.csv --structure ferry/ferry.net --estimator em --restarts 2 --iterations 20 --seed 2"
REFUSED = (
    "--estimator best",
    "--eta 1",
    "--restarts 3",
    "--structure tree",
    "--structure naive --max-parents 2",
    "--keep-tables",
    "--delimiter colon",
    "--smoothing nan",
    "--loss rnig",
    "--structure ferry/ferry.bif --keep-tables --estimator em",
    "--estimator max-margin --eta 0",
    "--estimator conditional --penalty linear",
    "--estimator conditional --smoothing 0",
)
WITHOUT_TARGET = ("--estimator max-margin", "--structure naive", "--loss ring", "--target moon", "--target wind,wind")


def trainings():
    yield Training(TRAIN, (*AFTER, *WAYS))
    for options in VARIANTS:
        yield Training(f"{TRAIN} {options}", () if options.startswith("--columns") else AFTER)
    yield Training(GAPS, ("predict ferry/gaps.csv", f"evaluate {TEST} --hide departure,queue"))


def refusals():
    for options in REFUSED:
        yield f"{TRAIN} {options}"
    for options in WITHOUT_TARGET:
        yield f"bayes train ferry/train.csv {options}"
