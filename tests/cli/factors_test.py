"""`trellis factors` as its users meet it: outings, every inference, what comes out, and what it says when something is wrong."""

import json
import unittest

from program import ProgramTest, SOURCE, held

OUTINGS = SOURCE / "data" / "outings"


def beginning(part, graphs):
    """The domains and the first graphs of a part of the outings."""
    blocks = (OUTINGS / f"{part}.txt").read_text(encoding="ascii").strip().split("\n\n")
    return "\n\n".join(blocks[: graphs + 1]) + "\n"


class FactorsTest(ProgramTest):
    TASK = "factors"

    def setUp(self):
        super().setUp()
        self.train_file = self.write("train.txt", beginning("train", 12))
        self.test_file = self.write("test.txt", beginning("test", 6))

    def train(self, *arguments, model="m", status=0):
        call = ("train", self.train_file, *arguments, *held(arguments, "--c", 1), "--model", self.path(model), "--quiet")
        return self.run_program(*call, "--json", status=status)

    def trained(self, *arguments, **options):
        return json.loads(self.train(*arguments, **options).out)

    def use(self, command, *arguments, model="m", **options):
        return self.run_program(command, *arguments, "--model", self.path(model), **options)


class Learning(FactorsTest):
    def test_every_inference_learns_and_says_what_its_figures_are_worth(self):
        found = {}
        for inference, loss in (("exact", "svm"), ("relaxed", "svm"), ("beliefs", "crf"), ("reweighted", "crf")):
            certified = ("--certify",) if loss == "svm" else ()
            found[inference] = self.trained("--inference", inference, "--loss", loss, "--epochs", 20, *certified, model=inference)
            self.assertEqual(found[inference]["inference"], inference)
            scores = json.loads(self.use("evaluate", self.test_file, "--json", model=inference).out)
            self.assertGreater(scores["accuracy"], 55, inference)
            self.assertEqual(scores["graphs"], 6)
        for inference in ("beliefs", "reweighted"):
            self.assertIsNone(found[inference]["bound"])
        for inference in ("exact", "relaxed"):
            self.assertLessEqual(found[inference]["bound"], found[inference]["objective"] + 1e-9)

    def test_the_inference_follows_the_loss(self):
        self.assertEqual(self.trained("--epochs", 2)["inference"], "exact")
        self.assertEqual(self.trained("--loss", "crf", "--epochs", 2)["inference"], "reweighted")

    def test_what_does_not_fit_is_refused_before_anything_is_read(self):
        for arguments, words in (
            (("--inference", "exact", "--loss", "crf"), "use --inference beliefs or reweighted"),
            (("--inference", "beliefs", "--loss", "svm"), "use --inference exact or relaxed"),
            (("--inference", "beliefs", "--loss", "crf", "--certify"), "certif"),
            (("--inference", "guess"), "exact"),
            (("--learner", "smo"), "flat labels"),
        ):
            call = ("train", self.path("missing.txt"), *arguments, "--c", 1, "--model", self.path("m"))
            done = self.run_program(*call, status=2)
            self.assertIn(words, done.err)

    def test_c_is_chosen_by_held_out_graphs(self):
        result = self.trained("--dev", self.test_file, "--c", "0.1,1", "--epochs", 3)
        self.assertEqual([choice["c"] for choice in result["choices"]], [0.1, 1])
        self.assertIn("accuracy", result["dev"])

    def test_reports(self):
        self.train("--dev", self.test_file, "--epochs", 3, "--report", self.path("t.html"))
        self.use("evaluate", self.test_file, "--report", self.path("e.html"))
        for name in ("t.html", "e.html"):
            self.assertIn(b"Variables correct", self.read(name))


