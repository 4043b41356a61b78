"""`trellis bayes` as its users meet it: structures, estimators, predictions, networks in and out, and what it says when something is wrong."""

import csv
import gzip
import io
import json
import pathlib
import unittest

from program import SOURCE, ProgramTest

FERRY = SOURCE / "data" / "ferry"
TRAIN, TEST, GAPS = (str(FERRY / f"{name}.csv") for name in ("train", "test", "gaps"))
NET, BIF = (str(FERRY / f"ferry.{form}") for form in ("net", "bif"))
MARGIN = ("--target", "departure", "--estimator", "max-margin", "--eta", 0.01, "--gamma", 1, "--gap", 0.02)
CONDITIONAL = ("--target", "departure", "--estimator", "conditional", "--eta", 0.01, "--gap", 0.02)


def text_of(path):
    return pathlib.Path(path).read_text(encoding="utf-8")


class BayesTest(ProgramTest):
    TASK = "bayes"
    bayes = ProgramTest.run_program

    def train(self, *options, file=TRAIN, model="m", **more):
        return self.bayes("train", file, "--model", self.path(model), *options, **more)

    def evaluate(self, *options, file=TEST, model="m"):
        return json.loads(self.bayes("evaluate", file, "--model", self.path(model), "--json", *options).out)

    def predict(self, *options, **more):
        return self.bayes("predict", *options, "--model", self.path("m"), **more).out

    def rows(self, text):
        return list(csv.DictReader(io.StringIO(text)))


