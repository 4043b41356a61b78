"""`trellis parse` as its users meet it: training, trees in the format of the file, scores, and what it says when something is wrong."""

import gzip
import json
import unittest

from program import SOURCE, ProgramTest

GARDEN = SOURCE / "data" / "garden"
UNPARSED = "1\tDig\tdig\tVERB\tVB\t_\t_\t_\t_\t_\n2\tnow\tnow\tADV\tRB\t_\t_\t_\t_\tSpaceAfter=No\n\n"


def word(number, form, tag, head, label):
    return f"{number}\t{form}\t{form}\t{tag}\t{tag}\t_\t{head}\t{label}\t_\t_\n"


class ParseTest(ProgramTest):
    TASK = "parse"
    parse = ProgramTest.run_program

    def garden(self, part):
        return str(GARDEN / f"{part}.conllu")

    def train(self, *options, part="train"):
        return self.parse("train", self.garden(part), "--model", self.path("m"), "--epochs", 4, *options)

    def evaluate(self, *options, part="test"):
        return self.parse("evaluate", self.garden(part), "--model", self.path("m"), *options)

    def predict(self, *options, **more):
        return self.parse("predict", *options, "--model", self.path("m"), **more).out


class Learning(ParseTest):
    def test_the_garden_is_parsed(self):
        result = json.loads(self.train("--dev", self.garden("dev"), "--json").out)
        for key in ("objective", "bound", "gap", "epochs", "seconds", "sentences", "words", "weights"):
            self.assertIn(key, result)
        self.assertGreater(result["filter"]["recall"], 99)
        self.assertEqual(result["filter"]["on"], "dev")
        self.assertGreaterEqual(result["filter"]["train_recall"], result["filter"]["recall"])
        self.assertGreater(result["filter"]["train_heads_per_word"], 1)
        scores = json.loads(self.evaluate("--json").out)
        self.assertGreater(scores["uas"], 80)
        self.assertGreater(scores["las"], 75)

    def test_without_a_dev_set_the_filter_is_judged_by_what_is_held_out(self):
        result = json.loads(self.train("--json").out)
        self.assertEqual(result["filter"]["on"], "held out")
        self.assertNotIn("filter", json.loads(self.train("--no-pruning", "--json").out))

    def test_trees_without_crossings_and_with_any_roots(self):
        self.train("--projective", "--roots", "any")
        self.assertIn("UAS", self.evaluate().out)

    def test_the_best_trees_of_a_second_order_model(self):
        self.train("--order", 2)
        best = self.predict(self.garden("test"), "--json").splitlines()
        for one, several in zip(best, self.predict(self.garden("test"), "--nbest", 4, "--json").splitlines(), strict=True):
            trees = json.loads(several)["nbest"]
            self.assertEqual(trees[0]["heads"], json.loads(one)["heads"])
            self.assertEqual(len({json.dumps([t["heads"], t["labels"]]) for t in trees}), 4)
            self.assertEqual([t["score"] for t in trees], sorted((t["score"] for t in trees), reverse=True))
            self.assertTrue(all(t["proven"] for t in trees))
        self.assertIn(" estimated_log_probability ", self.predict(self.garden("test"), "--nbest", 2))

    def test_trees_of_least_risk(self):
        self.train("--order", 2, "--loss", "crf", "--inference", "beliefs", "--decode", "risk")
        by_default = json.loads(self.evaluate("--json").out)
        self.assertIn("converged", by_default)
        self.assertEqual(json.loads(self.evaluate("--json", "--decode", "risk").out), by_default)
        self.assertIn("proven", json.loads(self.evaluate("--json", "--decode", "map").out))
        sums = json.loads(self.evaluate("--json", "--inference-iterations", 1).out)
        self.assertLess(sums["converged"], by_default["converged"])
        self.assertIn("converged", json.loads(self.predict(self.garden("test"), "--json").splitlines()[0]))
        self.assertIn("proven", json.loads(self.predict(self.garden("test"), "--json", "--nbest", 2).splitlines()[0]))

    def test_training_reports_how_its_sums_converged(self):
        for inference, limit in (("beliefs", 50), ("reweighted", 30)):
            options = ["--order", 2, "--loss", "crf", "--inference", inference, "--json"]
            loose, tight = (json.loads(self.train(*options, "--inference-iterations", n).out)["convergence"] for n in (limit, 1))
            self.assertEqual(loose["calls"], tight["calls"])
            self.assertLessEqual(loose["unconverged"], tight["unconverged"])
            self.assertGreater(tight["mean_residual"], loose["mean_residual"])
            self.assertGreaterEqual(tight["largest_residual"], tight["mean_residual"])
        self.assertNotIn("convergence", json.loads(self.train("--loss", "crf", "--json").out))

    def test_beliefs_are_damped_by_half_unless_said_otherwise(self):
        options = ["--order", 2, "--loss", "crf", "--inference", "beliefs", "--json"]
        default, half, none = (json.loads(self.train(*options, *more).out)["convergence"]
                               for more in ((), ("--damping", 0.5), ("--damping", 0)))
        self.assertEqual(default, half)
        self.assertNotEqual(default, none)

    def test_settings_can_be_chosen(self):
        result = json.loads(self.train("--c", "0.1,1", "--cv", 2, "--json").out)
        self.assertEqual(len(result["choices"]), 2)


