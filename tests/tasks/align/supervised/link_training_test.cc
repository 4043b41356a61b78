#include "trellis/tasks/align/supervised/link_training.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/tasks/align/pair_aligner.h"
#include "trellis/tasks/align/supervised/explain.h"
#include "trellis/tasks/align/supervised/weight_names.h"
#include "trellis/tasks/align/train_supervised.h"

namespace trellis::align {
namespace {

std::string harbour(const std::string& name) {
  return std::string(TRELLIS_SOURCE_DIR) + "/data/harbour/" + name;
}
LabelledFiles labelled_files(const std::string& part) {
  return {{harbour(part + ".en"), harbour(part + ".fr"), {}}, {harbour(part + ".links"), {}}, {}};
}

// The generative model of all text, trained once.
const AlignModel& base() {
  static const AlignModel model = [] {
    TrainOptions options;
    options.statistics = true;
    options.threads = 1;
    TrainFiles files;
    files.text = {harbour("train.en"), harbour("train.fr"), {}};
    return *train_files(files, options).model;
  }();
  return model;
}

LinkTrainingOptions quick(const LinkShape& shape) {
  LinkTrainingOptions options;
  options.shape = shape;
  options.training.learner.lambda = 0.01;
  options.training.learner.epochs = 30;
  options.training.threads = 1;
  options.costs = {2};
  return options;
}

LinkTrained train_quickly(const LinkShape& shape, int threads = 1) {
  static const LabelledPairs pairs = read_labelled(labelled_files("dev"));
  LinkTrainingOptions options = quick(shape);
  options.training.threads = threads;
  return train_links(base(), pairs, nullptr, options, "dev.links");
}

const std::vector<LinkShape> kShapes = {{1, false}, {2, false}, {1, true}, {2, true}};

TEST(LinkTraining, EveryShapeIsBetterThanTheTextAlone) {
  const LabelledPairs test = read_labelled(labelled_files("test"));
  const double alone = evaluate(PairAligner(base()), test, 1).scores.total().aer();
  for (const LinkShape& shape : kShapes) {
    const LinkTrained trained = train_quickly(shape);
    ASSERT_TRUE(trained.model);
    EXPECT_LT(evaluate(PairAligner(*trained.model), test, 1).scores.total().aer(), alone)
        << shape.name();
    EXPECT_LT(trained.result.train.aer(), alone);
  }
}

TEST(LinkTraining, SameBytesForAnyNumberOfThreadsAndWhenReadBack) {
  const LabelledPairs test = read_labelled(labelled_files("test"));
  for (const LinkShape& shape : kShapes) {
    const LinkTrained one = train_quickly(shape, 1);
    const LinkTrained two = train_quickly(shape, 2);
    const std::string bytes = one.model->to_bytes();
    EXPECT_EQ(bytes, two.model->to_bytes()) << shape.name();
    const AlignModel back = AlignModel::from_bytes(std::as_bytes(std::span(bytes)), "m");
    EXPECT_EQ(back.to_bytes(), bytes);
    const auto before = align_all(PairAligner(*one.model), test, 1);
    const auto after = align_all(PairAligner(back), test, 2);
    for (Index k = 0; k < before.size(); ++k) EXPECT_EQ(before[k].links, after[k].links);
  }
}

TEST(LinkTraining, CostsAndTheOffsetAreChosenByFolds) {
  const LabelledPairs pairs = read_labelled(labelled_files("dev"));
  LinkTrainingOptions options = quick({2, false});
  options.training.folds = 3;
  options.costs = {1, 3};
  const LinkTrained trained = train_links(base(), pairs, nullptr, options, "dev.links");
  ASSERT_TRUE(trained.result.held_out);
  EXPECT_EQ(trained.result.learned.tried.size(), 2U);
  const Value record = trained.result.record();
  EXPECT_EQ(record.at("model"), "M+F");
  EXPECT_NEAR(record.at("held_out").at("aer").get<double>(), trained.result.held_out->aer(), 1e-12);
  double best = 0;
  for (const Tried& tried : trained.result.learned.tried) best = std::max(best, tried.figure);
  EXPECT_NEAR(best, 100 - 100 * trained.result.held_out->aer(), 1e-9);
}

TEST(LinkTraining, LinksBeyondTheLimitAreRefusedWhereThatIsAsked) {
  const LabelledPairs pairs = read_labelled(labelled_files("dev"));
  LinkTrainingOptions options = quick({1, false});
  const LinkTrained trained = train_links(base(), pairs, nullptr, options, "dev.links");
  ASSERT_GT(trained.result.left_out.over_limit, 0U);
  options.strict = true;
  try {
    train_links(base(), pairs, nullptr, options, "dev.links");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("dev.links"), std::string::npos);
  }
}

TEST(LinkTraining, ExternalLinksAndTagsBecomeFeatures) {
  LabelledPairs pairs = read_labelled(labelled_files("dev"));
  for (Index k = 0; k < pairs.extras.size(); ++k) {
    pairs.extras[k].external = {pairs.gold.links[k].sure};  // an oracle
    pairs.extras[k].source_tags.assign(pairs.gold.pairs[k].source().size(), "S");
    pairs.extras[k].target_tags.assign(pairs.gold.pairs[k].target().size(), "T");
  }
  LinkTrainingOptions options = quick({2, false});
  options.externals = {"oracle"};
  const LinkTrained trained = train_links(base(), pairs, nullptr, options, "dev.links");
  EXPECT_LT(trained.result.train.aer(), 0.03);
  const PairAligner aligner(*trained.model);
  ExtraFiles missing;
  EXPECT_THROW(aligner.in_order(missing), UsageError);
  missing.external = {{"oracle", "o.links", {}}, {"other", "x.links", {}}};
  EXPECT_THROW(aligner.in_order(missing), UsageError);
}

TEST(LinkTraining, ExplanationsAddUpAndMarginsAreThoseOfTheNextBest) {
  const LinkTrained trained = train_quickly({2, true});
  const SupervisedAligner aligner(*trained.model);
  const LabelledPairs test = read_labelled(labelled_files("test"));
  SupervisedAligner::Scratch scratch;
  for (Index k = 0; k < 10; ++k) {
    const SentencePair& pair = test.gold.pairs[k];
    std::vector<RankedLinks> ranked;
    aligner.k_best(pair, {}, 2, scratch, ranked);
    double least = std::numeric_limits<double>::infinity();
    for (const LinkExplanation& one : explain(aligner, pair, {}, {1000, {}})) {
      double sum = aligner.learned().offset;
      for (const Contribution& feature : one.features) sum += feature.product();
      EXPECT_NEAR(sum, one.score, 1e-5);
      EXPECT_TRUE(one.found && one.candidate);
      EXPECT_GE(one.margin, -1e-9);
      least = std::min(least, one.margin);
    }
    // The next best differs in some link; of those found, in one at least unless it has more.
    if (ranked.size() > 1 && ranked[1].links.size() < ranked[0].links.size()) {
      EXPECT_NEAR(least, ranked[0].score - ranked[1].score, 1e-6);
    }
  }
}

TEST(LinkTraining, OneCallTrainsBothModelsAndOneModelAlignsAlone) {
  SupervisedFiles files;
  files.labelled = labelled_files("dev");
  files.text = BitextFiles{harbour("train.en"), harbour("train.fr"), {}};
  SupervisedOptions options;
  options.links = quick({2, false});
  const SupervisedTrained trained = train_supervised(files, options);
  ASSERT_TRUE(trained.model && trained.generative);
  const LabelledPairs test = read_labelled(labelled_files("test"));
  EXPECT_LT(evaluate(PairAligner(*trained.model), test, 1).scores.total().aer(), 0.2);
}

TEST(LinkTraining, AModelOfTheLanguagesTheOtherWayRoundIsRefused) {
  const trellis::testing::TemporaryDirectory folder;
  SupervisedFiles files;
  files.generative = folder.file("base.trellis");
  base().write(files.generative);
  files.labelled = labelled_files("dev");
  SupervisedOptions options;
  options.links = quick({1, false});
  EXPECT_TRUE(train_supervised(files, options).model);
  std::swap(files.labelled.text.source, files.labelled.text.target);
  files.labelled.links.options.swap = true;
  EXPECT_THROW(train_supervised(files, options), InputError);
}

TEST(LinkTraining, AModelWhoseWeightsDoNotFitIsRefused) {
  const LinkTrained trained = train_quickly({2, false});
  LinkWeights learned = *trained.model->links();
  learned.weights.pop_back();
  const AlignModel shorter = trained.model->with_links(learned, trained.model->training());
  EXPECT_THROW(PairAligner{shorter}, InputError);
  learned.weights.push_back(-1);
  const AlignModel negative = trained.model->with_links(learned, trained.model->training());
  EXPECT_THROW(PairAligner{negative}, InputError);
}

}  // namespace
}  // namespace trellis::align
