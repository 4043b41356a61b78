"""What training promises, as the command line shows it."""

import json
import re
import unittest

from tag_program import TRAVEL, TRAVEL_TEMPLATE, TagTest, last_fields, sentences


class Training(TagTest):
    def test_the_sample_is_learned(self):
        self.train_model("--template", TRAVEL_TEMPLATE, epochs=None)
        self.assertGreater(self.evaluate(file=self.train)["f1"], 99)
        self.assertGreater(self.evaluate()["f1"], 40)

    def test_every_learner_learns_by_every_loss_it_takes(self):
        table = {
            "lbfgs": ["crf", "softmax-margin"],
            "dca": ["crf", "softmax-margin", "svm"],
            "sgd": ["crf", "softmax-margin", "svm", "perceptron"],
            "mira": ["svm"],
            "perceptron": ["svm", "perceptron"],
        }
        for learner, losses in table.items():
            for loss in losses:
                with self.subTest(learner=learner, loss=loss):
                    self.train_model("--learner", learner, "--loss", loss, epochs=30 if learner == "lbfgs" else 8)
                    self.assertGreater(self.evaluate(file=self.train)["f1"], 80)

    def test_losses_between_the_named_ones(self):
        self.train_model("--beta", 3, "--gamma", 0.5)
        self.assertEqual(self.inspect()["training"]["epochs"], 8)
        self.train_model("--learner", "dca", "--beta", "inf", "--gamma", 2)

    def test_json_has_its_keys(self):
        done = self.train_model("--json", "--quiet", "--certify", "--dev", self.dev)
        self.assertEqual(done.err, "")
        result = json.loads(done.out)
        for key in ("objective", "bound", "gap", "epochs", "seconds", "termination", "dev", "best_epoch"):
            self.assertIn(key, result)
        self.assertAlmostEqual(result["gap_absolute"], result["objective"] - result["bound"], places=9)
        self.assertAlmostEqual(result["gap"], result["gap_absolute"] / result["objective"], places=9)
        self.assertEqual(result["certificate"], "exact inference")

    def test_without_json_nothing_goes_to_standard_output(self):
        done = self.train_model()
        self.assertEqual(done.out, "")
        self.assertIn("wrote", done.err)
        self.assertNotIn("\033", done.err)
        self.assertEqual(self.train_model("--quiet").err, "")

    def test_the_gap_that_is_printed_is_the_one_that_is_asked_for(self):
        done = self.train_model("--learner", "bcfw", "--loss", "svm", "--gap", 0.01, epochs=500)
        told = re.search(r"converged after .*, relative gap (\S+) \(certified: exact inference\)", done.err)
        self.assertLessEqual(float(told[1]), 0.01)
        self.assertAlmostEqual(float(told[1]), self.inspect()["training"]["gap"], places=4)
        self.assertEqual(self.inspect()["training"]["certificate"], "exact inference")
        cut = self.train_model("--learner", "bcfw", "--loss", "svm", "--gap", 1e-9, epochs=2)
        self.assertRegex(cut.err, r"the relative gap is \S+ instead of 1e-09")

    def history(self, *arguments, epochs=12):
        self.train_model("--history", self.path("h"), *arguments, epochs=epochs)
        return [json.loads(line) for line in self.read("h").decode().splitlines()]

    def test_history_has_a_line_for_each_epoch(self):
        records = self.history("--dev", self.dev, "--patience", 50)
        self.assertEqual([r["epoch"] for r in records], list(range(1, 13)))
        for record in records:
            for key in ("epoch", "objective", "bound", "gap", "dev", "seconds"):
                self.assertIn(key, record)

    def check_certificate(self, records, factor):
        best = min(r["objective"] for r in records)
        for record in records:
            self.assertLessEqual(record["bound"], best + 1e-9)
            self.assertAlmostEqual(record["gap"], (record["objective"] - record["bound"]) / record["objective"], places=7)
        self.assertLess(records[-1]["gap"], records[0]["gap"] * factor)

    def test_certificates_bound_the_objective_and_close(self):
        self.check_certificate(self.history("--certify", epochs=60), 1e-3)
        self.check_certificate(
            self.history("--certify", "--learner", "dca", "--dual", "stored", epochs=40), 1e-2
        )
        self.check_certificate(self.history("--certify", "--learner", "sgd", epochs=15), 0.9)

    def test_learners_meet_at_one_optimum(self):
        objectives = []
        for arguments in (["--gap", 1e-6], ["--learner", "dca", "--dual", "stored", "--gap", 1e-6]):
            result = json.loads(self.train_model("--json", "--quiet", "--certify", *arguments, epochs=2000).out)
            self.assertEqual(result["termination"], "converged")
            objectives.append(result["objective"])
        self.assertAlmostEqual(objectives[0], objectives[1], delta=2e-6 * objectives[0])

    def test_same_call_same_bytes_whatever_the_threads(self):
        for arguments in (
            ["--dev", self.dev],
            ["--learner", "dca", "--certify"],
            ["--learner", "sgd", "--dev", self.dev],
            ["--learner", "perceptron", "--voters", 7],
            ["--learner", "mira"],
            ["--hash-bits", 12],
        ):
            with self.subTest(arguments=arguments):
                models = []
                for run, threads in enumerate((1, 2, 1)):
                    self.train_model(*arguments, "--threads", threads, model=f"m{run}", epochs=5)
                    models.append(self.read(f"m{run}"))
                self.assertEqual(models[0], models[1])
                self.assertEqual(models[0], models[2])

    def test_another_seed_is_another_run(self):
        self.train_model("--learner", "dca", "--seed", 1, model="a", epochs=2)
        self.train_model("--learner", "dca", "--seed", 2, model="b", epochs=2)
        self.assertNotEqual(self.read("a"), self.read("b"))

    def test_early_stopping_keeps_the_best_epoch(self):
        done = self.train_model("--dev", self.dev, "--patience", 3, "--json", "--quiet", epochs=200)
        result = json.loads(done.out)
        self.assertEqual(result["termination"], "observer")
        self.assertEqual(result["epochs"], result["best_epoch"] + 3)
        self.assertEqual(self.evaluate()["f1"], result["dev"]["f1"])

    def test_c_is_chosen_where_nothing_is_said(self):
        call = ("train", self.train, "--model", self.path("m"), "--epochs", 4, "--json")
        done = self.tag(*call)
        result = json.loads(done.out)
        self.assertEqual(result["chosen_by"], "f1 over 5 folds")
        dials = result["dials"]
        chosen = [row for row in result["choices"] if (row["c"], row["l1"]) == (dials["c"], dials["l1"])]
        # A gain of less than a thirtieth of the standard error is none.
        self.assertLess(max(row["figure"] for row in result["choices"]) - chosen[0]["figure"], 1)
        self.assertEqual([row["l1"] for row in result["choices"]][-2:], [0, 0.1])  # once, at the best C of those without
        self.assertIn("choosing c and l1 by 5 folds of the training set", done.err)
        self.assertEqual(json.loads(self.tag(*call, "--dev", self.dev, "--quiet").out)["chosen_by"], "f1 on the dev set")
        many = self.write("many.txt", (sentences("train.txt", 60)) * 9)
        done = self.tag("train", many, *call[2:])
        self.assertIn("choosing c and l1 by a held-out part of 1 in 5 of the training set", done.err)
        self.assertNotIn("l1", json.loads(self.tag(*call, "--l1", 0.5, "--quiet").out)["choices"][0])
        for said in (("--c", 1), ("--lambda", 0.1), ("--learner", "perceptron")):
            self.assertNotIn("choices", json.loads(self.tag(*call, *said, "--quiet").out))

    def test_folds_alone_choose_c_and_keep_documents_whole(self):
        marked = self.write("marked.txt", "".join("-DOCSTART- -X- O\n\n" + sentences("train.txt", 5, at) for at in range(0, 40, 5)))
        done = self.train_model("--cv", 4, "--json", "--quiet", epochs=3, files=[marked])
        result = json.loads(done.out)
        self.assertEqual([row["c"] for row in result["choices"]], [0.1, 1, 10])
        self.assertEqual(result["chosen_by"], "f1 over 4 folds")
        apart = self.write("apart.txt", "".join(sentences("train.txt", 5, at) for at in range(0, 40, 5)))
        other = json.loads(self.train_model("--cv", 4, "--json", "--quiet", epochs=3, files=[apart], model="a").out)
        self.assertNotEqual([row["figure"] for row in result["choices"]], [row["figure"] for row in other["choices"]])
        for more, saying in ((["--c", 1], "nothing to choose from"), (["--path"], "cannot be combined with --cv")):
            self.refused("train", self.train, "--model", self.path("x"), "--cv", 3, *more, saying=saying, status=2)

    def test_several_files_are_one_training_set(self):
        one = self.write("one.txt", sentences("train.txt", 20))
        two = self.write("two.txt", sentences("train.txt", 20, first=20))
        both = self.write("both.txt", sentences("train.txt", 40))
        self.train_model(files=[one, two], model="a")
        self.train_model(files=[both], model="b")
        self.assertEqual(self.read("a"), self.read("b"))


