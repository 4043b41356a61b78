#include "trellis/tasks/tables/hmm/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stop_token>
#include <string>

#include "small_sequences.h"
#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/data/json.h"
#include "trellis/generative/hmm/estimation.h"
#include "trellis/tasks/tables/hmm/evaluate.h"
#include "trellis/tasks/tables/hmm/predict.h"

namespace trellis::hmm {
namespace {

using generative::Estimator;
using testing::data_of;
using testing::ring_file;
using trellis::testing::TemporaryDirectory;

TrainOptions options_for(Estimator estimator) {
  TrainOptions options;
  options.estimator.estimator = estimator;
  if (!options.estimator.discriminative()) return options;
  options.estimator.eta = {0.1};
  options.estimator.gamma = {estimator == Estimator::kMaxMargin ? 1.0 : 0.0};
  options.estimator.towards = "uniform";
  options.estimator.start = generative::Start::kUniform;
  return options;
}

Evaluation evaluate_text(const SequenceModel& model, const std::string& text,
                         const EvaluateOptions& options = {}) {
  return evaluate(model, InputFile::from_bytes(text, "test.tsv"), options);
}

TEST(HmmTrain, MlIsTheFrequencies) {
  const std::string text = ring_file(20, 30, 1);
  const SequenceData data = data_of(text);
  TrainOptions options = options_for(Estimator::kMl);
  options.estimator.smoothing = 0.5;
  const Trained trained = train(data, nullptr, options, {});
  const Hmm expected = estimate_hmm(data.alphabet, data.sequences, 0.5);
  ASSERT_TRUE(trained.model);
  EXPECT_TRUE(std::equal(expected.theta().begin(), expected.theta().end(),
                         trained.model->hmm().theta().begin()));
  const Value record = trained.result.record();
  for (const char* name : {"objective", "bound", "gap", "epochs", "seconds"}) {
    EXPECT_TRUE(record.at(name).is_number()) << name;
  }
  EXPECT_EQ(record.at("gap"), 0);
}

TEST(HmmTrain, DiscriminativeModelsPredictTheirTrainingSet) {
  const std::string text = ring_file(20, 15, 2), test = ring_file(50, 20, 3);
  const SequenceData data = data_of(text);
  const double guessing = 80;  // % wrong
  for (const Estimator estimator : {Estimator::kConditional, Estimator::kMaxMargin}) {
    for (const Divergence divergence : {Divergence::kForward, Divergence::kReverse}) {
      TrainOptions options = options_for(estimator);
      options.estimator.divergence = divergence;
      options.estimator.loss = "ring";
      options.estimator.gap = 0.01;
      const Trained trained = train(data, nullptr, options, {});
      ASSERT_TRUE(trained.model);
      const generative::DiscriminativeResult& found = *trained.result.discriminative;
      EXPECT_TRUE(found.fitted.converged);
      EXPECT_LE(found.fitted.bound, found.fitted.objective);
      EXPECT_LE(found.fitted.gap, 0.01);
      for (Index i = 0; i < trained.model->hmm().distributions().num(); ++i) {
        double mass = 0;
        for (const double theta : trained.model->hmm().row(i)) mass += std::exp(theta);
        EXPECT_LE(mass, 1 + 1e-9);
      }
      EXPECT_LT(evaluate_text(*trained.model, test).error, guessing * 0.7);
      EXPECT_EQ(evaluate_text(*trained.model, test).loss_name, "ring");
    }
  }
}

TEST(HmmTrain, PenaltiesOfTheMarginThatIsMissed) {
  const SequenceData data = data_of(ring_file(10, 8, 9));
  std::vector<double> objectives;
  for (const auto penalty :
       {generative::SlackPenalty::kLinear, generative::SlackPenalty::kQuadratic,
        generative::SlackPenalty::kRescaled}) {
    TrainOptions options = options_for(Estimator::kMaxMargin);
    options.estimator.penalty = penalty;
    options.estimator.eta = {0.03};
    if (penalty == generative::SlackPenalty::kRescaled) options.estimator.gamma.clear();
    options.estimator.gap = 0.02;
    const Trained trained = train(data, nullptr, options, {});
    ASSERT_TRUE(trained.model);
    EXPECT_TRUE(trained.result.discriminative->fitted.converged);
    for (const double other : objectives) {
      EXPECT_GT(std::abs(trained.result.summary.objective - other), 0.1);
    }
    objectives.push_back(trained.result.summary.objective);
  }
}

TEST(HmmTrain, EtaIsChosenByWhatIsHeldOut) {
  const SequenceData data = data_of(ring_file(20, 10, 4)), dev = data_of(ring_file(20, 10, 5));
  TrainOptions options = options_for(Estimator::kMaxMargin);
  options.estimator.eta = {1e-9, 0.1};  // the first learns nothing
  for (const bool by_dev : {false, true}) {
    if (!by_dev) options.estimator.folds = 3;
    const Trained trained = train(data, by_dev ? &dev : nullptr, options, {});
    const generative::DiscriminativeResult& found = *trained.result.discriminative;
    EXPECT_EQ(found.setting.eta, 0.1);
    ASSERT_EQ(found.trials.size(), 2);
    EXPECT_LT(found.trials[1].loss, found.trials[0].loss);
    const Value record = trained.result.record();
    EXPECT_EQ(record.at("eta"), 0.1);
    EXPECT_EQ(record.at("history").size(), found.fitted.iterations);
    options.estimator.folds.reset();
  }
}

TEST(HmmTrain, TablesHeldTo) {
  const std::string text = ring_file(10, 10, 6);
  const SequenceData data = data_of(text);
  const TemporaryDirectory folder;
  const Trained ml = train(data, nullptr, options_for(Estimator::kMl), {});
  ml.model->write(folder.file("m"));
  // With next to no weight on the examples, the tables held to are what comes out.
  for (const std::string& towards : {std::string("ml"), folder.file("m")}) {
    TrainOptions options = options_for(Estimator::kMaxMargin);
    options.estimator.eta = {1e-9};
    options.estimator.towards = towards;
    options.estimator.gap = 1e-8;
    const Trained trained = train(data, nullptr, options, {});
    for (Index p = 0; p < ml.model->hmm().theta().size(); ++p) {
      EXPECT_NEAR(std::exp(trained.model->hmm().theta()[p]), std::exp(ml.model->hmm().theta()[p]),
                  1e-3);
    }
    EXPECT_EQ(trained.model->to_bytes().find(folder.path()), std::string::npos);
  }
  TrainOptions options = options_for(Estimator::kMaxMargin);
  options.estimator.towards = folder.file("m");
  EXPECT_THROW(train(data_of("a b 1\n"), nullptr, options, {}), InputError);
  TrainOptions plain = options_for(Estimator::kMl);
  plain.estimator.smoothing = 0;
  train(data_of("a b 1\nb b 2\n"), nullptr, plain, {}).model->write(folder.file("zeros"));
  options.estimator.towards = folder.file("zeros");
  EXPECT_THROW(train(data_of("a b 1\nb b 2\n"), nullptr, options, {}), UsageError);
}

TEST(HmmTrain, EmFindsStatesThatNobodyNamed) {
  ColumnOptions columns;
  columns.state = "none";
  columns.observations = {"1", "2"};
  const SequenceData data = data_of(ring_file(60, 30, 7), {columns}, 5);
  TrainOptions options = options_for(Estimator::kEm);
  options.num_states = 5;
  options.estimator.restarts = 4;
  const Trained trained = train(data, nullptr, options, {});
  ASSERT_TRUE(trained.model);
  EXPECT_EQ(trained.result.runs.size(), 4);
  // Better than one state, whose observations are independent.
  options.num_states = 1;
  const SequenceData one = data_of(ring_file(60, 30, 7), {columns}, 1);
  EXPECT_GT(trained.result.log_likelihood,
            train(one, nullptr, options, {}).result.log_likelihood + 10);
}

// Stops after so many calls of on_epoch.
TrainEvents stopping_after(Index calls, std::stop_source& source, Index& count) {
  TrainEvents events;
  events.stop = source.get_token();
  events.on_epoch = [&source, &count, calls](const EpochRecord&) {
    if (++count >= calls) source.request_stop();
  };
  return events;
}

TEST(HmmTrain, GoesOnToTheSameBytes) {
  const SequenceData data = data_of(ring_file(20, 10, 8));
  for (const Estimator estimator : {Estimator::kEm, Estimator::kMaxMargin}) {
    const TemporaryDirectory folder;
    TrainOptions options = options_for(estimator);
    options.checkpoint = folder.file("state");
    if (estimator == Estimator::kEm) {
      options.estimator.restarts = 3;
    } else {
      options.estimator.eta = {0.01, 0.1};
      options.estimator.folds = 2;
    }
    SequenceData hidden = data;
    if (estimator == Estimator::kEm) {
      for (HmmSequence& x : hidden.sequences) {
        for (Index t = 1; t < x.states.size(); ++t) x.states[t] = kNoLabel;
      }
    }
    const Trained whole = train(hidden, nullptr, options, {});
    whole.stages->discard();
    std::stop_source source;
    Index count = 0;
    const Trained cut = train(hidden, nullptr, options, stopping_after(10, source, count));
    EXPECT_FALSE(cut.model);
    options.resume = true;
    options.estimator.threads = 3;
    const Trained resumed = train(hidden, nullptr, options, {});
    ASSERT_TRUE(resumed.model);
    EXPECT_EQ(resumed.model->to_bytes(), whole.model->to_bytes());
    if (estimator == Estimator::kMaxMargin) {
      EXPECT_EQ(resumed.result.discriminative->fitted.history.size(),
                whole.result.discriminative->fitted.history.size());
    }
    options.options_given = "\n--smoothing 3";  // another run, as the command says it
    EXPECT_THROW(train(hidden, nullptr, options, {}), InputError);
  }
}

TEST(HmmTrain, RefusesWhatDoesNotFit) {
  const auto refused = [](auto change) {
    TrainFiles files{{"train.tsv"}};
    TrainOptions options;
    change(files, options);
    EXPECT_THROW(check(files, options), UsageError);
  };
  refused([](auto&, auto& o) { o.estimator.eta = {1}; });
  refused([](auto&, auto& o) { o.estimator.restarts = 3; });
  refused([](auto&, auto& o) { o.estimator.smoothing = -1; });
  refused([](auto&, auto& o) { o.estimator.smoothing = std::nan(""); });
  refused([](auto&, auto& o) { o.estimator.loss = "no such file"; });
  refused([](auto&, auto& o) { o.num_states = 3; });
  refused([](auto& f, auto&) { f.data.columns.state = "none"; });
  refused([](auto& f, auto&) { f.dev = "dev.tsv"; });
  refused([](auto& f, auto& o) {
    f.data.columns.state = "none";
    o.estimator.estimator = Estimator::kEm;
  });
  refused([](auto&, auto& o) {
    o.estimator.estimator = Estimator::kEm;
    o.num_states = 3;
  });
  const auto margin = [&](auto change) {
    refused([&](TrainFiles&, TrainOptions& o) {
      o.estimator.estimator = Estimator::kMaxMargin;
      change(o.estimator);
    });
  };
  margin([](auto& e) { e.proximal = 0; });
  margin([](auto& e) { e.gamma = {-1}; });
  margin([](auto& e) { e.eta = {-1}; });
  margin([](auto& e) { e.vertices = 0; });
  margin([](auto& e) { e.online = true; });
  margin([](auto& e) { e.rounds = 2; });
  margin([](auto& e) { e.folds = 1; });
  margin([](auto& e) {
    e.eta = {1};
    e.gamma = {1};
    e.folds = 3;
  });
  margin([](auto& e) {
    e.towards = "ml";
    e.smoothing = 0;
  });
  const SequenceData gaps = data_of("a x 1\na x ?\n");
  for (const Estimator estimator :
       {Estimator::kMl, Estimator::kConditional, Estimator::kMaxMargin}) {
    try {
      train(gaps, nullptr, options_for(estimator), {});
      FAIL();
    } catch (const InputError& error) {
      EXPECT_EQ(error.line(), 2);
    }
  }
}

TEST(HmmPredict, WritesWhatItReadWithTheStates) {
  const Trained trained =
      train(data_of("a x 1\nb x 2\n\na y 1\nb y 2\n"), nullptr, options_for(Estimator::kMl), {});
  const TemporaryDirectory folder;
  const auto predicted = [&](const std::string& text, const PredictOptions& options = {},
                             const std::string& name = "f.tsv") {
    OutputFile out(folder.file("out"));
    predict(*trained.model, InputFile::from_bytes(text, name), options, out);
    out.commit();
    return read_file(folder.file("out"));
  };
  EXPECT_EQ(predicted("a x\nb ?\n\na y\n"), "a\tx\t1\nb\t?\t2\n\na\ty\t1\n");
  EXPECT_EQ(predicted("a x 2\nb zzz 2\n"), "a\tx\t1\nb\tzzz\t2\n");
  EXPECT_EQ(predicted("2,other,1\nx,\"o,o\",a\n", {}, "f.csv"), "2,other,1,state\nx,\"o,o\",a,1\n");
  PredictOptions options;
  options.json = options.marginals = true;
  const Value record = parse_json(predicted("a x\n", options)).value();
  EXPECT_EQ(record.at("states"), (std::vector<std::string>{"1"}));
  const Value& marginals = record.at("marginals").at(0);
  EXPECT_NEAR(marginals.at("1").get<double>() + marginals.at("2").get<double>(), 1, 1e-12);
}

TEST(HmmPredict, ObservationsOfProbabilityZeroAreRefused) {
  TrainOptions options = options_for(Estimator::kMl);
  options.estimator.smoothing = 0;
  const Trained trained = train(data_of("a 1\nb 2\n"), nullptr, options, {});
  OutputFile out("/dev/null");
  try {
    predict(*trained.model, InputFile::from_bytes("a\nb\n\nb\na\n", "f.txt"), {}, out);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), 4);
  }
  EXPECT_THROW(evaluate_text(*trained.model, "b 1\n"), InputError);
  // What training has not seen is no evidence.
  EXPECT_EQ(evaluate_text(*trained.model, "zzz 1\n").error, 0);
}

