"""LDA by scikit-learn's batch variational Bayes on a corpus of word numbers (word_numbers.py).

    sklearn_lda.py TRAIN TOPICS ALPHA BETA JOBS PASSES

Prints a JSON object: tokens passed over in a second.
"""

import json
import sys
import time

import numpy
from scipy.sparse import csr_matrix
from sklearn.decomposition import LatentDirichletAllocation
from word_numbers import read

train, topics, alpha, beta, jobs, passes = sys.argv[1:]
num_words, begin, tokens = read(train)
counts = csr_matrix((numpy.ones(len(tokens)), tokens, begin), shape=(len(begin) - 1, num_words))
counts.sum_duplicates()
model = LatentDirichletAllocation(int(topics), doc_topic_prior=float(alpha), topic_word_prior=float(beta), learning_method="batch",
                                  max_iter=int(passes), n_jobs=int(jobs), random_state=1)
start = time.monotonic()
model.fit(counts)
took = time.monotonic() - start
print(json.dumps({"seconds": took, "sweeps": int(passes), "tokens_per_second": len(tokens) * int(passes) / took}))
