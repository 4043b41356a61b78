"""What the tests of `trellis classify` share: its calls, and small data."""

import json

from program import held, ProgramTest, SOURCE

TOPICS = SOURCE / "data" / "topics"
TRAIN = TOPICS / "train.tsv"
TEST = TOPICS / "test.tsv"


class ClassifyTest(ProgramTest):
    """Each test has a folder of its own."""

    TASK = "classify"
    classify = ProgramTest.run_program

    def train_model(self, *arguments, model="m", files=(TRAIN,), status=0):
        smooth = {"lbfgs", "sgd", "maxent", "crf", "softmax-margin"} & set(map(str, arguments))
        usual = held(arguments, "--c", 10 if smooth else 1)
        return self.classify("train", *files, "--model", self.path(model), *arguments, *usual, status=status)

    def predict(self, content, *arguments, model="m", status=0):
        return self.classify("predict", "--model", self.path(model), *arguments, stdin=content, status=status)

    def evaluate(self, file=TEST, model="m"):
        return json.loads(self.classify("evaluate", file, "--model", self.path(model), "--json").out)