TEST(HmmEvaluate, CountsMistakes) {
  const Trained trained =
      train(data_of("a x 1\nb x 2\n\na y 1\nb y 2\n"), nullptr, options_for(Estimator::kMl), {});
  const Evaluation found = evaluate_text(*trained.model, "a x 1\nb x 1\nb y ?\n\na x 9\n");
  EXPECT_EQ(found.sequences, 2);
  EXPECT_EQ(found.positions, 3);
  EXPECT_EQ(found.wrong, 2);
  EXPECT_NEAR(found.error, 200.0 / 3, 1e-12);
  EXPECT_EQ(found.loss, 1);
  EXPECT_EQ(found.unseen_states, (std::vector<std::string>{"9"}));
  EXPECT_EQ(found.confusion, (std::vector<Index>{1, 1, 0, 0, 1, 0}));
  const Value record = parse_json(to_json(found.record())).value();
  EXPECT_TRUE(record.at("joint_log_likelihood").is_null());
  EXPECT_EQ(record.at("loss"), 1);
  EXPECT_THROW(evaluate_text(*trained.model, "a x\n"), InputError);
  EXPECT_THROW(evaluate_text(*trained.model, ""), InputError);
}

TEST(HmmEvaluate, KeepsSequencesWhereTheyAreWanted) {
  const Trained trained =
      train(data_of(ring_file(20, 15, 2)), nullptr, options_for(Estimator::kMl), {});
  const std::string test = ring_file(6, 12, 3);
  EXPECT_TRUE(evaluate_text(*trained.model, test).judged.empty());
  EvaluateOptions options;
  options.keep_sequences = true;
  const Evaluation found = evaluate_text(*trained.model, test, options);
  ASSERT_EQ(found.judged.size(), found.sequences);
  Index wrong = 0;
  double loss = 0;
  for (const JudgedSequence& one : found.judged) {
    ASSERT_EQ(one.truth.size(), one.found.size());
    for (Index t = 0; t < one.truth.size(); ++t) wrong += one.truth[t] != one.found[t] ? 1 : 0;
    loss += one.loss;
  }
  EXPECT_EQ(wrong, found.wrong);
  EXPECT_NEAR(loss, found.loss * static_cast<double>(found.sequences), 1e-9);
  EXPECT_EQ(found.judged[0].line, 1);
  EXPECT_EQ(found.judged[1].line, 14);
}

}  // namespace
}  // namespace trellis::hmm
