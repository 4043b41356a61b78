"""LDA by tomotopy on a corpus of word numbers (word_numbers.py), with the priors held.

    tomotopy_lda.py TRAIN COUNTS TOPICS ALPHA BETA WORKERS SWEEPS SECONDS

Sweeps, one at least, until there are SWEEPS of them or SECONDS are over. Prints a JSON object (log_joint is the likelihood that tomotopy tells), and writes the counts of words and topics to COUNTS for
topics_speed_program to judge (unless that is "-").
"""

import json
import resource
import sys
import time
import warnings

import numpy
import tomotopy
from word_numbers import read

warnings.simplefilter("ignore")
train, counts, topics, alpha, beta, workers, sweeps, seconds = sys.argv[1:]
topics, alpha, beta, workers, sweeps, seconds = int(topics), float(alpha), float(beta), int(workers), int(sweeps), float(seconds)
num_words, begin, tokens = read(train)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
model = tomotopy.LDAModel(k=topics, alpha=alpha, eta=beta, seed=1)
for d in range(len(begin) - 1):
    if begin[d] < begin[d + 1]:
        model.add_doc([str(w) for w in tokens[begin[d]:begin[d + 1]]])
model.optim_interval = 0
start = time.monotonic()
model.train(0, workers=workers)
started = time.monotonic()
cpu = time.process_time()
done, stride = 0, 1
while done < sweeps and (done == 0 or time.monotonic() - start < seconds):
    stride = min(stride, sweeps - done)
    model.train(stride, workers=workers)
    done += stride
    # Each call makes its threads and parts anew: few calls, and no more than a second beyond the end.
    stride = max(1, int(min(done, done / (time.monotonic() - started))))
took, cpu = time.monotonic() - started, time.process_time() - cpu
print(json.dumps({"start": started - start, "seconds": took, "cpu": cpu, "sweeps": done, "tokens_per_second": len(tokens) * done / took,
                  "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before, "log_joint": model.ll_per_word}))
if counts != "-":
    totals = numpy.asarray(model.get_count_by_topics(), float) + beta * len(model.used_vocabs)
    phi = numpy.stack([model.get_topic_word_dist(k, normalize=True) for k in range(topics)])
    by_word = numpy.zeros((num_words, topics), numpy.uint32)
    by_word[[int(w) for w in model.used_vocabs]] = numpy.rint(phi * totals[:, None] - beta).T
    with open(counts, "wb") as file:
        by_word.tofile(file)
