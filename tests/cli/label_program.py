"""What the tests of `trellis label` share: its calls, and small data."""

import json

from program import ProgramTest, SOURCE

RECIPES = SOURCE / "data" / "recipes"
LABELS = RECIPES / "recipes.xml"
TRAIN = RECIPES / "train.arff"
TEST = RECIPES / "test.arff"

# Models with labels a, b, c and features x, y, one of each form (tests/tasks/label/small_labeller.h):
# a is x above 1/2, b is y above 1, c is −x + y/2 above −1/4. In the pairwise one a brings b along.
MODELS = SOURCE / "tests" / "tasks" / "label" / "model" / "label_model_fuzz"
INDEPENDENT = MODELS / "independent.model"
PAIRWISE = MODELS / "pairwise.model"
CHAIN = MODELS / "chain.model"
CENTRED = MODELS / "centred.model"


class LabelTest(ProgramTest):
    """Each test has a folder of its own."""

    TASK = "label"
    label = ProgramTest.run_program

    def predict(self, content, *arguments, model=INDEPENDENT, status=0):
        return self.label("predict", "--model", model, *arguments, stdin=content, status=status)

    def evaluate(self, file, *arguments, model=INDEPENDENT):
        return json.loads(self.label("evaluate", file, "--model", model, "--json", *arguments).out)

    def refused(self, *arguments, **expected):
        """The call fails with one line on standard error, and says nothing else."""
        done = super().refused(*arguments, **expected)
        self.assertEqual(done.out, "")
        return done
