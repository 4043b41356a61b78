"""`trellis rank` as its users meet it: training, choosing, ranking, reports, and what it says when something is wrong."""

import json
import unittest

from rank_program import DEV, TEST, TRAIN, RankTest


class Train(RankTest):
    def test_both_estimators_with_certificates(self):
        for estimator in ("map", "max-margin"):
            result = json.loads(self.train("--estimator", estimator, "--json", "--quiet").out)
            for key in ("objective", "bound", "gap", "epochs", "seconds", "lambda", "subsets"):
                self.assertIn(key, result)
            self.assertLessEqual(result["gap"], 1e-3)
            self.assertEqual(result["size"], 3)
            scores = self.evaluate()
            for k in range(1, 11):
                self.assertIn(f"ndcg@{k}", scores)
            self.assertGreater(scores["ndcg@10"], 0.85)
            self.assertGreater(scores["map"], 0.8)

    def test_every_learner_can_train_a_ranker(self):
        small = ["--subsets", 0.05, "--json", "--quiet"]
        cells = [("lbfgs",), ("dca",), ("dca", "--dual", "stored"), ("sgd",), ("perceptron",), ("mira",), ("bcfw",), ("bmrm",),
                 ("extragradient", "--geometry", "entropic"), ("extragradient", "--geometry", "euclidean"), ("projected-gradient",),
                 ("structured-smo",), ("qp",)]
        for learner, *dials in cells:
            result = json.loads(self.train("--learner", learner, *dials, *small).out)
            self.assertEqual(result["learner"], learner)
            smooth = learner in ("lbfgs", "dca", "sgd", "bcfw", "bmrm")
            self.assertEqual(result["loss"], "perceptron" if learner == "perceptron" else "crf" if smooth else "svm")
            self.assertGreater(self.evaluate()["ndcg@10"], 0.8, learner)
        self.rank("train", TRAIN, "--model", self.path("m"), "--learner", "smo", status=2)

    def test_dials_may_have_lists_of_values(self):
        result = json.loads(self.train("--learner", "mira", "--dev", DEV, "--k", "1,3", "--lambda", "1,0.1", "--json").out)
        self.assertEqual([(c["k"], c["lambda"]) for c in result["choices"]], [(1, 1), (1, 0.1), (3, 1), (3, 0.1)])
        result = json.loads(self.train("--c", "0.01,0.1", "--cv", 3, "--json").out)
        self.assertEqual([c["c"] for c in result["choices"]], [0.01, 0.1])

    def test_the_best_epoch_on_the_dev_queries_is_kept(self):
        self.train("--learner", "perceptron", "--dev", DEV, "--epochs", 6, "--history", self.path("h"))
        epochs = [json.loads(line)["dev"] for line in self.read("h").splitlines()]
        training = json.loads(self.rank("inspect", "--model", self.path("m"), "--json").out)["training"]
        self.assertEqual(training["best_epoch"], epochs.index(max(epochs)) + 1)

    def test_bent_features_do_better_where_relevance_is_in_the_middle(self):
        figures = {}
        for expansion in ("none", "binned:6", "random:100"):
            self.train("--dev", DEV, "--expand", expansion)
            figures[expansion] = self.evaluate()["map"]
        self.assertGreater(figures["binned:6"], figures["none"])
        self.assertGreater(figures["random:100"], figures["none"])

    def test_trees_learn_what_features_say_together(self):
        lines, state = [], 1
        for k in range(600):
            values = []
            for _ in range(3):  # a small generator of numbers from -1 to 1
                state = state * 1103515245 % 2147483647
                values.append(state / 1073741823.5 - 1)
            grade = int(values[0] * values[1] > 0)
            lines.append(f"{grade} qid:{k // 20} " + " ".join(f"{i + 1}:{v:.4f}" for i, v in enumerate(values)))
        self.write("crossed", "\n".join(lines).encode())
        figures = {}
        for expansion in ("binned:8", "trees:30,4"):
            self.rank("train", self.path("crossed"), "--expand", expansion, "--model", self.path("m"))
            figures[expansion] = self.evaluate(file=self.path("crossed"))["map"]
        self.assertLess(figures["binned:8"], 0.75)
        self.assertGreater(figures["trees:30,4"], 0.9)
        shown = json.loads(self.rank("inspect", "--model", self.path("m"), "--json").out)
        self.assertEqual(shown["expansion"], "trees:30,4")
        self.assertEqual(shown["trees"], 30)
        self.assertEqual({split["feature"] for split in shown["splits"][:2]}, {1, 2})
        self.assertAlmostEqual(sum(split["gain"] for split in shown["splits"]), 1)
        self.assertIn("30 trees split by", self.rank("inspect", "--model", self.path("m")).out)

    def test_trees_are_the_same_for_any_number_of_threads(self):
        for threads, model in ((1, "a"), (3, "b")):
            self.train("--expand", "trees:20", "--threads", threads, "--cv", 2, "--lambda", "1,0.1", model=model)
        self.assertEqual(self.read("a"), self.read("b"))
        self.assertGreater(self.evaluate(model="a")["ndcg@10"], 0.85)

    def test_dev_and_folds_choose_among_the_lambdas(self):
        by_dev = json.loads(self.train("--dev", DEV, "--lambda", "10,0.1,0.001", "--json").out)
        self.assertEqual([c["lambda"] for c in by_dev["choices"]], [10, 0.1, 0.001])
        best = max(by_dev["choices"], key=lambda c: c["figure"])
        self.assertEqual(by_dev["lambda"], best["lambda"])
        by_folds = json.loads(self.train("--cv", 4, "--select", "ndcg@5", "--json").out)
        choices = by_folds["choices"]
        self.assertEqual([c["lambda"] for c in choices], sorted((c["lambda"] for c in choices), reverse=True))
        peak = max(range(len(choices)), key=lambda k: choices[k]["figure"])
        self.assertEqual(by_folds["lambda"], choices[peak]["lambda"])
        self.assertLessEqual(len(choices) - 1 - peak, 2, "the walk ends behind its peak")

    def test_expansions_race_where_none_is_said(self):
        done = self.rank("train", TRAIN, "--model", self.path("m"), "--json")
        result = json.loads(done.out)
        figures = {}
        for row in result["choices"]:
            figures[row["variant"]] = max(row["figure"], figures.get(row["variant"], 0))
        self.assertEqual(set(figures), {"none", "binned:8", "trees:100,8"})
        best = max(figures, key=figures.get)
        self.assertIn(f"chose {best}, lambda = ", done.err)
        self.assertIn(f"expansion {best}", self.rank("inspect", "--model", self.path("m")).out)
        said = json.loads(self.rank("train", TRAIN, "--model", self.path("m"), "--json", "--quiet", "--expand", "binned:8").out)
        self.assertNotIn("variant", said["choices"][0])

    def test_report_and_history(self):
        self.train("--dev", DEV, "--report", self.path("r.html"), "--history", self.path("h"))
        page = self.read("r.html").decode()
        for word in ("NDCG@10", "Choice of settings", "Scores by query"):
            self.assertIn(word, page)
        self.assertIn("objective", json.loads(self.read("h").splitlines()[0]))
        self.rank("evaluate", TEST, "--model", self.path("m"), "--report", self.path("e.html"))
        self.assertIn("Scores by depth", self.read("e.html").decode())

    def test_inspect_names_what_raises_a_document(self):
        self.train()
        shown = json.loads(self.rank("inspect", "--model", self.path("m"), "--json").out)
        weights = {entry["feature"]: entry["weight"] for entry in shown["strongest"]}
        self.assertGreater(weights["1"], 0)
        self.assertLess(weights["4"], 0)
        self.assertIn("estimator map", self.rank("inspect", "--model", self.path("m")).out)


