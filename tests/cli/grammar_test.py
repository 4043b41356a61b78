"""`trellis grammar` as its users meet it: training, trees in brackets, EVALB's figures, and what it says when something is wrong."""

import gzip
import json
import unittest

from program import SOURCE, ProgramTest

KITCHEN = SOURCE / "data" / "kitchen"
COOK = "The cook tastes the soup .\n"
ODD = ". . .\n"  # has no tree


class GrammarTest(ProgramTest):
    TASK = "grammar"
    grammar = ProgramTest.run_program

    def kitchen(self, part):
        return str(KITCHEN / f"{part}.mrg")

    def train(self, *options, part="train"):
        epochs = () if "--generative" in options else ("--epochs", 4)
        return self.grammar("train", self.kitchen(part), "--model", self.path("m"), *epochs, *options)

    def evaluate(self, *options, part="test"):
        return self.grammar("evaluate", self.kitchen(part), "--model", self.path("m"), *options)

    def predict(self, *options, **more):
        return self.grammar("predict", *options, "--model", self.path("m"), **more).out


class Learning(GrammarTest):
    def test_the_kitchen_is_parsed(self):
        result = json.loads(self.train("--dev", self.kitchen("dev"), "--json").out)
        for key in ("objective", "bound", "gap", "epochs", "seconds", "sentences", "words", "weights", "symbols", "binary_rules"):
            self.assertIn(key, result)
        self.assertGreater(result["filter"]["recall"], 80)
        self.assertEqual(result["filter"]["on"], "dev")
        self.assertGreater(result["dev"]["f1"], 70)
        self.assertGreater(json.loads(self.evaluate("--json").out)["f1"], 70)

    def test_the_generative_grammar_is_a_model_as_any_other(self):
        done = self.train("--generative", "--dev", self.kitchen("dev"))
        self.assertIn("F1", done.err)
        self.assertGreater(json.loads(self.evaluate("--json").out)["f1"], 60)
        self.assertIn("generative", self.grammar("inspect", "--model", self.path("m")).out)
        self.assertEqual(self.predict(stdin=COOK).count("\n"), 1)

    def test_without_a_dev_set_the_filters_are_judged_by_what_is_held_out(self):
        self.assertEqual(json.loads(self.train("--json").out)["filter"]["on"], "held out")
        self.assertNotIn("filter", json.loads(self.train("--no-pruning", "--max-words", 6, "--json").out))

    def test_settings_can_be_chosen(self):
        result = json.loads(self.train("--c", "0.1,1", "--cv", 2, "--json").out)
        self.assertEqual(len(result["choices"]), 2)

    def test_history_and_long_sentences(self):
        done = self.train("--history", self.path("h"), "--max-words", 6)
        self.assertEqual(len(self.read("h").splitlines()), 4)
        self.assertIn("sentences of more than 6 words", done.err)