class Training(BayesTest):
    def test_every_structure_and_estimator_beats_guessing(self):
        for options in (
            ("--target", "departure"),
            ("--target", "departure", "--structure", "naive"),
            ("--target", "departure", "--structure", "chow-liu"),
            ("--target", "departure", "--structure", NET, "--smoothing", 0.1),
            ("--target", "departure", "--max-parents", 2),
            MARGIN,
            CONDITIONAL,
            (*MARGIN, "--structure", "naive"),
            (*MARGIN, "--structure", BIF, "--loss", "ring", "--divergence", "reverse", "--towards", "uniform"),
            (*MARGIN, "--penalty", "quadratic"),
            (*MARGIN[:4], "--penalty", "rescaled", "--eta", 0.01, "--gap", 0.05),
            (*MARGIN, "--working-sets", 6, "--online", "--rounds", 4),
            ("--target", "departure,queue", *MARGIN[2:]),
        ):
            with self.subTest(options=options):
                self.train(*options)
                self.assertLess(self.evaluate("--hide", "departure")["error"], 40)

    def test_json_has_the_promised_keys(self):
        for options in ((), MARGIN, CONDITIONAL):
            done = json.loads(self.train("--json", "--quiet", *options).out)
            for key in ("objective", "bound", "gap", "epochs", "seconds"):
                self.assertIsNotNone(done[key], key)
            self.assertLessEqual(done["bound"], done["objective"])
            self.assertAlmostEqual(done["gap"], (done["objective"] - done["bound"]) / abs(done["objective"]), places=9)
            self.assertAlmostEqual(done["gap_absolute"], done["objective"] - done["bound"], places=9)
            self.assertEqual(done["certificate"], "exact inference")
        self.assertEqual(done["trained_parameters"], 54)
        self.assertLess(done["trained_parameters"], done["parameters"])

    def test_what_is_trained_is_told(self):
        told = self.train(*MARGIN).err
        self.assertIn("the tables of departure, queue (54 of 92 parameters); the other tables are frequencies", told)
        training = json.loads(self.bayes("inspect", "--json", "--model", self.path("m")).out)["training"]
        self.assertEqual(training["trained_tables"], ["departure", "queue"])

    def test_eta_is_chosen(self):
        done = json.loads(self.train("--json", *CONDITIONAL[:4], "--gap", 0.05, "--eta", "0.001,0.1", "--dev", TEST).out)
        best = min(done["trials"], key=lambda trial: (trial["loss"], trial["eta"]))
        self.assertEqual([trial["eta"] for trial in done["trials"]], [0.001, 0.1])
        self.assertEqual(done["eta"], best["eta"])
        self.assertIn("was chosen", self.train(*CONDITIONAL[:4], "--gap", 0.05, "--eta", "0.0001,0.1", "--cv", 2).err)

    def test_em_learns_from_gaps(self):
        self.assertIn("gaps.csv:3: expected a value in column 'queue'", self.train("--structure", NET, file=GAPS, status=1).err)
        self.assertIn("learning a structure requires", self.train("--estimator", "em", file=GAPS, status=1).err)
        done = json.loads(self.train("--structure", NET, "--estimator", "em", "--restarts", 3, "--json", file=GAPS).out)
        self.assertEqual(len(done["runs"]), 3)
        self.assertLess(self.evaluate("--hide", "departure")["error"], 40)

    def test_iterations_of_em_are_counted_without_its_start(self):
        em = ("--structure", NET, "--estimator", "em", "--tolerance", 0, "--iterations", 2)
        done = self.train(*em, "--history", self.path("h"), file=GAPS)
        self.assertIn("stopped by --iterations after 2 iterations,", done.err)
        self.assertEqual([json.loads(line)["epoch"] for line in self.read("h").splitlines()], [0, 1, 2])
        result = json.loads(self.train(*em, "--json", file=GAPS).out)
        self.assertEqual([result["epochs"], result["runs"][0]["iterations"]], [2, 2])

    def test_variables_that_nobody_has_seen(self):
        net = self.write("class.net", "variable kind a b\nvariable x 0 1\nvariable y 0 1\nvariable z 0 1\nx <- kind\ny <- kind\nz <- kind\n")
        rows = self.write("rows.csv", "x,y,z\n" + "0,0,0\n1,1,1\n" * 20 + "0,0,1\n1,1,0\n")
        self.assertIn("expected a column for the variable 'kind'", self.train("--structure", net, file=rows, status=1).err)
        told = self.train("--structure", net, "--estimator", "em", "--restarts", 3, file=rows).err
        self.assertIn("variables without a column: kind", told)
        kinds = [row["kind"] for row in self.rows(self.predict(rows, "--hide", "kind"))]
        self.assertNotEqual(kinds[0], kinds[1])
        self.assertEqual(kinds[:40], kinds[:2] * 20)

    def test_the_same_model_whatever_the_threads(self):
        for options in ((), MARGIN, ("--structure", NET, "--estimator", "em")):
            for threads in (1, 2):
                self.train("--threads", threads, *options, model=f"m{threads}")
            self.assertEqual(self.read("m1"), self.read("m2"))

    def test_columns_and_compressed_files(self):
        text = text_of(TRAIN)
        numbered = "\n".join(f"{'id' if k == 0 else k},{line}" for k, line in enumerate(text.splitlines()))
        file = self.write("train.csv.gz", gzip.compress(numbered.replace(",", ";").encode()))
        columns = text.split("\n")[0]
        self.train("--columns", columns, model="numbered", file=file)
        self.train()
        self.assertEqual(json.loads(self.bayes("inspect", "--tables", "--json", "--model", self.path("numbered")).out)["variables"],
                         json.loads(self.bayes("inspect", "--tables", "--json", "--model", self.path("m")).out)["variables"])
        self.bayes("predict", file, "--model", self.path("numbered"))
        self.assertIn('found "id"', self.bayes("predict", file, "--model", self.path("m"), status=1).err)


