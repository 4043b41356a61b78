"""One life for all tasks: each is trained, inspected, damaged, asked and scored by the same code.

What is particular to a task stands in its row of conformance_tasks.py; interruption and resumption are in
conformance_resume_test.py.
"""

import gzip
import json
import re
import unittest

from conformance import Conformance, data, for_each_task
from conformance_tasks import TASKS, training, training_files
from program import SOURCE

COMMANDS = ("train", "predict", "evaluate", "inspect")
PROMISED = ("objective", "bound", "gap", "epochs", "seconds")
MODELS = SOURCE / "tests" / "golden" / "models"
EVERYWHERE = {
    "train": {"--seed", "--threads", "--json", "--quiet", "--report", "--history", "--resume", "--checkpoint"},
    "predict": {"--output", "--threads", "--json", "--quiet"},
    "evaluate": {"--predictions", "--report", "--threads", "--json", "--quiet"},
    "inspect": {"--json", "--threads", "--quiet"},
}
OPTION = re.compile(r"  (?:-\w,)?(--[a-z0-9-]+)")
SCREENS, WIDTH = 2 * 40, 100  # lines of --help, and their characters; examples of calls may be longer


def damages(model):
    """(what it is, bytes that are no model)."""
    yield "empty", b""
    yield "text", b"no model\n"
    yield "longer", model + b"x"
    for size in (7, 64, len(model) // 2, len(model) - 1):
        yield f"only {size} bytes", model[:size]
    for place in range(0, len(model), len(model) // 20 + 1):
        yield f"another byte {place}", model[:place] + bytes([model[place] ^ 16]) + model[place + 1 :]


def of_both(scores, fewer):
    """Those of the scores that the others have, whatever their depth."""
    if not isinstance(scores, dict):
        return scores
    return {key: of_both(scores[key], fewer[key]) for key in scores if key in fewer}


class Life(Conformance):
    # Training.

    def test_the_same_call_gives_the_same_bytes(self):
        """Also of compressed files, over an older model, and without all that the shared training writes beside its model."""
        shared = self.trained()
        words = training(self.TASK)
        for name in training_files(self.TASK):
            path = self.folder / (name.replace("/", "-") + ".gz")
            path.write_bytes(gzip.compress((data() / name).read_bytes()))
            words[words.index(name)] = str(path)
        self.write("m", b"an older model")
        self.run_program("train", *words, "--model", self.path("m"))
        self.assertEqual(self.read("m"), shared.model)
        self.assertNotIn("m.checkpoint", self.files())

    def test_the_number_of_threads_changes_no_byte(self):
        for threads in (1, 2):
            self.train("--threads", threads, "--report", self.path("r.html"), "--quiet", options=self.about.parallel, model=f"m{threads}")
            self.page("r.html")
        self.assertEqual(self.read("m1"), self.read("m2"))

    def test_training_tells_what_is_promised(self):
        shared = self.trained()
        for key in PROMISED:
            self.assertIn(key, shared.told)
        self.assertGreater(len(shared.history), 0)
        for line in shared.history:
            self.assertIn("epoch", line)
            self.assertIn("seconds", line)

    # The model.

    def test_inspection(self):
        shared = self.trained()
        self.assertGreater(len(self.run_program("inspect", "--model", self.path("m")).out.splitlines()), 2)
        made = json.loads(self.run_program("inspect", "--model", self.path("m"), "--json").out)["training"]
        same = [key for key in made if key in shared.told and key not in self.about.ambiguous]
        self.assertGreater(len(same), 3)
        for key in same:
            self.assertEqual(made[key], shared.told[key], key)

    def refuses_model(self, call, saying):
        """One sentence that names the model, and nothing is written."""
        before = self.files()
        output = ("--output", self.path("o")) if call[0] == "predict" else ()
        done = self.refused(*call, *output, "--model", self.path("bad"), "--quiet", saying=saying)
        self.assertEqual(done.out, "")
        self.assertEqual(self.files(), before)

    def test_damaged_models_are_refused(self):
        shared = self.trained()
        for what, damaged in damages(shared.model):
            with self.subTest(damage=what):
                self.write("bad", damaged)
                self.refuses_model(("inspect",), "bad: ")
        for call in self.commands().values():
            self.write("bad", shared.model[: len(shared.model) // 2])
            self.refuses_model(call, "bad: ")

    def test_what_is_no_model_of_the_task_is_refused_by_every_command(self):
        other = "hmm" if self.TASK != "hmm" else "bayes"
        newer = bytearray(self.trained().model)
        newer[8] = 99  # the version of the layout stands behind the eight letters that begin it
        for content, saying in (
            (b"no model\n", "bad: expected a Trellis model"),
            ((MODELS / other / "1" / "model.trellis").read_bytes(), f'bad: expected a model of kind "{self.TASK}", found "{other}"'),
            (bytes(newer), "bad: the model has layout version 99, but this program reads version"),
            (None, "bad: cannot open: No such file"),
        ):
            if content is None:
                (self.folder / "bad").unlink()
            else:
                self.write("bad", content)
            for call in self.commands().values():
                with self.subTest(saying=saying, call=call):
                    self.refuses_model(call, saying)

    # Predictions and scores.

    def test_predictions_are_the_same_by_every_way(self):
        self.trained()
        plain = self.predict("--threads", 1).out
        self.assertGreater(len(plain), 0)
        self.assertEqual(self.predict("--threads", 2).out, plain)
        self.assertEqual(self.predict("--output", self.path("p")).out, "")
        self.assertEqual(self.read("p").decode("utf-8"), plain)
        if self.about.piped:
            *options, name = self.about.asks.split()
            content = (data() / name).read_bytes()
            piped = self.run_program("predict", *options, "-", "--model", self.path("m"), stdin=content)
            self.assertEqual(piped.out, plain)
        if not self.about.json:
            return
        found = self.predict("--json").out
        try:
            self.assertIsInstance(json.loads(found), dict)
        except json.JSONDecodeError:  # an object a line
            self.assertGreater(len([json.loads(line) for line in found.splitlines()]), 1)

    def test_evaluation_says_the_same_of_a_model_and_of_its_predictions(self):
        self.trained()
        self.predict("--output", self.path("p"), "--quiet")
        model, predictions = ("--model", self.path("m")), ("--predictions", self.path("p"), *self.about.predicted.split())
        text = self.evaluate(*model, "--quiet").out
        scores = json.loads(self.evaluate(*model, "--json", "--quiet").out)
        for key in self.about.keys:
            found = scores
            for part in key.split("."):
                found = found[part]
            self.assertIsInstance(found, (int, float), key)
        key, place, *unit = self.about.headline
        shown = re.search(place, text)[1]
        self.assertAlmostEqual(float(shown), scores[key] * (*unit, 1)[0], delta=0.501 * 10 ** -len(shown.partition(".")[2]))
        self.assertEqual(self.evaluate(*model, "--threads", 2, "--quiet").out, text)
        of_file = json.loads(self.evaluate(*predictions, "--json").out)
        for key in self.about.model_alone:
            scores.pop(key, None)
            of_file.pop(key, None)
        if self.about.scored:
            self.assertEqual(sorted(of_file), sorted(self.about.scored))
            scores = of_both(scores, of_file)
        self.assertEqual(of_file, scores)

    def test_evaluation_needs_a_model_or_predictions(self):
        predictions = ("--predictions", self.path("none"), *self.about.predicted.split())
        self.refused("evaluate", *self.truth(), saying="--model is required, or --predictions", status=2)
        self.refused("evaluate", *self.truth(), *predictions, "--model", self.path("m"), saying="leave out --model", status=2)
        self.refused("evaluate", *self.truth(), *predictions, saying="none: cannot open")

    def test_pages_need_no_other_file(self):
        self.write("t.html", self.trained().page)
        self.assertIn("<svg", self.page("t.html"))
        for command, call in self.commands().items():
            if command in COMMANDS and "--report" in self.options(command):
                with self.subTest(command=command):
                    plain = self.run_program(*call, "--model", self.path("m")).out
                    drawn = self.run_program(*call, "--model", self.path("m"), "--report", self.path("r.html"), "--threads", 2).out
                    self.assertEqual(drawn, plain)
                    first = self.page("r.html")
                    self.run_program(*call, "--model", self.path("m"), "--report", self.path("r.html"), "--threads", 1)
                    self.assertEqual(self.page("r.html"), first)

    # Wrong files and wrong calls.

    def broken(self, name, end):
        """A copy of a file of data with another end, and the number of lines before that."""
        lines = (data() / name).read_bytes().splitlines(keepends=True)
        lines = lines[: len(lines) - self.about.replaced]
        path = self.write("broken." + name.partition(".")[2], b"".join(lines) + end.encode("utf-8", "surrogateescape"))
        return path, len(lines)

    def test_a_broken_training_file_is_named_with_its_line_and_leaves_the_old_model(self):
        self.write("m", b"an older model")
        name, *_ = training_files(self.TASK)
        path, lines = self.broken(name, self.about.broken)
        before = self.files()
        words = [path if word == name else word for word in training(self.TASK)]
        self.refused("train", *words, "--model", self.path("m"), "--quiet", saying=f"{path}:{lines + self.about.broken_line}: ")
        self.assertEqual(self.read("m"), b"an older model")
        self.assertEqual(self.files(), before)

    def test_a_broken_file_to_predict_is_named_with_its_line_and_leaves_the_old_output(self):
        self.trained()
        self.write("o", b"older predictions")
        before = self.files()
        name = next(word for word in self.about.asks.split() if "/" in word)
        path, _ = self.broken(name, "\udcff\udcfe\n")
        for command in ("predict", "evaluate"):
            call = [path if word == name else word for word in self.commands()[command]]
            output = ("--output", self.path("o")) if command == "predict" else ()
            done = self.refused(*call, *output, "--model", self.path("m"), "--quiet", saying=f"{path}:")
            self.assertRegex(done.err, r"broken\.[a-z.]+:\d+: ")
            self.assertEqual(done.out, "")
        self.assertEqual(self.read("o"), b"older predictions")
        self.assertEqual(sorted(set(self.files()) - {"broken." + name.partition(".")[2]}), before)

    def test_missing_files_are_told_before_others_are_read(self):
        broken = self.write("broken", b"\xff\xfe\n@nonsense\n")
        missing = self.path("none")
        words = training(self.TASK)
        first, *_ = training_files(self.TASK)
        # What is watched, before the training file is read; the training file; what is to be predicted, before the model is.
        call = [broken if word == first else word for word in words]
        watched = ("--dev", missing, missing, "--dev-gold", missing) if self.TASK == "align" else (self.about.dev, missing)
        self.refused("train", *call, *watched, "--model", self.path("m"), saying="none: cannot open")
        call = [missing if word == first else word for word in words]
        self.refused("train", *call, "--model", self.path("m"), "--quiet", saying="none: cannot open")
        self.assertEqual(self.files(), ["broken"])

    def options(self, command, flag="--help-all"):
        """All options that the help lists, in its order."""
        done = self.run_program(command, flag)
        self.assertEqual(done.err, "")
        return [found[1] for found in map(OPTION.match, done.out.splitlines()) if found]

    def test_help_lists_each_option_once(self):
        for command in ("train", *self.commands()):
            with self.subTest(command=command):
                options = self.options(command)
                self.assertEqual(len(options), len(set(options)))
                self.assertLessEqual({"--help", "--help-all", "--model"} | EVERYWHERE.get(command, set()), set(options))

    def test_short_help_fits_on_two_screens_and_names_the_long_one(self):
        for command in ("train", *self.commands()):
            with self.subTest(command=command):
                lines = self.run_program(command, "--help").out.splitlines()
                self.assertLessEqual(len(lines), SCREENS)
                self.assertLessEqual(max(len(line) for line in lines if "  trellis " not in line), WIDTH)
                common, every = self.options(command, "--help"), self.options(command)
                self.assertLessEqual({"--help", "--help-all", "--model"}, set(common))
                self.assertLessEqual(set(common), set(every))
                self.assertEqual(lines[-1].endswith("--help-all' shows all options."), len(common) < len(every))

    def test_options_beyond_the_short_help_are_suggested_too(self):
        beyond = next((name for name in self.options("train") if name not in self.options("train", "--help") and len(name) > 8), None)
        if beyond is not None:
            self.refused("train", "x", "--model", "m", beyond[:-1], 3, saying=f"did you mean {beyond}?", status=2)

    def test_unknown_options_are_refused(self):
        mistyped = next(name for name in ("--epochs", "--iterations", "--sweeps") if name in self.options("train"))
        wrong = mistyped[:-3] + mistyped[-2] + mistyped[-3] + mistyped[-1]
        for call, saying in (
            (("train", "x", "--model", "m", wrong, 3), f"there is no option '{wrong}': did you mean {mistyped}?"),
            # Not that the model is missing, nor that a value of another option is wrong.
            (("train", "x", "--mdoel", "m"), "there is no option '--mdoel': did you mean --model?"),
            (("train", "x", "--mdoel=m", "--threads", "many"), "there is no option '--mdoel': did you mean --model?"),
            *(((command, "--mdoel", "m"), "there is no option '--mdoel': did you mean --model?") for command in COMMANDS),
        ):
            with self.subTest(call=call):
                done = self.refused(*call, saying=saying, status=2)
                self.assertEqual(done.out, "")
        self.assertEqual(self.files(), [])


for_each_task(Life, globals())
del Life, Conformance


class Table(unittest.TestCase):
    def test_every_task_of_the_program_has_a_row(self):
        self.assertEqual(len(TASKS), 13)


if __name__ == "__main__":
    unittest.main()
