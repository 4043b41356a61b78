"""Corpora as numbers of words, for topics_speed.py: that of a newsgroups file, or one that is made up.

    word_numbers.py newsgroups TRAIN.tsv.gz OUT HELD_OUT      every tenth document is held out; the test part is not read
    word_numbers.py zipf TOKENS OUT HELD_OUT                  drawn from LDA with Zipfian topics; 300 more documents are held out

The file has, in 8 bytes each, the numbers of documents and of words, and where the tokens of each document begin; then a word in 4 bytes
for each token.
"""

import collections
import gzip
import re
import sys

import numpy


def write(path, num_words, documents):
    begin = numpy.zeros(len(documents) + 1, numpy.uint64)
    begin[1:] = numpy.cumsum([len(d) for d in documents])
    tokens = numpy.concatenate([numpy.asarray(d, numpy.uint32) for d in documents])
    with open(path, "wb") as file:
        numpy.array([len(documents), num_words], numpy.uint64).tofile(file)
        begin.tofile(file)
        tokens.tofile(file)


def read(path):
    """The number of words, where documents begin, and the tokens."""
    with open(path, "rb") as file:
        num_documents, num_words = numpy.fromfile(file, numpy.uint64, 2)
        begin = numpy.fromfile(file, numpy.uint64, int(num_documents) + 1)
        return int(num_words), begin.astype(numpy.int64), numpy.fromfile(file, numpy.uint32)


def is_encoded(document):
    most = max(collections.Counter(document).values(), default=0)
    return most > max(500, len(document) / 2)


def newsgroups(source, out, held_out):
    """Words of three letters or more that at least three documents have, and no more than half of them.

    Left out are a few documents of encoded files, in which one word stands more than 500 times and is more than half of all: what a model
    thinks of that one word would outweigh all else.
    """
    with gzip.open(source, "rt", encoding="utf-8", errors="replace") as file:
        texts = [[w for w in re.findall("[a-z]+", line.split("\t", 2)[2].lower()) if len(w) > 2] for line in file]
    frequency = collections.Counter(word for text in texts for word in set(text))
    words = sorted(word for word, n in frequency.items() if 3 <= n < len(texts) / 2)
    number = {word: i for i, word in enumerate(words)}
    documents = [[number[w] for w in text if w in number] for text in texts]
    documents = [d for d in documents if not is_encoded(d)]
    write(out, len(words), [d for i, d in enumerate(documents) if i % 10 != 9])
    write(held_out, len(words), documents[9::10])


def zipf(num_tokens, out, held_out):
    """Topic k's words are Zipfian in an order of its own. A document has 2/5 of its tokens from one that all share, and the others from five
    of 300."""
    random = numpy.random.default_rng(1)
    length, num_words, topics, num_held_out = 200, 100_000, 300, 300
    weights = 1 / numpy.arange(1, num_words + 1) ** 1.05
    cumulative = numpy.cumsum(weights / weights.sum())
    # Orders: affine maps modulo the number of words.
    factors = numpy.append(random.choice([a for a in range(1, num_words, 2) if a % 5], topics), 1)
    shifts = numpy.append(random.integers(0, num_words, topics), 0)

    def document():
        own, shares = random.integers(0, topics, 5), random.dirichlet([0.5] * 5).cumsum()
        topic = own[numpy.searchsorted(shares, random.random(length)).clip(0, 4)]
        topic = numpy.where(random.random(length) < 0.4, topics, topic)
        rank = numpy.searchsorted(cumulative, random.random(length)).clip(0, num_words - 1)
        return (rank * factors[topic] + shifts[topic]) % num_words

    write(held_out, num_words, [document() for _ in range(num_held_out)])
    write(out, num_words, [document() for _ in range(int(num_tokens) // length)])


if __name__ == "__main__":
    {"newsgroups": newsgroups, "zipf": zipf}[sys.argv[1]](*sys.argv[2:])
