// Small random tagging problems, and the loss family computed by enumeration.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tests/problem/some_attributes.h"
#include "trellis/base/random.h"
#include "trellis/problem/chain/chain_examples.h"
#include "trellis/problem/chain/chain_feature_builder.h"
#include "trellis/problem/chain/chain_features.h"
#include "trellis/problem/chain/chain_model.h"
#include "trellis/problem/cost_table.h"
#include "trellis/problem/loss.h"

namespace trellis::testing {

struct RandomChainOptions {
  int order = 1;
  Index num_labels = 3;
  Index num_examples = 4;
  Index max_length = 4;
  bool edges = false;    // edge attributes
  bool values = false;   // attribute values other than 1
  bool rules = false;    // forbid some transitions
  bool partial = false;  // leave labels out
  FeatureSet set = FeatureSet::kObserved;
};

class RandomChains {
 public:
  RandomChains(const RandomChainOptions& options, std::uint64_t seed)
      : examples_(options.num_labels), costs_(CostTable::hamming(options.num_labels)) {
    Random random(seed);
    TransitionRules rules(options.num_labels);
    if (options.rules) {
      rules.forbid(0, static_cast<Label>(options.num_labels - 1));
      rules.forbid_start(static_cast<Label>(options.num_labels - 1));
      rules.forbid_stop(1);
    }
    states_ = std::make_shared<ChainStates>(rules, options.order);
    for (Index i = 0; i < options.num_examples; ++i) add_example(options, rules, random);
    ChainFeatureOptions feature_options;
    feature_options.nodes = feature_options.transitions = options.set;
    chosen_ = choose_chain_features(*states_, feature_options, kAttributes,
                                    options.edges ? kAttributes : 0, examples_);
    features_ = std::make_unique<ChainFeatures>(
        states_, chosen_.node_rows.view(options.num_labels),
        chosen_.edge_rows.view(options.num_labels * (options.num_labels + 1)), chosen_.grams);
    model_ = std::make_unique<ChainModel>(*features_, examples_, costs_);
  }

  // Some examples of others, with the features of all of them. `all` must outlive these.
  RandomChains(const RandomChains& all, std::span<const Index> chosen)
      : examples_(all.examples_.num_labels()), costs_(all.costs_), states_(all.states_) {
    const auto attributes = [&](const AttributeStore& store) {
      return store.num_examples() == 0 ? AttributeStore()
                                       : some_attributes(store, chosen, kAttributes);
    };
    examples_.nodes() = attributes(all.examples_.nodes());
    examples_.edges() = attributes(all.examples_.edges());
    for (const Index i : chosen) {
      const std::span<const std::uint8_t> truth = all.examples_.truth(i);
      examples_.add(all.examples_.labels(i), {truth.begin(), truth.end()}, all.examples_.weight(i));
    }
    model_ = std::make_unique<ChainModel>(*all.features_, examples_, costs_);
  }

  const ChainModel& model() const { return *model_; }
  const ChainExamples& examples() const { return examples_; }
  const ChainFeatures& features() const { return *features_; }
  // For the conformance suite: dense rows have coordinates that no feature uses.
  std::function<void(std::vector<double>&)> restriction() const {
    return [this](std::vector<double>& w) { features_->clear_padding(w); };
  }

  // L_{β,γ} of example i by summing over all label sequences; with unknown labels the truth is
  // summed over as well.
  double loss_by_enumeration(const Loss& loss, Index i, std::span<const double> w) const {
    const Chain chain = model_->structure(i);
    std::vector<double> s(chain.num_parts());
    model_->scores(i, w, s);
    std::vector<double> augmented, truth;
    std::vector<Label> y(chain.length(), 0);
    do {
      if (!chain.legal(y)) continue;
      double cost = 0;
      bool possible = true;
      for (Index t = 0; t < y.size(); ++t) {
        const Label gold = examples_.labels(i)[t];
        if (gold != kNoLabel && gold != y[t]) cost += 1, possible = false;
      }
      const double score = chain.score(s, y);
      augmented.push_back(score + loss.gamma * cost);
      if (possible) truth.push_back(score);
    } while (next(y));
    return soft_maximum(augmented, loss.beta) - soft_maximum(truth, loss.beta);
  }

 private:
  static constexpr Index kAttributes = 6;

  bool next(std::vector<Label>& y) const {
    for (Label& label : y) {
      if (static_cast<Index>(++label) < examples_.num_labels()) return true;
      label = 0;
    }
    return false;
  }

  static double soft_maximum(const std::vector<double>& values, double beta) {
    double top = values.front();
    for (double value : values) top = std::max(top, value);
    if (beta == Loss::kInfinity) return top;
    double sum = 0;
    for (double value : values) sum += std::exp(beta * (value - top));
    return top + std::log(sum) / beta;
  }

  void add_example(const RandomChainOptions& options, const TransitionRules& rules,
                   Random& random) {
    const Index length = 1 + random.below(options.max_length);
    std::vector<Label> labels = legal_labels(length, rules, random);
    add_attributes(examples_.nodes(), length, options.values, random);
    if (options.edges) add_attributes(examples_.edges(), length, options.values, random);
    if (options.partial) {
      for (Label& label : labels) {
        if (random.below(2) == 0) label = kNoLabel;
      }
    }
    examples_.add(labels, {}, options.values ? 0.5 + random.uniform() : 1);
  }

  std::vector<Label> legal_labels(Index length, const TransitionRules& rules,
                                  Random& random) const {
    while (true) {
      std::vector<Label> y(length);
      for (Label& label : y) label = static_cast<Label>(random.below(rules.num_labels()));
      bool legal = rules.may_start(y.front()) && rules.may_stop(y.back());
      for (Index t = 1; t < length; ++t) legal = legal && rules.may_follow(y[t - 1], y[t]);
      if (legal) return y;
    }
  }

  static void add_attributes(AttributeStore& store, Index length, bool with_values,
                             Random& random) {
    std::vector<std::uint32_t> begin = {0};
    std::vector<AttributeId> ids;
    std::vector<float> values;
    for (Index t = 0; t < length; ++t) {
      for (Index k = random.below(4); k > 0; --k) {
        ids.push_back(static_cast<AttributeId>(random.below(kAttributes)));
        if (with_values) values.push_back(static_cast<float>(random.normal()));
      }
      begin.push_back(static_cast<std::uint32_t>(ids.size()));
    }
    store.add(begin, ids, values);
  }

  ChainExamples examples_;
  CostTable costs_;
  std::shared_ptr<const ChainStates> states_;
  ChosenChainFeatures chosen_;
  std::unique_ptr<ChainFeatures> features_;
  std::unique_ptr<ChainModel> model_;
};

}  // namespace trellis::testing
