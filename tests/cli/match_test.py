"""`trellis match` as its users meet it: graphs, shapes, reports, and what it says when something is wrong."""

import json
import shutil
import unittest

from match_program import CREATURES, MatchTest, graphs


class Graphs(MatchTest):
    def test_both_estimators_learn_and_say_how_well(self):
        self.write("train.txt", graphs(20))
        self.write("test.txt", graphs(30, seed=2))
        for estimator in ("map", "max-margin"):
            result = self.train_json(self.path("train.txt"), "--estimator", estimator)
            for key in ("objective", "bound", "gap", "epochs", "seconds", "lambda"):
                self.assertIn(key, result)
            scores = self.evaluate(self.path("test.txt"))
            self.assertLess(scores["hamming"], 15)
            self.assertEqual(scores["nodes"], 120)
            self.assertEqual(len(scores["per_graph"]), 30)

    def test_predictions_are_the_matches_of_each_graph(self):
        self.write("train.txt", graphs(20, noise=0.05))
        self.match("train", self.path("train.txt"), "--model", self.path("m"), "--estimator", "map")
        self.write("q.txt", "graph q 2 3\n0 0 0 1\n0 2 1 0\n1 1 1 0\n1 2 0 1\n")
        lines = self.match("predict", self.path("q.txt"), "--model", self.path("m")).out.splitlines()
        self.assertTrue(lines[0].startswith("graph q 2 3 score "))
        self.assertEqual([line.split()[:2] for line in lines[1:3]], [["0", "2"], ["1", "1"]])
        self.assertEqual(lines[3], "")

    def test_k_best_and_probabilities_agree(self):
        self.write("train.txt", graphs(20))
        self.match("train", self.path("train.txt"), "--model", self.path("m"), "--estimator", "map")
        self.write("q.txt", graphs(1, size=3, seed=7))
        call = ("predict", self.path("q.txt"), "--model", self.path("m"), "--k-best", 10, "--marginals")
        graph = json.loads(self.match(*call, "--json").out)["graphs"][0]
        self.assertEqual(len(graph["matchings"]), 6)
        self.assertAlmostEqual(sum(m["probability"] for m in graph["matchings"]), 1, places=9)
        scores = [m["score"] for m in graph["matchings"]]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertEqual(self.match(*call).out.count("graph g0 3 3 score"), 6)

    def test_lambda_is_chosen_by_held_out_data(self):
        self.write("train.txt", graphs(12))
        self.write("dev.txt", graphs(12, seed=3))
        by_dev = self.train_json(self.path("train.txt"), "--dev", self.path("dev.txt"), "--lambda", "1,0.1,0.01")
        self.assertEqual([c["lambda"] for c in by_dev["choices"]], [1, 0.1, 0.01])
        self.assertEqual({round(c["hamming"] + c["figure"], 9) for c in by_dev["choices"]}, {100})
        self.assertIn("hamming", by_dev["dev"])
        by_folds = self.train_json(self.path("train.txt"), "--cv", 3)
        self.assertIn(by_folds["lambda"], [c["lambda"] for c in by_folds["choices"]])

    def test_reports_and_inspection(self):
        self.write("train.txt", graphs(12))
        self.match("train", self.path("train.txt"), "--model", self.path("m"), "--report", self.path("t.html"), "--quiet")
        self.match("evaluate", self.path("train.txt"), "--model", self.path("m"), "--report", self.path("e.html"))
        for name in ("t.html", "e.html"):
            self.assertIn(b"Hamming error", self.read(name))
        shown = json.loads(self.match("inspect", "--model", self.path("m"), "--json").out)
        self.assertEqual(shown["input"], "graphs")
        self.assertGreater(shown["features"][0]["weight"], 0)
        self.assertIn("estimator", self.match("inspect", "--model", self.path("m")).out)

    def test_bad_graphs_are_refused_with_their_line(self):
        good = graphs(2, size=2)
        for bad, message in (
            (good.replace("0 1", "0 2", 1), "g.txt:"),
            (good.replace(" *", "", 1), "expected a true match, marked with '*', for each of the 2 nodes"),
            (good.replace("graph g1", "graph g0"), "expected each graph name once in a file"),
            ("graph a 1 1\n0 0 * nan\n", "g.txt:2: expected a feature, a finite number"),
            ("graph a 1 1\n0 0 * 1\n0 0 1\n", "g.txt:3: the edge 0 0 occurs twice"),
            ("", "expected a graph ('graph NAME LEFT RIGHT'), found none"),
        ):
            self.write("g.txt", bad)
            self.refused("train", self.path("g.txt"), "--model", self.path("m"), saying=message)

    def test_a_graph_that_cannot_be_covered_is_refused(self):
        self.write("train.txt", graphs(3))
        self.match("train", self.path("train.txt"), "--model", self.path("m"))
        self.write("q.txt", "graph q 2 2\n0 0 1 0\n1 0 1 0\n")
        self.refused("predict", self.path("q.txt"), "--model", self.path("m"), saying="q.txt:1: no matching of the edges of 'q' covers")

    def test_wrong_calls(self):
        train = self.write("train.txt", graphs(3))
        call = ("train", train, "--model", self.path("m"))
        self.refused(*call, "--estimator", "max-margin", "--learner", "lbfgs", saying="lbfgs needs a gradient", status=2)
        self.refused(*call, "--estimator", "map", "--loss", "svm", saying="--estimator map means the loss crf", status=2)
        self.refused(*call, "--cover", "partial", "--estimator", "map", saying="--cover partial", status=2)
        self.refused(*call, "--lambda", "0", saying="--lambda is '0': expected a number above 0", status=2)
        self.refused(*call, "--draws", "5", saying="--draws cannot be combined with the learner bmrm", status=2)
        self.refused(*call, "--estimator", "distance", saying="requires pairs of shapes", status=2)
        self.refused("train", "--pairs", CREATURES / "train.list", "--model", self.path("m"), "--estimator", "distance", "--epochs", 3,
                     saying="--estimator distance learns nothing: it cannot be combined with --epochs", status=2)
        # Before any file is read.
        self.refused("train", "no-such-file", "--model", self.path("m"), "--learner", "bmrm", "--k", 3, saying="--k cannot be combined with the learner bmrm", status=2)
        self.match(*call, "--quiet")
        self.refused("predict", "--model", self.path("m"), saying="expected files, or --pair LEFT RIGHT", status=2)
        self.refused("predict", "--pair", "a", "b", "--model", self.path("m"), saying="--pair requires a model of shapes", status=2)
        big = self.write("big.txt", graphs(1, size=25))
        self.refused("train", big, "--model", self.path("m"), "--estimator", "map", saying="exact up to 24 nodes", status=2)
        self.refused("predict", big, "--model", self.path("m"), "--marginals", saying="only possible up to 24 nodes", status=2)

    def test_every_learner_is_reachable(self):
        train = self.write("train.txt", graphs(6, size=3))
        test = self.write("test.txt", graphs(30, size=3, seed=2))
        for learner, loss, *dials in (
            ("lbfgs", "crf"),
            ("lbfgs", "softmax-margin"),
            ("dca", "crf"),
            ("dca", "svm"),
            ("dca", "svm", "--dual", "stored"),
            ("dca", "crf", "--dual", "stored"),
            ("sgd", "crf"),
            ("sgd", "crf", "--draws", 5),
            ("sgd", "svm"),
            ("perceptron", "perceptron"),
            ("perceptron", "svm"),
            ("mira", "svm"),
            ("bcfw", "svm"),
            ("bcfw", "crf"),
            ("bmrm", "svm"),
            ("bmrm", "softmax-margin"),
            ("extragradient", "svm", "--geometry", "entropic"),
            ("extragradient", "svm", "--geometry", "euclidean"),
            ("extragradient", "svm", "--radius", 3),
            ("projected-gradient", "svm"),
            ("structured-smo", "svm"),
            ("qp", "svm"),
        ):
            held = [] if learner == "perceptron" or "--radius" in dials else ["--lambda", 0.1]
            result = self.train_json(train, "--learner", learner, "--loss", loss, *dials, *held)
            self.assertEqual((result["learner"], result["loss"]), (learner, loss))
            self.assertLess(self.evaluate(test)["hamming"], 25, learner)
        # The names of flat labels are of no use here.
        self.match("train", train, "--model", self.path("m"), "--learner", "smo", status=2)

    def test_any_number_can_be_chosen(self):
        self.write("train.txt", graphs(12))
        result = self.train_json(self.path("train.txt"), "--learner", "mira", "--k", "1,3", "--c", "0.1,1", "--cv", 3)
        self.assertEqual(len(result["choices"]), 4)
        self.assertIn("over 3 folds", result["chosen_by"])
        result = self.train_json(self.path("train.txt"), "--path", "--estimator", "max-margin")
        self.assertEqual([row["lambda"] for row in result["choices"]], [100, 10, 1, 0.1, 0.01, 0.001, 0.0001])

    def test_the_dev_set_stops_training(self):
        self.write("train.txt", graphs(12, noise=1))
        self.write("dev.txt", graphs(12, seed=3, noise=1))
        result = self.train_json(self.path("train.txt"), "--dev", self.path("dev.txt"), "--learner", "perceptron", "--patience", 2, "--epochs", 50)
        self.assertLess(result["epochs"], 50)
        self.assertIn("hamming", result["dev"])
        self.assertNotIn("choices", result)

    def test_what_precedes_a_bad_graph_is_written(self):
        self.write("train.txt", graphs(6))
        self.match("train", self.path("train.txt"), "--model", self.path("m"), "--estimator", "map")
        good = graphs(200, seed=5)
        whole = self.match("predict", self.write("good.txt", good), "--model", self.path("m")).out
        bad = good.replace("graph g150 4 4", "graph g150 4", 1)
        call = ("predict", self.write("bad.txt", bad), "--model", self.path("m"))
        line = bad[:bad.index("graph g150")].count("\n") + 1
        for threads in (1, 4):
            done = self.match(*call, "--threads", threads, status=1)
            self.assertEqual(done.out, whole[:whole.index("graph g150 ")])
            self.assertIn(f"bad.txt:{line}: expected 'graph NAME LEFT RIGHT'", done.err)
        # From a pipe as from a file; a file that was asked for is not written at all.
        self.assertEqual(self.match("predict", "-", "--model", self.path("m"), stdin=good).out, whole)
        self.match(*call, "--output", self.path("out.txt"), status=1)
        self.assertNotIn("out.txt", self.files())


