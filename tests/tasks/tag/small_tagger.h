// Small taggers for tests: sentences about cities and days, and models over them with any weights.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "trellis/base/random.h"
#include "trellis/learn/online/perceptron.h"
#include "trellis/problem/chain/chain_feature_builder.h"
#include "trellis/problem/chain/chain_features.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/model/tagger.h"
#include "trellis/tasks/tag/model/transition_rules.h"
#include "trellis/tasks/tag/templates/feature_template.h"
#include "trellis/tasks/tag/training_set.h"

namespace trellis::testing {

inline std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}

// Sentences in two columns, word and IOB2 label. Some words are a city here and none there, so
// that a model has to look around.
inline std::string city_sentences(Index count, std::uint64_t seed) {
  using Lines = std::vector<std::string_view>;
  static const std::vector<Lines> kPieces = {
      {"fly O", "to O"},
      {"a O", "nice O", "hotel O"},
      {"we O", "may O", "go O"},
      {"please O"},
      {"Lima B-CITY"},
      {"New B-CITY", "York B-CITY I"},
      {"San B-CITY", "Jose B-CITY I"},
      {"in O", "Nice B-CITY"},
      {"next B-DAY", "May B-DAY I"},
      {"on O", "Monday B-DAY"},
      {"the B-DAY", "third B-DAY I", "of B-DAY I", "June B-DAY I"},
      {"the O", "hotel O"},
      {"new O"},
  };
  Random random(seed);
  std::string text;
  for (Index i = 0; i < count; ++i) {
    for (Index piece = 1 + random.below(5); piece > 0; --piece) {
      for (const std::string_view line : kPieces[random.below(kPieces.size())]) {
        std::string token(line);
        if (token.ends_with(" I")) {
          token.resize(token.size() - 2);
          token[token.rfind(" B-") + 1] = 'I';
        }
        text += token + "\n";
      }
    }
    text += "\n";
  }
  return text;
}

inline tag::FeatureTemplate city_template(bool edges = false) {
  std::string text = "word = column 0\nnode word[-1..1]\nnode suffix(word, 1..2)\nnode\nedge\n";
  if (edges) text += "edge word[0]\n";
  return tag::FeatureTemplate::parse(text, "city");
}

inline std::vector<tag::TagSequence> read_sequences(
    const std::string& path, tag::InputFormat format = tag::InputFormat::kColumns) {
  tag::SequenceReader reader(InputFile(path), format);
  std::vector<tag::TagSequence> sequences;
  tag::TagSequence sequence;
  while (reader.read(sequence)) sequences.push_back(std::exchange(sequence, {}));
  return sequences;
}

struct RandomTaggerOptions {
  int order = 1;
  int hash_bits = 0;
  bool edges = false;
  Index num_voters = 0;
  double zeros = 0.3;  // the share of weights that are 0
  FeatureSet set = FeatureSet::kObserved;
  tag::InputFormat format = tag::InputFormat::kColumns;
};

// A tagger as it is at the end of training, but with weights that were drawn: what is saved and
// loaded must say the same as `chain` with `weights`.
struct RandomTagger {
  RandomTagger(const std::string& file, const RandomTaggerOptions& options, std::uint64_t seed)
      : features(city_template(options.edges)) {
    tag::TrainingSetOptions data;
    data.hash_bits = options.hash_bits;
    data.format = options.format;
    set = tag::read_training_set(tag::open_files({file}), features, data);
    const TransitionRules rules = set.model_scheme == tag::TagScheme::kPlain
                                      ? TransitionRules(set.labels.size())
                                      : tag::transition_rules(set.labels, set.model_scheme);
    const auto states = std::make_shared<const ChainStates>(rules, options.order);
    ChainFeatureOptions choice;
    choice.nodes = choice.transitions = options.set;
    chosen = choose_chain_features(*states, choice, set.nodes.size(),
                                   options.edges ? set.edges.size() : 0, *set.examples);
    const Index n = set.labels.size();
    chain = std::make_unique<ChainFeatures>(states, chosen.node_rows.view(n),
                                            chosen.edge_rows.view(n * (n + 1)), chosen.grams);
    Random random(seed);
    for (Index v = 0; v < std::max<Index>(1, options.num_voters); ++v) {
      weights.push_back(draw_weights(options, random));
      if (options.num_voters > 0) votes.push_back(static_cast<double>(1 + random.below(9)));
    }
  }

  std::string bytes() const {
    tag::TagModelParts parts;
    parts.format.format = set.options.format;
    parts.format.num_columns = set.num_columns;
    parts.format.label_column = set.num_columns > 0 ? set.num_columns - 1 : 0;
    parts.format.file_scheme = set.file_scheme;
    parts.format.model_scheme = set.model_scheme;
    parts.labels = set.labels;
    parts.features = &features;
    parts.chain = chain.get();
    parts.nodes = &set.nodes;
    parts.edges = &set.edges;
    parts.node_ids = chosen.node_ids;
    parts.edge_ids = chosen.edge_ids;
    for (const auto& w : weights) parts.weights.push_back(w);
    parts.votes = votes;
    parts.training = Value::record({{"learner", "drawn"}});
    return tag::tag_model_bytes(parts);
  }
  tag::TagModel model() const {
    const std::string file = bytes();
    return tag::TagModel::from_bytes(as_bytes(file), "drawn.model");
  }

  // Part scores of training example i.
  std::vector<double> scores(Index i, Index voter = 0) const {
    const SequenceAttributes x = set.examples->attributes(i);
    std::vector<double> s(chain->chain(x.length).num_parts());
    chain->scores(x, weights[voter], s);
    return s;
  }

  tag::FeatureTemplate features;
  tag::TrainingSet set;
  ChosenChainFeatures chosen;
  std::unique_ptr<ChainFeatures> chain;
  std::vector<std::vector<double>> weights;
  std::vector<double> votes;

 private:
  // Whole rows are 0, too, as a penalty on the L1 norm leaves them.
  std::vector<double> draw_weights(const RandomTaggerOptions& options, Random& random) const {
    std::vector<double> w(chain->dimension());
    for (double& weight : w) weight = random.uniform() < options.zeros ? 0.0 : random.normal();
    const AttributeRows& rows = chain->node_rows();
    for (AttributeId a = 0; a < rows.num_attributes(); ++a) {
      if (random.uniform() >= options.zeros / 2) continue;
      std::fill_n(w.begin() + static_cast<std::ptrdiff_t>(rows.begin(a)), rows.size(a), 0.0);
    }
    chain->clear_padding(w);
    return w;
  }
};

}  // namespace trellis::testing
