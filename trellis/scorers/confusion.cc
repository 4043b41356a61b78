#include "trellis/scorers/confusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <tuple>

namespace trellis::tag {

void Confusion::add(std::span<const std::string_view> gold,
                    std::span<const std::string_view> predicted) {
  assert(gold.size() == predicted.size());
  for (Index t = 0; t < gold.size(); ++t) {
    const Number g = labels_.add(gold[t]);
    const Number p = labels_.add(predicted[t]);
    ++counts_[key(g, p)];
    correct_ += g == p;
  }
  tokens_ += gold.size();
}

double Confusion::accuracy() const {
  return percent(correct_, tokens_);
}

std::vector<Confusion::Number> Confusion::sorted() const {
  std::vector<Number> order(labels_.size());
  std::iota(order.begin(), order.end(), Number{0});
  std::sort(order.begin(), order.end(),
            [&](Number a, Number b) { return labels_[a] < labels_[b]; });
  return order;
}

std::vector<std::string> Confusion::labels() const {
  std::vector<std::string> names;
  for (const Number n : sorted()) names.push_back(label(n));
  return names;
}

std::vector<LabelCounts> Confusion::by_label() const {
  std::vector<MatchCounts> counts(labels_.size());
  for (const auto& entry : counts_) {
    const Number gold = static_cast<Number>(entry.first >> 32);
    const Number predicted = static_cast<Number>(entry.first);
    counts[gold].gold += entry.second;
    counts[predicted].found += entry.second;
    if (gold == predicted) counts[gold].correct += entry.second;
  }
  std::vector<LabelCounts> list;
  for (const Number n : sorted()) list.push_back({label(n), counts[n]});
  return list;
}

std::vector<Index> Confusion::matrix() const {
  const std::vector<Number> order = sorted();
  std::vector<Index> matrix;
  matrix.reserve(order.size() * order.size());
  for (const Number gold : order) {
    for (const Number predicted : order) {
      const auto found = counts_.find(key(gold, predicted));
      matrix.push_back(found == counts_.end() ? 0 : found->second);
    }
  }
  return matrix;
}

std::vector<ConfusedPair> Confusion::most_confused(Index limit) const {
  std::vector<ConfusedPair> pairs;
  for (const auto& entry : counts_) {
    const Number gold = static_cast<Number>(entry.first >> 32);
    const Number predicted = static_cast<Number>(entry.first);
    if (gold != predicted) pairs.push_back({label(gold), label(predicted), entry.second});
  }
  std::sort(pairs.begin(), pairs.end(), [](const ConfusedPair& a, const ConfusedPair& b) {
    return std::tie(b.count, a.gold, a.predicted) < std::tie(a.count, b.gold, b.predicted);
  });
  if (pairs.size() > limit) pairs.resize(limit);
  return pairs;
}

std::string Confusion::table(Index limit) const {
  std::string text = fmt::format("processed {} tokens; correct: {}.\naccuracy: {}%\n", tokens_,
                                 correct_, format_percent(accuracy()));
  for (const LabelCounts& label : by_label())
    text += format_counts(label.label, label.counts) + "\n";
  const std::vector<ConfusedPair> mistakes = most_confused(limit);
  if (!mistakes.empty()) text += "most frequent mistakes (gold, predicted, tokens):\n";
  for (const ConfusedPair& pair : mistakes) {
    text += fmt::format("  {}  {}  {}\n", pair.gold, pair.predicted, pair.count);
  }
  return text;
}

}  // namespace trellis::tag
