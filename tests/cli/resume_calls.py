"""The training calls that are interrupted, killed and resumed, and their files: those of record_data.py, and harder ones.

Each takes some tenths of a second, so that there is a middle to interrupt: hence data that nobody can learn by heart, many
epochs, and no gap or patience to end them. A task is a row of TASKS, a call of it a line of `calls`.
"""

from typing import NamedTuple

from record_data import network, noise, write, write_data


def mistaken(text):
    """A network whose every seventh node has the other label."""
    head, *lines = text.splitlines()
    nodes = int(head.split()[2])
    for k in range(0, nodes, 7):
        lines[k] = str(1 - int(lines[k][0])) + lines[k][1:]
    return "\n".join((head, *lines)) + "\n"


def noisy_matching(name, seed, size):
    """Edges whose first feature has a say in the truth; the others are noise."""
    values = noise(4 * size * size, seed)
    text = f"graph {name} {size} {size}\n"
    for i in range(size):
        for j in range(size):
            x = [next(values) + (0.6 if i == j and k == 0 else 0) for k in range(4)]
            text += f"{i} {j}{' *' if i == j else ''} {' '.join(f'{value:.4f}' for value in x)}\n"
    return text + "\n"


def write_hard_data(folder):
    write_data(folder)
    write(folder, "travel/pos.template", "node column 1\nedge\n")
    for name, seeds in (("hard", range(1, 11)), ("hard-dev", range(11, 15))):
        write(folder, f"blobs/{name}.txt", "".join(mistaken(network(f"n{k}", 10 * k, 8)) for k in seeds))
        write(folder, f"creatures/{name}.txt", "".join(noisy_matching(f"n{k}", 10 * k, 9) for k in seeds))


class Task(NamedTuple):
    train: str  # what all calls begin with
    calls: tuple  # options: a learner or a way to choose settings each
    loads: str  # a command that reads a model of this task
    # What makes another run of the first call:
    own: tuple  # options of the task itself
    dials: tuple
    data: tuple  # in this file, this text, and another of the same shape
    watches: bool = True  # whether --dev and --patience say when to end


NEVER = "--epsilon 0 --delta 0"  # an end before the last epoch

