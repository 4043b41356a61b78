"""Prediction, evaluation, inspection and explanation, as a user sees them."""

import gzip
import json
import math
import os
import re
import select
import shutil
import subprocess
import time
import unittest

from tag_program import TagTest, last_fields, sentences
from program import PROGRAM


def without_labels(text):
    return "".join(" ".join(line.split()[:-1]) + "\n" for line in text.splitlines())


class PredictTest(TagTest):
    def setUp(self):
        super().setUp()
        self.train_model(epochs=20)


class Lines(PredictTest):
    def test_the_label_is_a_further_column(self):
        text = sentences("test.txt", 5)
        labelled = self.predict(text).out
        for before, after in zip(text.splitlines(), labelled.splitlines()):
            self.assertRegex(after, "^" + re.escape(before) + (r" [BIO]\S*$" if before else "$"))

    def test_the_label_column_may_be_missing(self):
        text = sentences("test.txt", 5)
        self.assertEqual(
            last_fields(self.predict(text).out), last_fields(self.predict(without_labels(text)).out)
        )

    def test_tabs_stay_tabs(self):
        self.assertRegex(self.predict("Lima\tPROPN\n\n").out, "^Lima\tPROPN\t[^\t]+\n\n$")

    def test_windows_line_ends_are_read(self):
        text = sentences("test.txt", 3)
        self.assertEqual(self.predict(text.replace("\n", "\r\n")).out, self.predict(text).out)

    def test_the_last_line_may_lack_its_end(self):
        text = sentences("test.txt", 2)
        self.assertEqual(self.predict(text.rstrip("\n")).out, self.predict(text).out.rstrip("\n") + "\n")
        self.assertEqual(self.predict("Lima PROPN").out.count("\n"), 1)

    def test_what_is_no_token_passes_through(self):
        text = "-DOCSTART- -X- O\n\n# a comment of some words\nLima PROPN\nis VERB\n\n\n# the end of it all\n"
        lines = self.predict(text).out.splitlines()
        expected = text.splitlines()
        self.assertEqual(len(lines), len(expected))
        for k in (0, 1, 2, 5, 6, 7):
            self.assertEqual(lines[k], expected[k])
        self.assertTrue(lines[3].startswith("Lima PROPN "))

    def test_which_lines_are_comments_can_be_said(self):
        text = "# PROPN\nLima PROPN\n\n"  # as many words as there are columns
        self.assertRegex(self.predict(text).out, "^# PROPN [BIO]")
        self.assertRegex(self.predict(text, "--comments", "hash").out, "^# PROPN\nLima")
        self.refused(
            "predict", "--model", self.path("m"), "--comments", "none", stdin="# a b c d\nLima PROPN\n\n",
            saying="<stdin>:1: expected 2 columns, as in line 2, found 5",
        )

    def test_a_model_remembers_which_lines_are_comments(self):
        file = self.write("hash.txt", "# two words\n" + sentences("train.txt", 20))
        self.train_model("--comments", "hash", files=[file], model="hash", epochs=2)
        self.assertRegex(self.predict("# PROPN\nLima PROPN\n\n", model="hash").out, "^# PROPN\nLima")
        self.assertRegex(
            self.predict("# PROPN\nLima PROPN\n\n", "--comments", "auto", model="hash").out, "^# PROPN [BIO]"
        )

    def test_conllu_labels_are_replaced_in_place(self):
        rows = []
        for block in sentences("train.txt", 30).strip().split("\n\n"):
            rows.append("# text = a sentence")
            for t, line in enumerate(block.split("\n")):
                word, pos, _ = line.split()
                rows.append("\t".join([str(t + 1), word, "_", pos, "_", "_", "0", "root", "_", "_"]))
            rows.append("")
        conllu = "\n".join(rows) + "\n"
        file = self.write("train.conllu", conllu)
        self.train_model(
            "--label-column", 3, "--word-column", 1, files=[file], model="conllu", epochs=30
        )
        text = "# text = Lima's far\n1-2\tLima's\t" + "_\t" * 7 + "_\n"
        text += "1\tLima\t_\tX\t_\t_\t0\troot\t_\t_\n2\t's\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
        out = self.predict(text, model="conllu").out.splitlines()
        self.assertEqual(out[0], "# text = Lima's far")
        self.assertTrue(out[1].startswith("1-2\tLima's"))
        self.assertRegex(out[2], r"^1\tLima\t_\t[A-Z]+\t_\t_\t0\troot\t_\t_$")
        predicted = self.predict(conllu, model="conllu").out
        same = sum(a == b for a, b in zip(predicted.splitlines(), conllu.splitlines()))
        self.assertGreater(same / len(rows), 0.95)

    def test_sentences_come_out_as_they_complete(self):
        process = subprocess.Popen(
            [PROGRAM, "tag", "predict", "--model", self.path("m")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        try:
            for word in ("Lima", "Oslo", "Rome"):
                process.stdin.write(f"{word} PROPN\nis VERB\n\n".encode())
                process.stdin.flush()
                answer = b""
                until = time.monotonic() + 60
                while not answer.endswith(b"\n\n"):
                    ready, _, _ = select.select([process.stdout], [], [], until - time.monotonic())
                    self.assertTrue(ready, "no answer before the input ends")
                    answer += os.read(process.stdout.fileno(), 4096)
                self.assertRegex(answer.decode(), f"^{word} PROPN [BIO].*\nis VERB [BIO]")
            process.stdin.close()
            self.assertEqual(process.wait(timeout=60), 0)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()

    def peak_memory(self, copies):
        """Kilobytes that it takes to tag some thousands of sentences."""
        self.write("long.txt", sentences("dev.txt", 30) * copies)
        process = subprocess.Popen(
            [PROGRAM, "tag", "predict", self.path("long.txt"), "--model", self.path("m"),
             "--output", self.path("long.out"), "--threads", "2"],
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss

    def test_memory_does_not_grow_with_the_input(self):
        self.train_model("--template", "none", "--columns", 0, epochs=2)
        # Three million bytes of text; with its fields, lines and labels it would take ten times that.
        self.assertLess(self.peak_memory(1000), self.peak_memory(100) + 8192)


class Probabilities(PredictTest):
    def test_marginals_of_the_label(self):
        for option in (["--marginals"], ["--marginals", "label"]):
            for line in self.predict(self.read("dev.txt"), *option).out.splitlines():
                if line:
                    self.assertGreater(float(line.split()[-1]), 1 / 20)
                    self.assertLessEqual(float(line.split()[-1]), 1)

    def test_marginals_of_all_labels_sum_to_one(self):
        labels = self.inspect()["labels"]
        for line in self.predict(sentences("dev.txt", 5), "--marginals", "all").out.splitlines():
            if not line:
                continue
            pairs = [field.rsplit(":", 1) for field in line.split()[4:]]
            self.assertEqual([name for name, _ in pairs], labels)
            self.assertAlmostEqual(sum(float(value) for _, value in pairs), 1, delta=1e-4)

    def test_the_best_come_in_order_with_their_probabilities(self):
        out = self.predict("Lima PROPN\nis VERB\n\n", "--nbest", 5).out
        ranks = re.findall(r"^# rank (\d+) score (\S+) log_probability (\S+)$", out, re.M)
        self.assertEqual([int(rank) for rank, _, _ in ranks], [1, 2, 3, 4, 5])
        scores = [float(score) for _, score, _ in ranks]
        self.assertEqual(scores, sorted(scores, reverse=True))
        log_probabilities = [float(p) for _, _, p in ranks]
        self.assertLessEqual(sum(map(math.exp, log_probabilities)), 1 + 1e-4)
        self.assertAlmostEqual(scores[0] - scores[4], log_probabilities[0] - log_probabilities[4], places=4)
        blocks = [tuple(last_fields(block.split("\n", 1)[1])) for block in out.strip().split("\n\n")]
        self.assertEqual(len(set(blocks)), 5)

    def test_lines_that_are_no_tokens_stand_once_among_the_best(self):
        text = "# about a town there\nLima PROPN\n\n-DOCSTART- -X-\n\nOslo PROPN"
        out = self.predict(text, "--nbest", 3).out
        self.assertEqual(out.count("# about a town there\n"), 1)
        self.assertTrue(out.startswith("# about"))
        self.assertEqual(out.count("-DOCSTART-"), 1)
        self.assertEqual(out.count("Lima PROPN"), 3)
        self.assertEqual(out.count("Oslo PROPN"), 3)

    def test_scores_stand_before_the_sentence(self):
        out = self.predict("Lima PROPN\n\n", "--scores").out
        self.assertRegex(out, r"^# rank 1 score \S+ log_probability -?\d\S*\nLima PROPN \S+\n\n$")

    def test_json_has_an_object_for_each_sentence(self):
        done = self.predict(sentences("dev.txt", 3), "--json", "--nbest", 2, "--marginals", "all")
        objects = [json.loads(line) for line in done.out.splitlines()]
        self.assertEqual(len(objects), 3)
        for found in objects:
            self.assertEqual(len(found["nbest"]), 2)
            self.assertEqual(found["nbest"][0]["labels"], found["labels"])
            self.assertEqual(len(found["marginals"]), len(found["labels"]))
            self.assertAlmostEqual(sum(found["marginals"][0].values()), 1, places=6)

    def test_constraints_are_obeyed(self):
        out = self.predict("is B-HOTEL\nLima _\n\n", "--constraints", 1).out
        self.assertEqual(last_fields(out)[0], "B-HOTEL")
        out = self.predict("Lima B-DATE|B-TIME\nis O\n\n", "--constraints", 1, "--nbest", 9).out
        firsts = [line.split()[-1] for line in out.splitlines() if line.startswith("Lima")]
        self.assertEqual(sorted(firsts), ["B-DATE", "B-TIME"])

    def test_constraints_that_cannot_be_met_are_refused(self):
        self.refused(
            "predict", "--model", self.path("m"), "--constraints", 1,
            stdin="Lima _\n\nis O\nLima I-DATE\n\n",
            saying="<stdin>:3: no legal label sequence satisfies the constraints",
        )
        self.refused(
            "predict", "--model", self.path("m"), "--constraints", 7, stdin="Lima PROPN\n\n",
            saying="<stdin>:1: expected constraints in column 7, found 2 columns",
        )


class Files(PredictTest):
    def test_gzip_is_read_and_written(self):
        packed = self.write("train.txt.gz", gzip.compress(self.read("train.txt")))
        self.train_model(files=[packed], model="packed", epochs=20)
        self.assertEqual(self.read("packed"), self.read("m"))
        done = self.tag("predict", packed, "--model", self.path("m"), "--output", self.path("out.gz"))
        self.assertEqual(done.out, "")
        self.assertEqual(gzip.decompress(self.read("out.gz")), self.predict(self.read("train.txt")).stdout)

    @unittest.skipUnless(shutil.which("zstd"), "the program zstd is not here to compare with")
    def test_zstd_agrees_with_its_own_program(self):
        subprocess.run(["zstd", "-q", self.train, "-o", self.path("t.zst")], check=True)
        self.tag("predict", self.path("t.zst"), "--model", self.path("m"), "--output", self.path("o.zst"))
        plain = subprocess.run(["zstd", "-dc", self.path("o.zst")], capture_output=True, check=True).stdout
        self.assertEqual(plain, self.predict(self.read("train.txt")).stdout)

    def test_zstd_is_written_and_read_back(self):
        self.tag("predict", self.dev, "--model", self.path("m"), "--output", self.path("o.zst"))
        self.assertEqual(self.read("o.zst")[:4], b"\x28\xb5\x2f\xfd")
        self.train_model(files=[self.path("o.zst")], model="again", epochs=2)


class Evaluation(PredictTest):
    def test_text_is_that_of_conlleval(self):
        lines = self.tag("evaluate", self.dev, "--model", self.path("m")).out.splitlines()
        self.assertRegex(lines[0], r"^processed \d+ tokens with \d+ phrases; found: \d+ phrases; correct: \d+\.$")
        self.assertRegex(lines[1], r"^accuracy: +[\d.]+%; precision: +[\d.]+%; recall: +[\d.]+%; FB1: +[\d.]+$")
        for line in lines[2:]:
            self.assertRegex(line, r"^ +[A-Z]+: precision: +[\d.]+%; recall: +[\d.]+%; FB1: +[\d.]+  \d+$")
            self.assertEqual(line.index(":"), 17)

    def test_json_agrees_with_the_predictions(self):
        scores = self.evaluate()
        for key in ("accuracy", "precision", "recall", "f1", "types", "tokens"):
            self.assertIn(key, scores)
        pairs = [
            line.split()[-2:] for line in self.predict(self.read("dev.txt")).out.splitlines() if line
        ]
        self.assertEqual(scores["tokens"], len(pairs))
        self.assertAlmostEqual(scores["accuracy"], 100 * sum(a == b for a, b in pairs) / len(pairs), places=9)

    def test_confusions_and_a_page(self):
        plain = self.tag("evaluate", self.dev, "--model", self.path("m")).out
        done = self.tag(
            "evaluate", self.dev, "--model", self.path("m"), "--confusion", "--report", self.path("r.html")
        )
        self.assertTrue(done.out.startswith(plain))
        self.assertGreater(len(done.out), len(plain))
        self.assertTrue(self.read("r.html").lower().startswith(b"<!doctype html>"))


class Insight(PredictTest):
    def test_inspect_shows_weights_and_transitions(self):
        text = self.tag("inspect", "--model", self.path("m"), "--top", 3).out
        self.assertIn("\nB-CITY\n", text)
        self.assertIn("transitions\n", text)
        self.assertIn(" → ", text)
        shown = self.inspect(top=3)
        self.assertEqual(set(shown["features"]), set(shown["labels"]))
        for features in shown["features"].values():
            self.assertLessEqual(len(features), 3)
            sizes = [abs(f["weight"]) for f in features]
            self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertEqual(shown["training"]["learner"], "lbfgs")

    def test_inspect_gives_the_template_back(self):
        source = self.tag("inspect", "--model", self.path("m"), "--template").out
        template = self.write("again.template", source)
        self.train_model("--template", template, model="again", epochs=20)
        self.assertEqual(self.evaluate("again")["f1"], self.evaluate()["f1"])

    def test_explain_says_what_speaks_for_a_label(self):
        arguments = ["explain", self.dev, "--model", self.path("m"), "--sentence", 2, "--token", 1]
        text = self.tag(*arguments, "--top", 4).out
        word = sentences("dev.txt", 1, first=1).split()[0]
        self.assertTrue(text.startswith(f"1  {word}\n"), text)
        self.assertIn("instead of", text)
        why = json.loads(self.tag(*arguments, "--json").out)
        predicted = last_fields(self.predict(sentences("dev.txt", 1, first=1)).out)[0]
        self.assertEqual(why["label"], predicted)
        self.assertTrue(why["features"])
        adds = [abs(f["value"] * f["weight"]) for f in why["features"]]
        self.assertEqual(adds, sorted(adds, reverse=True))
        # All that differs between the two outputs is in the two lists.
        difference = sum(f["value"] * f["weight"] for f in why["features"]) - sum(
            f["value"] * f["weight"] for f in why["runner_up_features"]
        )
        self.assertGreater(difference, 0)

    def test_explain_has_an_object_for_each_token(self):
        lines = self.tag("explain", self.dev, "--model", self.path("m"), "--json").out.splitlines()
        self.assertEqual(len(lines), len(sentences("dev.txt", 1).split("\n\n")[0].split("\n")))
        self.assertEqual([json.loads(line)["token"] for line in lines], list(range(1, len(lines) + 1)))


if __name__ == "__main__":
    unittest.main()
