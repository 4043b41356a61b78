"""What the tests of `trellis tag` share: its calls, and small data."""

import json

from program import held, ProgramTest, SOURCE

TRAVEL = SOURCE / "data" / "travel"
TRAVEL_TEMPLATE = TRAVEL / "travel.template"


def sentences(name, count, first=0):
    """`count` sentences of a file of the sample data, as text."""
    blocks = (TRAVEL / name).read_text(encoding="utf-8").strip().split("\n\n")
    return "\n\n".join(blocks[first : first + count]) + "\n\n"


def last_fields(text):
    """The last column of each token line."""
    return [line.split()[-1] for line in text.splitlines() if line.strip()]


class TagTest(ProgramTest):
    """Each test has a folder of its own, with train.txt and dev.txt in it."""

    TASK = "tag"
    tag = ProgramTest.run_program

    TRAIN_SENTENCES = 60

    def setUp(self):
        super().setUp()
        self.train = self.write("train.txt", sentences("train.txt", self.TRAIN_SENTENCES))
        self.dev = self.write("dev.txt", sentences("dev.txt", 30))

    def train_model(self, *arguments, model="m", epochs=8, files=None, status=0):
        epochs_option = ["--epochs", epochs] if epochs else []
        return self.tag(
            "train", *(files or [self.train]), "--model", self.path(model), *epochs_option, *arguments,
            *held(arguments, "--c", 1), status=status,
        )

    def predict(self, content, *arguments, model="m", status=0):
        return self.tag("predict", "--model", self.path(model), *arguments, stdin=content, status=status)

    def evaluate(self, model="m", file=None):
        done = self.tag("evaluate", file or self.dev, "--model", self.path(model), "--json")
        return json.loads(done.out)

    def inspect(self, model="m", top=10):
        return json.loads(self.tag("inspect", "--model", self.path(model), "--json", "--top", top).out)
