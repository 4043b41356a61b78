"""The calls of `trellis grammar` that the record holds; files are those of record_data.py."""

from record_training import Training

TRAIN = "grammar train kitchen/train.mrg --epochs 4"
TEST = "kitchen/test.mrg"
TOKENS = "kitchen/tokens.txt"
AFTER = (f"evaluate {TEST}", f"predict {TOKENS}")
WAYS = (
    f"predict {TOKENS} --pretty",
    f"predict {TOKENS} --nbest 3",
    f"predict {TOKENS} --nbest 2 --marginals --json",
    f"predict {TOKENS} --marginals --unparsed flat",
    f"evaluate {TEST} --threads 2",
    f"explain {TOKENS} --sentence 3 --top 3",
    f"explain {TOKENS} --sentence 1 --span 3-5 --json",
    "inspect --top 5",
)
LEARNERS = (
    "--learner dca --loss crf",
    "--learner dca --loss softmax-margin --c 0.1",
    "--learner mira --k 3",
    "--learner sgd --loss crf --c 10",
    "--learner perceptron",
    "--learner bcfw --c 0.1",
    "--rescale slack --c 0.1 --certify",
    "--learner lbfgs --loss crf --c 1",
    "--learner structured-smo --c 0.1 --max-words 6",
)
VARIANTS = (
    "--dev kitchen/dev.mrg",
    "--dev kitchen/dev.mrg --patience 1 --threads 2",
    "--vertical 1 --horizontal 0",
    "--vertical 3 --horizontal 2 --jackknife 2",
    "--no-pruning --max-words 6",
    "--no-tagger",
    "--chart-memory 0 --prune-tags-below 0.01",
    "--prune-below 0.01 --prune-rules-below 0.001",
    "--min-count 2 --max-words 9 --seed 2",
    "--c 0.1,1 --cv 2",
)
GENERATIVE = "grammar train kitchen/train.mrg --generative"
REFUSED = (
    "--vertical 0",
    "--jackknife 1",
    "--jackknife 1000",
    "--jackknife 3 --no-tagger",
    "--learner smo",
    "--prune-below 2",
    "--generative",
    "--voters 3",
    "--c 0.1,1",
)


def trainings():
    yield Training(TRAIN, (*AFTER, *WAYS))
    for options in (*LEARNERS, *VARIANTS):
        yield Training(f"{TRAIN} {options}", AFTER)
    yield Training(GENERATIVE, (*AFTER, f"predict {TOKENS} --nbest 2", "inspect --top 5"))


def refusals():
    for options in REFUSED:
        yield f"{TRAIN} {options}"
