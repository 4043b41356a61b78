#include "trellis/frame/training/training.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/frame/training/small_trainable.h"
#include "tests/learn/run_result.h"
#include "trellis/base/error.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/frame/training/fold_fits.h"
#include "trellis/frame/training/result.h"

namespace trellis::testing {
namespace {

using enum LearnerKind;

// What a user could ask for, and whether there is a dev set.
struct Case {
  std::string name;
  TrainingOptions options;
  bool dev = true;
  Index variants = 0;   // the learner with so many losses
  bool halved = false;  // of which half is left behind after each fold
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

Case make_case(const std::string& name, LearnerKind learner, Index epochs, bool dev = true) {
  Case one{name, {}, dev};
  one.options.learner.learner = learner;
  if (learner != kQp) one.options.learner.epochs = epochs;
  one.options.threads = 1;
  return one;
}

// All ways to choose, each with learners that go about it in their own way.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& name, LearnerKind learner, Index epochs,
                       bool dev = true) -> TrainingOptions& {
    return all.emplace_back(make_case(name, learner, epochs, dev)).options;
  };
  add("a fit", kLbfgs, 6, false).learner.warm_up = 2;
  add("a fit, watched", kDca, 8);
  add("voters", kPerceptron, 5).learner.voters = 3;
  add("a rate by the dev set", kSgd, 4);
  add("C by the dev set", kBcfw, 4).candidates = {{"c", {0.1, 10, 1}}};
  add("C and k by the dev set", kMira, 3).candidates = {{"c", {0.1, 1}}, {"k", {1, 3}}};
  add("C by the dev set, by warm starts", kLbfgs, 5).candidates = {{"c", {}}};
  TrainingOptions& folds = add("C in folds", kBmrm, 4, false);
  folds.candidates = {{"c", {0.05, 1}}};
  folds.folds = 3;
  TrainingOptions& both = add("lambda and epochs in folds", kDca, 4, false);
  both.candidates = {{"epochs", {2, 3}}, {"lambda", {0.01, 1}}};
  both.folds = 2;
  TrainingOptions& exact = add("C in folds, exactly", kQp, 0, false);
  exact.candidates = {{"c", {0.1, 1, 10}}};
  exact.folds = 3;
  TrainingOptions& path = add("a path", kExtragradient, 4, false);
  path.learner.radius = 2;
  path.candidates = {{"radius", {2, 0.5, 1}}};
  path.path = true;
  TrainingOptions& centre = add("a path from the centre", kExtragradient, 4);
  centre.learner.l1_ball = true;
  centre.learner.radius = 0.5;
  centre.candidates = {{"radius", {0.5, 1}}};
  centre.path = true;
  add("C by itself", kLbfgs, 4, false).choose = true;
  TrainingOptions& part = add("C on a held-out part", kLbfgs, 4, false);
  part.candidates = {{"c", {}}};
  part.folds = 5;
  part.judged_folds = 1;
  part.behind_peak = 1;
  for (const bool dev : {true, false}) {
    TrainingOptions& besides =
        add(dev ? "L1 behind C by the dev set" : "L1 behind C in folds", kLbfgs, 4, dev);
    besides.candidates = {{"c", {}}, {"l1", {0, 0.1}}};
    besides.besides = true;
    if (!dev) besides.folds = 3;
  }
  for (const bool dev : {true, false}) {
    add(dev ? "variants by the dev set" : "variants in folds", kDca, 3, dev).choose = true;
    all.back().variants = 2;
  }
  add("variants halved", kDca, 3, false).choose = true;
  all.back().variants = 3;
  all.back().halved = true;
  TrainingOptions& fixed = add("variants alone", kBcfw, 3, false);
  fixed.choose = true;
  fixed.learner.c = 1;
  all.back().variants = 2;
  return all;
}

struct Told {
  std::mutex mutex;
  std::vector<std::string> phases, progress;
  std::vector<EpochRecord> epochs;

