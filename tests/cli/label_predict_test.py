"""`trellis label predict`, `evaluate` and `inspect`, with models that were made beforehand."""

import gzip
import json
import subprocess
import unittest

from label_program import CENTRED, CHAIN, INDEPENDENT, PAIRWISE, TEST, LabelTest
from program import PROGRAM

HEADER = "@attribute x numeric\n@attribute y numeric\n@data\n"
ROWS = "1,2\n0,0\n2,0.5\n0.5,-1\n"

# The same instances with what they should be labelled.
LABELLED = """@relation r
@attribute y real
@attribute a {0,1}
@attribute x real
@attribute b {0,1}
@attribute c {0,1}
@data
2,1,1,1,0
0,0,0,0,1
0.5,1,2,0,0
-1,0,0.5,0,0
"""


class Prediction(LabelTest):
    def test_labels_with_tabs_a_line_for_each_instance(self):
        self.assertEqual(self.predict(HEADER + ROWS).out, "a\tb\tc\nc\na\n\n")

    def test_couplings_and_chains_change_what_is_given(self):
        self.assertEqual(self.predict(HEADER + "2,0.5\n", model=PAIRWISE).out, "a\tb\n")
        self.assertEqual(self.predict(HEADER + "2,0\n0,0\n", model=CHAIN).out, "a\tb\nc\n")

    def test_scores_stand_behind_their_labels(self):
        self.assertEqual(self.predict(HEADER + ROWS, "--scores").out.splitlines()[2], "a\t1.500000")
        lines = [json.loads(line) for line in self.predict(HEADER + ROWS, "--scores", "--json").out.splitlines()]
        self.assertEqual([line["instance"] for line in lines], [1, 2, 3, 4])
        self.assertEqual(lines[1], {"instance": 2, "labels": ["c"], "scores": {"a": -0.5, "b": -1, "c": 0.25}})
        self.assertEqual(json.loads(self.predict(HEADER + "0.5,-1\n", "--json").out), {"instance": 1, "labels": []})

    def test_output_does_not_depend_on_the_way_in(self):
        plain = self.write("d.arff", HEADER + ROWS)
        zipped = self.write("d.arff.gz", gzip.compress((HEADER + ROWS).encode()))
        sparse = self.write("s.arff", HEADER + "{0 1,1 2}\n{}\n{0 2, 1 0.5}\n{0 0.5,1 -1}\n")
        expected = self.predict(HEADER + ROWS, "--scores").out
        for file in (plain, zipped, sparse):
            for threads in (1, 3):
                done = self.label("predict", file, "--model", INDEPENDENT, "--scores", "--threads", threads)
                self.assertEqual(done.out, expected)
        self.label("predict", plain, "--model", INDEPENDENT, "--scores", "--output", self.path("o"))
        self.assertEqual(self.read("o").decode(), expected)

    def test_sparse_files_are_centred_like_dense_ones(self):
        dense = self.predict(HEADER + "1,2\n0,0\n", "--scores", "--json", model=CENTRED).out
        sparse = self.predict(HEADER + "{0 1,1 2}\n{}\n", "--scores", "--json", model=CENTRED).out
        self.assertEqual(dense, sparse)

    def test_labels_in_the_file_are_not_looked_at(self):
        self.assertEqual(self.predict(LABELLED).out, "a\tb\tc\nc\na\n\n")

    def test_nothing_in_nothing_out(self):
        self.assertEqual(self.predict("").out, "")
        self.assertEqual(self.predict(HEADER).out, "")

    def test_libsvm_without_labels_or_features_of_the_model(self):
        done = self.predict("7,8 3:1\n4:1\n")
        self.assertEqual(done.out, "c\nc\n")
        self.assertIn("none of the features (for example '3') is known to the model, which has features such as 'x'", done.err)
        self.assertEqual(self.predict("0:0\n").err, "")

    def test_bad_files_are_refused_with_their_line(self):
        self.refused("predict", "--model", INDEPENDENT, stdin=HEADER + "1\n", saying="<stdin>:4: expected 2 values")
        self.refused("predict", "--model", INDEPENDENT, stdin=HEADER + "1,nan\n", saying="<stdin>:4: ")
        self.refused("predict", TEST, "--model", INDEPENDENT, saying="trained with")

    def test_what_precedes_a_bad_line_is_written(self):
        for bad, rest in (("1\n", ":6: expected 2 values"), ("1,nan\n", ":6: ")):
            for file in ("-", self.write("d.arff", HEADER + "1,2\n0,0\n" + bad + ROWS)):
                done = self.label(
                    "predict", file, "--model", INDEPENDENT, stdin=HEADER + "1,2\n0,0\n" + bad + ROWS, status=1
                )
                self.assertEqual(done.out, "a\tb\tc\nc\n")
                self.assertIn(rest, done.err)
        done = self.label("predict", "--model", INDEPENDENT, stdin="3:1\n\n4:1\n", status=1)
        self.assertEqual(done.out, "c\n")
        self.assertIn("<stdin>:2: ", done.err)

    def test_what_is_piped_in_comes_out_at_once(self):
        command = [PROGRAM, "label", "predict", "--model", str(INDEPENDENT)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdin.write((HEADER + "1,2\n").encode())
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), b"a\tb\tc\n")
            process.stdin.close()
            self.assertEqual(process.stdout.read(), b"")

    def test_a_file_that_cannot_be_read_leaves_the_output_as_it_was(self):
        self.write("o", "before")
        self.refused(
            "predict", "--model", INDEPENDENT, "--output", self.path("o"), stdin=HEADER + "1,2\n1\n", saying="<stdin>:5"
        )
        self.assertEqual(self.read("o"), b"before")