class Shapes(MatchTest):
    def test_silhouettes_with_points_are_learned_from(self):
        result = self.train_json("--pairs", CREATURES / "train.list", "--dev", CREATURES / "dev.list", "--lambda", "10,1")
        self.assertEqual(result["weights"], 60)
        self.assertEqual(result["nodes"], 20 * result["examples"])
        self.assertLess(self.evaluate(CREATURES / "test.list")["hamming"], 40)

    def test_reports_draw_the_pairs(self):
        self.match("train", "--pairs", CREATURES / "train.list", "--model", self.path("m"), "--estimator", "distance",
                   "--report", self.path("t.html"))
        self.assertEqual(self.read("t.html").count(b'role="img" aria-label="Matching of'), 6)

    def test_what_weights_are_held_to(self):
        pairs = ("--pairs", CREATURES / "train.list")
        chosen = self.train_json(*pairs)
        self.assertIn(chosen["centre"], ("unlearned", "none"))
        self.assertEqual({choice["variant"] for choice in chosen["choices"]}, {"centre unlearned", "centre none"})
        done = self.match("train", *pairs, "--centre", "unlearned", "--lambda", 1e9, "--model", self.path("strong"))
        self.assertIn("without learning, on the training set: Hamming error", done.err)
        self.match("train", *pairs, "--estimator", "distance", "--model", self.path("distance"))
        predicted = [
            [line.split()[:2] for line in self.match("predict", CREATURES / "dev.list", "--model", self.path(model)).out.splitlines()]
            for model in ("strong", "distance")
        ]
        self.assertEqual(*predicted)
        self.assertIn("centre unlearned", self.match("inspect", "--model", self.path("strong")).out)
        # A model of the same features is adapted, and no other.
        adapted = self.train_json(*pairs, "--centre", self.path("strong"), "--lambda", 0.1)
        self.assertEqual(adapted["centre"], self.path("strong"))
        call = ("train", *pairs, "--model", self.path("n"))
        self.refused(*call, "--centre", self.path("strong"), "--rings", 3, saying="other shape contexts", status=2)
        self.refused(*call, "--centre", self.path("nowhere"), saying="nowhere")
        self.refused(*call, "--centre", "none", "--estimator", "distance", saying="learns nothing", status=2)
        self.refused(*call, "--centre", "unlearned", "--cover", "partial", saying="--centre none", status=2)

    def test_pictures_without_points_are_matched_but_not_learned_from(self):
        shutil.copy(CREATURES / "creature01.png", self.path("a.png"))
        shutil.copy(CREATURES / "creature02.png", self.path("b.png"))
        self.write("ab.list", "a.png b.png\n")
        self.refused("train", "--pairs", self.path("ab.list"), "--model", self.path("m"), saying="ab.list:1: expected the points of")
        self.match("train", "--pairs", CREATURES / "train.list", "--model", self.path("m"), "--points", 12)
        done = self.match("predict", "--pair", self.path("a.png"), self.path("b.png"), "--model", self.path("m"), "--json")
        matches = json.loads(done.out)["graphs"][0]["matchings"][0]["matches"]
        self.assertEqual(len(matches), 12)
        self.assertEqual(sorted(m["right"] for m in matches), list(range(12)))
        self.assertEqual(len(matches[0]["left_point"]), 2)

    def test_what_precedes_a_bad_pair_is_written(self):
        self.match("train", "--pairs", CREATURES / "train.list", "--model", self.path("m"), "--estimator", "distance")
        pairs = [f"{CREATURES}/creature0{a}.png {CREATURES}/creature0{b}.png\n" for a, b in ((1, 2), (2, 3), (1, 3))]
        whole = self.match("predict", self.write("good.list", "".join(pairs)), "--model", self.path("m")).out
        self.assertEqual(whole.count("graph "), 3)
        bad = self.write("bad.list", "".join(pairs[:2]) + "lonely\n" + pairs[2])
        done = self.match("predict", bad, "--model", self.path("m"), status=1)
        self.assertTrue(whole.startswith(done.out))
        self.assertEqual(done.out.count("graph "), 2)
        self.assertIn("bad.list:3: expected two shapes", done.err)

    def test_frames_and_point_files(self):
        points = [(0, 0), (4, 1), (1, 5), (7, 2), (3, 9)]
        rows = ["frame\tpoint\tx\ty"]
        for frame in range(4):
            rows += [f"{frame}\t{p}\t{x + 0.1 * frame * y}\t{y}" for p, (x, y) in enumerate(points)]
        self.write("f.tsv", "\n".join(rows) + "\n")
        self.write("p.txt", "".join(f"{x} {y}\n" for x, y in points))
        self.write("train.list", "f.tsv#0 f.tsv#1\nf.tsv#1 f.tsv#2\n# the other kind\np.txt f.tsv#3\n")
        self.match("train", "--pairs", self.path("train.list"), "--model", self.path("m"))
        self.assertEqual(self.evaluate(self.path("train.list"))["hamming"], 0)
        self.write("bad.list", "f.tsv#0 f.tsv#9\n")
        self.refused("evaluate", self.path("bad.list"), "--model", self.path("m"), saying="the file does not have the frame")
        self.write("bad.list", "f.tsv#0\n")
        self.refused("evaluate", self.path("bad.list"), "--model", self.path("m"), saying="bad.list:1: expected two shapes")

    def test_points_without_a_partner_need_partial_matchings(self):
        self.write("a.txt", "0 0 0\n1 5 1\n2 3 7\n9 40 40\n")
        self.write("b.txt", "0 0 0\n1 5 1\n2 3 7\n8 -30 9\n")
        self.write("ab.list", "a.txt b.txt\n")
        call = ("train", "--pairs", self.path("ab.list"), "--model", self.path("m"))
        self.refused(*call, saying="--cover partial")
        self.match(*call, "--cover", "partial")
        self.assertIn("bias", self.match("inspect", "--model", self.path("m"), "--top", 100).out)

    def test_a_picture_of_one_colour_is_refused(self):
        self.write("a.pgm", b"P5 3 2 255\n\0\0\0\0\0\0")
        self.write("aa.list", "a.pgm a.pgm\n")
        self.refused("train", "--pairs", self.path("aa.list"), "--model", self.path("m"), saying="a.pgm: the picture has only one colour")


if __name__ == "__main__":
    unittest.main()