  TrainEvents events(std::stop_token stop = {}) {
    TrainEvents events;
    events.on_phase = [this](const std::string& text) { phases.push_back(text); };
    events.on_progress = [this](const std::string& text) {
      const std::lock_guard lock(mutex);
      progress.push_back(text);
    };
    events.on_epoch = [this](const EpochRecord& record) { epochs.push_back(record); };
    events.stop = stop;
    return events;
  }
  bool phase(const std::string& piece) const {
    return std::any_of(phases.begin(), phases.end(), [&](const std::string& text) {
      return text.find(piece) != std::string::npos;
    });
  }
};

Learned learn_case(const Case& one, const SmallTrainable& trainable, Told& told,
                   std::stop_token stop = {}) {
  const bool started = !trainable.whole().start().empty();
  if (one.variants > 0) {
    std::vector<Variant> variants;
    for (const char* loss : {"svm", "softmax-margin", "crf"}) {
      if (variants.size() == one.variants) break;
      LearnerOptions said = one.options.learner;
      said.loss = Loss::named(said.learner == kBcfw ? "svm" : loss);
      variants.push_back({loss, small_choice(said, started), [&] {
                            return std::shared_ptr<const Trainable>(&trainable, [](auto*) {});
                          }});
    }
    TaskDefaults defaults = small_defaults();
    if (one.halved) defaults.halving_fold = 1;
    return learn_best(variants, defaults, one.options, "small data=36", told.events(stop));
  }
  return learn(trainable, small_choice(one.options.learner, started), small_defaults(), one.options,
               "small data=36", told.events(stop));
}
Learned learn_case(const Case& one, const SmallTrainable& trainable) {
  Told told;
  return learn_case(one, trainable, told);
}

void expect_same(const Tried& a, const Tried& b) {
  EXPECT_EQ(a.variant, b.variant);
  EXPECT_EQ(a.setting.description(), b.setting.description());
  EXPECT_TRUE(same_bits(a.figure, b.figure)) << a.figure << " and " << b.figure;
  EXPECT_TRUE(same_bits(a.objective, b.objective));
  EXPECT_TRUE(same_bits(a.gap, b.gap));
  EXPECT_TRUE(same_bits(a.norm, b.norm));
  EXPECT_EQ(a.epochs, b.epochs);
  EXPECT_EQ(a.folds, b.folds);
}

// All but the time.
void expect_same(const Learned& a, const Learned& b) {
  EXPECT_FALSE(a.interrupted || b.interrupted);
  EXPECT_EQ(a.choice.description(), b.choice.description());
  expect_same_bits({a.fitted.summary, a.w}, {b.fitted.summary, b.w});
  EXPECT_EQ(a.fitted.eta, b.fitted.eta);
  ASSERT_EQ(a.fitted.voters.size(), b.fitted.voters.size());
  for (Index v = 0; v < a.fitted.voters.size(); ++v) {
    EXPECT_EQ(a.fitted.voters[v].weights, b.fitted.voters[v].weights);
  }
  EXPECT_EQ(a.best_epoch, b.best_epoch);
  EXPECT_EQ(a.variant, b.variant);
  EXPECT_EQ(a.variants, b.variants);
  EXPECT_EQ(a.chosen_by, b.chosen_by);
  ASSERT_EQ(a.tried.size(), b.tried.size());
  for (Index k = 0; k < a.tried.size(); ++k) expect_same(a.tried[k], b.tried[k]);
  // What the model says of itself.
  Value one, other;
  put_provenance(a, 1, one);
  put_provenance(b, 1, other);
  EXPECT_EQ(one, other);
}

class Learning : public ::testing::TestWithParam<Case> {
 protected:
  Case with_checkpoint(bool resume, double save_every = 300) const {
    Case one = GetParam();
    one.options.checkpoint = path_;
    one.options.resume = resume;
    one.options.save_every = save_every;
    return one;
  }
  // As often as it takes, each time a little further. Returns how often.
  Index resume_until_done(const Case& one, Index piece, Learned& learned) const {
    Case again = one;
    for (Index pieces = 1;; ++pieces) {
      Told told;
      learned = learn_case(again, trainable_, told,
                           trainable_.moments().restart(piece + 7 * (pieces - 1)));
      EXPECT_EQ(std::filesystem::exists(path_), learned.interrupted || pieces > 1);
      if (!learned.interrupted) return pieces;
      again.options.resume = true;
    }
  }

