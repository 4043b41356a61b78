"""Models and checkpoints of earlier programs (golden_models.py): today's program reads the models and predicts the same bytes. It continues
an interrupted training to the bytes of the model, or refuses the checkpoint for its version."""

import unittest

from golden_models import CHECKPOINT, MODEL, PREDICTIONS, golden_models
from program import ProgramTest
from record_calls import TASKS

# Of model files that programs read; no release has written version 1 of a parser, which is refused.
VERSIONS = {"tag": (1, 2), "classify": (1, 2, 3), "parse": (2,), "align": (1, 2)}
# Of the checkpoints that are continued; all others are refused.
CHECKPOINT_VERSION = 3


class GoldenModels(ProgramTest):
    def begin(self, golden):
        for name in self.files():
            (self.folder / name).unlink()
        golden.copy_data(self.folder)
        self.TASK = golden.task  # pylint: disable=invalid-name

    def test_models_load_and_predict_what_they_predicted(self):
        for golden in golden_models():
            with self.subTest(model=golden.name):
                self.begin(golden)
                self.write(MODEL, golden.read(MODEL))
                done = self.run_program(*golden.predict[1:], cwd=self.folder)
                self.assertEqual(done.stdout, golden.read(PREDICTIONS))
                self.run_program("inspect", "--model", self.path(MODEL))

    def test_checkpoints_are_continued_to_the_model_of_the_undisturbed_run(self):
        for golden in golden_models():
            if golden.checkpoint_version() != CHECKPOINT_VERSION:
                continue
            with self.subTest(model=golden.name):
                self.begin(golden)
                self.write(CHECKPOINT, golden.read(CHECKPOINT))
                done = self.run_program(*golden.train[1:], "--resume", cwd=self.folder)
                self.assertNotIn(f"there is no checkpoint {CHECKPOINT}:", done.err)
                self.assertEqual(self.read(MODEL), golden.read(MODEL))
                self.assertNotIn(CHECKPOINT, self.files())

    def test_checkpoints_of_other_versions_are_refused(self):
        for golden in golden_models():
            version = golden.checkpoint_version()
            if version in (0, CHECKPOINT_VERSION):
                continue
            with self.subTest(model=golden.name):
                self.begin(golden)
                self.write(CHECKPOINT, golden.read(CHECKPOINT))
                done = self.run_program(*golden.train[1:], "--quiet", "--resume", cwd=self.folder, status=1)
                self.assertOneSentence(done.err)
                self.assertIn(f"the checkpoint has version {version}, and this program continues version {CHECKPOINT_VERSION} only", done.err)
                self.assertEqual(self.read(CHECKPOINT), golden.read(CHECKPOINT))

    def test_there_is_one_of_each_task_and_version(self):
        found = {(golden.task, golden.version()) for golden in golden_models()}
        self.assertEqual(found, {(task, version) for task in TASKS for version in VERSIONS.get(task, (1,))})
        for golden in golden_models():
            self.assertEqual(golden.folder.name.partition("-")[0], str(golden.version()), golden.name)
        self.assertEqual({golden.task for golden in golden_models() if CHECKPOINT in golden}, set(TASKS))


if __name__ == "__main__":
    unittest.main()
