"""Figure and ground pixel by pixel, as users of scikit-learn do it: filters at several scales, then logistic regression or a forest.

    pixel_classifier.py logistic|forest TRAIN.list DEV.list TEST.list

A list has a picture and its mask on each line. Features of a pixel are its place, and the picture smoothed, its gradient and its Laplacian at four
scales, with their squares for logistic regression. Some pixels of each training picture are learned from; C (or the least size of a leaf) is
chosen by the wrong pixels of the dev pictures. Prints one JSON object with [wrong, all] for each test picture. Runs in the virtual
environment of bench/peers."""

import json
import sys
import time
import warnings

import numpy
from PIL import Image
from scipy import ndimage
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

SCALES = (1, 2, 4, 8)
PIXELS = 500  # of each training picture


def read(path):
    for line in open(path, encoding="utf-8"):
        picture, mask = (numpy.asarray(Image.open(name).convert("L"), dtype=float) for name in line.split())
        yield describe(picture / 255), (mask > 127).ravel()


def describe(picture):
    """A row of features for each pixel."""
    height, width = picture.shape
    y, x = numpy.mgrid[0:height, 0:width]
    columns = [picture, x / width, y / height]
    for scale in SCALES:
        columns += [ndimage.gaussian_filter(picture, scale), ndimage.gaussian_gradient_magnitude(picture, scale),
                    ndimage.gaussian_laplace(picture, scale)]
    return numpy.stack([column.ravel() for column in columns], axis=1)


def models(kind):
    if kind == "logistic":
        for c in (0.01, 1, 100):
            yield f"C={c}", make_pipeline(StandardScaler(), LogisticRegression(C=c, max_iter=1000))
    else:
        for leaf in (1, 10):
            yield f"leaves of {leaf}", RandomForestClassifier(100, min_samples_leaf=leaf, random_state=1, n_jobs=1)


def main():
    kind, train, dev, test = sys.argv[1:]
    warnings.filterwarnings("ignore")
    prepare = (lambda x: numpy.hstack([x, x * x])) if kind == "logistic" else (lambda x: x)
    start = time.process_time()
    rng = numpy.random.default_rng(1)
    rows, truth = [], []
    for x, y in read(train):
        some = rng.choice(len(y), PIXELS, replace=False)
        rows.append(prepare(x[some]))
        truth.append(y[some])
    x, y = numpy.concatenate(rows), numpy.concatenate(truth)
    watched = [(prepare(a), b) for a, b in read(dev)]
    tried = []
    for name, model in models(kind):
        model.fit(x, y)
        tried.append((sum((model.predict(a) != b).sum() for a, b in watched), name, model))
    wrong, name, model = min(tried, key=lambda entry: entry[0])
    cpu = time.process_time() - start
    pictures = [[int((model.predict(prepare(a)) != b).sum()), len(b)] for a, b in read(test)]
    print(json.dumps({"chosen": name, "cpu": cpu, "test_cpu": time.process_time() - start - cpu, "pictures": pictures}))


if __name__ == "__main__":
    main()