TASKS = {
    "tag": Task(
        "travel/few.txt --template travel/pos.template",
        (
            "--learner dca --epochs 1000",
            "--learner dca --dual stored --loss svm --certify --epochs 200",
            f"--learner lbfgs {NEVER} --epochs 300 --c 3000",
            f"--learner lbfgs {NEVER} --epochs 300 --l1 0.01",
            "--learner sgd --loss softmax-margin --epochs 1000",
            "--learner perceptron --voters 5 --epochs 1000",
            "--learner mira --epochs 300",
            "--learner bmrm --gap 0 --epochs 200",
            "--learner bcfw --gap 0 --epochs 150",
            "--learner extragradient --warm-up 20 --gap 0 --epochs 200",
            "--learner structured-smo --gap 0 --epochs 60",
            "--learner projected-gradient --gap 0 --epochs 20",
            "--learner sgd --dev travel/few-dev.txt --patience 0 --epochs 200",
            "--learner dca --dev travel/few-dev.txt --patience 200 --epochs 1000",
            "--learner lbfgs --c 0.01,0.1,1,10,100 --dev travel/few-dev.txt --patience 0",
            "--learner bcfw --c 0.1,1,10 --cv 3 --gap 0 --epochs 40",
            "--c auto --cv 4 --threads 2",
            "--c auto --patience 0",
            "--c 0.01,0.1,1,10 --path",
        ),
        "evaluate travel/few-dev.txt",
        ("--allow-illegal", "--label-weight O=2", "--order 2", "--min-count 2", "--dev travel/few-dev.txt"),
        ("--c 2", "--epochs 1001", "--no-average", "--loss svm", "--learner sgd", "--c 1,2 --cv 2"),
        ("travel/few.txt", " PROPN ", " NOUN "),
    ),
    "classify": Task(
        "topics/train.tsv",
        (
            "--learner dca --epochs 1000",
            "--learner dca --dual stored --loss crf --certify --epochs 300",
            f"--learner lbfgs {NEVER} --epochs 300 --c 30",
            "--learner sgd --epochs 500",
            "--learner perceptron --epochs 500",
            "--learner smo --gap 0 --c 100 --epochs 300",
            "--learner bmrm --gap 0 --epochs 60",
            "--learner bcfw --gap 0 --epochs 200",
            "--learner mira --epochs 200",
            "--learner sgd --dev topics/dev.tsv --patience 0 --epochs 300",
            "--learner lbfgs --c 0.01,0.1,1,10,100 --dev topics/dev.tsv --patience 0",
            "--learner dca --c 0.1,1,10 --cv 3 --epochs 100",
            "--c auto --cv 4 --threads 2",
            "--kernel poly:2 --learner dca --epochs 300",
            "--c auto --loss crf --dev topics/dev.tsv",
        ),
        "evaluate topics/dev.tsv",
        ("--label-weight sport=2", "--ngrams 2", "--no-bias", "--kernel poly:2", "--dev topics/dev.tsv"),
        ("--c 2", "--epochs 1001", "--no-average", "--loss crf", "--learner sgd", "--c 1,2 --cv 2"),
        ("topics/train.tsv", "sport\t", "weather\t"),
    ),
    "segment": Task(
        "--graph blobs/hard.txt",
        (
            "--learner bcfw --gap 0 --epochs 1000",
            "--learner perceptron --epochs 1000",
            "--learner sgd --epochs 1000",
            "--learner dca --epochs 1000",
            "--learner bmrm --gap 0 --epochs 200 --c 1000",
            "--learner extragradient --gap 0 --epochs 200",
            "--learner projected-gradient --gap 0 --epochs 200",
            "--learner sgd --dev blobs/hard-dev.txt --patience 0 --epochs 500",
            "--learner bcfw --c 0.1,1,10,100 --dev blobs/hard-dev.txt --patience 0 --epochs 200",
            "--learner bcfw --c 0.1,1,10 --cv 3 --gap 0 --epochs 200",
            "--c auto --cv 3 --threads 2",
        ),
        "evaluate --graph blobs/hard-dev.txt",
        ("--unary", "--balanced", "--dev blobs/hard-dev.txt"),
        ("--c 2", "--epochs 1001", "--no-average", "--learner sgd", "--c 1,2 --cv 2"),
        ("blobs/hard.txt", " 0.2\n", " 0.3\n"),
    ),
    "label": Task(
        "recipes/train.arff --labels recipes/recipes.xml",
        (
            "--measure example-f1 --learner bcfw --c 10 --gap 0 --epochs 300 --thresholds train",
            "--c 1 --thresholds train",
            "--c 1 --thresholds both --cv 3 --threads 2",
            "--joint --c 1 --thresholds train --gap 0 --epochs 60",
            "--measure hamming --c 0.01,0.1,1 --cv 3",
            "--c 0.01,0.1,1 --dev recipes/test.arff",
            "--per-label --c 0.01,0.1,1 --cv 3 --threads 2",
            "--per-label --method logistic --c 1,10 --cv 3",
            "--per-label --method svm --c 0.1,1 --dev recipes/test.arff",
            "--method logistic --c 10 --thresholds both --cv 3",
            "--method chain --c 1,10 --cv 3 --threads 2",
            "--measure example-f1 --learner bmrm --c 10 --gap 0 --epochs 60 --thresholds train",
            "--measure example-f1 --learner bcfw --c 10 --gap 0 --epochs 60 --dev recipes/test.arff",
            "--measure example-f1 --learner bcfw --c 0.1,1 --cv 3 --epochs 20",
            "--measure example-f1 --pairwise --c 0.1 --thresholds train",
            "--measure example-f1 --pairwise --c 0.1 --coupling-scale 1,10 --cv 2 --epochs 10",
            "--cv 3",  # a race of methods
        ),
        "evaluate recipes/test.arff",
        ("--measure hamming", "--method svm", "--thresholds none", "--bias 5", "--scale max", "--dev recipes/test.arff"),
        ("--c 2", "--epochs 301", "--c 1,2 --cv 2"),
        ("recipes/train.arff", "{2 1,", "{3 1,"),
    ),
    "rank": Task(
        "search/train.txt --expand random:20",
        (
            "--learner bcfw --gap 0 --epochs 100",
            f"--learner lbfgs {NEVER} --epochs 300 --lambda 1e-6",
            "--learner bmrm --estimator max-margin --gap 0 --lambda 1e-5 --epochs 150",
            "--learner dca --epochs 300",
            "--learner sgd --epochs 300",
            "--learner perceptron --epochs 300",
            "--learner mira --epochs 60",
            "--learner sgd --dev search/dev.txt --patience 0 --lambda 0.1 --epochs 300",
            "--learner bcfw --lambda 1,0.1,0.01 --dev search/dev.txt --gap 0 --patience 0 --epochs 30",
            "--learner bcfw --lambda 1,0.1 --cv 2 --gap 0 --epochs 30",
            "--estimator max-margin --lambda auto --cv 4 --threads 2",
        ),
        "evaluate search/dev.txt",
        ("--size 2", "--normalize minmax", "--select map", "--ties sample", "--position 1/j", "--dev search/dev.txt"),
        ("--lambda 2", "--epochs 101", "--average", "--learner sgd", "--lambda 1,2 --cv 2"),
        ("search/train.txt", " 1:0.", " 1:1."),
    ),
    "parse": Task(
        "garden/train.conllu",
        (
            "--learner dca --loss crf --c 1 --epochs 120",
            f"--learner lbfgs --loss crf {NEVER} --c 100 --epochs 30",
            "--order 2 --learner bmrm --gap 0 --epochs 5",
            "--learner sgd --loss crf --dev garden/dev.conllu --patience 0 --epochs 40",
            "--learner dca --loss crf --c 0.1,1 --cv 2 --epochs 20",
        ),
        "evaluate garden/dev.conllu",
        ("--order 2", "--no-pruning", "--projective", "--roots any", "--tagger", "--dev garden/dev.conllu"),
        ("--c 2", "--epochs 121", "--no-average", "--loss svm", "--learner sgd", "--c 1,2 --cv 2"),
        ("garden/train.conllu", "\tNOUN\t", "\tPROPN\t"),
    ),
    "grammar": Task(
        "kitchen/train.mrg",
        (
            "--learner dca --loss crf --epochs 300",
            f"--learner lbfgs --loss crf {NEVER} --c 30 --epochs 200",
            "--learner sgd --loss crf --epochs 200",
            "--learner bcfw --loss crf --gap 0 --epochs 100",
            "--learner dca --loss crf --dev kitchen/dev.mrg --patience 0 --epochs 200",
            "--learner dca --loss crf --c 0.1,1 --cv 2 --epochs 100",
        ),
        "evaluate kitchen/dev.mrg",
        ("--vertical 2", "--horizontal 3", "--min-count 2", "--prune-below 0.01", "--jackknife 2", "--no-tagger", "--dev kitchen/dev.mrg"),
        ("--c 2", "--epochs 301", "--no-average", "--loss svm", "--learner sgd", "--c 1,2 --cv 2"),
        ("kitchen/train.mrg", "(NN soup)", "(NN stew)"),
    ),
    "factors": Task(
        "outings/few.txt",
        (
            "--learner bcfw --gap 0 --c 10 --epochs 150",
            "--learner bmrm --gap 0 --c 10 --epochs 60",
            "--learner sgd --loss svm --c 1 --epochs 60",
            "--learner perceptron --epochs 60",
            "--learner mira --c 1 --epochs 20",
            f"--inference reweighted --learner lbfgs {NEVER} --c 10 --epochs 20",
            "--learner bcfw --c 0.1,1 --cv 3 --gap 0 --epochs 20",
        ),
        "evaluate outings/dev.txt",
        ("--inference relaxed", "--dev outings/dev.txt"),
        ("--c 2", "--epochs 151", "--learner mira", "--c 1,2 --cv 2"),
        ("outings/few.txt", " =rain ", " =fog "),
    ),
    "match": Task(
        "creatures/hard.txt",
        (
            "--learner bcfw --gap 0 --lambda 0.001 --epochs 1000",
            "--learner bmrm --gap 0 --lambda 1e-6 --epochs 300",
            f"--learner lbfgs --estimator map {NEVER} --lambda 1e-6 --epochs 20",
            "--learner sgd --estimator map --draws 4 --lambda 0.1 --epochs 200",
            "--learner perceptron --epochs 1000",
            "--learner mira --lambda 0.1 --epochs 300",
            "--learner extragradient --lambda 0.1 --gap 0 --epochs 100",
            "--learner structured-smo --lambda 0.1 --gap 0 --epochs 60",
            "--learner sgd --lambda 0.1 --dev creatures/hard-dev.txt --patience 0 --epochs 300",
            "--learner bcfw --lambda 1,0.1,0.01 --dev creatures/hard-dev.txt --gap 0 --patience 0 --epochs 300",
            "--learner bcfw --lambda 1,0.1 --cv 3 --gap 0 --epochs 300",
            "--estimator map --cv 5 --threads 2",
        ),
        "evaluate creatures/hard-dev.txt",
        ("--cover partial", "--normalize none", "--dev creatures/hard-dev.txt"),
        ("--lambda 2", "--epochs 1001", "--average", "--learner mira", "--lambda 1,2 --cv 2"),
        ("creatures/hard.txt", " * 0.", " * 1."),
    ),
    "align": Task(
        "harbour/train.en harbour/train.fr --unsupervised",
        (
            "--aligner gibbs --iterations 100",
            "--aligner fertility --iterations 20 --fertility-iterations 20",
            "--iterations 300 --reach 20 --statistics",
            "--iterations 100 --dev harbour/dev.en harbour/dev.fr --dev-gold harbour/dev.links",
            "--no-agree --iterations 200 --threads 2",
            "--aligner model2 --iterations 500",
            "--aligner diagonal --iterations 500",
            "--aligner model1 --iterations 500",
        ),
        "evaluate harbour/dev.en harbour/dev.fr --gold harbour/dev.links",
        ("--keep-case", "--aligner hmm", "--no-gibbs-fertility", "--keep 0.1", "--statistics"),
        ("--iterations 101", "--model1-iterations 4", "--prior 0.01", "--no-agree", "--null 0.2"),
        ("harbour/train.en", " boat", " ship"),
        watches=False,
    ),
    "topics": Task(
        "pastimes/train.tsv",
        (
            "--topics 5 --sweeps 1500 --watch-every 10",
            "--topics 5 --sweeps 800 --held-out 0.1 --watch-every 100 --keep-chain",
            "--topics 5 --sweeps 300 --sampler alias --threads 2",
            "--topics 5 --sweeps 1000 --beta-prior per-word",
            "--topics 5 --sweeps 300 --method cvb0 --tolerance 0",
            "--kind disclda --sweeps 1500 --watch-every 100 --held-out 0.1",
            "--kind disclda --class-topics 2 --shared-topics 2 --sweeps 200 --learn --rounds 40",
            "--kind wordlda --topics 5 --sweeps 600 --spelling substrings --lambda 0.5,2 --smooth-first 20 --smooth-every 10",
        ),
        "evaluate pastimes/test.tsv",
        ("--min-documents 2", "--stop-words none", "--held-out 0.2", "--method cvb0", "--sampler sparse", "--fixed-alpha"),
        ("--topics 6", "--sweeps 1501", "--alpha 0.2", "--burn-in 30"),
        ("pastimes/train.tsv", " the boat", " the sail"),
        watches=False,
    ),
    "hmm": Task(
        "lighthouse/train.tsv",
        (
            "--estimator max-margin --eta 0.1 --gamma 1 --gap 0 --iterations 300",
            "--estimator max-margin --eta 0.1 --gamma 1 --gap 0 --iterations 300 --working-sets 4 --set-steps 2",
            "--estimator max-margin --eta 0.1 --gamma 1 --gap 0 --iterations 300 --working-sets 4 --online --threads 2",
            "--estimator max-margin --eta 0.05,0.1 --gamma 0.5,1 --gap 0 --iterations 60 --cv 2",
            "--estimator conditional --eta 0.01,0.1 --gap 0 --iterations 100 --dev lighthouse/test.tsv",
            "--estimator em --state none --observations 1,2 --states 8 --restarts 40 --iterations 60 --tolerance 0",
        ),
        "predict lighthouse/test.tsv",
        ("--rare 500", "--loss ring", "--observations 1", "--smoothing 0.5"),
        ("--eta 0.2", "--gamma 0.5", "--iterations 301", "--vertices 50", "--proximal 0.1", "--divergence reverse", "--towards uniform"),
        ("lighthouse/train.tsv", "\tfaint\t", "\tloud\t"),
        watches=False,
    ),
    "bayes": Task(
        "ferry/train.csv --target departure,queue,cafe",
        (
            "--estimator max-margin --eta 0.1 --gamma 1 --gap 0 --iterations 300",
            "--estimator max-margin --eta 0.1 --gamma 1 --gap 0 --iterations 300 --working-sets 4 --set-steps 2",
            "--estimator max-margin --eta 0.05,0.1 --gamma 0.5,1 --gap 0 --iterations 60 --cv 2",
            "--estimator conditional --eta 0.01,0.1 --gap 0 --iterations 100 --dev ferry/test.csv",
        ),
        "evaluate ferry/test.csv",
        ("--structure ferry/ferry.net", "--loss ring", "--max-parents 1", "--smoothing 0.5"),
        ("--eta 0.2", "--gamma 0.5", "--iterations 301", "--vertices 50", "--proximal 0.1", "--divergence reverse", "--towards uniform"),
        ("ferry/train.csv", ",gale,", ",calm,"),
        watches=False,
    ),
}