class Predicting(GrammarTest):
    def setUp(self):
        super().setUp()
        self.train()

    def test_a_tree_a_line(self):
        out = self.predict(self.write("x", COOK + "\n" + COOK))
        self.assertEqual(len(out.splitlines()), 2)
        self.assertTrue(out.startswith("(TOP (S (NP (DT The) (NN cook)) (VP "), out)
        self.assertEqual(self.predict(self.write("x", COOK + COOK), "--threads", 1), out)
        self.assertEqual(self.predict(stdin=COOK + COOK), out)
        (self.folder / "x.gz").write_bytes(gzip.compress((COOK + COOK).encode("utf-8")))
        self.assertEqual(self.predict(self.path("x.gz")), out)

    def test_over_lines(self):
        out = self.predict("--pretty", stdin=COOK)
        self.assertTrue(out.startswith("(TOP\n  (S\n    (NP (DT The) (NN cook))\n"), out)
        self.assertEqual("".join(out.split()), "".join(self.predict(stdin=COOK).split()))

    def test_the_words_of_trees(self):
        found = self.predict(self.kitchen("test"))
        self.assertEqual(self.predict(self.write("t", found)), found)
        self.assertEqual(self.predict(self.write("t", found), "--format", "trees"), found)
        self.assertTrue(self.predict("--format", "tokens", stdin="( a )\n").startswith("(TOP "))

    def test_several_trees_and_probabilities(self):
        out = self.predict("--nbest", 3, stdin=COOK)
        self.assertEqual(out.count("# rank "), 3)
        trees = [line for line in out.splitlines() if line.startswith("(")]
        self.assertEqual(len(set(trees)), 3)
        self.assertEqual(trees[0] + "\n", self.predict(stdin=COOK))
        likely = self.predict("--marginals", stdin=COOK)
        self.assertRegex(likely, r"(?m)^# NP 0-2 [01]\.\d{6}$")
        one = json.loads(self.predict("--nbest", 2, "--marginals", "--json", stdin=COOK))
        self.assertEqual(one["status"], "whole")
        self.assertEqual(one["tree"], trees[0])
        self.assertEqual([one["brackets"][0][key] for key in ("label", "begin", "end")], ["TOP", 0, 6])
        self.assertAlmostEqual(one["brackets"][0]["probability"], 1)
        first, second = one["nbest"]
        self.assertGreaterEqual(first["score"], second["score"])
        self.assertLessEqual(first["log_probability"], 1e-9)

    def test_what_has_no_tree_is_told_and_gets_fragments_or_a_flat_tree(self):
        self.train("--no-tagger")  # which knows no tags for a full stop but its own
        file = self.write("x", COOK + ODD)
        done = self.grammar("predict", file, "--model", self.path("m"))
        self.assertIn("no tree for 1 of 2 sentences", done.err)
        self.assertEqual(len(done.out.splitlines()), 2)
        flat = self.predict(file, "--unparsed", "flat").splitlines()
        self.assertTrue(flat[1].startswith("(TOP (X ("), flat[1])
        self.assertEqual(flat[0], done.out.splitlines()[0])
        status = [json.loads(line)["status"] for line in self.predict(file, "--json").splitlines()]
        self.assertEqual(status, ["whole", "partial"])

    def test_words_that_are_new(self):
        out = self.predict(stdin="The zymurgist frobnicates 17 quuxes .\n")
        self.assertIn("zymurgist)", out)

    def test_what_is_too_long_is_refused_after_what_stands_before(self):
        file = self.write("x", COOK + "\n" + "soup " * 300 + "\n" + COOK)
        done = self.grammar("predict", file, "--model", self.path("m"), status=1)
        self.assertIn("x:3: expected a sentence of 1 to 250 words (--max-words), found 300", done.err)
        self.assertEqual(done.out, self.predict(stdin=COOK))
        self.refused("predict", self.write("y", COOK), "--max-words", 3, "--model", self.path("m"), saying="y:1: expected a sentence of 1 to 3")


class Scoring(GrammarTest):
    def test_evaluate_and_score_agree(self):
        self.train()
        self.write("found", self.predict(self.kitchen("test")))
        pair = (self.kitchen("test"), self.path("found"))
        ours, theirs = json.loads(self.evaluate("--json").out), json.loads(self.grammar("score", *pair, "--json").out)
        for key in ("f1", "recall", "precision", "tag_accuracy", "categories", "lengths"):
            self.assertEqual(ours[key], theirs[key])
        self.assertIn("category", self.grammar("score", *pair).out)
        lines = self.predict(self.kitchen("test"), "--output", self.path("again"))
        self.assertEqual(lines, "")
        table = self.grammar("score", self.path("again"), self.path("found"), "--evalb").out
        self.assertIn("Bracketing FMeasure       = 100.00", table)
        self.assertIn("-- All --", self.evaluate("--evalb").out)

    def test_parameters_of_evalb(self):
        self.train()
        self.write("spans.prm", "LABELED 0\nDELETE_LABEL TOP\nCUTOFF_LEN 6\n")
        of_spans = json.loads(self.evaluate("--prm", self.path("spans.prm"), "--json").out)
        self.assertGreaterEqual(of_spans["f1"], 0)
        self.assertEqual(of_spans["up_to_cutoff"]["words"], 6)
        self.write("bad.prm", "LABELLED 1\n")
        self.refused("evaluate", self.kitchen("test"), "--model", self.path("m"), "--prm", self.path("bad.prm"), saying="bad.prm:1")

    def test_labels_that_are_new_are_told(self):
        self.train()
        file = self.write("x", "(S (QQ (NN soup)) (VP (VBZ boils)) (ZZ .))\n")
        done = self.grammar("evaluate", file, "--model", self.path("m"), "--json")
        self.assertEqual(json.loads(done.out)["unseen_labels"], ["QQ", "ZZ"])
        self.assertIn("QQ", done.err)

    def test_trees_of_other_words(self):
        gold = self.write("g", "(S (NN a) (NN b))\n(S (NN a) (NN b))\n")
        self.refused("score", gold, self.write("t", "(S (NN a) (NN b))\n"), saying="expected a tree for the sentence of line 2")
        self.refused("score", gold, self.write("t", "(S (NN a) (NN b))\n(S (NN a) (NN c))\n"), saying="t:2: expected a tree with the words of line 2")


