"""LDA by scikit-learn's batch variational Bayes on a corpus of word numbers (word_numbers.py).

    sklearn_lda.py TRAIN TOPICS ALPHA BETA JOBS TOKENS

One pass over documents from here and there in the corpus, of TOKENS tokens in all (it would take minutes for all of them). Prints a JSON
object: tokens passed over in a second.
"""

import json
import sys
import time

import numpy
from scipy.sparse import csr_matrix
from sklearn.decomposition import LatentDirichletAllocation
from word_numbers import read

train, topics, alpha, beta, jobs, asked = sys.argv[1:]
num_words, begin, tokens = read(train)
stride = max(1, len(tokens) // int(asked))
counts = csr_matrix((numpy.ones(len(tokens)), tokens, begin), shape=(len(begin) - 1, num_words))[::stride]
counts.sum_duplicates()
model = LatentDirichletAllocation(int(topics), doc_topic_prior=float(alpha), topic_word_prior=float(beta), learning_method="batch", max_iter=1,
                                  n_jobs=int(jobs), random_state=1)
start = time.monotonic()
model.fit(counts)
took = time.monotonic() - start
print(json.dumps({"seconds": took, "tokens": int(counts.sum()), "tokens_per_second": counts.sum() / took}))
