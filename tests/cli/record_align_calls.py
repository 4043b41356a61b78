"""The calls of `trellis align` that the record holds; files are those of record_data.py."""

from record_training import Training

TEXT = "align train harbour/train.en harbour/train.fr --unsupervised"
TEST = "harbour/test.en harbour/test.fr"
GOLD = f"{TEST} --gold harbour/test.links"
DEV = "--dev harbour/dev.en harbour/dev.fr --dev-gold harbour/dev.links"
AFTER = (f"evaluate {GOLD}", f"predict {TEST} --probabilities --scores")
WAYS = (
    f"evaluate {GOLD} --symmetrise forward --per-sentence",
    f"evaluate {GOLD} --symmetrise reverse --decode posterior",
    f"evaluate {GOLD} --symmetrise union --decode posterior --threshold 0.4",
    f"evaluate {GOLD} --symmetrise grow-diag-final-and",
    f"predict {TEST} --format naacl --probabilities",
    f"predict {TEST} --format giza --symmetrise intersection",
    f"predict {TEST} --json --symmetrise grow-diag",
    "inspect --top 5",
    "inspect --word boat --json",
)
# With links to learn from.
LESSON = "align train harbour/dev.en harbour/dev.fr --gold harbour/dev.links --text harbour/train.en harbour/train.fr"
LINKS = (f"evaluate {GOLD} --per-sentence", f"predict {TEST} --scores")
EXPLAINED = (
    f"predict {TEST} --nbest 3 --json",
    f"evaluate {GOLD} --offset 0.5",
    f"explain {TEST} --pair 2 --top 4 --json",
    f"explain {TEST} --pair 1 --link 0-0 --link 0-3",
    "inspect --top 5",
)
LESSONS = (
    (f"{LESSON} --fertility 2 --lambda 0.01 --cost 2 --epochs 30", (*LINKS, *EXPLAINED)),
    (f"{LESSON} --fertility 2 --quadratic --lambda 0.01 --cost 2 --epochs 30 --threads 2", LINKS),
    (f"{LESSON} --rescale slack --fertility 2 --lambda 0.01 --cost 2 --epochs 5 --certify", LINKS),
    (f"{LESSON} --cv 2 --lambda 0.1,0.01 --cost 1,4 --epochs 20 --lexical 5", LINKS),
)
VARIANTS = (
    "--aligner dice",
    "--aligner llr",
    "--aligner model1",
    "--aligner model1 --no-agree",
    "--aligner model2",
    "--aligner model2 --no-agree --smoothing none",
    "--aligner diagonal",
    "--aligner hmm --no-agree",
    "--aligner gibbs",
    "--aligner gibbs --no-gibbs-fertility --seed 2 --threads 2",
    "--aligner fertility",
    "--aligner fertility --seed 2 --threads 2 --fertility-sweeps 2",
    "--model1-iterations 2 --iterations 3 --threads 2",
    "--smoothing add --prior 0.01 --floor 1e-6",
    "--null 0.2 --reach 5 --keep 0 --keep-case",
    "--statistics --frequent 3 --threads 2",
    f"{DEV} --aim f1",
    f"{DEV} --aim recall:0.9 --aligner gibbs",
    f"{DEV} --symmetrise forward --decode posterior",
    f"{DEV} --threshold 0.5",
    "--symmetrise grow-diag-final --decode viterbi",
    "--start harbour/old.model",
    "--start harbour/old.model --aligner diagonal",
)
REFUSED = (
    "--null 0",
    "--null 1",
    "--prior -1",
    "--floor 0",
    "--keep 1",
    "--reach 0",
    "--aligner hmmm",
    "--smoothing bayse",
    "--aligner gibbs --chains 0",
    "--aligner gibbs --sweeps 0",
    "--threshold 2",
    "--threshold 0.5 --symmetrise union",
    "--decode viterbi",
    "--aim recall:2",
    "--aim nothing",
    "--separator tab",
    "--frequent 3",
    "--statistics --frequent 0",
    "--dev harbour/dev.en harbour/dev.fr",
    "--dev-gold harbour/dev.links",
)
REFUSED_LESSONS = (
    "--fertility 17",
    "--cost 0",
    "--symmetrise union",
    "--quadratic-training exact",
    "--learner lbfgs",
    "--learner qp --quadratic --quadratic-training exact",
    "--external eflomal",
    "--generative harbour/old.model",
)


def trainings():
    yield Training(TEXT, (*AFTER, *WAYS))
    yield Training("align train harbour/more.bars --unsupervised", AFTER)
    for options in VARIANTS:
        yield Training(f"{TEXT} {options}", AFTER)
    for call, after in LESSONS:
        yield Training(call, after)


def refusals():
    for options in REFUSED:
        yield f"{TEXT} {options}"
    for options in REFUSED_LESSONS:
        yield f"{LESSON} {options}"
    yield TEXT.removesuffix(" --unsupervised")
    yield "align train harbour/train.en harbour/train.fr harbour/more.bars --unsupervised"