class Predict(RankTest):
    def test_ranks_agree_with_scores_and_with_evaluate(self):
        self.train()
        lines = [line.split("\t") for line in self.rank("predict", TEST, "--model", self.path("m")).out.splitlines()]
        self.assertEqual(len(lines), len(TEST.read_text().splitlines()))
        queries = {}
        for qid, place, score, note in lines:
            queries.setdefault(qid, []).append((int(place), float(score)))
            self.assertTrue(note.startswith(f"document {qid}-"))
        for documents in queries.values():
            documents.sort()
            self.assertEqual([place for place, _ in documents], list(range(1, len(documents) + 1)))
            self.assertEqual([s for _, s in documents], sorted((s for _, s in documents), reverse=True))
        firsts = self.rank("predict", TEST, "--model", self.path("m"), "--sorted").out.splitlines()
        self.assertEqual(firsts[0].split("\t")[1], "1")
        scores = self.rank("predict", TEST, "--model", self.path("m"), "--scores").out.split()
        self.assertEqual(scores, [line[2] for line in lines])

    def test_reads_ungraded_documents_from_standard_input(self):
        self.train()
        bare = "".join(line.split(" ", 1)[1] + "\n" for line in TEST.read_text().splitlines())
        done = self.rank("predict", "--model", self.path("m"), "--json", stdin=bare.encode())
        whole = self.rank("predict", TEST, "--model", self.path("m"), "--json")
        self.assertEqual(done.out, whole.out)
        first = json.loads(done.out.splitlines()[0])
        self.assertEqual(sorted(first), ["qid", "ranking"])

    def test_what_precedes_a_bad_line_is_written(self):
        self.train()
        text = TEST.read_text().splitlines()
        bad = self.write("bad", "\n".join([*text, "qid:next 1:1", "qid:bad 1:nan", *text]) + "\n")
        whole = self.rank("predict", TEST, "--model", self.path("m")).out
        for source in ({}, {"stdin": (self.folder / "bad").read_bytes()}):
            done = self.rank("predict", *([] if source else [bad]), "--model", self.path("m"), status=1, **source)
            self.assertEqual(done.out, whole)
            self.assertOneSentence(done.err)

    def test_per_query_figures_have_the_means(self):
        self.train()
        scores = self.evaluate("--per-query")
        mean = sum(q["ndcg@3"] for q in scores["per_query"]) / len(scores["per_query"])
        self.assertAlmostEqual(mean, scores["ndcg@3"])
        text = self.rank("evaluate", TEST, "--model", self.path("m"), "--per-query").out
        self.assertIn("query\tdocuments\trelevant", text)

    def test_variants_of_ndcg_are_named(self):
        self.train()
        figures = {v: self.evaluate("--ndcg", v) for v in ("standard", "letor", "linear")}
        self.assertEqual(figures["standard"]["ndcg@1"], figures["letor"]["ndcg@1"])
        self.assertNotEqual(figures["standard"]["ndcg@3"], figures["letor"]["ndcg@3"])
        self.assertEqual(figures["linear"]["variant"], "linear")