class Explaining(GrammarTest):
    def test_brackets_against_trees_without_them(self):
        self.train("--prune-below", 0, "--prune-rules-below", 0)
        call = ("explain", self.write("x", COOK), "--model", self.path("m"))
        text = self.grammar(*call).out
        self.assertIn("NP 0-2 The cook\n  in the best tree", text)
        self.assertIn("instead of (TOP ", text)
        told = [json.loads(line) for line in self.grammar(*call, "--json").out.splitlines()]
        others = [one for one in told if "other" in one]
        self.assertGreater(len(others), 0)
        for one in others:
            self.assertTrue(one["in_best"])
            best, other = (sum(p["features"] + p["generative"] + p["tagger"] for p in one["other"][key]) for key in ("best_parts", "other_parts"))
            self.assertAlmostEqual(best - other, one["score"] - one["other"]["score"], places=6)
        self.assertFalse(json.loads(self.grammar(*call, "--span", "3-5", "--label", "PP", "--json").out)["in_best"])
        self.refused(*call, "--span", "3-9", saying="3-9", status=2)
        self.refused(*call, "--sentence", 2, saying="there is no sentence 2")

    def test_inspect(self):
        self.train()
        text = self.grammar("inspect", "--model", self.path("m"), "--top", 3).out
        self.assertIn("the strongest weights of rules", text)
        self.assertEqual(text.count("(probability "), 3)
        self.assertEqual(len(json.loads(self.grammar("inspect", "--model", self.path("m"), "--top", 2, "--json").out)["rules"]), 2)


class Reports(GrammarTest):
    def test_trees_are_drawn(self):
        self.train()
        plain = self.evaluate().out
        self.assertEqual(self.evaluate("--report", self.path("e.html"), "--threads", 1).out, plain)
        page = self.page("e.html")
        scores = json.loads(self.evaluate("--json").out)
        for text in ("Evaluation of", f"{scores['f1']:.2f}", "Scores by category", "Scores by length", "The hardest", "dca"):
            self.assertIn(text, page)
        self.evaluate("--report", self.path("f.html"), "--threads", 3, "--evalb")
        self.assertEqual(self.page("f.html"), page)

    def test_training_has_curves_and_the_trees_of_the_dev_set(self):
        self.train("--dev", self.kitchen("dev"), "--report", self.path("t.html"))
        page = self.page("t.html")
        for text in ("Training of", "On " + self.kitchen("dev"), "F1", "All epochs"):
            self.assertIn(text, page)


class Refusals(GrammarTest):
    def refuses(self, text, saying, *options):
        self.refused("train", self.write("x.mrg", text), "--model", self.path("m"), "--quiet", *options, saying=saying)

    def test_treebanks_that_are_none(self):
        self.refuses("", "expected trees, found none")
        self.refuses("(S (NN soup)\n", "x.mrg")
        self.refuses("(S (NN soup)))\n", "x.mrg:1")
        self.refuses("(S (NP) (NN soup))\n", "x.mrg:1")
        self.refuses("(S soup (NN boils))\n", "x.mrg:1")
        self.refuses("(S (NN soup) (VB boils))\n", "expected trees of at most 1 words", "--max-words", 1)

    def test_calls_that_do_not_go_together(self):
        call = ("train", self.kitchen("train"), "--model", self.path("m"))
        # Before a file is read: there is none.
        self.refused("train", self.path("none"), "--model", self.path("m"), "--c", "0.1,1", saying="require --dev FILE or --cv K", status=2)
        self.refused(*call, "--vertical", 0, saying="--vertical", status=2)
        self.refused(*call, "--prune-below", 2, saying="--prune-below", status=2)
        self.refused(*call, "--learner", "smo", saying="flat labels", status=2)
        self.refused(*call, "--generative", "--c", 1, saying="--generative minimises no loss", status=2)
        self.refused(*call, "--generative", "--loss", "crf", saying="it cannot be combined with --loss", status=2)
        self.refused("train", self.path("nowhere"), "--model", self.path("m"), saying="nowhere")


if __name__ == "__main__":
    unittest.main()