class Predicting(ParseTest):
    def setUp(self):
        super().setUp()
        self.train()

    def test_trees_come_back_in_the_format_of_the_file(self):
        out = self.predict(self.garden("test"))
        gold = (GARDEN / "test.conllu").read_text(encoding="utf-8")
        self.assertEqual(len(out.splitlines()), len(gold.splitlines()))
        for ours, theirs in zip(out.splitlines(), gold.splitlines()):
            ours, theirs = ours.split("\t"), theirs.split("\t")
            self.assertEqual(ours[:6] + ours[8:], theirs[:6] + theirs[8:])
        self.assertEqual(self.predict(self.garden("test"), "--threads", 1), out)

    def test_conllx_gets_its_two_columns(self):
        short = "".join("\t".join(line.split("\t")[:6]) + "\n" for line in UNPARSED.splitlines())
        out = self.predict(self.write("x.conll", short + "\n"))
        self.assertEqual([len(line.split("\t")) for line in out.strip().splitlines()], [8, 8])

    def test_what_is_piped_in_comes_out(self):
        out = self.predict(stdin=UNPARSED)
        self.assertIn("SpaceAfter=No", out)
        self.assertNotEqual(out, UNPARSED)

    def test_probabilities_and_several_trees(self):
        out = self.predict(self.write("x", UNPARSED), "--marginals")
        self.assertIn("SpaceAfter=No|Prob=", out)
        trees = self.predict(self.write("x", UNPARSED), "--nbest", 2)
        self.assertEqual(trees.count("# rank "), 2)
        one = json.loads(self.predict(self.write("x", UNPARSED), "--nbest", 2, "--marginals", "--json"))
        self.assertEqual(len(one["heads"]), 2)
        self.assertEqual(len(one["marginals"]), 2)
        self.assertGreaterEqual(one["nbest"][0]["score"], one["nbest"][1]["score"])

    def test_words_without_a_tag_ask_for_a_tagger(self):
        untagged = self.write("x", UNPARSED + UNPARSED.replace("VERB", "_"))
        done = self.parse("predict", untagged, "--model", self.path("m"), status=1)
        self.assertIn("x:4: expected a coarse part of speech in column 4 (the model was trained without --tagger)", done.err)
        self.assertIn('found none for "1 Dig"', done.err)
        self.assertEqual(done.out, self.predict(self.write("y", UNPARSED)))  # what stands before it
        self.refused("predict", untagged, "--model", self.path("m"), "--retag", saying="the model has no tagger", status=2)
        self.refused("evaluate", self.garden("test"), "--model", self.path("m"), "--retag", saying="no tagger", status=2)

    def test_compressed_files(self):
        (self.folder / "x.gz").write_bytes(gzip.compress(UNPARSED.encode("utf-8")))
        self.assertEqual(self.predict(self.path("x.gz")), self.predict(self.write("x", UNPARSED)))


