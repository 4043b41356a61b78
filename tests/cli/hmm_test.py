"""`trellis hmm` as its users meet it: estimators, predictions, tables, and what it says when something is wrong."""

import json
import math
import unittest

from program import SOURCE, ProgramTest

LIGHTHOUSE = SOURCE / "data" / "lighthouse"
TRAIN = str(LIGHTHOUSE / "train.tsv")
TEST = str(LIGHTHOUSE / "test.tsv")
MARGIN = ("--estimator", "max-margin", "--eta", 0.1, "--gamma", 1, "--gap", 0.02)


class HmmTest(ProgramTest):
    TASK = "hmm"
    hmm = ProgramTest.run_program

    def train(self, *options, file=TRAIN, model="m", **more):
        return self.hmm("train", file, "--model", self.path(model), *options, **more)

    def evaluate(self, *options, file=TEST):
        return json.loads(self.hmm("evaluate", file, "--model", self.path("m"), "--json", *options).out)

    def predict(self, *options, **more):
        return self.hmm("predict", *options, "--model", self.path("m"), **more).out


class Training(HmmTest):
    def test_every_estimator_beats_guessing(self):
        for options in (
            (),
            ("--smoothing", 0.1),
            ("--estimator", "conditional", "--eta", 0.1, "--gap", 0.02),
            MARGIN,
            (*MARGIN, "--loss", "ring"),
            (*MARGIN, "--divergence", "reverse", "--towards", "ml"),
            (*MARGIN[:2], "--eta", 0.03, "--gamma", 1, "--gap", 0.05, "--penalty", "quadratic"),
            (*MARGIN[:2], "--eta", 0.03, "--gap", 0.05, "--penalty", "rescaled"),
            (*MARGIN, "--working-sets", 6, "--online", "--rounds", 4),
            (*MARGIN, "--working-sets", 6, "--set-steps", 2),
            (*MARGIN, "--directions", 4, "--start", "ml"),
        ):
            with self.subTest(options=options):
                self.train(*options)
                self.assertLess(self.evaluate()["error"], 40)

    def test_json_has_the_promised_keys(self):
        for options in ((), MARGIN, ("--estimator", "conditional", "--eta", 0.1, "--gap", 0.02)):
            done = json.loads(self.train("--json", "--quiet", *options).out)
            for key in ("objective", "bound", "gap", "epochs", "seconds"):
                self.assertIsNotNone(done[key], key)
            self.assertLessEqual(done["bound"], done["objective"])
            self.assertAlmostEqual(done["gap"], (done["objective"] - done["bound"]) / abs(done["objective"]), places=9)
            self.assertAlmostEqual(done["gap_absolute"], done["objective"] - done["bound"], places=9)
            self.assertEqual(done["certificate"], "exact inference")
        self.assertEqual(done["history"][-1]["objective"], done["objective"])
        for key in ("seconds_master", "seconds_directions", "seconds_centre", "iteration", "vertices", "bound"):
            self.assertIn(key, done["history"][0])

    def test_eta_is_chosen(self):
        done = json.loads(self.train("--json", "--estimator", "max-margin", "--gap", 0.005, "--eta", "0.0001,0.1", "--gamma", 1, "--towards", "uniform", "--dev", TEST).out)
        self.assertEqual(done["eta"], 0.1)
        self.assertEqual([trial["eta"] for trial in done["trials"]], [0.0001, 0.1])
        told = self.train("--estimator", "conditional", "--gap", 0.005, "--eta", "0.0001,0.1", "--towards", "uniform", "--cv", 2).err
        self.assertIn("eta 0.1", told)
        self.assertIn("was chosen", told)

    def test_em_without_states(self):
        options = ("--state", "none", "--observations", "1,2", "--estimator", "em", "--states", 8, "--iterations", 30)
        one = json.loads(self.train("--json", *options).out)
        several = json.loads(self.train("--json", "--restarts", 3, "--seed", 1, *options).out)
        self.assertEqual(len(several["runs"]), 3)
        self.assertLessEqual(several["objective"], one["objective"])
        self.assertEqual(len(self.predict(TEST).splitlines()[0].split("\t")), 4)  # states have no column of their own
        self.assertIn("nothing to compare", self.hmm("evaluate", TEST, "--model", self.path("m"), status=1).err)

    def test_the_end_of_a_run_names_its_own_option_and_counts_what_that_counts(self):
        em = ("--state", "none", "--observations", "1,2", "--estimator", "em", "--states", 4, "--tolerance", 0)
        for iterations, told in ((1, "stopped by --iterations after 1 iteration,"), (5, "stopped by --iterations after 5 iterations,")):
            done = self.train(*em, "--iterations", iterations, "--history", self.path("h"), "--report", self.path("t.html"))
            self.assertIn(told, done.err)
            self.assertIn("when --iterations ended it", done.err)
            lines = [json.loads(line) for line in self.read("h").decode("utf-8").splitlines()]
            self.assertEqual([line["epoch"] for line in lines], list(range(iterations + 1)))  # 0: the start
            self.assertIn(f"<td>{iterations}</td>", self.page("t.html").replace(' class="number"', ""))
            result = json.loads(self.train(*em, "--iterations", iterations, "--json").out)
            self.assertEqual([result["epochs"], result["runs"][0]["iterations"]], [iterations, iterations])
            self.assertEqual(result["termination"], "max_epochs")
        done = self.train(*MARGIN[:6], "--gap", 0, "--iterations", 3)
        self.assertIn("stopped by --iterations after 3 iterations,", done.err)
        self.assertIn("a larger --iterations continues it", done.err)
        done = self.train(*MARGIN[:6], "--gap", 0, "--working-sets", 2, "--set-steps", 1, "--rounds", 2)
        self.assertIn("stopped by --rounds after 4 iterations,", done.err)
        self.assertIn("a larger --rounds continues it", done.err)
        self.assertNotIn("--iterations", done.err)
        self.assertIn("converged after 1 iteration,", self.train().err)

    def test_em_keeps_to_states_that_are_known(self):
        lines = (LIGHTHOUSE / "train.tsv").read_text(encoding="utf-8").splitlines()
        gaps = ["\t".join(line.split("\t")[:-1] + ["?"]) if line and k % 3 else line for k, line in enumerate(lines)]
        file = self.write("gaps.tsv", "\n".join(gaps))
        self.train("--estimator", "em", file=file)
        self.assertLess(self.evaluate()["error"], 40)
        self.assertIn("gaps.tsv:2: the estimator ml requires a state", self.train(file=file, status=1).err)

    def test_the_same_model_whatever_the_threads(self):
        for options in ((), MARGIN, ("--estimator", "em", "--iterations", 5)):
            self.train("--threads", 1, *options)
            first = self.read("m")
            self.train("--threads", 3, *options)
            self.assertEqual(self.read("m"), first)


