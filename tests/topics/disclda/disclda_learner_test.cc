#include "trellis/topics/disclda/disclda_learner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "tests/topics/disclda/disclda_enumeration.h"
#include "tests/topics/disclda/drawn_documents.h"
#include "trellis/base/error.h"
#include "trellis/topics/disclda/disclda_chain.h"

namespace trellis::topics {
namespace {

// Three classes, soft transformations of four topics and three components, short documents.
struct Setting {
  SoftmaxTransformation softmax;
  DiscLdaModel model;
  LabelledCorpus corpus;
  std::vector<std::vector<std::uint32_t>> texts;

  double exact() const {  // Σ_d log p(y_d | w_d)
    double value = 0;
    for (Index d = 0; d < texts.size(); ++d) {
      value += std::log(enumerate_posterior(model, texts[d])[corpus.labels[d]]);
    }
    return value;
  }
  void set_parameters(const std::vector<double>& parameters) {
    softmax = SoftmaxTransformation(3, 4, 3, parameters);
    model.transformation = softmax.transformation();
  }
};
Setting short_documents(std::uint64_t seed) {
  Random random(seed);
  std::vector<double> parameters(3 * 3 * 4);
  for (double& t : parameters) t = random.normal();
  SoftmaxTransformation softmax(3, 4, 3, parameters);
  Setting setting{softmax,
                  {softmax.transformation(), random_topics(6, 4, random), 0.5, {-0.5, -1, -2}},
                  {},
                  {}};
  setting.corpus.num_words = 6;
  for (std::uint32_t d = 0; d < 6; ++d) {
    setting.texts.push_back(random_document(1 + random.below(5), 6, random));
    setting.corpus.add(setting.texts.back(), d % 3);
  }
  return setting;
}

std::vector<double> gradient_of(const Setting& setting, const ClassInferenceOptions& options,
                                int threads = 1) {
  std::vector<double> gradient(setting.model.transformation.num_shares());
  conditional_gradient(setting.model, setting.corpus.documents(), setting.corpus.labels, options, 0,
                       threads, gradient);
  setting.softmax.to_parameters(gradient);
  return gradient;
}

std::vector<double> differences(Setting setting, const std::function<double(const Setting&)>& value,
                                double step) {
  const std::vector<double> at(setting.softmax.parameters().begin(),
                               setting.softmax.parameters().end());
  std::vector<double> result;
  for (Index i = 0; i < at.size(); ++i) {
    std::vector<double> moved = at;
    moved[i] += step;
    setting.set_parameters(moved);
    const double up = value(setting);
    moved[i] -= 2 * step;
    setting.set_parameters(moved);
    result.push_back((up - value(setting)) / (2 * step));
  }
  return result;
}

TEST(ConditionalGradient, ByDrawsEqualsDifferencesOfTheExactLikelihood) {
  const Setting setting = short_documents(1);
  const auto expected = differences(
      setting, [](const Setting& s) { return s.exact(); }, 1e-4);
  ClassInferenceOptions options;
  options.method = ClassMethod::kSampling;
  options.samples = 10000;
  const auto gradient = gradient_of(setting, options);
  for (Index i = 0; i < expected.size(); ++i) EXPECT_NEAR(gradient[i], expected[i], 0.02);
}

TEST(ConditionalGradient, ByTheFilterIsNearTheExactOne) {
  const Setting setting = short_documents(2);
  const auto expected = differences(
      setting, [](const Setting& s) { return s.exact(); }, 1e-4);
  const auto gradient = gradient_of(setting, {});
  double error = 0, norm = 0;
  for (Index i = 0; i < expected.size(); ++i) {
    error += (gradient[i] - expected[i]) * (gradient[i] - expected[i]);
    norm += expected[i] * expected[i];
  }
  EXPECT_LT(error, 0.01 * norm);
}

TEST(ConditionalGradient, OfDeterministicMethodsIsExactForTheirValues) {
  for (const ClassMethod method : {ClassMethod::kCollapsed, ClassMethod::kMeanField}) {
    ClassInferenceOptions options;
    options.method = method;
    options.variational = {.max_sweeps = 20000, .tolerance = 1e-13};
    const Setting setting = short_documents(3);
    const auto value = [&](const Setting& s) {
      return conditional_fit(s.model, s.corpus.documents(), s.corpus.labels, options, 0, 1)
          .log_likelihood;
    };
    const auto expected = differences(setting, value, 1e-5);
    const auto gradient = gradient_of(setting, options);
    for (Index i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(gradient[i], expected[i], 1e-6) << int(method);
    }
  }
}

TEST(ConditionalGradient, SameBitsForAnyNumberOfThreads) {
  const Setting setting = short_documents(4);
  ClassInferenceOptions options;
  options.method = ClassMethod::kSampling;
  options.samples = 20;
  const auto once = gradient_of(setting, options, 1);
  EXPECT_EQ(once, gradient_of(setting, options, 2));
  EXPECT_EQ(once, gradient_of(setting, options, 3));
}

// Two classes that differ in which of two topics their words lean to, with words that say nothing.
LabelledCorpus leaning_corpus(Index documents, std::uint64_t seed) {
  LabelledCorpus corpus;
  corpus.num_words = 30;
  Random random(seed);
  for (Index d = 0; d < documents; ++d) {
    const auto label = static_cast<std::uint32_t>(d % 2);
    std::vector<std::uint32_t> words(20);
    for (auto& word : words) {
      const bool own = random.uniform() < 0.3;
      const bool lean = random.uniform() < 0.75;
      const Index group = own ? (lean ? label : 1 - label) : 2;
      word = static_cast<std::uint32_t>(10 * group + random.below(10));
    }
    corpus.add(words, label);
  }
  return corpus;
}

struct Learning {
  LabelledCorpus train = leaning_corpus(120, 1), held_out = leaning_corpus(60, 2);
  SoftmaxTransformation softmax = SoftmaxTransformation::smoothed_blocks(2, 2, 2);
  DiscLdaLearnOptions options;