class Tagging(ParseTest):
    """`train --tagger`: one call, one model, and files of words alone."""

    def words_alone(self, part):
        text = (GARDEN / f"{part}.conllu").read_text(encoding="utf-8")
        lines = [line.split("\t") for line in text.splitlines()]
        return "".join("\t".join(f if len(f) < 10 else f[:2] + ["_"] * 8) + "\n" for f in lines)

    def columns(self, text):
        return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]

    def test_words_alone_are_tagged_and_parsed(self):
        result = json.loads(self.train("--tagger", "--dev", self.garden("dev"), "--json").out)
        self.assertEqual(result["tagger"]["folds"], 5)
        for figures in (result["tagger"]["jackknifed"], result["tagger"]["dev"]):
            self.assertGreater(figures["coarse"], 70)
            self.assertGreater(figures["fine"], 70)
            self.assertLess(figures["coarse"], 100)
        self.write("words", self.words_alone("test"))
        found = self.predict(self.path("words"))
        for ours, theirs in zip(self.columns(found), self.columns(self.words_alone("test"))):
            self.assertEqual(ours[:3] + ours[5:6] + ours[8:], theirs[:3] + theirs[5:6] + theirs[8:])
            if "." not in ours[0] and "-" not in ours[0]:
                self.assertNotIn("_", ours[3:5] + ours[6:8])
        # What comes out scores as `evaluate --retag` says, and lemmas do not help.
        self.write("found", found)
        scores = json.loads(self.evaluate("--retag", "--json").out)
        self.assertEqual(json.loads(self.parse("score", self.garden("test"), self.path("found"), "--json").out)["las"], scores["las"])
        self.assertGreater(scores["las"], 35)  # of 110 sentences little is learned of words
        self.assertGreater(scores["tags"]["coarse"], 70)
        self.assertIn("correct tags of the model: ", self.evaluate("--retag").out)
        self.assertNotIn("correct tags of the model", self.evaluate().out)

    def test_tags_of_the_file_count_unless_it_is_said_otherwise(self):
        self.train("--tagger", "--jackknife", 2)
        odd = UNPARSED.replace("VERB", "PUNCT")
        kept, made = (self.columns(self.predict(self.write("x", odd), *more)) for more in ((), ("--retag",)))
        self.assertEqual(kept[0][3:5], ["PUNCT", "VB"])
        self.assertNotEqual(made[0][3], "PUNCT")
        half = self.columns(self.predict(self.write("x", UNPARSED.replace("VERB", "_").replace("RB", "_"))))
        self.assertEqual([half[0][4], half[1][3]], ["VB", "ADV"])
        self.assertNotIn("_", [half[0][3], half[1][4]])
        why = self.parse("explain", self.write("y", UNPARSED.replace("VERB", "_")), "--model", self.path("m")).out
        self.assertIn("1 Dig", why)
        one = json.loads(self.predict(self.write("x", odd), "--json"))
        self.assertEqual([one["coarse"][0], one["fine"][0]], ["PUNCT", "VB"])

    def test_the_same_model_whatever_the_threads(self):
        self.train("--tagger", "--threads", 1)
        first = self.read("m")
        self.train("--tagger", "--threads", 3)
        self.assertEqual(self.read("m"), first)

    def test_refusals(self):
        call = ("train", self.garden("train"), "--model", self.path("m"), "--quiet")
        self.refused(*call, "--jackknife", 3, saying="--jackknife requires --tagger", status=2)
        self.refused(*call, "--tagger", "--jackknife", 1, saying="--jackknife", status=2)
        self.refused(*call, "--tagger", "--jackknife", 500, saying="2 to 110 (the number of sentences)", status=2)


class Reports(ParseTest):
    def test_trees_are_drawn(self):
        self.train()
        plain = self.evaluate().out
        self.assertEqual(self.evaluate("--report", self.path("e.html"), "--threads", 1).out, plain)
        page = self.page("e.html")
        scores = json.loads(self.evaluate("--json").out)
        for text in ("Evaluation of", f"{scores['uas']:.2f}", f"{scores['las']:.2f}", "Scores by label", "Scores by distance",
                     "The hardest", "garden-", "wrong head", "probability 0.", "dca"):
            self.assertIn(text, page)
        self.evaluate("--report", self.path("f.html"), "--threads", 3, "--official", "ud")
        self.assertEqual(self.page("f.html"), page)

    def test_training_has_curves_and_the_trees_of_the_dev_set(self):
        self.train("--dev", self.garden("dev"), "--tagger", "--report", self.path("t.html"))
        page = self.page("t.html")
        for text in ("Training of", "On " + self.garden("dev"), "LAS", "All epochs", "coarse parts of speech", "correct tags in 5 folds"):
            self.assertIn(text, page)

    def test_a_page_that_cannot_be_written_is_told_before_the_work(self):
        self.train()
        self.refused("evaluate", self.garden("test"), "--model", self.path("m"), "--report", self.path("no/r.html"), saying="no/r.html")


