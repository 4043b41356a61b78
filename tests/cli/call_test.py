"""What the program says to calls that are mistyped, that miss something, or that name files which are not there."""

import unittest

from conformance_tasks import TASKS
from program import SOURCE, ProgramTest

DATA = SOURCE / "data"


class CallTest(ProgramTest):
    def trellis(self, *arguments, status=0):
        self.TASK, *rest = map(str, arguments) if arguments else ("",)
        return self.run_program(*rest, status=status)

    def told(self, call, *, status=2):
        """What the program says to a call that it refuses, in one sentence."""
        done = self.trellis(*(call.split() if isinstance(call, str) else call), status=status)
        self.assertOneSentence(done.err)
        self.assertEqual(done.out, "")
        return done.err.strip().removeprefix("trellis: ")


class UnknownNames(CallTest):
    def test_tasks_and_commands(self):
        for call, answer in (
            ("tga train x --model m", "there is no task 'tga': did you mean tag?"),
            ("clasify train x", "there is no task 'clasify': did you mean classify?"),
            ("cook", "there is no task 'cook': expected tag, classify, segment, label, match, align, parse, grammar, rank, factors, topics, hmm or bayes"),
            ("train x --model m", "'train' must come after a task: trellis tag train"),
            ("classify trian x --model m", "there is no command 'trian': did you mean train?"),
            ("rank eval x", "there is no command 'eval': did you mean evaluate?"),
            ("rank cook x", "there is no command 'cook': expected train, predict, evaluate or inspect"),
        ):
            with self.subTest(call=call):
                self.assertEqual(self.told(call), answer)

    def test_options_that_are_near_none_and_in_the_wrong_place(self):
        for call, answer in (
            ("rank train x --model m --wine 3", "there is no option '--wine': 'trellis rank train --help-all' lists all options"),
            ("rank train x -model m", "there is no option '-model': did you mean --model?"),
            ("rank train x --LAMBDA 1 --model m", "there is no option '--LAMBDA': did you mean --lambda?"),
            ("rank train x --estim map --model m", "there is no option '--estim': did you mean --estimator?"),
            ("rank --model m train x", "the option '--model' must come after its command: trellis rank train --model"),
            ("--threads 2 rank predict x", "the option '--threads' must come after its command: trellis rank predict --threads"),
            ("rank predict a b --model m", "unexpected argument 'b' for 'trellis rank predict'"),
        ):
            with self.subTest(call=call):
                self.assertEqual(self.told(call), answer)

    def test_learners_losses_and_methods(self):
        for call, answer in (
            ("classify train x --model m --learner lbgfs", "unknown learner 'lbgfs': did you mean lbfgs?"),
            ("classify train x --model m --learner naive-bays", "unknown learner 'naive-bays': did you mean naive-bayes?"),
            ("classify train x --model m --loss maxnet", "unknown loss 'maxnet': did you mean maxent?"),
            ("rank train x --model m --loss svn", "unknown loss 'svn': did you mean svm?"),
            ("rank train x --model m --loss zero-one", "unknown loss 'zero-one': expected crf, softmax-margin, svm or perceptron"),
            ("label train x --model m --measure haming", "unknown measure 'haming': did you mean hamming?"),
        ):
            with self.subTest(call=call):
                self.assertEqual(self.told(call), answer)
        self.assertIn("--method: there is no 'bundel': did you mean bundle?", self.told("label train x --model m --method bundel"))
        self.assertIn("expected auto, bundle, logistic, svm or chain", self.told("label train x --model m --method forest"))

    def test_what_is_missing_is_told_where_all_names_are_known(self):
        self.assertEqual(self.told("classify"), "expected a command after 'trellis classify': train, predict, evaluate, inspect")
        self.assertEqual(self.told("rank train"), "files is required (see 'trellis rank train --help')")
        self.assertIn("--model is required", self.told("rank train x"))


class Help(CallTest):
    def test_one_screen_shows_every_task_and_an_example_of_each(self):
        text = self.trellis("--help").out
        lines = text.splitlines()
        self.assertLessEqual(len(lines), 2 * len(TASKS) + 2)  # a terminal of thirty lines
        self.assertLessEqual(max(map(len, lines)), 80)
        for task in TASKS:
            self.assertTrue(any(line.startswith(f"  {task} ") for line in lines), task)
            self.assertIn(f"  trellis {task} train ", text)


    def test_a_task_lists_its_commands_a_line_each(self):
        lines = self.trellis("rank", "--help").out.splitlines()
        commands = [line.split()[0] for line in lines[lines.index("Commands:") + 1 :] if line[2:3].isalpha()]
        self.assertEqual(commands, ["train", "predict", "evaluate", "inspect"])


class MissingInputs(CallTest):
    def test_missing_lists(self):
        none = self.path("none")
        for call in (["segment", "train", none], ["match", "train", "--pairs", none],
                     ["label", "train", DATA / "recipes" / "train.arff", "--labels", none]):
            with self.subTest(call=call):
                self.assertIn("none: cannot open", self.told([*call, "--model", self.path("m")], status=1))

    def test_the_file_to_predict_is_looked_for_before_the_model_is_read(self):
        self.write("m", b"no model")
        for task in ("classify", "label", "rank"):
            with self.subTest(task=task):
                for command in ("predict", "evaluate"):
                    self.assertIn("none: cannot open", self.told([task, command, self.path("none"), "--model", self.path("m")], status=1))


if __name__ == "__main__":
    unittest.main()