class Asking(BayesTest):
    def test_hidden_columns_are_not_looked_at(self):
        self.train("--target", "departure")
        header, *lines = text_of(TEST).splitlines()
        place = header.split(",").index("departure")
        unknown = [",".join("?" if k == place else cell for k, cell in enumerate(line.split(","))) for line in lines]
        without = [",".join(cell for k, cell in enumerate(line.split(",")) if k != place) for line in (header, *lines)]
        told = self.predict(TEST)
        self.assertEqual(self.predict(self.write("unknown.csv", "\n".join((header, *unknown)))), told)
        self.assertEqual([row["departure"] for row in self.rows(self.predict(self.write("without.csv", "\n".join(without))))],
                         [row["departure"] for row in self.rows(told)])
        self.assertEqual(self.predict(TEST, "--hide", "none"), text_of(TEST))

    def test_marginals_sum_to_one_and_the_best_is_the_posterior(self):
        self.train("--target", "departure")
        for row in self.rows(self.predict(TEST, "--marginals", "--decode", "posterior")):
            p = {key[len("P(departure="):-1]: float(value) for key, value in row.items() if key.startswith("P(")}
            self.assertAlmostEqual(sum(p.values()), 1, places=4)
            self.assertGreaterEqual(p[row["departure"]], max(p.values()) - 1e-6)

    def test_gaps_are_filled_in(self):
        self.train()
        given, filled = self.rows(text_of(GAPS)), self.rows(self.predict(GAPS))
        for before, after in zip(given, filled, strict=True):
            for key, value in before.items():
                self.assertNotEqual(after[key], "?")
                if value != "?":
                    self.assertEqual(after[key], value)
        one = json.loads(self.predict(GAPS, "--json", "--marginals").splitlines()[1])
        self.assertEqual(one["filled"], ["queue"])
        self.assertAlmostEqual(sum(one["marginals"]["queue"].values()), 1)
        piped = self.bayes("predict", "--model", self.path("m"), stdin=text_of(GAPS)).out
        self.assertEqual(self.rows(piped), filled)

    def test_evaluation_agrees_with_predictions(self):
        self.train("--target", "departure,queue")
        found = self.evaluate()
        truth, told = self.rows(text_of(TEST)), self.rows(self.predict(TEST))
        for variable in found["variables"]:
            wrong = sum(a[variable["name"]] != b[variable["name"]] for a, b in zip(truth, told, strict=True))
            self.assertEqual(variable["wrong"], wrong)
        self.assertEqual(found["wrong"], sum(variable["wrong"] for variable in found["variables"]))
        self.assertAlmostEqual(found["loss"], found["wrong"] / 400)
        self.assertAlmostEqual(found["error"], 100 * found["wrong"] / 800)
        self.assertLess(found["joint_log_likelihood"], found["log_likelihood"])
        text = self.bayes("evaluate", TEST, "--model", self.path("m")).out
        self.assertIn("departure: ", text)
        self.assertIn("predicted instead", text)

    def test_samples(self):
        self.train()
        draw = ("sample", "--count", 50, "--model", self.path("m"))
        text = self.bayes(*draw, "--given", "wind=gale,fog=yes").out
        self.assertEqual({(row["wind"], row["fog"]) for row in self.rows(text)}, {("gale", "yes")})
        self.assertEqual(self.bayes(*draw, "--seed", 3).out, self.bayes(*draw, "--seed", 3).out)
        self.assertNotEqual(self.bayes(*draw, "--seed", 3).out, self.bayes(*draw, "--seed", 4).out)
        self.assertIn("'wind' has no value 'storm'", self.bayes(*draw, "--given", "wind=storm", status=2).err)


class Networks(BayesTest):
    def test_networks_come_out_as_they_went_in(self):
        self.bayes("import", BIF, "--target", "departure", "--model", self.path("m"))
        self.bayes("export", "--model", self.path("m"), "--output", self.path("out.bif"))
        self.bayes("export", "--model", self.path("m"), "--output", self.path("out.net"))
        tables = self.bayes("inspect", "--tables", "--json", "--model", self.path("m")).out
        for form in ("bif", "net"):
            self.bayes("import", self.path(f"out.{form}"), "--target", "departure", "--model", self.path("again"))
            self.assertEqual(self.bayes("inspect", "--tables", "--json", "--model", self.path("again")).out, tables)
            self.assertEqual(self.read("again"), self.read("m"))
        self.assertLess(self.evaluate()["error"], 35)

    def test_tables_can_be_kept(self):
        self.bayes("import", BIF, "--model", self.path("imported"))
        self.train("--structure", BIF, "--keep-tables")
        tables = [json.loads(self.bayes("inspect", "--tables", "--json", "--model", self.path(name)).out)["variables"] for name in ("m", "imported")]
        self.assertEqual(*tables)
        self.train("--structure", BIF, "--keep-tables", *MARGIN)
        kept = json.loads(self.bayes("inspect", "--tables", "--json", "--model", self.path("m")).out)["variables"]
        for before, after in zip(tables[0], kept, strict=True):
            same = {**after, "target": False} == before
            self.assertEqual(same, after["name"] not in ("departure", "queue"), after["name"])

    def test_networks_of_others(self):
        for text, said in (
            ("variable a x y\nvariable b x y\na <- b\nb <- a\n", "cycle"),
            ("variable a x y\na <- c\n", "expected a variable that is declared above"),
            ("variable a x y\np a : 0.5 0.6\n", "sum to 1.1"),
            ("variable a x y\n", "has no probability tables"),
        ):
            with self.subTest(text=text):
                net = self.write("bad.net", text)
                self.assertIn(said, self.bayes("import", net, "--model", self.path("m"), status=1).err)
        bif = self.write("bad.bif", "variable a { type discrete [ 2 ] { x, y }; }\nprobability ( a | b ) { table 0.5, 0.5; }\n")
        self.assertIn("bad.bif:2", self.bayes("import", bif, "--model", self.path("m"), status=1).err)