  SmallTrainable trainable_{GetParam().dev};
  TemporaryDirectory directory_;
  std::string path_ = directory_.file("run.checkpoint");
};

TEST_P(Learning, GivesTheSameBitsAtWhateverMomentItIsInterrupted) {
  trainable_.moments().restart(0);
  const Learned whole = learn_case(GetParam(), trainable_);
  const Index total = trainable_.moments().count();
  ASSERT_GT(total, 0U);
  const Index stride = std::max<Index>(1, total / 30);
  for (Index moment = 1; moment < total; moment += moment < 40 ? 6 : stride) {
    SCOPED_TRACE(moment);
    Learned learned;
    // One interruption at this moment; what follows is not disturbed.
    Told told;
    Case one = with_checkpoint(false);
    learned = learn_case(one, trainable_, told, trainable_.moments().restart(moment));
    if (learned.interrupted) {
      ASSERT_TRUE(std::filesystem::exists(path_));
      one.options.resume = true;
      Told after;
      learned = learn_case(one, trainable_, after, trainable_.moments().restart(0));
    }
    expect_same(whole, learned);
    learned.stages->discard();
    EXPECT_FALSE(std::filesystem::exists(path_));
    if (HasFailure()) return;
  }
}

TEST_P(Learning, GivesTheSameBitsHoweverOftenItIsInterrupted) {
  trainable_.moments().restart(0);
  const Learned whole = learn_case(GetParam(), trainable_);
  const Index total = trainable_.moments().count();
  for (const Index piece : {Index{1}, total / 7 + 1, total / 2 + 1}) {
    SCOPED_TRACE(piece);
    Learned learned;
    const Index pieces = resume_until_done(with_checkpoint(false), piece, learned);
    EXPECT_GT(pieces, 1U);
    expect_same(whole, learned);
    learned.stages->discard();
  }
}

TEST_P(Learning, GivesTheSameBitsWhereItIsSavedAllTheTime) {
  const Learned whole = learn_case(GetParam(), trainable_);
  Told told;
  const Learned saved = learn_case(with_checkpoint(false, 0), trainable_, told);
  expect_same(whole, saved);
  // All stages are on disk now: the same call again has nothing to do but to recall them.
  EXPECT_TRUE(std::filesystem::exists(path_));
  Told recalled;
  expect_same(whole, learn_case(with_checkpoint(true), trainable_, recalled));
  EXPECT_TRUE(recalled.epochs.empty());
  EXPECT_TRUE(recalled.progress.size() == told.progress.size());
}

TEST_P(Learning, GivesTheSameBitsOnTwoThreadsInterruptedOrNot) {
  const Learned whole = learn_case(GetParam(), trainable_);
  Case two = GetParam();
  two.options.threads = 2;
  trainable_.moments().restart(0);
  expect_same(whole, learn_case(two, trainable_));
  const Index total = trainable_.moments().count();
  for (const Index moment : {total / 5, total / 2, 4 * total / 5}) {
    Case one = with_checkpoint(false);
    one.options.threads = 2;
    Told told;
    Learned learned = learn_case(one, trainable_, told, trainable_.moments().restart(moment));
    if (learned.interrupted) {
      one.options.resume = true;
      one.options.threads = 1;  // goes on elsewhere
      Told after;
      learned = learn_case(one, trainable_, after);
    }
    expect_same(whole, learned);
    learned.stages->discard();
  }
}

TEST_P(Learning, StopsAtOnceWhenAskedBeforeItStarts) {
  std::stop_source source;
  source.request_stop();
  Told told;
  const Learned learned = learn_case(with_checkpoint(false), trainable_, told, source.get_token());
  EXPECT_TRUE(learned.interrupted);
  EXPECT_TRUE(std::filesystem::exists(path_));
  EXPECT_TRUE(told.epochs.empty());
}

TEST_P(Learning, RefusesToGoOnWithOtherOptions) {
  Told told;
  const Case one = with_checkpoint(false);
  ASSERT_TRUE(learn_case(one, trainable_, told, trainable_.moments().restart(20)).interrupted);
  const auto refuses = [&](const Case& other) {
    Told more;
    EXPECT_THROW(learn_case(other, trainable_, more), InputError);
  };
  Case other = with_checkpoint(true);
  other.options.seed = 2;
  refuses(other);
  other = with_checkpoint(true);
  other.options.learner.certify = true;
  refuses(other);
  if (!one.options.candidates.empty()) {
    other = with_checkpoint(true);
    other.options.candidates.back().values = {2, 4};
    refuses(other);
  }
  if (one.options.folds > 0) {
    other = with_checkpoint(true);
    other.options.folds = 4;
    refuses(other);
  }
  Told more;
  EXPECT_THROW(learn(trainable_, small_choice(one.options.learner), small_defaults(),
                     with_checkpoint(true).options, "small data=37", more.events()),
               InputError);
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name;
  for (const char c : info.param.name) name += std::isalnum(c) ? c : '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Cases, Learning, ::testing::ValuesIn(cases()), case_name);

// ---- what is chosen

Case find_case(const std::string& name) {
  for (Case& one : cases()) {
    if (one.name == name) return one;
  }
  throw UsageError("no case " + name);
}

double accuracy_on_dev(const SmallTrainable& trainable, std::span<const double> w) {
  return trainable.figure(trainable.whole().tally(w));
}

TEST(LearnVariants, KeepsTheBestOfAllSettingsOfAll) {
  for (const char* name : {"variants by the dev set", "variants in folds", "variants alone"}) {
    SCOPED_TRACE(name);
    const Case one = find_case(name);
    const SmallTrainable trainable(one.dev);
    Told told;
    const Learned learned = learn_case(one, trainable, told);
    ASSERT_EQ(learned.variants, (std::vector<std::string>{"svm", "softmax-margin"}));
    const auto best =
        std::max_element(learned.tried.begin(), learned.tried.end(),
                         [](const Tried& a, const Tried& b) { return a.figure < b.figure; });
    const Tried chosen = learned.chosen();
    EXPECT_TRUE(std::any_of(learned.tried.begin(), learned.tried.end(), [&](const Tried& tried) {
      return tried.variant == chosen.variant && tried.figure == best->figure &&
             tried.setting.description() == chosen.setting.description();
    }));
    EXPECT_TRUE(told.phase("chose " + chosen.variant)) << told.phases.back();
    for (const std::string& variant : learned.variants) {
      EXPECT_TRUE(std::any_of(learned.tried.begin(), learned.tried.end(),
                              [&](const Tried& tried) { return tried.variant == variant; }));
    }
  }
}

// Three by one fold, two by two, one by all five.
TEST(LearnVariants, LeaveTheWorseHalfBehind) {
  const Case one = find_case("variants halved");
  const SmallTrainable trainable(one.dev);
  Told told;
  const Learned learned = learn_case(one, trainable, told);
  std::map<std::string, std::set<Index>> folds;
  std::map<Index, double> best;  // by folds
  for (const Tried& tried : learned.tried) {
    folds[tried.variant].insert(tried.folds);
    best.try_emplace(tried.folds, tried.figure);
    best[tried.folds] = std::max(best[tried.folds], tried.figure);
  }
  std::multiset<Index> left_after;
  for (const auto& [variant, after] : folds) {
    ASSERT_EQ(after.size(), 1U) << variant;  // what was known of it by fewer is gone
    left_after.insert(*after.begin());
  }
  EXPECT_EQ(left_after, (std::multiset<Index>{0, 1, 2}));
  EXPECT_EQ(folds[learned.chosen().variant], std::set<Index>{0});
  EXPECT_TRUE(std::any_of(learned.tried.begin(), learned.tried.end(), [&](const Tried& tried) {
    return tried.figure == best[0] && tried.setting.description() == learned.choice.description();
  }));
  EXPECT_TRUE(told.phase(" (1 fold)") && told.phase("continuing with 2 folds for "));
}

TEST(LearnOnAPart, IsJudgedByTheFirstFoldAlone) {
  const Case one = find_case("C on a held-out part");
  const SmallTrainable trainable(false);
  Told told;
  const Learned learned = learn_case(one, trainable, told);
  EXPECT_EQ(learned.chosen_by, "accuracy on a held-out part of 1 in 5 of the training set");
  ASSERT_GE(learned.tried.size(), 3U);
  const auto fold = trainable.fold(0, 5);
  std::vector<double> w(fold->dimension(), 0.0);
  for (const Tried& tried : learned.tried) {
    FitCall call{tried.setting, w, {}, {}, {}, &tried != &learned.tried.front()};
    fold->fit(call);
    EXPECT_EQ(trainable.figure(fold->tally(w)), tried.figure);
  }
}

// At whatever moment it is interrupted, there is the best of what was finished, if anything was.
TEST(LearnInterrupted, KeepsTheBestSoFar) {
  for (const char* name :
       {"C by the dev set", "C by itself", "C on a held-out part", "variants in folds"}) {
    SCOPED_TRACE(name);
    const Case one = find_case(name);
    const SmallTrainable trainable(one.dev);
    trainable.moments().restart(0);
    const Learned whole = learn_case(one, trainable);
    const Index total = trainable.moments().count();
    Index usable = 0;
    for (Index moment = 1; moment < total; moment += std::max<Index>(1, total / 30)) {
      Told told;
      const Learned learned = learn_case(one, trainable, told, trainable.moments().restart(moment));
      if (!learned.interrupted) continue;
      EXPECT_EQ(learned.usable(), !learned.tried.empty());
      if (!learned.usable()) continue;
      ++usable;
      EXPECT_EQ(learned.w.size(), trainable.whole().dimension());
      const auto best =
          std::max_element(learned.tried.begin(), learned.tried.end(),
                           [](const Tried& a, const Tried& b) { return a.figure < b.figure; });
      EXPECT_EQ(best->setting.description(), learned.choice.description());
      if (one.dev) {
        EXPECT_EQ(accuracy_on_dev(trainable, learned.w), best->figure);
      } else {
        const auto fold = trainable.fold(0, 5);
        EXPECT_EQ(learned.w.size(), fold->dimension());
      }
    }
    EXPECT_GT(usable, 3U);
  }
}

TEST(LearnOnDev, KeepsTheBestSettingWithTheWeightsOfItsRun) {
  const SmallTrainable trainable;
  const Case one = find_case("C and k by the dev set");
  Told told;
  const Learned learned = learn_case(one, trainable, told);
  ASSERT_EQ(learned.tried.size(), 4U);
  double best = 0;
  for (const Tried& tried : learned.tried) best = std::max(best, tried.figure);
  EXPECT_EQ(accuracy_on_dev(trainable, learned.w), best);
  const auto first = std::find_if(learned.tried.begin(), learned.tried.end(),
                                  [&](const Tried& tried) { return tried.figure == best; });
  EXPECT_EQ(learned.choice.description(), first->setting.description());  // of equals the first
  EXPECT_EQ(learned.chosen_by, "accuracy on the dev set");
  EXPECT_TRUE(told.phase("chose c = ")) << told.phases.back();
  // The same as a call with that setting alone: MIRA does not go to an optimum, so every run
  // starts from 0.
  Case alone = one;
  alone.options.candidates.clear();
  alone.options.learner.c = learned.choice.values.c;
  alone.options.learner.k = learned.choice.values.k;
  const Learned same = learn_case(alone, trainable);
  EXPECT_EQ(same.w, learned.w);
  EXPECT_EQ(same.best_epoch, learned.best_epoch);
}

TEST(LearnOnDev, ConvergingLearnersStartWhereTheSettingBeforeEnded) {
  const SmallTrainable trainable;
  Case one = make_case("", kLbfgs, 200);
  one.options.learner.patience = 0;
  one.options.candidates = {{"c", {0.01, 0.1, 1}}};
  const Learned along = learn_case(one, trainable);
  ASSERT_EQ(along.tried.size(), 3U);
  for (Index k = 0; k < 3; ++k) {
    Case alone = one;
    alone.options.candidates.clear();
    alone.options.learner.c = along.tried[k].setting.values.c;
    const Learned cold = learn_case(alone, trainable);
    // One optimum, reached by another way.
    EXPECT_NEAR(along.tried[k].objective, cold.fitted.summary.objective,
                1e-3 * cold.fitted.summary.objective);
  }
}

TEST(LearnOnDev, ARunStartsFromTheEndOfTheOneBeforeWhicheverEpochWasKept) {
  const SmallTrainable trainable;
  Case one = make_case("", kBmrm, 12);
  one.options.learner.patience = 0;
  one.options.candidates = {{"c", {0.1, 1}}};
  const Learned along = learn_case(one, trainable);
  std::vector<double> w(trainable.whole().dimension(), 0.0);
  Fitted fitted;
  for (const Tried& tried : along.tried) {
    LearnControl control;
    control.seed = one.options.seed;
    fitted = trainable.whole().fit({tried.setting, w, control, {}, {}, &tried != &along.tried[0]});
    EXPECT_EQ(tried.objective, fitted.summary.objective);
  }
}

TEST(LearnInFolds, AddsUpTheTalliesAndFitsTheChosenSettingOnAll) {
  const SmallTrainable trainable(false);
  for (const char* name : {"C in folds", "lambda and epochs in folds", "C in folds, exactly"}) {
    SCOPED_TRACE(name);
    const Case one = find_case(name);
    Told told;
    const Learned learned = learn_case(one, trainable, told);
    const Index folds = one.options.folds;
    EXPECT_EQ(learned.chosen_by, "accuracy over " + std::to_string(folds) + " folds");
    double best = -1;
    for (const Tried& tried : learned.tried) {
      // By hand: the examples that models of the others get right, of all. The settings of a path
      // start from each other, so only the first of a path is made from nothing.
      best = std::max(best, tried.figure);
      if (tried.setting.converges()) continue;
      double right = 0;
      for (Index fold = 0; fold < folds; ++fold) {
        const auto trial = trainable.fold(fold, folds);
        std::vector<double> w(trial->dimension(), 0.0);
        LearnControl control;
        control.seed = one.options.seed;
        trial->fit({tried.setting, w, control});
        right += trial->tally(w)[0];
      }
      EXPECT_DOUBLE_EQ(tried.figure, right / 36);
    }
    EXPECT_EQ(best, std::find_if(learned.tried.begin(), learned.tried.end(), [&](const Tried& t) {
                      return t.setting.description() == learned.choice.description();
                    })->figure);
    Case alone = one;
    alone.options.candidates.clear();
    alone.options.folds = 0;
    LearnerOptions& said = alone.options.learner;
    said.c = learned.choice.values.c;
    said.lambda = learned.choice.values.lambda;
    said.epochs = learned.choice.values.epochs;
    EXPECT_EQ(learn_case(alone, trainable).w, learned.w);
    EXPECT_EQ(told.progress.size(), folds * learned.tried.size());
    EXPECT_TRUE(told.progress.back().ends_with(
        fmt::format("{} of {} fits", told.progress.size(), told.progress.size())));
  }
}

TEST(LearnAlongAPath, ReportsEverySettingFromStrongToWeakAndKeepsTheLast) {
  const SmallTrainable trainable(false);
  Case one = make_case("", kBmrm, 300, false);
  one.options.learner.gap = 1e-4;
  one.options.candidates = {{"lambda", {0.01, 1, 0.1}}};
  one.options.path = true;
  Told told;
  const Learned learned = learn_case(one, trainable, told);
  ASSERT_EQ(learned.tried.size(), 3U);
  for (Index k = 1; k < 3; ++k) {
    EXPECT_LT(learned.tried[k].setting.values.lambda, learned.tried[k - 1].setting.values.lambda);
    EXPECT_LT(learned.tried[k].objective, learned.tried[k - 1].objective);
    EXPECT_GT(learned.tried[k].norm, learned.tried[k - 1].norm);
    EXPECT_TRUE(std::isnan(learned.tried[k].figure));
  }
  EXPECT_EQ(learned.choice.values.lambda, 0.01);
  EXPECT_EQ(learned.chosen_by, "the end of the path");
  EXPECT_FALSE(told.phase("chose"));
  EXPECT_TRUE(told.phase("lambda = 0.1: objective"));
}

TEST(LearnOnDev, ANumberThatIsNoneIsNeverTheBest) {
  class Moody final : public SmallTrainable {
   public:
    // The first setting has no figure.
    double figure(std::span<const double> tally) const override {
      return ++calls_ <= 2 ? std::numeric_limits<double>::quiet_NaN()
                           : SmallTrainable::figure(tally);
    }

   private:
    mutable int calls_ = 0;
  };
  const Moody trainable;
  Case one = make_case("", kDca, 1);
  one.options.candidates = {{"c", {0.1, 1}}};
  const Learned learned = learn_case(one, trainable);
  EXPECT_TRUE(std::isnan(learned.tried[0].figure));
  EXPECT_EQ(learned.choice.values.c, 1);
}

TEST(Learn, StartsFromTheWeightsThatTheTaskHas) {
  SmallTrainable trainable(false);
  Case one = make_case("", kPerceptron, 1, false);
  one.options.learner.average = false;
  const Learned zero = learn_case(one, trainable);
  trainable.start_from(zero.w);
  const Learned on = learn_case(one, trainable);
  std::vector<double> w = zero.w;
  LearnControl control;
  control.seed = one.options.seed;
  trainable.whole().fit({small_choice(one.options.learner), w, control});
  EXPECT_EQ(on.w, w);
  EXPECT_NE(on.w, zero.w);
}

TEST(LearnInFolds, StartsEveryFoldFromTheWeightsThatTheTaskHas) {
  SmallTrainable trainable(false);
  Case one = make_case("", kPerceptron, 1, false);
  trainable.start_from(learn_case(one, trainable).w);
  one.options.candidates = {{"epochs", {1, 2}}};
  one.options.folds = 3;
  for (const Tried& tried : learn_case(one, trainable).tried) {
    double right = 0;
    for (Index fold = 0; fold < 3; ++fold) {
      const auto trial = trainable.fold(fold, 3);
      const auto start = trial->start();
      std::vector<double> w(start.begin(), start.end());
      LearnControl control;
      control.seed = one.options.seed;
      trial->fit({tried.setting, w, control});
      right += trial->tally(w)[0];
    }
    EXPECT_DOUBLE_EQ(tried.figure, right / 36);
  }
}

TEST(Learn, TellsEveryEpochOnceWhateverHappens) {
  const SmallTrainable trainable;
  TemporaryDirectory directory;
  Case one = find_case("a fit, watched");
  Told whole;
  const Learned learned = learn_case(one, trainable, whole);
  ASSERT_EQ(whole.epochs.size(), learned.fitted.summary.epochs);
  one.options.checkpoint = directory.file("c");
  Told pieces;
  for (Index piece = 30;; piece += 10) {
    if (!learn_case(one, trainable, pieces, trainable.moments().restart(piece)).interrupted) break;
    one.options.resume = true;
  }
  ASSERT_EQ(pieces.epochs.size(), whole.epochs.size());
  for (Index k = 0; k < whole.epochs.size(); ++k) {
    EXPECT_EQ(pieces.epochs[k].epoch, k + 1);
    EXPECT_EQ(pieces.epochs[k].dev, whole.epochs[k].dev);
  }
}

TEST(Learn, SaysThatThereIsNothingToGoOnFrom) {
  const SmallTrainable trainable;
  TemporaryDirectory directory;
  Case one = find_case("a fit, watched");
  one.options.checkpoint = directory.file("c");
  one.options.resume = true;
  Told told;
  expect_same(learn_case(find_case("a fit, watched"), trainable), learn_case(one, trainable, told));
  EXPECT_TRUE(told.phase("starting from the beginning"));
}

// ---- what cannot be chosen

TEST(SomethingToChooseBy, IsADevSetOrFoldsOrAPath) {
  const auto sentence = [](const TrainingOptions& options, bool has_dev) -> std::string {
    try {
      require_something_to_choose_by(options, has_dev);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  TrainingOptions options;
  EXPECT_EQ(sentence(options, false), "");
  options.candidates = {{"k", {1, 2}}};
  EXPECT_NE(sentence(options, false).find("--k"), std::string::npos);
  EXPECT_EQ(sentence(options, true), "");
  options.folds = 5;
  EXPECT_EQ(sentence(options, false), "");
  EXPECT_NE(sentence(options, true).find("--dev and --cv cannot be combined"), std::string::npos);
  options.folds = 1;
  EXPECT_NE(sentence(options, false).find("at least 2"), std::string::npos);
  options.folds = 0;
  options.path = true;
  EXPECT_EQ(sentence(options, false), "");
  // One value of one beside several of another that says the same.
  options.candidates = {{"c", {}}};
  options.learner.lambda = 1;
  EXPECT_NE(sentence(options, false).find("--c and --lambda"), std::string::npos);
  options.learner.lambda.reset();
  options.learner.c = 1;  // the first of a list
  EXPECT_EQ(sentence(options, false), "");
}

TEST(SomethingToChooseBy, IsAskedForByLearnItself) {
  const SmallTrainable trainable(false);
  Case one = make_case("", kDca, 3, false);
  one.options.candidates = {{"c", {0.1, 1}}};
  EXPECT_THROW(learn_case(one, trainable), UsageError);
}

// ---- what is said of it

TEST(Result, HasTheDialsTheChoicesAndTheSummary) {
  const SmallTrainable trainable;
  const Learned learned = learn_case(find_case("C by the dev set"), trainable);
  Value record, training;
  put_learned(learned, {1, 2}, record);
  EXPECT_EQ(record.at("learner"), "bcfw");
  EXPECT_EQ(record.at("loss"), "svm");
  EXPECT_EQ(record.at("dials").at("c"), *learned.choice.values.c);
  EXPECT_EQ(record.at("dials").at("epochs"), 4);
  EXPECT_EQ(record.at("dials").at("average"), false);
  EXPECT_FALSE(record.at("dials").contains("lambda"));
  EXPECT_EQ(record.at("chosen_by"), "accuracy on the dev set");
  ASSERT_EQ(record.at("choices").size(), 3U);
  EXPECT_EQ(record.at("choices").items()[0].at("c"), 0.1);
  EXPECT_EQ(record.at("choices").items()[1].at("figure"), learned.tried[1].figure);
  EXPECT_EQ(record.at("choices").items()[1].at("norm"), learned.tried[1].norm);
  EXPECT_TRUE(record.at("gap").is_number());
  EXPECT_EQ(record.at("read_seconds"), 1);
  EXPECT_EQ(record.at("total_seconds"), 2);
  put_provenance(learned, 7, training);
  EXPECT_EQ(training.at("seed"), 7);
  EXPECT_EQ(training.at("dials"), record.at("dials"));
  EXPECT_EQ(training.at("best_epoch"), learned.best_epoch);
  EXPECT_FALSE(training.contains("seconds"));
}

TEST(Result, WithoutAChoiceSaysNothingOfOne) {
  const SmallTrainable trainable(false);
  Value record;
  put_learned(learn_case(find_case("a fit"), trainable), {}, record);
  EXPECT_FALSE(record.contains("choices"));
  EXPECT_FALSE(record.contains("chosen_by"));
  EXPECT_EQ(record.at("termination"), "max_epochs");
}

TEST(Result, HasTheRateThatSgdChose) {
  const SmallTrainable trainable;
  const Learned learned = learn_case(find_case("a rate by the dev set"), trainable);
  Value record;
  put_learned(learned, {}, record);
  EXPECT_GT(learned.fitted.eta, 0);
  EXPECT_EQ(record.at("eta"), learned.fitted.eta);
}

TEST(FoldFits, RunAllJobsWithTheirShareOfTheThreadsUntilAStopIsRequested) {
  Told told;
  std::stop_source stop;
  const TrainEvents events = told.events(stop.get_token());
  const Stages stages({}, "folds", stop.get_token());
  FoldFits fits(stages, events, 6, 3);
  EXPECT_TRUE(fits.run(3, [&](Index, int threads) {
    fits.count();
    return threads == 2;
  }));
  ASSERT_EQ(told.progress.size(), 3U);
  EXPECT_EQ(told.progress.back(), "cross-validation: 3 of 3 fits");
  EXPECT_FALSE(fits.run(2, [](Index job, int) { return job == 0; }));
  stop.request_stop();
  EXPECT_FALSE(fits.run(2, [](Index, int) {
    ADD_FAILURE() << "begun after a stop";
    return true;
  }));
}

}  // namespace
}  // namespace trellis::testing