class Features(TagTest):
    def test_crfpp_template_files_are_read(self):
        template = self.write("crfpp.template", "# CRF++\nU00:%x[-1,0]\nU01:%x[0,0]\nU02:%x[0,0]/%x[0,1]\n\nB\n")
        self.train_model("--template", template, epochs=None)
        self.assertGreater(self.evaluate(file=self.train)["f1"], 60)
        names = [f["feature"] for fs in self.inspect()["features"].values() for f in fs]
        self.assertTrue(any("U01:" in name for name in names), names[:5])

    def test_gazetteers_are_part_of_the_model(self):
        self.train_model("--template", TRAVEL_TEMPLATE)
        names = [f["feature"] for fs in self.inspect(top=2000)["features"].values() for f in fs]
        self.assertTrue(any("cities.txt" in name for name in names))
        copy = self.write("only.txt", sentences("test.txt", 3))
        self.tag("evaluate", copy, "--model", self.path("m"), cwd="/")

    def test_the_template_language_is_explained(self):
        self.assertIn("node", self.tag("train", "--help-template").out)

    def test_edge_features_condition_transitions(self):
        template = self.write("t.template", "word = column 0\nnode word\nedge word[0]\nedge\n")
        self.train_model("--template", template)
        self.assertTrue(self.inspect()["edge_features"])

    def test_feature_hashing_needs_no_names(self):
        self.train_model("--hash-bits", 14, epochs=30)
        self.assertGreater(self.evaluate(file=self.train)["f1"], 90)
        for features in self.inspect()["features"].values():
            for feature in features:
                self.assertRegex(feature["feature"], "^#[0-9]+$")

    def test_rare_features_are_dropped(self):
        self.train_model(model="all")
        self.train_model("--min-count", 3, model="some")
        self.assertLess(
            self.inspect("some")["training"]["attributes"], self.inspect("all")["training"]["attributes"] / 2
        )

    def test_l1_makes_a_smaller_model(self):
        self.train_model(model="l2", epochs=40)
        self.train_model("--l1", 0.5, model="l1", epochs=40)
        self.assertLess(len(self.read("l1")), len(self.read("l2")) / 2)

    def test_higher_orders(self):
        for order in (2, 3):
            self.train_model("--order", order, epochs=25)
            self.assertEqual(self.inspect()["order"], order)
            self.assertGreater(self.evaluate(file=self.train)["f1"], 80)

    def test_all_features_and_no_boundaries(self):
        self.train_model("--states", "all", "--transitions", "all", model="all", epochs=3)
        self.train_model("--no-boundaries", model="none", epochs=3)
        self.assertGreater(self.inspect("all")["training"]["weights"], self.inspect("none")["training"]["weights"])

    def test_columns_as_they_are(self):
        self.train_model("--template", "none", "--format", "columns", model="all")
        self.train_model("--template", "none", "--columns", "0,1", model="both")
        self.assertEqual(self.read("all"), self.read("both"))

    def items(self, count, value=""):
        text = ""
        for line in sentences("train.txt", count).splitlines():
            fields = line.split()
            word = fields[0].replace("\\", "\\\\").replace(":", "\\:") if fields else ""
            text += f"{fields[2]}\tw={word}{value}\tp={fields[1]}{value}\n" if fields else "\n"
        return text

    def test_item_files_are_read_as_they_are(self):
        file = self.write("items.txt", self.items(40))
        self.train_model("--template", "none", files=[file], epochs=None)
        self.assertGreater(self.evaluate(file=file)["f1"], 50)
        done = self.predict("\tw=Cork\tp=PROPN\n\tw=is\tp=AUX\n\n")
        self.assertEqual(done.out.count("\n"), 3)
        weighted = self.write("weighted.txt", self.items(40, ":0.5"))
        self.train_model("--format", "items", files=[weighted], model="half", epochs=None)
        self.assertNotEqual(self.read("half"), self.read("m"))