class Evaluation(LabelTest):
    def test_figures(self):
        scores = self.evaluate(self.write("d.arff", LABELLED), "--beta", "2")
        # c is given once too often: precision 1/2, recall 1.
        self.assertAlmostEqual(scores["macro_f1"], (1 + 1 + 2 / 3) / 3)
        self.assertAlmostEqual(scores["macro_f_beta"], (1 + 1 + 5 / 6) / 3)
        self.assertAlmostEqual(scores["micro_f1"], 8 / 9)
        self.assertAlmostEqual(scores["example_f1"], (0.8 + 1 + 1 + 1) / 4)
        self.assertAlmostEqual(scores["hamming"], 1 / 12)
        self.assertEqual(scores["subset_accuracy"], 0.75)
        self.assertEqual(scores["ranking_loss"], 0)
        self.assertEqual([row["label"] for row in scores["labels"]], ["a", "b", "c"])
        self.assertEqual(scores["labels"][2]["precision"], 0.5)

    def test_at_threshold_0(self):
        scores = self.evaluate(self.write("d.arff", LABELLED), "--at-threshold-0")
        self.assertAlmostEqual(scores["labels"][0]["precision"], 2 / 3)  # a is x above 0 now

    def test_a_table_for_readers(self):
        out = self.label("evaluate", self.write("d.arff", LABELLED), "--model", INDEPENDENT, "--beta", "2").out
        for words in ("4 instances, 3 labels", "macro", "micro", "example", "F_2", "Hamming loss      0.0833", "label"):
            self.assertIn(words, out)
        short = self.label("evaluate", self.path("d.arff"), "--model", INDEPENDENT, "--label-rows", "1").out
        self.assertIn("2 labels that occur less often", short)

    def test_empty_truth_and_empty_predictions_agree(self):
        scores = self.evaluate(self.write("d", "3:1\n3:2\n"), model=CHAIN)
        self.assertLess(scores["macro_f1"], 1)  # the chain gives c
        truth = LABELLED.split("@data")[0] + "@data\n-1,0,0.5,0,0\n"
        scores = self.evaluate(self.write("d.arff", truth))
        for key in ("macro_f1", "micro_f1", "example_f1", "subset_accuracy"):
            self.assertEqual(scores[key], 1)

    def test_labels_that_the_model_does_not_have_are_missed(self):
        file = self.write("d.svm", "c,new 3:1\nc 3:1\n")
        done = self.label("evaluate", file, "--model", INDEPENDENT, "--json")
        self.assertIn("no label 'new'", done.err)
        scores = json.loads(done.out)
        self.assertEqual(scores["unseen_labels"], ["new"])
        self.assertAlmostEqual(scores["macro_present_f1"], 0.5)
        self.assertGreater(scores["ranking_loss"], 0)

    def test_labels_must_be_there(self):
        file = self.write("d.arff", HEADER + ROWS)
        self.refused("evaluate", file, "--model", INDEPENDENT, saying="none for 'a'")
        self.refused("evaluate", self.write("e", ""), "--model", INDEPENDENT, saying="expected instances")
        self.refused(
            "evaluate", self.write("f", LABELLED.replace("2,1,1,1,0", "2,?,1,1,0")), "--model", INDEPENDENT,
            saying="f:8: expected 0 or 1 for the label 'a', found a missing value",
        )

    def test_a_wrong_call_has_status_2(self):
        for arguments in (["--beta", "0"], ["--beta", "-1"], ["--label-rows", "-1"], ["--nonsense"]):
            self.label("evaluate", TEST, "--model", INDEPENDENT, *arguments, status=2)
        self.label("evaluate", TEST, status=2)

    def test_a_page(self):
        for model in (INDEPENDENT, PAIRWISE, CHAIN):
            self.label(
                "evaluate", self.write("d.arff", LABELLED), "--model", model, "--report", self.path("r.html"), "--quiet"
            )
            page = self.read("r.html").decode()
            self.assertIn("Scores by label", page)
            self.assertEqual("Weights between labels" in page, model != INDEPENDENT)
        self.refused(
            "evaluate", self.path("d.arff"), "--model", INDEPENDENT, "--report", self.path("no/r.html"), saying="no/r.html"
        )


class Inspection(LabelTest):
    def test_features_thresholds_and_couplings(self):
        json_of = lambda model, *more: json.loads(self.label("inspect", "--model", model, "--json", *more).out)
        view = json_of(INDEPENDENT)
        self.assertEqual(view["form"], "independent")
        self.assertEqual(view["labels"][0]["threshold"], 0.5)
        self.assertEqual(view["labels"][1]["constant"], -1)
        self.assertEqual(view["labels"][2]["against"], [{"feature": "x", "weight": -1}])
        self.assertEqual(view["couplings"], [])
        self.assertEqual(
            json_of(PAIRWISE)["couplings"],
            [{"from": "a", "to": "b", "weight": 1}, {"from": "b", "to": "c", "weight": 0.25}],
        )
        chain = json_of(CHAIN)
        self.assertEqual(chain["order"], ["c", "a", "b"])
        self.assertEqual(chain["chain_weights"][0], {"from": "c", "to": "a", "weight": -3})
        self.assertEqual(json_of(INDEPENDENT, "--top", "0")["labels"][0]["for"], [])

    def test_as_text(self):
        self.assertIn("a – b", self.label("inspect", "--model", PAIRWISE).out)
        self.assertIn("the chain: c a b", self.label("inspect", "--model", CHAIN).out)


if __name__ == "__main__":
    unittest.main()