class Asking(HmmTest):
    def test_predictions_are_the_file_with_its_states(self):
        self.train()
        lines = self.predict(TEST).splitlines()
        given = (LIGHTHOUSE / "test.tsv").read_text(encoding="utf-8").rstrip("\n").splitlines()
        self.assertEqual(len(lines), len(given))
        wrong = known = 0
        for line, true in zip(lines, given):
            self.assertEqual(line.split("\t")[:-1], true.split("\t")[:-1])
            known += bool(true)
            wrong += line != true
        self.assertAlmostEqual(self.evaluate()["error"], 100 * wrong / known)

    def test_what_is_piped_in_comes_out(self):
        self.train()
        self.assertEqual(len(self.predict(stdin="180\tnone\n?\tfaint\n\n090\tloud\n").splitlines()), 4)

    def test_marginals(self):
        self.train()
        for line in self.predict(TEST, "--marginals").splitlines()[:20]:
            if line:
                shares = [float(field.split("=")[1]) for field in line.split("\t")[3:]]
                self.assertEqual(len(shares), 8)
                self.assertAlmostEqual(sum(shares), 1, places=4)
        row = json.loads(self.predict(TEST, "--marginals", "--json").splitlines()[0])
        self.assertEqual(len(row["states"]), len(row["marginals"]))
        self.assertAlmostEqual(sum(row["marginals"][0].values()), 1)

    def test_posterior_decoding_has_no_more_wrong_states_on_average(self):
        self.train()
        self.assertLess(self.evaluate("--decode", "posterior")["error"], self.evaluate()["error"] + 1)

    def test_losses(self):
        self.train()
        ring = self.evaluate("--loss", "ring")
        self.assertGreater(ring["loss"], self.evaluate()["loss"])
        states = self.evaluate()["states"]
        table = "".join(f"{a} {b} {min(abs(i - j), len(states) - abs(i - j))}\n" for i, a in enumerate(states) for j, b in enumerate(states))
        self.assertEqual(self.evaluate("--loss", self.write("costs", table))["loss"], ring["loss"])

    def test_tables(self):
        self.train()
        tables = json.loads(self.hmm("inspect", "--tables", "--json", "--model", self.path("m")).out)
        for row in [tables["initial"], *tables["transitions"], *(row for channel in tables["channels"] for row in channel["emissions"])]:
            self.assertAlmostEqual(sum(row), 1)
        text = self.hmm("inspect", "--tables", "--model", self.path("m")).out
        for said in ("hidden Markov model of 8 states", "estimator ml", "transitions", "observations in column 2"):
            self.assertIn(said, text)

    def test_missing_mass_is_told(self):
        self.train(*MARGIN)
        tables = json.loads(self.hmm("inspect", "--json", "--model", self.path("m")).out)
        if max(tables["missing_mass"]) > 0:
            self.assertIn("a total probability below 1", self.hmm("inspect", "--model", self.path("m")).out)
            self.assertIn("they were scaled to 1", self.hmm("sample", "--model", self.path("m")).err)

    def test_samples_can_be_learned_from(self):
        self.train()
        call = ("sample", "--count", 200, "--length", 40, "--seed", 3, "--model", self.path("m"))
        drawn = self.hmm(*call).out
        self.assertEqual(self.hmm(*call).out, drawn)
        before = json.loads(self.hmm("inspect", "--tables", "--json", "--model", self.path("m")).out)
        self.train(file=self.write("drawn.tsv", drawn))
        after = json.loads(self.hmm("inspect", "--tables", "--json", "--model", self.path("m")).out)
        for old, new in zip(before["transitions"], after["transitions"]):
            for a, b in zip(old, new):
                self.assertLess(math.fabs(a - b), 0.08)

    def test_csv(self):
        rows = "day,weather,ground,wind\n" + "".join(f"{d},{'sun' if (d + h) % 3 else 'rain'},{'dry' if (d + h) % 3 else 'wet'},{'calm' if h % 2 else ''}\n"
                                                  for d in range(10) for h in range(8))
        file = self.write("weather.csv", rows)
        self.train("--sequence", "day", "--state", "weather", file=file)
        self.assertEqual(self.evaluate("--sequence", "day", file=file)["error"], 0)
        hidden = self.write("hidden.csv", "wind,ground\ncalm,wet\n,dry\n")
        self.assertEqual(self.predict(hidden), "wind,ground,state\ncalm,wet,rain\n,dry,sun\n")