  DiscLdaLearner learner(int threads) const {
    DiscLdaChain chain(train.documents(), train.labels, softmax.transformation(),
                       {.alpha = 0.5, .beta = 0.05, .seed = 3, .blocks = 0});
    chain.start(threads);
    for (int sweep = 0; sweep < 30; ++sweep) chain.sweep(threads);
    return {softmax,
            chain.topics(),
            0.5,
            log_prior_of(train.labels, 2),
            {train.documents(), train.labels},
            {held_out.documents(), held_out.labels},
            options,
            threads};
  }
  // Of the labels that are learned from, by the state as it is.
  double log_likelihood(const DiscLdaLearnState& state) const {
    const DiscLdaModel model = {state.transformation.transformation(), state.topics, 0.5,
                                log_prior_of(train.labels, 2)};
    return conditional_fit(model, train.documents(), train.labels, options.inference, 0, 1)
        .log_likelihood;
  }
  DiscLdaLearner resume(const DiscLdaLearnState& state) const {
    return {state,
            0.5,
            log_prior_of(train.labels, 2),
            {train.documents(), train.labels},
            {held_out.documents(), held_out.labels},
            options};
  }
};

TEST(DiscLdaLearner, StepsRaiseTheConditionalLikelihoodAndTheBestRoundIsKept) {
  for (const bool move_topics : {false, true}) {
    Learning learning;
    learning.options.rate = 2;
    learning.options.move_topics = move_topics;
    DiscLdaLearner learner = learning.learner(1);
    const ConditionalFit before = learner.state().held_out;
    double last = learning.log_likelihood(learner.state());
    for (int round = 0; round < 6; ++round) {
      const DiscLdaRound summary = learner.round(1);
      // Topics anew are not made for it.
      const double now = learning.log_likelihood(learner.state());
      if (!move_topics) {
        EXPECT_GT(now, last) << round;
      }
      last = now;
      EXPECT_GE(summary.held_out.error, learner.state().best_held_out.error);
    }
    EXPECT_LE(learner.state().best_held_out.error, before.error);
    const ConditionalFit best =
        conditional_fit(learner.best(), learning.held_out.documents(), learning.held_out.labels,
                        learning.options.inference, 0, 1);
    EXPECT_EQ(best.error, learner.state().best_held_out.error);
    EXPECT_LT(best.error, 0.25);
  }
}

TEST(DiscLdaLearner, SameBitsForAnyNumberOfThreadsAndAfterResuming) {
  for (const ClassMethod method : {ClassMethod::kCollapsed, ClassMethod::kSampling}) {
    Learning learning;
    learning.options.gradient_steps = 2;
    learning.options.sweeps = 5;
    learning.options.inference.method = method;
    learning.options.inference.burn_in = 2;
    learning.options.inference.samples = 5;
    DiscLdaLearner learner = learning.learner(1);
    learner.round(1);
    const DiscLdaLearnState after_one = learner.state();
    learner.round(1);
    DiscLdaLearner other = learning.learner(2), resumed = learning.resume(after_one);
    other.round(2);
    other.round(3);
    resumed.round(2);
    std::vector<double> expected(30 * 6), actual(30 * 6);
    const auto read = [](const DiscLdaLearner& from, std::vector<double>& phi) {
      for (Index v = 0; v < 30; ++v) {
        from.state().topics.probabilities(v, std::span(phi).subspan(v * 6, 6));
      }
      const auto t = from.state().transformation.parameters();
      return std::vector<double>(t.begin(), t.end());
    };
    const auto parameters = read(learner, expected);
    for (const DiscLdaLearner* same : {&other, &resumed}) {
      EXPECT_EQ(read(*same, actual), parameters);
      EXPECT_EQ(actual, expected);
      EXPECT_EQ(same->state().best_round, learner.state().best_round);
    }
  }
}

TEST(DiscLdaLearner, RefusesOptionsOutOfRange) {
  Learning learning;
  learning.options.rate = std::nan("");
  EXPECT_THROW(learning.learner(1), UsageError);
  learning.options.rate = 1;
  learning.options.gradient_steps = 0;
  EXPECT_THROW(learning.learner(1), UsageError);
  learning.options.gradient_steps = 1;
  learning.options.decay = -1;
  EXPECT_THROW(learning.learner(1), UsageError);
}

// At the length where the filter's occupancies leave [0, 1] by most.
TEST(UpdateTopics, CountsEveryTokenOfEveryWord) {
  const DiscLdaModel model = model_of_two_classes(1);
  LabelledCorpus corpus;
  corpus.num_words = model.topics.num_words();
  std::vector<double> times(corpus.num_words);
  Random random(5);
  for (std::uint32_t d = 0; d < 6; ++d) {
    corpus.add(draw_document(model, d % 2, 200, random), d % 2);
  }
  for (const std::uint32_t word : corpus.tokens) times[word] += 1;
  for (const ClassMethod method :
       {ClassMethod::kCollapsed, ClassMethod::kMeanField, ClassMethod::kSampling}) {
    ClassInferenceOptions options;
    options.method = method;
    const KnownTopics topics =
        update_topics(model, corpus.documents(), corpus.labels, options, 5, 0, 1);
    for (Index v = 0; v < corpus.num_words; ++v) {
      double total = 0;
      for (Index e = topics.begin()[v]; e < topics.begin()[v + 1]; ++e) {
        EXPECT_GE(topics.entries()[e].count, 0);
        total += topics.entries()[e].count;
      }
      EXPECT_NEAR(total, times[v], 1e-6) << "word " << v << ", method " << int(method);
    }
  }
}

}  // namespace
}  // namespace trellis::topics
