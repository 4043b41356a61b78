#include "trellis/tasks/tag/output/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/json.h"
#include "trellis/tasks/tag/output/model_sequences.h"

namespace trellis::tag {
namespace {

std::string gram_name(const std::vector<std::string>& labels, std::span<const Label> history,
                      bool from_start, Label label) {
  std::string name = "label:";
  if (from_start) name += " ^";
  for (const Label y : history) name += " " + labels[static_cast<Index>(y)];
  return name + " → " + labels[static_cast<Index>(label)];
}

std::vector<Contribution> contributions(const TagModel& model, const TagSequence& sequence,
                                        const SequenceAttributes& x, const std::vector<Label>& y,
                                        Index t, Tagger::Scratch& scratch) {
  const ChainFeatures& chain = model.chain();
  const double* w = model.weights().data();
  AttributeNames names(sequence, model.features(), scratch.features);
  std::vector<Contribution> list;
  for (Index k = x.node.begin[t]; k < x.node.begin[t + 1]; ++k) {
    const Index weight = chain.node_rows().find(x.node.ids[k], static_cast<Index>(y[t]));
    if (weight == AttributeRows::kNoWeight) continue;
    list.push_back({names.node(t, scratch.node.sources[k]), x.node.value(k), w[weight]});
  }
  if (!x.edge.begin.empty()) {
    // The label belongs to two transitions: into t and out of t.
    const Index num_labels = model.labels().size();
    for (Index end = std::max<Index>(t, 1); end < std::min(y.size(), t + 2); ++end) {
      const Index from = static_cast<Index>(y[end - 1]), to = static_cast<Index>(y[end]);
      for (Index k = x.edge.begin[end]; k < x.edge.begin[end + 1]; ++k) {
        const Index weight = chain.edge_rows().find(x.edge.ids[k], (1 + from) * num_labels + to);
        if (weight == AttributeRows::kNoWeight) continue;
        const std::string name = names.edge(end, scratch.edge.sources[k]);
        list.push_back({name + "  " + model.labels()[from] + " → " + model.labels()[to],
                        x.edge.value(k), w[chain.edge_begin() + weight]});
      }
    }
  }
  // Every label n-gram that contains position t: it ends at t or after t.
  const double* grams = w + chain.gram_begin();
  for (int n = 1; n <= chain.states().order(); ++n) {
    const ChainStates level(chain.states().rules(), n);
    for (Index end = t; end < std::min(y.size(), t + static_cast<Index>(n) + 1); ++end) {
      const Index history = std::min(end, static_cast<Index>(n));
      if (history + 1 < static_cast<Index>(n)) continue;
      const std::span<const Label> before = std::span(y).subspan(end - history, history);
      const Index gram = find_gram(level, before, y[end]);
      if (gram == ChainStates::kNone) continue;
      const std::uint32_t rank = chain.grams().levels[static_cast<Index>(n) - 1][gram];
      if (rank == GramWeights::kNone) continue;
      list.push_back({gram_name(model.labels(), before, history < static_cast<Index>(n), y[end]), 1,
                      grams[rank]});
    }
  }
  if (t + 1 == y.size()) {
    const std::uint32_t rank = chain.grams().stop[static_cast<Index>(y[t])];
    if (rank != GramWeights::kNone) {
      list.push_back(
          {"label: " + model.labels()[static_cast<Index>(y[t])] + " → $", 1, grams[rank]});
    }
  }
  std::stable_sort(list.begin(), list.end(), [](const Contribution& a, const Contribution& b) {
    return std::abs(a.value * a.weight) > std::abs(b.value * b.weight);
  });
  return list;
}

Value to_value(const std::vector<Contribution>& list) {
  Value value = Value::list();
  for (const auto& c : list) {
    value.push_back(
        Value::record({{"feature", c.feature}, {"value", c.value}, {"weight", c.weight}}));
  }
  return value;
}

std::string to_text(const std::vector<Contribution>& list, Index top) {
  std::string text;
  double rest = 0;
  for (Index k = 0; k < list.size(); ++k) {
    const double adds = list[k].value * list[k].weight;
    if (k < top) {
      text += fmt::format("    {:+9.4f}  {}\n", adds, list[k].feature);
    } else {
      rest += adds;
    }
  }
  if (list.size() > top) text += fmt::format("    {:+9.4f}  {} others\n", rest, list.size() - top);
  return text;
}

std::string describe(const Explanation& why, const TagModel& model, const TagSequence& sequence,
                     Index t, const ExplainOptions& options) {
  const std::string word = sequence.format == InputFormat::kItems
                               ? fmt::format("token {}", t + 1)
                               : std::string(sequence.columns.field(t, model.word_column()));
  const std::string& label = model.labels()[static_cast<Index>(why.label)];
  const bool rivalled = why.runner_up != kNoLabel;
  const std::string other = rivalled ? model.labels()[static_cast<Index>(why.runner_up)] : "";
  if (options.json) {
    Value record = Value::record({{"token", t + 1},
                                  {"word", word},
                                  {"label", label},
                                  {"probability", why.probability},
                                  {"features", to_value(why.label_features)}});
    if (rivalled) {
      record["runner_up"] = other;
      record["runner_up_probability"] = why.runner_up_probability;
      record["runner_up_features"] = to_value(why.runner_up_features);
    }
    return to_json(record) + "\n";
  }
  const std::string rival =
      rivalled
          ? fmt::format("  instead of {} (probability {:.4f})\n{}", other,
                        why.runner_up_probability, to_text(why.runner_up_features, options.top))
          : "  the tag scheme allows no other label between its neighbours\n";
  return fmt::format("{}  {}\n  {} (probability {:.4f})\n{}{}\n", t + 1, word, label,
                     why.probability, to_text(why.label_features, options.top), rival);
}

}  // namespace

Explanation explain(const Tagger& tagger, const TagSequence& sequence, Index t,
                    Tagger::Scratch& scratch) {
  const TagModel& model = tagger.model();
  if (model.kernel() != nullptr) {
    throw UsageError(
        "cannot explain a model with a kernel: its scores are similarities to training tokens, not "
        "sums of feature weights");
  }
  Explanation why;
  std::vector<Label> y;
  tagger.tag(sequence, {}, scratch, y);
  if (y.empty()) return why;  // the rules allow no labels
  std::vector<double> probabilities;
  tagger.marginals(sequence, {}, scratch, probabilities);
  const SequenceAttributes x = tagger.resolve(sequence, scratch);
  const Chain chain = model.chain().chain(x.length);
  const std::span<const double> s = tagger.score(x, 0, scratch);
  const Index num_labels = model.labels().size();
  why.label = y[t];
  std::vector<Label> other = y;
  double best = -std::numeric_limits<double>::infinity();
  for (Label j = 0; j < static_cast<Label>(num_labels); ++j) {
    other[t] = j;
    if (j == y[t] || !chain.legal(other)) continue;
    const double score = chain.score(s, other);
    if (score > best) best = score, why.runner_up = j;
  }
  why.probability = probabilities[t * num_labels + static_cast<Index>(why.label)];
  why.label_features = contributions(model, sequence, x, y, t, scratch);
  if (why.runner_up == kNoLabel)
    return why;  // the rules allow no other label between its neighbours
  other[t] = why.runner_up;
  why.runner_up_probability = probabilities[t * num_labels + static_cast<Index>(why.runner_up)];
  why.runner_up_features = contributions(model, sequence, x, other, t, scratch);
  return why;
}

std::string explain(const TagModel& model, InputFile file, const ExplainOptions& options) {
  if (model.voted()) {
    throw UsageError("cannot explain a voted model: it has many weight vectors");
  }
  SequenceReader reader = open_sequences(model, std::move(file), options.comments);
  TagSequence sequence;
  for (Index i = 1; reader.read(sequence); ++i) {
    if (i != options.sentence) continue;
    check_columns(model, sequence, reader.name(), false);
    if (options.token > sequence.num_tokens()) {
      throw UsageError(fmt::format("sentence {} has {} tokens, so there is no token {}",
                                   options.sentence, sequence.num_tokens(), options.token));
    }
    const Tagger tagger(model);
    Tagger::Scratch scratch;
    std::string text;
    for (Index t = 0; t < sequence.num_tokens(); ++t) {
      if (options.token != 0 && options.token != t + 1) continue;
      const Explanation why = explain(tagger, sequence, t, scratch);
      if (why.label == kNoLabel) throw_no_labels(reader.name(), sequence);
      text += describe(why, model, sequence, t, options);
    }
    return text;
  }
  throw InputError(reader.name(), 0, fmt::format("there is no sentence {}", options.sentence));
}

}  // namespace trellis::tag