class Labels(TagTest):
    def test_bioes_is_learned_and_the_files_scheme_written(self):
        self.train_model("--scheme", "bioes", epochs=30)
        self.assertTrue(any(label.startswith("S-") for label in self.inspect()["labels"]))
        written = set(last_fields(self.tag("predict", self.train, "--model", self.path("m")).out))
        self.assertFalse({label for label in written if label[0] in "SE"}, written)
        self.assertGreater(self.evaluate(file=self.train)["f1"], 95)

    def test_plain_labels_are_scored_by_token(self):
        pos = self.write(
            "pos.txt",
            "".join(
                " ".join(line.split()[:2]) + "\n" for line in sentences("train.txt", 40).splitlines()
            ),
        )
        self.train_model("--template", "pos", files=[pos], epochs=20)
        scores = self.evaluate(file=pos)
        self.assertGreater(scores["accuracy"], 95)
        self.assertEqual(scores["variant"], "token macro-average")

    def test_predictions_are_legal(self):
        self.train_model("--template", "none", "--columns", 1, epochs=3)
        previous = "O"
        for line in self.tag("predict", TRAVEL / "test.txt", "--model", self.path("m")).out.splitlines():
            label = line.split()[-1] if line else "O"
            if label.startswith("I-"):
                self.assertEqual(previous[2:], label[2:])
            previous = label

    def test_partial_labels(self):
        lines = self.read("train.txt").decode().splitlines()
        for k in range(0, len(lines), 7):
            fields = lines[k].split()
            if fields:
                lines[k] = " ".join(fields[:2] + ["?" if k % 2 else f"{fields[2]}|O"])
        partial = self.write("partial.txt", "\n".join(lines) + "\n\n")
        for learner in ("lbfgs", "sgd"):
            self.train_model("--partial", "--learner", learner, files=[partial], epochs=25)
            self.assertNotIn("?", self.inspect()["labels"])
            self.assertGreater(self.evaluate(file=self.train)["f1"], 70)
        self.assertIn("?", last_fields(self.read("partial.txt").decode()))

    def test_labels_that_cost_more_are_found_more_often(self):
        weights = [f"--label-weight=B-{kind}=30" for kind in ("CITY", "PERSON")]
        self.train_model("--learner", "dca", "--loss", "svm", "--template", "none", "--columns", 1, model="plain")
        self.train_model(
            "--learner", "dca", "--loss", "svm", "--template", "none", "--columns", 1, *weights, model="keen"
        )
        plain, keen = self.evaluate("plain")["types"], self.evaluate("keen")["types"]
        found = [sum(types[kind]["found"] for kind in ("CITY", "PERSON")) for types in (plain, keen)]
        self.assertGreater(found[1], found[0])

    def test_voted_perceptron(self):
        self.train_model("--learner", "perceptron", "--voters", 20)
        self.assertGreater(self.inspect()["voters"], 1)
        self.assertGreater(self.evaluate(file=self.train)["f1"], 80)