class Predicting(FactorsTest):
    def setUp(self):
        super().setUp()
        self.train("--epochs", 20)

    def test_a_line_for_each_variable(self):
        blocks = self.use("predict", self.test_file).out.strip().split("\n\n")
        graphs = beginning("test", 6).strip().split("\n\n")[1:]
        self.assertEqual(len(blocks), len(graphs))
        for block, graph in zip(blocks, graphs):
            names = [line.split()[1] for line in graph.splitlines() if line.startswith("var ")]
            self.assertEqual([line.split()[0] for line in block.splitlines()], names)
            values = dict(line.split() for line in block.splitlines())
            self.assertEqual(sum(value == "market" for value in values.values()), 1)  # one-of
            self.assertLessEqual(sum(value == "on" for value in values.values()), 2)  # budget

    def test_pipes_and_json_say_the_same(self):
        text = self.use("predict", self.test_file).out
        self.assertEqual(self.use("predict", stdin=self.read("test.txt")).out, text)
        graphs = json.loads(self.use("predict", self.test_file, "--json").out)["graphs"]
        lines = ["".join(f"{v['name']} {v['value']}\n" for v in graph["variables"]) for graph in graphs]
        self.assertEqual("\n".join(lines) + "\n", text)

    def test_the_relaxation_says_whether_it_is_whole(self):
        done = self.use("predict", self.test_file, "--inference", "relaxed")
        self.assertEqual(done.out.count("# relaxed: "), 6)
        self.assertRegex(done.err, r"relaxed: \d of 6 graphs integral")
        exact = json.loads(self.use("predict", self.test_file, "--json").out)["graphs"]
        relaxed = json.loads(self.use("predict", self.test_file, "--json", "--inference", "relaxed").out)["graphs"]
        for one, other in zip(exact, relaxed):
            self.assertGreaterEqual(other["bound"], one["score"] - 1e-6)
            if other["whole"]:
                self.assertEqual([v["value"] for v in one["variables"]], [v["value"] for v in other["variables"]])

    def test_marginals_are_probabilities_and_say_whether_they_converged(self):
        for method in ("beliefs", "reweighted"):
            done = self.use("predict", self.test_file, "--marginals", method)
            self.assertRegex(done.err, rf"{method}: \d of 6 graphs converged")
            self.assertEqual(done.out.count(f"# {method}: "), 6)
            for graph in json.loads(self.use("predict", self.test_file, "--marginals", method, "--json").out)["graphs"]:
                self.assertIn("converged", graph["marginals"])
                for variable in graph["variables"]:
                    self.assertAlmostEqual(sum(variable["marginals"].values()), 1, places=3)

    def test_explanations(self):
        told = json.loads(self.use("explain", self.test_file, "--graph", 2, "--json", "--top", 100).out)
        for variable in told["variables"]:
            rival = [other for other in variable["others"] if other["value"] == variable.get("rival")]
            for other in rival:
                self.assertAlmostEqual(sum(one["product"] for one in variable["contributions"]), other["difference"], places=9)
        self.assertIn("against", self.use("explain", self.test_file, "--variable", "w1").out)
        self.assertIn("no graph 9", self.use("explain", self.test_file, "--graph", 9, status=2).err)

    def test_inspection(self):
        shown = json.loads(self.use("inspect", "--json", "--top", 3).out)
        self.assertEqual(len(shown["features"]), 3)
        self.assertEqual([domain["name"] for domain in shown["domains"]], ["switch", "weather", "plan", "thing"])
        self.assertIn("the strongest weights", self.use("inspect").out)

    def test_bad_graphs_are_refused_with_their_line(self):
        for bad, message in (
            ("var x hat\n", "g.txt:1: expected a domain that is declared, found \"hat\""),
            ("domain hat red blue\nvar x hat\n", "g.txt:1: expected a domain of the model, found \"hat\""),
            ("var x weather =hail\n", "g.txt:1: expected a value of the domain 'weather', rain, sun or fog, found \"hail\""),
            ("\nvar a thing\nvar b thing\none-of a b\nor a !b\nor !a\n", "g.txt:2: this graph has no legal assignment"),
            ("", "expected a graph ('var NAME DOMAIN'), found none"),
        ):
            done = self.use("predict", self.write("g.txt", bad), status=1)
            self.assertIn(message, done.err)
        unknown = self.write("g.txt", "var a weather\n")
        self.assertIn("nothing to compare with", self.use("evaluate", unknown, status=1).err)
        call = ("train", self.write("g.txt", "var a switch\n"), "--c", 1, "--model", self.path("n"))
        self.assertIn("g.txt:1: expected a true value", self.run_program(*call, status=1).err)

    def test_graphs_before_a_bad_one_are_written(self):
        text = beginning("test", 2) + "\nvar x hat\n"
        done = self.use("predict", stdin=text, status=1)
        self.assertEqual(len(done.out.strip().split("\n\n")), 2)


if __name__ == "__main__":
    unittest.main()
