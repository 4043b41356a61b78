#include "trellis/frame/training/watched_run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/frame/training/small_trainable.h"
#include "tests/learn/run_result.h"
#include "trellis/base/error.h"

namespace trellis::testing {
namespace {

using enum LearnerKind;

LearnerOptions saying(LearnerKind learner, Index epochs) {
  LearnerOptions said;
  said.learner = learner;
  said.epochs = epochs;
  return said;
}

struct Outcome {
  bool done = false;
  Watched watched;
  RunResult result;                  // the summary of the run, and the weights that were kept
  std::vector<EpochRecord> records;  // that the callback saw
};

class WatchedRun : public ::testing::Test {
 protected:
  // As one process does it: it reads the checkpoint where there is one, and runs to the end or to
  // the stop.
  Outcome run(const LearnerChoice& choice, const Metric& metric, std::stop_token stop = {},
              double save_every = 300) {
    CheckpointOptions options;
    options.checkpoint = path_;
    options.resume = true;
    options.save_every = save_every;
    Stages stages(options, choice.description(), stop);
    Outcome outcome;
    outcome.result.w.assign(trainable_.whole().dimension(), 0.0);
    FitCall call{choice, outcome.result.w};
    call.held_out = metric;
    outcome.done = run_watched(
        stages, "fit", [&](const FitCall& one) { return trainable_.whole().fit(one); }, call,
        metric,
        [&](const EpochRecord& record) {
          if (record.finished) outcome.records.push_back(record);
        },
        outcome.watched);
    outcome.result.summary = outcome.watched.fitted.summary;
    if (outcome.done && finished_) stages.discard();
    return outcome;
  }
  // In pieces of growing length, until it is done.
  Outcome run_in_pieces(const LearnerChoice& choice, const Metric& metric, Index piece) {
    Outcome all;
    Index pieces = 0;
    std::vector<EpochRecord> records;
    do {
      all = run(choice, metric, trainable_.moments().restart(piece + 5 * pieces++));
      records.insert(records.end(), all.records.begin(), all.records.end());
    } while (!all.done);
    all.records = records;
    return all;
  }
  Metric accuracy() const {
    return [this](std::span<const double> w) {
      return trainable_.figure(trainable_.whole().tally(w));
    };
  }

  static void expect_same(const Outcome& a, const Outcome& b) {
    expect_same_bits(a.result, b.result);
    EXPECT_EQ(a.watched.best_epoch, b.watched.best_epoch);
    EXPECT_EQ(a.watched.fitted.eta, b.watched.fitted.eta);
    ASSERT_EQ(a.watched.fitted.voters.size(), b.watched.fitted.voters.size());
    for (Index v = 0; v < a.watched.fitted.voters.size(); ++v) {
      EXPECT_EQ(a.watched.fitted.voters[v].weights, b.watched.fitted.voters[v].weights);
      EXPECT_EQ(a.watched.fitted.voters[v].votes, b.watched.fitted.voters[v].votes);
    }
    EXPECT_EQ(a.result.summary.epochs, b.result.summary.epochs);
    EXPECT_TRUE(same_bits(a.result.summary.objective, b.result.summary.objective));
    EXPECT_TRUE(same_bits(a.result.summary.missed, b.result.summary.missed));
  }