class WarmStart(TagTest):
    def test_goes_on_from_an_optimum(self):
        self.train_model(model="old", epochs=None)
        first = json.loads(self.train_model("--warm-start", self.path("old"), "--json", epochs=None).out)
        self.assertLessEqual(first["epochs"], 12)

    def test_takes_new_labels_and_features(self):
        self.train_model(model="old", epochs=30)
        more = self.write("more.txt", self.read("train.txt") + "Mars PROPN B-PLANET\nglows VERB O\n\n".encode())
        self.train_model("--warm-start", self.path("old"), files=[more], epochs=30)
        self.assertIn("B-PLANET", self.inspect()["labels"])
        self.assertEqual(self.inspect()["labels"][:-1], self.inspect("old")["labels"])
        self.assertGreater(self.evaluate(file=more)["f1"], 95)

    def test_refuses_what_cannot_be_started_from(self):
        self.train_model("--learner", "perceptron", "--voters", 3, model="voted", epochs=2)
        self.refused(
            "train", self.train, "--quiet", "--warm-start", self.path("voted"), "--model", self.path("m"),
            status=2, saying="a voted model has many",
        )
        self.train_model("--hash-bits", 10, model="hashed", epochs=2)
        self.refused(
            "train", self.train, "--quiet", "--warm-start", self.path("hashed"), "--model", self.path("m"),
            status=2, saying="has another number of --hash-bits",
        )


if __name__ == "__main__":
    unittest.main()
