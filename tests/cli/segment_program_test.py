"""`trellis segment` as its users meet it: pictures, graphs, reports, and what it says when something is wrong."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

from program import held, PROGRAM, ProgramTest, SOURCE

BLOBS = SOURCE / "data" / "blobs"

GRAPH = "graph a 4 3\n1 1.5\n1 1\n0 -1\n0 -2\n0 1 1\n1 2 0\n2 3 1\ngraph b 2 1\n1 2\n0 -1\n0 1 0\n"


class SegmentTest(ProgramTest):
    TASK = "segment"
    segment = ProgramTest.run_program

    def train(self, *arguments, model="m", epochs=10):
        return self.segment("train", BLOBS / "train.list", "--model", self.path(model), "--epochs", epochs, *arguments,
                            *held(arguments, "--c", 30))


class Losses(SegmentTest):
    def test_who_names_a_loss_hears_of_the_loss(self):
        call = ("train", BLOBS / "train.list", "--model", self.path("m"))
        for loss in ("crf", "softmax-margin"):
            done = self.refused(*call, "--loss", loss, saying=f"--loss {loss} requires sums over all cuts", status=2)
            self.assertNotIn("lbfgs", done.err)
        self.refused(*call, "--learner", "lbfgs", saying="lbfgs cannot train this", status=2)


class Pictures(SegmentTest):
    def test_train_evaluate_predict_and_inspect(self):
        result = json.loads(self.train("--dev", BLOBS / "dev.list", "--json", "--certify").out)
        for key in ("objective", "bound", "gap", "epochs", "seconds"):
            self.assertIn(key, result)
        scores = json.loads(self.segment("evaluate", BLOBS / "test.list", "--model", self.path("m"), "--json").out)
        self.assertLess(scores["pixel_error"], 10)
        self.assertGreater(scores["iou"], 60)
        self.segment("predict", BLOBS / "test.list", "--model", self.path("m"), "--output", self.path("out"), "--overlay")
        self.assertEqual(
            sorted(os.listdir(self.path("out"))),
            ["blob11.mask.png", "blob11.overlay.png", "blob12.mask.png", "blob12.overlay.png"],
        )
        weights = json.loads(self.segment("inspect", "--model", self.path("m"), "--json").out)
        self.assertTrue(all(w["weight"] >= 0 for w in weights["edge_features"]))

    def test_predicted_masks_score_what_evaluate_says(self):
        self.train()
        self.segment("predict", BLOBS / "test.list", "--model", self.path("m"), "--output", self.path("out"))
        scores = json.loads(self.segment("evaluate", BLOBS / "test.list", "--model", self.path("m"), "--json").out)
        # The predictions as the truth: no error.
        self.write("own.list", "".join(f"{BLOBS}/blob{n}.png {self.path('out')}/blob{n}.mask.png\n" for n in (11, 12)))
        own = json.loads(self.segment("evaluate", self.path("own.list"), "--model", self.path("m"), "--json").out)
        self.assertEqual(own["pixel_error"], 0)
        self.assertGreater(scores["pixel_error"], 0)

    def test_small_scale_predicts_in_full_size(self):
        self.train("--scale", 0.5)
        scores = json.loads(self.segment("evaluate", BLOBS / "test.list", "--model", self.path("m"), "--json").out)
        self.assertEqual(scores["pixels"], 2 * 48 * 36)

    def test_threads_do_not_change_a_byte(self):
        self.train("--threads", 1, model="a")
        self.train("--threads", 4, model="b")
        self.assertEqual(pathlib.Path(self.path("a")).read_bytes(), pathlib.Path(self.path("b")).read_bytes())

    def test_masks_that_precede_a_bad_picture_are_written(self):
        self.train(epochs=1)
        os.mkdir(self.path("in"))
        for n in ("01", "02", "04"):
            shutil.copy(BLOBS / f"blob{n}.png", self.path("in"))
        self.write("in/blob03.png", "nothing of the kind")
        for threads in (1, 2, 7):
            out = self.path(f"out{threads}")
            call = ("predict", self.path("in"), "--model", self.path("m"), "--output", out, "--threads", threads)
            self.refused(*call, saying="blob03.png: expected a PNG")
            self.assertEqual(sorted(os.listdir(out)), ["blob01.mask.png", "blob02.mask.png"])

    def test_reports_hold_pictures(self):
        self.train("--dev", BLOBS / "dev.list", "--report", self.path("train.html"))
        self.segment("evaluate", BLOBS / "test.list", "--model", self.path("m"), "--report", self.path("test.html"))
        for name in ("train.html", "test.html"):
            page = pathlib.Path(self.path(name)).read_text(encoding="utf-8")
            self.assertEqual(page.count("data:image/png;base64,"), 2)

    def test_directories_are_read_whole(self):
        for n in ("01", "02"):
            shutil.copy(BLOBS / f"blob{n}.png", self.folder)
            shutil.copy(BLOBS / f"blob{n}.mask.png", self.folder)
        result = json.loads(self.segment("train", self.folder, "--model", self.path("m"), "--epochs", 2, "--json").out)
        self.assertEqual(result["examples"], 2)


class Learners(SegmentTest):
    CELLS = (
        ("perceptron", "--epochs", 2),
        ("sgd", "--epochs", 2),
        ("dca", "--dual", "stored", "--epochs", 2),
        ("bmrm", "--epochs", 2),
        ("bcfw", "--epochs", 2),
        ("extragradient", "--geometry", "euclidean", "--epochs", 2),
        ("projected-gradient", "--epochs", 2),
        ("qp",),
    )

    def test_each_of_them_trains_what_evaluate_loads(self):
        self.write("g.txt", GRAPH)
        for learner, *dials in self.CELLS:
            call = ("train", "--graph", self.path("g.txt"), "--model", self.path("m"), "--learner", learner, *dials)
            result = json.loads(self.segment(*call, "--json", "--threads", 1).out)
            self.assertEqual(result["learner"], learner)
            self.segment("evaluate", "--graph", self.path("g.txt"), "--model", self.path("m"))

    def test_c_is_chosen_by_folds_or_by_the_dev_set(self):
        for held_out in (("--cv", 3), ("--dev", BLOBS / "dev.list")):
            result = json.loads(self.train("--c", "0.0001,30", *held_out, "--json", epochs=5).out)
            self.assertEqual([row["c"] for row in result["choices"]], [0.0001, 30])
            self.assertEqual(result["dials"]["c"], 30)
            self.assertGreater(result["choices"][1]["figure"], result["choices"][0]["figure"])


class Graphs(SegmentTest):
    def test_labels_go_to_standard_output(self):
        self.write("g.txt", GRAPH)
        self.segment("train", "--graph", self.path("g.txt"), "--model", self.path("m"), "--learner", "bmrm", "--gap", 1e-3)
        done = self.segment("predict", "--graph", self.path("g.txt"), "--model", self.path("m"))
        self.assertEqual(done.out, "graph a 4\n1\n1\n0\n0\ngraph b 2\n1\n0\n")

    def test_unknown_labels_are_predicted(self):
        self.write("g.txt", GRAPH)
        self.write("q.txt", GRAPH.replace("1 1.5", "? 1.5"))
        self.segment("train", "--graph", self.path("g.txt"), "--model", self.path("m"))
        self.segment("predict", "--graph", self.path("q.txt"), "--model", self.path("m"))
        self.refused("evaluate", "--graph", self.path("q.txt"), "--model", self.path("m"), saying="q.txt:2: expected a known label")

    def test_what_precedes_a_bad_graph_is_predicted(self):
        self.write("g.txt", GRAPH)
        self.segment("train", "--graph", self.path("g.txt"), "--model", self.path("m"), "--learner", "bmrm", "--gap", 1e-3)
        self.write("bad.txt", GRAPH + "graph c 1 0\n1 nothing\n")
        for threads in (1, 2, 7):
            call = ("predict", "--graph", self.path("bad.txt"), "--model", self.path("m"), "--threads", threads)
            done = self.refused(*call, saying="bad.txt:14: expected a feature")
            self.assertEqual(done.out, "graph a 4\n1\n1\n0\n0\ngraph b 2\n1\n0\n")

    def test_graphs_that_are_piped_in_come_out_at_once(self):
        self.write("g.txt", GRAPH)
        self.segment("train", "--graph", self.path("g.txt"), "--model", self.path("m"), "--learner", "bmrm", "--gap", 1e-3)
        process = subprocess.Popen(
            [PROGRAM, "segment", "predict", "--graph", "-", "--model", self.path("m")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        process.stdin.write(b"graph one 1 0\n? 3\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b"graph one 1\n")
        self.assertEqual(process.stdout.readline(), b"1\n")
        self.assertEqual(process.communicate()[0], b"")
        self.assertEqual(process.returncode, 0)

    def test_bad_graphs_are_refused_with_their_line(self):
        call = ("train", "--graph", self.path("g.txt"), "--model", self.path("m"))
        for bad, message in (
            (GRAPH.replace("0 1 1", "0 1 -1"), "g.txt:6: expected edge features of at least 0 (required by submodularity)"),
            (GRAPH.replace("1 1.5", "1 nan"), "g.txt:2: expected a feature, a finite number"),
            (GRAPH.replace("2 3 1", "1 0 1"), "g.txt:8: the edge between nodes 0 and 1"),
            (GRAPH.replace("2 3 1", "3 3 1"), "an edge leads from node 3 to itself"),
            (GRAPH.replace("a 4 3", "a 0 0"), "has no nodes"),
            (GRAPH.replace("4 3", "4 2").replace("2 3 1\n", ""), "expected a connected graph"),
        ):
            self.write("g.txt", bad)
            self.refused(*call, saying=message)
        self.segment(*call, "--allow-disconnected")


class Mistakes(SegmentTest):
    def test_masks_of_another_size(self):
        shutil.copy(BLOBS / "blob01.png", self.path("a.png"))
        self.write("a.mask.pgm", b"P5 3 2 255\n\0\0\0\0\0\0")
        self.refused("train", self.path("a.png"), "--model", self.path("m"), saying="48 x 36")

    def test_pictures_without_masks(self):
        shutil.copy(BLOBS / "blob01.png", self.path("a.png"))
        self.refused("train", self.path("a.png"), "--model", self.path("m"), saying="expected the mask a.mask.png next to the picture")

    def test_what_is_no_picture(self):
        self.write("a.png", "nothing of the kind")
        self.write("a.mask.png", "neither")
        self.refused("train", self.path("a.png"), "--model", self.path("m"), saying="a.png: expected a PNG, PGM or PPM picture")

    def test_empty_directories_and_lists(self):
        os.mkdir(self.path("none"))
        self.write("empty.list", "# nothing\n")
        self.refused("train", self.path("none"), "--model", self.path("m"), saying="expected pictures NAME.png")
        self.refused("train", self.path("empty.list"), "--model", self.path("m"), saying="expected pictures in the list, found none")

    def test_wrong_calls(self):
        self.refused("train", BLOBS / "train.list", "--model", self.path("m"), "--scale", 3, saying="the scale must be", status=2)
        # These are refused before any file is read.
        call = ("train", self.path("there is no such file"), "--model", self.path("m"))
        self.refused(*call, "--radius", 3, saying="--radius cannot be combined with the learner bcfw: it requires extragradient", status=2)
        self.refused(*call, "--learner", "perceptron", "--c", 3, saying="--c cannot be combined with the learner perceptron", status=2)
        self.refused(*call, "--loss", "crf", saying="requires sums over all cuts", status=2)
        self.refused(*call, "--learner", "dca", "--dual", "online", saying="must be >= 0", status=2)
        self.refused(*call, "--learner", "extragradient", "--geometry", "entropic", saying="--geometry entropic requires", status=2)
        self.refused(*call, "--learner", "lbfgs", saying="a smooth loss requires sums over outputs", status=2)
        self.refused(*call, "--learner", "mira", saying="no search for the k best outputs of this structure", status=2)
        self.refused(*call, "--learner", "smo", saying="it requires flat labels", status=2)
        self.refused(*call, "--learner", "structured-smo", saying="determined by the parts they do not contain", status=2)
        self.refused(*call, "--learner", "none", saying="unknown learner 'none'", status=2)
        self.refused(*call, "--k", 3, saying="--k cannot be combined with the learner bcfw: it requires mira", status=2)
        self.refused(*call, "--learner", "perceptron", "--voters", 3, saying="--voters is not possible", status=2)
        self.refused(*call, "--c", "1,10", "--lambda", 1, saying="give only one of them", status=2)
        self.train(epochs=1)
        self.refused("predict", BLOBS / "test.list", "--model", self.path("m"), saying="--output", status=2)
        self.refused("predict", "--graph", BLOBS / "test.list", "--model", self.path("m"), saying="trained on pictures", status=2)
        self.refused(
            "predict", BLOBS / "test.list", "--model", self.path("m"), "--output", BLOBS, saying="would replace the mask", status=2
        )


if __name__ == "__main__":
    unittest.main()