  SmallTrainable trainable_;
  TemporaryDirectory directory_;
  std::string path_ = directory_.file("run.checkpoint");
  bool finished_ = true;  // a run that is done takes its checkpoint away
};

std::vector<LearnerChoice> watched_choices() {
  std::vector<LearnerChoice> all;
  const auto add = [&](LearnerOptions said) { all.push_back(small_choice(said)); };
  LearnerOptions lbfgs = saying(kLbfgs, 8);
  add(lbfgs);
  lbfgs.warm_up = 2;
  lbfgs.certify = true;
  add(lbfgs);
  add(saying(kDca, 12));
  add(saying(kSgd, 6));  // chooses its rate
  LearnerOptions perceptron = saying(kPerceptron, 8);
  perceptron.voters = 3;
  add(perceptron);
  add(saying(kMira, 6));
  LearnerOptions bcfw = saying(kBcfw, 9);
  bcfw.certify = true;
  add(bcfw);
  add(saying(kBmrm, 8));
  LearnerOptions extragradient = saying(kExtragradient, 6);
  extragradient.warm_up = 2;
  add(extragradient);
  add(saying(kStructuredSmo, 5));
  LearnerOptions qp;
  qp.learner = kQp;
  add(qp);
  return all;
}

TEST_F(WatchedRun, GivesTheSameBitsWhereverItIsInterrupted) {
  for (const LearnerChoice& choice : watched_choices()) {
    SCOPED_TRACE(choice.description());
    for (const Metric& metric : {Metric(), accuracy()}) {
      trainable_.moments().restart(0);
      const Outcome whole = run(choice, metric);
      ASSERT_TRUE(whole.done);
      const Index total = trainable_.moments().count();
      for (const Index piece : {Index{1}, Index{23}, total / 2, total - 1}) {
        const Outcome pieces = run_in_pieces(choice, metric, piece);
        expect_same(whole, pieces);
        // Every epoch is told once, in order.
        ASSERT_EQ(pieces.records.size(), whole.records.size());
        for (Index k = 0; k < whole.records.size(); ++k) {
          EXPECT_EQ(pieces.records[k].epoch, k + 1);
          EXPECT_TRUE(same_bits(pieces.records[k].dev, whole.records[k].dev));
        }
      }
    }
  }
}

TEST_F(WatchedRun, ThatIsSavedAfterEveryEpochEndsAtTheSameBits) {
  for (const LearnerChoice& choice : watched_choices()) {
    SCOPED_TRACE(choice.description());
    const Outcome whole = run(choice, accuracy());
    finished_ = false;
    const Outcome saved = run(choice, accuracy(), {}, 0);
    finished_ = true;
    expect_same(whole, saved);
    EXPECT_EQ(saved.records.size(), whole.records.size());
    EXPECT_TRUE(std::filesystem::exists(path_));  // what was saved on the way
    std::filesystem::remove(path_);
  }
}

// A process that is killed after some epoch has left what it saved there.
TEST_F(WatchedRun, GoesOnFromTheLastSavingAfterAnEndWithoutWarning) {
  struct Killed {};
  for (const LearnerChoice& choice : watched_choices()) {
    if (choice.learner == kQp) continue;  // one epoch
    SCOPED_TRACE(choice.description());
    const Outcome whole = run(choice, accuracy());
    Index seen = 0;
    const Metric dies = [&](std::span<const double> w) {
      if (++seen == 9) throw Killed();
      return accuracy()(w);
    };
    try {
      run(choice, dies, {}, 0);
      std::filesystem::remove(path_);
      continue;  // it was not as long as that
    } catch (const Killed&) {
    }
    expect_same(whole, run(choice, accuracy()));
  }
}

TEST_F(WatchedRun, ThatIsFinishedIsRecalledWithAllThatItSaid) {
  for (const LearnerChoice& choice : watched_choices()) {
    SCOPED_TRACE(choice.description());
    const Outcome whole = run(choice, accuracy());
    finished_ = false;
    run(choice, accuracy(), {}, 0);
    finished_ = true;
    trainable_.moments().restart(0);
    const Outcome recalled = run(choice, accuracy());
    expect_same(whole, recalled);
    EXPECT_TRUE(recalled.records.empty());  // nothing happened
    EXPECT_EQ(trainable_.moments().count(), 0U);
  }
}

TEST_F(WatchedRun, KeepsTheWeightsOfTheBestEpoch) {
  LearnerOptions said = saying(kDca, 12);
  said.patience = 0;
  std::vector<std::vector<double>> weights;
  const Metric metric = [&](std::span<const double> w) {
    weights.emplace_back(w.begin(), w.end());
    return weights.size() == 5 ? 2.0 : std::sin(static_cast<double>(weights.size()));
  };
  const Outcome best = run(small_choice(said), metric);
  EXPECT_EQ(best.watched.best_epoch, 5U);
  EXPECT_EQ(best.result.w, weights[4]);
  EXPECT_EQ(best.result.summary.epochs, 12U);  // without patience it goes on
  EXPECT_EQ(best.records[4].dev, 2.0);
}

TEST_F(WatchedRun, EndsWhenThePatienceDoesAndItsCountSurvivesInterruptions) {
  LearnerOptions said = saying(kDca, 40);
  said.patience = 4;
  const LearnerChoice choice = small_choice(said);
  // By the weights alone, so that it is the same in every process: falls from the third epoch on.
  std::vector<std::vector<double>> first;
  const Metric learn_order = [&](std::span<const double> w) {
    first.emplace_back(w.begin(), w.end());
    return first.size() <= 3 ? static_cast<double>(first.size()) : 0.0;
  };
  const Outcome whole = run(choice, learn_order);
  EXPECT_EQ(whole.watched.best_epoch, 3U);
  EXPECT_EQ(whole.result.summary.epochs, 7U);
  EXPECT_EQ(whole.result.summary.termination, Termination::kObserver);
  const Metric known = [&](std::span<const double> w) {
    for (Index k = 0; k < 3; ++k) {
      if (std::equal(w.begin(), w.end(), first[k].begin())) return static_cast<double>(k + 1);
    }
    return 0.0;
  };
  for (const Index piece : {Index{5}, Index{37}, Index{80}, Index{200}}) {
    expect_same(whole, run_in_pieces(choice, known, piece));
  }
}

TEST_F(WatchedRun, WithoutAMetricReturnsWhatTheLearnerReturns) {
  const LearnerChoice choice = small_choice(saying(kDca, 5));
  const Outcome plain = run(choice, {});
  std::vector<double> w(trainable_.whole().dimension(), 0.0);
  trainable_.whole().fit({choice, w});
  EXPECT_EQ(plain.result.w, w);
  EXPECT_EQ(plain.watched.best_epoch, 0U);
  for (const EpochRecord& record : plain.records) EXPECT_TRUE(std::isnan(record.dev));
}

TEST_F(WatchedRun, TwoStagesOfOneRunDoNotMeet) {
  const LearnerChoice a = small_choice(saying(kDca, 5));
  const LearnerChoice b = small_choice(saying(kLbfgs, 5));
  CheckpointOptions options;
  options.checkpoint = path_;
  options.resume = true;
  std::vector<double> w_a(trainable_.whole().dimension(), 0.0), w_b = w_a;
  const FitFunction fit = [&](const FitCall& call) { return trainable_.whole().fit(call); };
  for (int process = 0; process < 2; ++process) {
    const auto stop = process == 0 ? trainable_.moments().restart(200) : std::stop_token();
    Stages stages(options, "two stages", stop);
    Watched first, second;
    EXPECT_EQ(run_watched(stages, "a", fit, {a, w_a}, {}, {}, first) &&
                  run_watched(stages, "b", fit, {b, w_b}, {}, {}, second),
              process == 1);
  }
  std::vector<double> alone(w_a.size(), 0.0);
  trainable_.whole().fit({a, alone});
  EXPECT_EQ(w_a, alone);
  alone.assign(w_a.size(), 0.0);
  trainable_.whole().fit({b, alone});
  EXPECT_EQ(w_b, alone);
}

}  // namespace
}  // namespace trellis::testing