class Pages(HmmTest):
    def test_training_and_evaluation_have_pages(self):
        self.train(*MARGIN[:2], "--gap", 0.05, "--eta", "0.01,0.1", "--gamma", "1", "--dev", TEST, "--report", self.path("r.html"))
        page = self.page("r.html")
        for heading in ("Choice of eta and gamma", "Confusion", "States", "Observations", "How the model was trained"):
            self.assertIn(heading, page)
        self.train("--estimator", "em", "--restarts", 2, "--iterations", 3, "--report", self.path("e.html"))
        self.assertIn("Starts", self.page("e.html"))
        self.hmm("evaluate", TEST, "--model", self.path("m"), "--report", self.path("v.html"))
        for heading in ("Confusion", "Sequences"):
            self.assertIn(heading, self.page("v.html"))


class BadInput(HmmTest):
    def test_calls_that_do_not_fit(self):
        for options, said in (
            (["--eta", 1], "--eta requires the estimator conditional or max-margin: it cannot be combined with ml"),
            (["--restarts", 2], "--restarts requires the estimator em"),
            (["--states", 3], "--states requires --estimator em"),
            (["--state", "none"], "--state none requires --estimator em"),
            (["--estimator", "em", "--state", "none"], "--states N"),
            (["--estimator", "max-margin", "--eta", 0], "--eta must be above 0"),
            (["--estimator", "max-margin", "--eta", "nan"], "--eta"),
            (["--estimator", "max-margin", "--proximal", 0], "--proximal must be a positive number"),
            (["--estimator", "max-margin", "--gamma", -1], "--gamma"),
            (["--estimator", "max-margin", "--online"], "--working-sets"),
            (["--estimator", "max-margin", "--eta", 1, "--gamma", 1, "--cv", 3], "nothing to choose from"),
            (["--estimator", "conditional", "--penalty", "quadratic"], "--penalty requires the estimator max-margin"),
            (["--estimator", "max-magrin"], "did you mean max-margin?"),
            (["--loss", "rnig"], "unknown loss 'rnig'"),
            (["--smoothing", -1], "--smoothing must be a number ≥ 0"),
            (["--observations", "1,,2"], "is not a list of columns"),
        ):
            with self.subTest(options=options):
                self.assertIn(said, self.train(*options, status=2).err)
        self.assertEqual(self.files(), [])

    def test_files_that_do_not_fit(self):
        for name, text, said in (
            ("a.tsv", "a b 1\na 2\n", "a.tsv:2: expected 3 columns, found 2"),
            ("b.tsv", "", "b.tsv: expected sequences, found none"),
            ("c.tsv", "a\nb\n", "in addition to the column of states"),
            ("d.csv", "o,s\n\"a,b\n", "d.csv:2: expected a closing quote"),
            ("e.tsv", b"a \xff\n", "UTF-8"),
        ):
            with self.subTest(name=name):
                self.assertIn(said, self.train(file=self.write(name, text), status=1).err)
        self.assertIn("no/such/file", self.train(file="no/such/file", status=1).err)

    def test_evidence_of_probability_zero(self):
        self.train("--smoothing", 0, file=self.write("train.tsv", "a 1\nb 2\n"))
        done = self.hmm("predict", self.write("odd.tsv", "a\nb\n\nb\na\n"), "--model", self.path("m"), status=1)
        self.assertIn("odd.tsv:4: the observations of this sequence have probability 0", done.err)
        self.train(file=self.path("train.tsv"))
        self.predict(self.path("odd.tsv"))

    def test_what_training_has_not_seen(self):
        self.train(file=self.write("train.tsv", "a 1\nb 2\n\na 1\nc 2\n"))
        test = self.write("test.tsv", "zzz 1\nb 9\n")
        done = self.hmm("evaluate", test, "--model", self.path("m"))
        self.assertIn("1 observations have a value not seen in training", done.err)
        self.assertIn("the state '9' was not seen in training", done.err)
        self.train("--rare", 2, file=self.path("train.tsv"))
        self.assertIn("<unknown>", self.hmm("inspect", "--tables", "--model", self.path("m")).out)

    def test_models_of_others(self):
        self.train(file=self.write("other.tsv", "a 1\nb 2\n"), model="other")
        said = self.train("--estimator", "max-margin", "--eta", 1, "--gamma", 1, "--towards", self.path("other"), status=1).err
        self.assertIn("other states or values", said)


if __name__ == "__main__":
    unittest.main()
