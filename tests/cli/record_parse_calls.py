"""The calls of `trellis parse` that the record holds; files are those of record_data.py."""

from record_training import Training

TRAIN = "parse train garden/train.conllu --epochs 4"
TEST = "garden/test.conllu"
AFTER = (f"evaluate {TEST}", f"predict {TEST} --marginals")
WAYS = (
    f"predict {TEST} --nbest 3",
    f"predict {TEST} --nbest 2 --marginals --json",
    f"evaluate {TEST} --threads 2",
    f"explain {TEST} --sentence 2 --top 4",
    f"explain {TEST} --sentence 1 --word 2 --head 0 --json",
    "inspect --top 5",
)
LEARNERS = (
    "--learner dca --loss crf",
    "--learner dca --loss softmax-margin --c 0.1",
    "--learner dca --beta 2 --gamma 0.5",
    "--learner mira --k 3",
    "--learner sgd --loss crf --c 10",
    "--learner perceptron",
    "--learner bcfw --c 0.1",
    "--rescale slack --c 0.1 --certify",
    "--learner lbfgs --loss crf --c 1",
)
VARIANTS = (
    "--dev garden/dev.conllu",
    "--dev garden/dev.conllu --patience 1 --threads 2",
    "--projective",
    "--roots any --no-pruning",
    "--max-heads 3 --prune-below 0.01",
    "--min-count 2 --max-words 9 --seed 2",
    "--c 0.1,1 --cv 2",
    "--order 2 --loss crf",
    "--order 2 --loss crf --inference beliefs",
    "--order 2 --loss crf --inference beliefs --inference-iterations 20 --damping 0.3 --decode risk",
    "--loss crf --decode risk",
    "--order 2 --projective",
)
PAIRS = f"{TRAIN} --order 2"
TAGGER = f"{TRAIN} --tagger --jackknife 3 --dev garden/dev.conllu"
RETAGGED = (f"evaluate {TEST} --retag", f"predict {TEST} --retag --json")
REFUSED = (
    "--order 3",
    "--inference beliefs",
    "--order 2 --inference beliefs",
    "--order 2 --inference relaxed --loss crf",
    "--damping 0.3",
    "--order 2 --loss crf --damping 0.3",
    "--order 2 --inference-iterations 0",
    "--learner smo",
    "--learner structured-smo",
    "--roots two",
    "--max-heads 0",
    "--prune-below 2",
    "--format conll",
    "--voters 3",
    "--jackknife 3",
    "--tagger --jackknife 1",
    "--tagger --jackknife 1000",
    "--c 0.1,1",
)


def trainings():
    yield Training(TRAIN, (*AFTER, *WAYS))
    for options in (*LEARNERS, *VARIANTS):
        yield Training(f"{TRAIN} {options}", AFTER)
    yield Training(PAIRS, (*AFTER, f"predict {TEST} --nbest 3", f"predict {TEST} --nbest 2 --json"))
    yield Training(TAGGER, (*AFTER, *RETAGGED))


def refusals():
    for options in REFUSED:
        yield f"{TRAIN} {options}"