class Scoring(ParseTest):
    def test_evaluate_and_score_agree(self):
        self.train()
        self.write("found", self.predict(self.garden("test")))
        pair = (self.garden("test"), self.path("found"))
        self.assertEqual(json.loads(self.parse("score", *pair, "--json").out)["las"], json.loads(self.evaluate("--json").out)["las"])
        for official in ("conllx", "ud"):
            of_score = self.parse("score", *pair, "--official", official).out
            self.assertEqual(self.evaluate("--official", official).out, of_score)
        self.assertIn("Labeled   attachment score", self.parse("score", *pair, "--official", "conllx").out)

    def test_labels_that_are_new_are_wrong_and_told(self):
        self.train()
        file = self.write("x", word(1, "Dig", "VERB", 0, "imperative") + "\n")
        done = self.parse("evaluate", file, "--model", self.path("m"), "--json")
        self.assertEqual(json.loads(done.out)["unseen_labels"], ["imperative"])
        self.assertEqual(json.loads(done.out)["las"], 0)
        self.assertIn("imperative", done.err)


class Refusals(ParseTest):
    def refuses(self, text, saying, *options):
        self.refused("train", self.write("x.conllu", text), "--model", self.path("m"), "--quiet", *options, saying=saying)

    def test_treebanks_that_are_none(self):
        good = word(1, "Dig", "VERB", 0, "root")
        self.refuses("", "expected sentences, found none")
        self.refuses(word(1, "a", "X", 2, "x") + word(2, "b", "X", 1, "x"), "x.conllu:1: expected a tree, found a cycle")
        self.refuses(good + word(2, "now", "ADV", 7, "x"), "x.conllu:2: expected a head from 0 to 2")
        self.refuses(good + word(2, "now", "ADV", "_", "x"), "expected a head in column 7")
        self.refuses(good + word(2, "now", "_", 1, "x"), 'x.conllu:2: expected a coarse part of speech in column 4, found none for "2 now"')
        self.refuses(good + word(2, "now", "ADV", 1, "_"), "expected a label in column 8")
        self.refuses(good + word(2, "now", "ADV", 0, "root"), "expected one word with head 0, found 2", "--roots", "one")

    def test_calls_that_do_not_go_together(self):
        call = ("train", self.garden("train"), "--model", self.path("m"))
        # Before a file is read: there is none.
        self.refused("train", self.path("none"), "--model", self.path("m"), "--c", "0.1,1", saying="require --dev FILE or --cv K", status=2)
        self.refused(*call, "--order", 3, saying="--order", status=2)
        self.refused(*call, "--inference", "beliefs", saying="--inference requires --order 2", status=2)
        self.refused(*call, "--order", 2, "--inference", "beliefs", saying="the hinge requires --inference relaxed", status=2)
        self.refused(*call, "--order", 2, "--inference", "relaxed", "--loss", "crf", saying="reweighted", status=2)
        self.refused(*call, "--learner", "smo", saying="flat labels", status=2)
        self.refused(*call, "--max-heads", 0, saying="--max-heads", status=2)
        self.refused(*call, "--prune-below", 2, saying="--prune-below", status=2)
        self.refused("train", self.path("nowhere"), "--model", self.path("m"), saying="nowhere")

    def test_what_conllx_has_no_place_for(self):
        self.train()
        short = self.write("x", "1\tDig\tdig\tVB\tVB\t_\n\n")
        for option in (("--marginals",), ("--nbest", 2)):
            self.refused("predict", short, "--model", self.path("m"), *option, saying="CoNLL-X has no", status=2)


if __name__ == "__main__":
    unittest.main()