class BadInput(RankTest):
    def test_files_that_are_wrong(self):
        model = ["--model", self.path("m"), "--quiet"]
        apart = self.write("apart", "1 qid:1 1:2\n0 qid:2 1:1\n2 qid:1 1:1\n")
        self.refused("train", apart, *model, saying="apart:3: expected the documents of a query on consecutive lines")
        self.refused("train", self.write("nan", "1 qid:1 1:nan\n"), *model, saying="nan:1: column 9: expected a finite number")
        self.refused("train", self.write("half", "0.5 qid:1 1:1\n"), *model, saying="expected a grade")
        self.refused("train", self.write("none", "# nothing\n"), *model, saying="expected documents of queries, found none")
        self.refused("train", self.write("one", "1 qid:1 1:1\n0 qid:2 1:1\n"), *model, saying="documents of different grades")
        self.refused("train", self.path("absent"), *model, saying="absent")
        self.refused("evaluate", TEST, "--model", TRAIN, saying="train.txt")

    def test_calls_that_are_wrong(self):
        model = ["--model", self.path("m")]
        self.refused("train", TRAIN, *model, "--estimator", "max-margin", "--learner", "lbfgs", saying="gradient", status=2)
        self.refused("train", TRAIN, *model, "--expand", "binned:1", saying="unknown expansion", status=2)
        self.refused("train", TRAIN, *model, "--subsets", "many", saying="--subsets", status=2)
        self.refused("train", TRAIN, *model, "--select", "p@1", saying="--select is ", status=2)
        self.refused("train", TRAIN, *model, "--estimator", "map", "--loss", "svm", saying="--estimator map means the loss crf", status=2)
        self.refused("train", TRAIN, *model, "--learner", "mira", "--delta", 1, saying="--delta cannot be combined with the learner mira", status=2)
        self.refused("train", TRAIN, *model, "--learner", "perceptron", "--voters", 3, saying="--voters is not possible", status=2)
        self.refused("train", TRAIN, *model, "--cv", 3, "--lambda", 1, saying="nothing to choose", status=2)
        self.refused("train", TRAIN, *model, "--cv", 3, "--dev", DEV, saying="--dev and --cv cannot be combined", status=2)
        self.refused("train", self.path("absent"), *model, "--lambda", "1,2", "--c", 1, saying="give only one of them", status=2)
        self.rank("train", TRAIN, *model, "--size", "-3", status=2)

    def test_subsets_are_no_larger_than_the_largest_query(self):
        few = self.write("few", "".join(f"{d % 3} qid:{q} 1:{d}\n" for q in range(3) for d in range(4 + q)))
        said = self.rank("train", few, "--model", self.path("m"), "--size", 100).err
        self.assertIn("no query has more than 6 documents: --size 100 is as good as 6", said)
        said = self.rank("train", few, "--model", self.path("n"), "--size", 6).err
        self.assertNotIn("no query", said)
        self.assertEqual(self.read("m"), self.read("n"))

    def test_one_document_per_query_is_fine_to_evaluate(self):
        self.train()
        one = self.write("one", "2 qid:1 1:1\n0 qid:2 1:1\n")
        scores = self.evaluate(file=one)
        self.assertEqual((scores["ndcg@1"], scores["queries_without_relevant"]), (0.5, 1))
        self.assertEqual(self.evaluate("--empty", "skip", file=one)["ndcg@1"], 1)
        self.assertEqual(self.evaluate("--empty", "1", file=one)["ndcg@10"], 1)


if __name__ == "__main__":
    unittest.main()