class Refusals(BayesTest):
    def test_options_that_do_not_go_together(self):
        for options, said in (
            (("--estimator", "max-margin"), "--target COLUMN"),
            (("--structure", "naive"), "requires one --target"),
            (("--structure", "tree"), "expected naive, chow-liu, hill-climbing or the file of a network"),
            (("--structure", "naive", "--target", "wind", "--max-parents", 2), "--max-parents requires --structure hill-climbing"),
            (("--keep-tables",), "--keep-tables requires --structure FILE"),
            (("--structure", BIF, "--keep-tables", "--estimator", "em"), "--keep-tables cannot be combined with --estimator em"),
            (("--target", "wnd"), "--target names 'wnd', which is not a variable"),
            (("--target", "wind,wind"), "--target names 'wind' twice"),
            (("--target", "wind,"), "is not a list of columns"),
            (("--loss", "ring"), "--loss requires --target"),
            (("--restarts", 3), "em"),
            (("--eta", 1), "max-margin"),
        ):
            with self.subTest(options=options):
                self.assertIn(said, self.train(*options, status=2).err)

    def test_files_that_are_wrong(self):
        for text, said in (
            ("", "expected a header"),
            ("a,b,a\n1,2,3\n", 'bad.csv:1: expected each column name once, found twice: "a"'),
            ("a,b\n1,2\n1,2,3\n", "bad.csv:3: expected 2 cells, as in the header, found 3"),
            ("a,b\n", "expected rows, found none"),
            ("a,b\n1,?\n2,\n", "expected values in column 'b', found none"),
            ('a,b\n1,"2\n', "bad.csv:2: expected a closing quote"),
            ("a,b\n1,?\n1,2\n", "bad.csv:2: expected a value in column 'b'"),
        ):
            with self.subTest(text=text):
                self.assertIn(said, self.train(file=self.write("bad.csv", text), status=1).err)
        self.assertIn("no/such/file", self.train(file="no/such/file", status=1).err)

    def test_what_training_has_not_seen(self):
        self.train("--target", "departure")
        header, *lines = text_of(TEST).splitlines()[:3]
        test = self.write("test.csv", "\n".join((header, lines[0].replace("calm", "storm"), lines[1].replace("cancelled", "sunk"))))
        said = self.bayes("evaluate", test, "--model", self.path("m"), status=1).err
        self.assertIn("test.csv:2: expected a value of column 'wind' seen in training", said)
        self.assertIn('"storm"', said)
        done = self.bayes("evaluate", test, "--unknown", "missing", "--model", self.path("m"))
        self.assertIn("1 cells have a value not seen in training", done.err)
        self.assertIn("the value 'sunk' of column 'departure' was not seen in training", done.err)
        first, second = self.rows(self.predict(test, "--unknown", "missing"))
        self.assertEqual(first["wind"], "storm")  # it says nothing to the model, but is not written over
        self.assertNotEqual(second["departure"], "sunk")

    def test_what_cannot_be(self):
        rows = self.write("rows.csv", "a,b\n" + "x,x\ny,y\n" * 30)
        self.train("--smoothing", 0, file=rows)
        said = self.bayes("predict", self.write("odd.csv", "a,b\nx,?\nx,y\n"), "--hide", "none", "--model", self.path("m"), status=1).err
        self.assertIn("odd.csv:3: the values of this row have probability 0", said)
        said = self.bayes("sample", "--given", "a=x,b=y", "--model", self.path("m"), status=2).err
        self.assertIn("probability 0", said)

    def test_models_of_others(self):
        self.train(file=self.write("other.csv", "a,b\n1,2\n2,1\n"), model="other")
        self.assertIn("whose table of 'departure' differs", self.train(*MARGIN, "--towards", self.path("other"), status=1).err)
        self.assertIn('the true values of "a"', self.bayes("evaluate", TEST, "--hide", "a", "--model", self.path("other"), status=1).err)
        self.assertIn('found "season"', self.bayes("predict", TEST, "--model", self.path("other"), status=1).err)
        self.assertIn("give --hide with the columns", self.bayes("evaluate", self.path("other.csv"), "--model", self.path("other"), status=2).err)


if __name__ == "__main__":
    unittest.main()
