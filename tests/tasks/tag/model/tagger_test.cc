#include "trellis/tasks/tag/model/tagger.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/tasks/tag/small_tagger.h"
#include "trellis/base/error.h"
#include "trellis/tasks/tag/output/explain.h"

namespace trellis::tag {
namespace {

using testing::RandomTagger;
using testing::RandomTaggerOptions;
using Best = std::vector<ScoredOutput<std::vector<Label>>>;

// Taggers of every order, with and without edge attributes.
class TaggerTest : public ::testing::Test {
 protected:
  TaggerTest()
      : file_(directory_.make("train.txt", testing::city_sentences(25, 2))),
        sequences_(testing::read_sequences(file_)) {}

  template <class Check>
  void with_each_tagger(const Check& check, Index num_voters = 0) {
    for (int order = 1; order <= 3; ++order) {
      for (const bool edges : {false, true}) {
        SCOPED_TRACE(order);
        RandomTaggerOptions options;
        options.order = order;
        options.edges = edges;
        options.num_voters = num_voters;
        const RandomTagger drawn(file_, options, static_cast<std::uint64_t>(order));
        const TagModel model = drawn.model();
        check(drawn, Tagger(model));
      }
    }
  }

  testing::TemporaryDirectory directory_;
  std::string file_;
  std::vector<TagSequence> sequences_;
  Tagger::Scratch scratch_;
};

bool legal(const TagModel& model, const std::vector<Label>& labels) {
  std::vector<std::string_view> texts;
  for (const Label label : labels) texts.push_back(model.labels()[static_cast<Index>(label)]);
  return !find_fault(texts, model.format().model_scheme);
}

TEST_F(TaggerTest, BestSequencesAreSortedLegalDistinctAndBeginWithTheBest) {
  with_each_tagger([&](const RandomTagger&, const Tagger& tagger) {
    for (const TagSequence& sequence : sequences_) {
      std::vector<Label> labels;
      const double score = tagger.tag(sequence, {}, scratch_, labels);
      EXPECT_TRUE(legal(tagger.model(), labels));
      Best best;
      const double log_sum = tagger.n_best(sequence, {}, 20, scratch_, best);
      ASSERT_FALSE(best.empty());
      EXPECT_EQ(best.front().output, labels);
      EXPECT_EQ(best.front().score, score);
      EXPECT_GE(log_sum, score - 1e-9);
      for (Index k = 0; k < best.size(); ++k) {
        EXPECT_TRUE(legal(tagger.model(), best[k].output));
        for (Index j = 0; j < k; ++j) EXPECT_NE(best[j].output, best[k].output);
        if (k > 0) {
          EXPECT_LE(best[k].score, best[k - 1].score);
        }
      }
    }
  });
}

TEST_F(TaggerTest, MarginalsSumToOneAtEachToken) {
  with_each_tagger([&](const RandomTagger&, const Tagger& tagger) {
    const Index n = tagger.model().labels().size();
    for (const TagSequence& sequence : sequences_) {
      std::vector<double> probabilities;
      tagger.marginals(sequence, {}, scratch_, probabilities);
      ASSERT_EQ(probabilities.size(), sequence.num_tokens() * n);
      for (Index t = 0; t < sequence.num_tokens(); ++t) {
        const auto row = probabilities.begin() + static_cast<std::ptrdiff_t>(t * n);
        EXPECT_NEAR(std::accumulate(row, row + static_cast<std::ptrdiff_t>(n), 0.0), 1, 1e-9);
      }
    }
  });
}

TEST_F(TaggerTest, ConstraintsHoldInEveryOperation) {
  with_each_tagger([&](const RandomTagger& drawn, const Tagger& tagger) {
    const Index n = tagger.model().labels().size();
    Random random(9);
    for (Index i = 0; i < sequences_.size(); ++i) {
      // The true label is allowed, so that there is a legal sequence, and others at random.
      std::vector<std::uint8_t> allowed(sequences_[i].num_tokens() * n);
      for (std::uint8_t& flag : allowed) flag = random.below(3) == 0 ? 1 : 0;
      const std::vector<Label>& truth = drawn.set.examples->labels(i);
      for (Index t = 0; t < truth.size(); ++t) allowed[t * n + static_cast<Index>(truth[t])] = 1;
      const auto obeys = [&](const std::vector<Label>& labels) {
        for (Index t = 0; t < labels.size(); ++t) {
          if (allowed[t * n + static_cast<Index>(labels[t])] == 0) return false;
        }
        return labels.size() == sequences_[i].num_tokens();
      };
      std::vector<Label> labels;
      EXPECT_TRUE(std::isfinite(tagger.tag(sequences_[i], allowed, scratch_, labels)));
      EXPECT_TRUE(obeys(labels));
      Best best;
      tagger.n_best(sequences_[i], allowed, 5, scratch_, best);
      EXPECT_EQ(best.front().output, labels);
      for (const auto& output : best) EXPECT_TRUE(obeys(output.output));
      std::vector<double> probabilities;
      tagger.marginals(sequences_[i], allowed, scratch_, probabilities);
      for (Index k = 0; k < allowed.size(); ++k) {
        if (allowed[k] == 0) {
          EXPECT_EQ(probabilities[k], 0);
        }
      }
    }
  });
}

TEST_F(TaggerTest, WhereNothingIsAllowedThereAreNoLabels) {
  for (const Index voters : {Index{0}, Index{2}}) {
    with_each_tagger(
        [&](const RandomTagger&, const Tagger& tagger) {
          const Index n = tagger.model().labels().size();
          const std::vector<std::uint8_t> nothing(sequences_[0].num_tokens() * n, 0);
          std::vector<Label> labels = {1};
          const double score = tagger.tag(sequences_[0], nothing, scratch_, labels);
          EXPECT_TRUE(std::isinf(score) && score < 0);
          EXPECT_TRUE(labels.empty());
        },
        voters);
  }
}

TEST_F(TaggerTest, VotesOfOneVoterAreItsLabels) {
  with_each_tagger(
      [&](const RandomTagger& drawn, const Tagger& tagger) {
        ASSERT_TRUE(tagger.model().voted());
        Chain::Scratch chain_scratch;
        for (Index i = 0; i < sequences_.size(); ++i) {
          std::vector<Label> voted, expected;
          tagger.tag(sequences_[i], {}, scratch_, voted);
          drawn.chain->chain(sequences_[i].num_tokens())
              .maximize(drawn.scores(i), chain_scratch, expected);
          EXPECT_EQ(voted, expected);
        }
      },
      1);
}

double total(const std::vector<Contribution>& contributions) {
  double sum = 0;
  for (const Contribution& c : contributions) sum += c.value * c.weight;
  return sum;
}

TEST_F(TaggerTest, ExplanationsAddUpToTheDifferenceOfTheScores) {
  with_each_tagger([&](const RandomTagger& drawn, const Tagger& tagger) {
    for (Index i = 0; i < sequences_.size(); ++i) {
      const Chain chain = drawn.chain->chain(sequences_[i].num_tokens());
      const std::vector<double> s = drawn.scores(i);
      std::vector<Label> best;
      tagger.tag(sequences_[i], {}, scratch_, best);
      for (Index t = 0; t < best.size(); ++t) {
        const Explanation why = explain(tagger, sequences_[i], t, scratch_);
        EXPECT_EQ(why.label, best[t]);
        if (why.runner_up == kNoLabel) {
          EXPECT_TRUE(why.runner_up_features.empty());
          continue;
        }
        std::vector<Label> other = best;
        other[t] = why.runner_up;
        ASSERT_TRUE(chain.legal(other));
        const double difference = chain.score(s, best) - chain.score(s, other);
        EXPECT_GE(difference, 0);
        EXPECT_NEAR(total(why.label_features) - total(why.runner_up_features), difference, 1e-9);
        EXPECT_GE(why.probability, 0);
        EXPECT_LE(why.probability + why.runner_up_probability, 1 + 1e-9);
        for (Index k = 1; k < why.label_features.size(); ++k) {
          const Contribution& a = why.label_features[k - 1];
          const Contribution& b = why.label_features[k];
          EXPECT_GE(std::abs(a.value * a.weight), std::abs(b.value * b.weight));
        }
        // No other label between the same neighbours comes closer.
        for (Label j = 0; j < static_cast<Label>(tagger.model().labels().size()); ++j) {
          other[t] = j;
          if (j == best[t] || !chain.legal(other)) continue;
          EXPECT_GE(chain.score(s, best) - chain.score(s, other), difference - 1e-12);
        }
      }
    }
  });
}

TEST_F(TaggerTest, ExplanationsNameTheAttributesOfTheToken) {
  RandomTaggerOptions options;
  options.zeros = 0;
  options.set = FeatureSet::kAll;
  const RandomTagger drawn(file_, options, 4);
  const TagModel model = drawn.model();
  const Tagger tagger(model);
  const Explanation why = explain(tagger, sequences_[0], 0, scratch_);
  const std::string word(sequences_[0].columns.field(0, 0));
  const auto has = [&](const std::string& name) {
    for (const Contribution& c : why.label_features) {
      if (c.feature == name) return true;
    }
    return false;
  };
  EXPECT_TRUE(has("word[0]=" + word));
  EXPECT_TRUE(has("label: ^ → " + model.labels()[static_cast<Index>(why.label)]));
}

TEST_F(TaggerTest, ConstraintColumnsAreRead) {
  const RandomTagger drawn(file_, {}, 1);
  const TagModel model = drawn.model();
  const Tagger tagger(model);
  const auto read = [&](const std::string& text) {
    const auto sequences = testing::read_sequences(directory_.make("constraints.txt", text));
    std::vector<std::uint8_t> allowed;
    tagger.read_constraints(sequences.at(0), 1, "constraints.txt", allowed);
    return allowed;
  };
  const Index n = model.labels().size();
  const auto allowed = read("in _\nNice B-CITY|O\nhere ?\nnow *\n");
  ASSERT_EQ(allowed.size(), 4 * n);
  for (Index j = 0; j < n; ++j) {
    const std::string& label = model.labels()[j];
    EXPECT_EQ(allowed[j], 1);
    EXPECT_EQ(allowed[n + j], label == "B-CITY" || label == "O" ? 1 : 0);
    EXPECT_EQ(allowed[2 * n + j], 1);
    EXPECT_EQ(allowed[3 * n + j], 1);
  }
  try {
    read("in _\nNice B-CITY|PLACE\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), 2U);
    EXPECT_EQ(error.token(), "PLACE");
  }
}

TEST_F(TaggerTest, UnknownWordsAreTaggedByWhatElseIsKnown) {
  const auto unknown = testing::read_sequences(directory_.make("new.txt", "Qwxzj O\nBvkq O\n"));
  with_each_tagger([&](const RandomTagger&, const Tagger& tagger) {
    std::vector<Label> labels;
    EXPECT_TRUE(std::isfinite(tagger.tag(unknown[0], {}, scratch_, labels)));
    EXPECT_TRUE(legal(tagger.model(), labels));
  });
}

TEST_F(TaggerTest, BioesModelsDecodeLegalBioes) {
  std::string text = testing::city_sentences(25, 5);
  const std::string file = directory_.make("plain.txt", text);
  TrainingSetOptions options;
  options.model_scheme = TagScheme::kBioes;
  const TrainingSet set = read_training_set(open_files({file}), testing::city_template(), options);
  std::string bioes;
  const auto sequences = testing::read_sequences(file);
  for (Index i = 0; i < sequences.size(); ++i) {
    for (Index t = 0; t < sequences[i].num_tokens(); ++t) {
      const Label label = set.examples->labels(i)[t];
      bioes += std::string(sequences[i].columns.field(t, 0)) + " " +
               set.labels[static_cast<Index>(label)] + "\n";
    }
    bioes += "\n";
  }
  const std::string bioes_file = directory_.make("bioes.txt", bioes);
  for (int order = 1; order <= 3; ++order) {
    RandomTaggerOptions drawn_options;
    drawn_options.order = order;
    const RandomTagger drawn(bioes_file, drawn_options, 8);
    const TagModel model = drawn.model();
    ASSERT_EQ(model.format().model_scheme, TagScheme::kBioes);
    const Tagger tagger(model);
    for (const TagSequence& sequence : sequences) {
      std::vector<Label> labels;
      tagger.tag(sequence, {}, scratch_, labels);
      EXPECT_TRUE(legal(model, labels));
    }
  }
}

}  // namespace
}  // namespace trellis::tag
