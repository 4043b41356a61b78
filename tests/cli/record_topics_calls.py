"""The calls of `trellis topics` that the record holds; files are those of record_data.py."""

from record_training import Training

TRAIN = "topics train pastimes/train.tsv --topics 4 --sweeps 60"
TEST = "pastimes/test.tsv"
AFTER = (f"evaluate {TEST}", f"predict {TEST}")
WAYS = (
    f"predict {TEST} --as csv",
    f"predict {TEST} --as libsvm",
    f"predict {TEST} --inference gibbs --samples 20 --json",
    f"predict {TEST} --top 2 --threads 2",
    f"evaluate {TEST} --estimator left-to-right --particles 3 --convention tomotopy",
    "inspect --top 5",
    "inspect --top 3 --as csv --order number",
)
VARIANTS = (
    "--threads 2 --seed 2",
    "--held-out 0.2 --watch-every 20",
    f"--held-out {TEST} --particles 5 --keep-chain",
    "--min-documents 2 --max-share 0.5 --max-words 300",
    "--ngrams 2 --keep-case --numbers --min-length 1 --stop-words none",
    "--fixed-alpha --beta-prior fixed --alpha 0.5 --beta 0.1",
    "--beta-prior per-word --burn-in 10 --optimise-every 5 --optimise-until 40",
    "--sampler dense",
    "--sampler sparse",
    "--sampler alias --cycles 1",
    "--method cvb0",
    "--method cvb0 --tolerance 0.05 --held-out 0.1",
)
OTHER_FILES = (
    "topics train pastimes/lines.txt --format lines --topics 4 --sweeps 20",
    "topics train pastimes/docword.txt --vocabulary pastimes/vocab.txt --topics 3 --sweeps 20",
    "topics train pastimes/counts.svm --format svmlight --topics 3 --sweeps 20",
)
NOTICES = "pastimes/notices.tsv"
LANGUAGE_WAYS = (f"evaluate {NOTICES} --agreement", f"evaluate {NOTICES} --agreement --agreement-topics 2", f"predict {NOTICES} --as csv")
RELATED = f"topics train {NOTICES} --kind wordlda --topics 4 --sweeps 80 --smooth-first 20 --smooth-every 20"
RELATED_VARIANTS = (
    "--dictionary pastimes/eng-fra.tsv --stage en --languages-apart --beta-prior fixed",
    "--dictionary pastimes/eng-fra.tsv --stage fr,en --tau 2 --beta-prior per-word",
    "--spelling substrings --neighbours 3 --min-cosine 0.6 --lambda 0.3,1 --sigma inf --choose-by 0.2",
    "--spelling edits --edits 2 --edit-length 4 --company corpus --min-npmi 0.2 --min-together 2 --sampler dense",
    "--synonyms pastimes/eng-fra.tsv --synonym-weight 2 --sampler alias --threads 2",
)
CLASSES = "topics train pastimes/train.tsv --kind disclda --class-topics 2 --shared-topics 3 --sweeps 60"
CLASS_WAYS = (
    f"predict {TEST} --as csv",
    f"predict {TEST} --inference gibbs --bridge geometric --bridge-to class --samples 20 --json",
    f"predict {TEST} --inference mean-field",
    f"evaluate {TEST} --json",
    "inspect --top 3",
    "inspect --top 2 --as csv",
)
CLASS_VARIANTS = (
    "--kept-sweeps 2 --lag 3 --threads 2 --seed 2",
    "--validation 0",
    f"--classifier svm --held-out {TEST}",
    "--learn --rounds 2 --gradient-steps 3 --rate 5 --decay 0.1 --contrast 4 --validation 0.25 --held-out 0.2",
    "--learn --rounds 1 --fixed-topics --inference mean-field",
    "--learn --rounds 1 --gradient-steps 1 --inference gibbs --inference-burn-in 2 --inference-samples 5 --bridge harmonic",
)
REFUSED = (
    "--kind disclda",
    "--class-topics 3",
    "--learn",
    "--rate 3",
    "--bridge harmonic",
    "--classifier forest",
    "--alpha nan",
    "--beta 0",
    "--held-out 1.5",
    "--held-out 0.0001",
    "--method cvb0 --keep-chain",
    "--kind plsa",
    "--columns label,label",
    "--max-share 0",
    "--sampler fast",
)


def trainings():
    yield Training(TRAIN, (*AFTER, *WAYS))
    for options in VARIANTS:
        yield Training(f"{TRAIN} {options}", AFTER)
    yield Training(f"{TRAIN} --classifier svm", AFTER)
    yield Training(CLASSES, (*AFTER, *CLASS_WAYS))
    for options in CLASS_VARIANTS:
        yield Training(f"{CLASSES} {options}", AFTER)
    for call in OTHER_FILES:
        yield Training(call, ())
    yield Training(f"topics train {NOTICES} --topics 4 --sweeps 60", LANGUAGE_WAYS)
    for options in RELATED_VARIANTS:
        yield Training(f"{RELATED} {options}", (LANGUAGE_WAYS[0], "inspect --top 4"))


RELATED_REFUSED = (
    "",
    "--dictionary pastimes/eng-fra.tsv --stage de",
    "--dictionary pastimes/eng-fra.tsv --lambda 0",
    "--dictionary pastimes/eng-fra.tsv --keep-chain",
    "--dictionary pastimes/eng-fra.tsv --dictionary-weight nan",
    "--spelling letters",
)
CLASSES_REFUSED = (
    "--method cvb0",
    "--sampler alias",
    "--keep-chain",
    "--rounds 3",
    "--inference gibbs",
    "--learn --kept-sweeps 2",
    "--learn --rate nan",
    "--learn --validation 1",
    "--learn --validation 0",
    "--validation -0.1",
    "--learn --inference-samples 3",
)


def refusals():
    for options in RELATED_REFUSED:
        yield f"{RELATED} {options}".strip()
    for options in CLASSES_REFUSED:
        yield f"{CLASSES} {options}"
    for blocks in ("--class-topics 0", "--class-topics 300", "--shared-topics 70000"):
        yield f"topics train pastimes/train.tsv --kind disclda {blocks}"
    yield "topics train pastimes/lines.txt --format lines --kind disclda"
    yield "topics train pastimes/lines.txt --format lines --topics 3 --classifier svm"
    for options in REFUSED:
        yield f"{TRAIN} {options}"
    for topics in (0, 100000, 60000):
        yield f"topics train pastimes/train.tsv --topics {topics}"
    yield "topics train pastimes/train.tsv --topics 3 --sweeps 0"
    yield "topics train pastimes/train.tsv"
    yield "topics train --topics 3"
