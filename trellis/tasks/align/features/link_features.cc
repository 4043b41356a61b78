#include "trellis/tasks/align/features/link_features.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/align/features/feature_sink.h"

namespace trellis::align {
namespace {

using LinkCell = LinkFeatures::Cell;

// Scales log p to 0 (p ≤ 10⁻⁶) … 1.
double log_scaled(double p) {
  constexpr double kSpan = 13.815510557964274;  // log 10⁶
  return std::max(0.0, 1 + portable_log(p) / kSpan);
}

// Share of `value` against the strongest competitor: ½ if both are equal.
double share(double value, double other) {
  return value > 0 ? value / (value + other) : 0;
}

template <class Sink>
void tell_association(const LinkCell& cell, Sink& sink) {
  const double dice = double{cell.dice};
  const double other_source = double{cell.other_source_dice};
  const double other_target = double{cell.other_target_dice};
  const bool best_of_source = dice > 0 && dice >= other_source;
  const bool best_of_target = dice > 0 && dice >= other_target;
  sink.group("");
  sink("dice", dice);
  sink.group("dice");
  sink("root", std::sqrt(dice));
  sink("best_of_source", indicator(best_of_source));
  sink("best_of_target", indicator(best_of_target));
  sink("best_of_both", indicator(best_of_source && best_of_target));
  sink("share_of_source", share(dice, other_source));
  sink("share_of_target", share(dice, other_target));
  sink("margin_of_source", dice - other_source);
  sink("margin_of_target", dice - other_target);
  sink.group("neighbours");
  sink("before", cell.before);
  sink("after", cell.after);
  sink("inverted", cell.inverted);
  sink("best", std::max({cell.before, cell.after, cell.inverted}));
  sink.group("lexicon");
  sink("forward", cell.forward_t);
  sink("reverse", cell.reverse_t);
  sink("unseen", indicator(!cell.in_lexicon));
}

template <class Sink>
void tell_view(const LinkFeatures::View& view, Sink& sink) {
  sink("forward", view.forward);
  sink("reverse", view.reverse);
  sink("product", view.forward * view.reverse);
  sink("log_forward", log_scaled(view.forward));
  sink("log_reverse", log_scaled(view.reverse));
  sink("both", indicator((view.best & ViewEvidence::kBoth) == ViewEvidence::kBoth));
  sink("either", indicator((view.best & ViewEvidence::kBoth) != 0));
}

// Features of the aligner itself.
template <class Sink>
void tell_aligner(const LinkFeatures::View& view, Sink& sink) {
  sink("least", std::min(view.forward, view.reverse));
  sink("most", std::max(view.forward, view.reverse));
  sink("root", std::sqrt(view.forward * view.reverse));
  sink("best_of_source", indicator(view.best_of_source));
  sink("best_of_target", indicator(view.best_of_target));
  sink("best_of_both", indicator(view.best_of_source && view.best_of_target));
  sink("best_forward", indicator((view.best & ViewEvidence::kForward) != 0));
  sink("best_reverse", indicator((view.best & ViewEvidence::kReverse) != 0));
  sink("grown", indicator((view.best & ViewEvidence::kGrown) != 0));
}

template <class Sink>
void tell_position(const LinkCell& cell, double product, Sink& sink) {
  const double squared = cell.distance * cell.distance, root = std::sqrt(cell.distance);
  sink.group("position");
  sink("distance", cell.distance);
  sink("squared", squared);
  sink("root", root);
  // The products allow a sure link to be far from the diagonal.
  sink("sure_distance", cell.distance * product);
  sink("sure_squared", squared * product);
  sink("sure_root", root * product);
  sink("both_first", indicator(cell.both_first));
  sink("both_last", indicator(cell.both_last));
}

template <class Sink>
void tell_spelling(const LinkCell& cell, Sink& sink) {
  const WordForm& a = *cell.source;
  const WordForm& b = *cell.target;
  const Resemblance alike = Resemblance::of(a, b);
  const bool both_words = a.kind == WordKind::kWord && b.kind == WordKind::kWord;
  const bool both_numbers = a.kind == WordKind::kNumber && b.kind == WordKind::kNumber;
  const bool both_punctuation = a.is_punctuation() && b.is_punctuation();
  sink.group("spelling");
  sink("exact", indicator(alike.exact));
  sink("folded", indicator(alike.folded));
  sink("exact_word", indicator(alike.exact && both_words && !a.is_short()));
  sink("stem", indicator(alike.stem));
  sink("prefix", alike.prefix);
  sink("suffix", alike.suffix);
  sink("subsequence", alike.subsequence);
  sink("same_number", indicator(alike.number));
  sink("other_number", indicator(both_numbers && !alike.number));
  sink("same_punctuation", indicator(both_punctuation && alike.folded));
  sink("other_punctuation", indicator(both_punctuation && !alike.folded));
  sink("one_punctuation", indicator(a.is_punctuation() != b.is_punctuation()));
  sink("one_number", indicator((a.kind == WordKind::kNumber) != (b.kind == WordKind::kNumber)));
  sink("both_short", indicator(a.is_short() && b.is_short()));
  sink("one_short", indicator(a.is_short() != b.is_short()));
}

template <class Sink>
void tell_frequency(const LinkCell& cell, Sink& sink) {
  const auto rare = [](FrequencyBucket bucket) { return bucket <= FrequencyBucket::kRare; };
  const auto frequent = [](FrequencyBucket bucket) { return bucket == FrequencyBucket::kFrequent; };
  const FrequencyBucket a = cell.source_facts.bucket, b = cell.target_facts.bucket;
  sink.group("frequency");
  sink("difference", std::abs(double{cell.source_facts.rank} - double{cell.target_facts.rank}));
  sink("both_rare", indicator(rare(a) && rare(b)));
  sink("both_frequent", indicator(frequent(a) && frequent(b)));
  sink("frequent_and_rare", indicator((frequent(a) && rare(b)) || (rare(a) && frequent(b))));
  sink.group("frequency.source");
  for (Index k = 0; k < kFrequencyBuckets; ++k) {
    sink(kFrequencyBucketNames[k], indicator(a == static_cast<FrequencyBucket>(k)));
  }
  sink.group("frequency.target");
  for (Index k = 0; k < kFrequencyBuckets; ++k) {
    sink(kFrequencyBucketNames[k], indicator(b == static_cast<FrequencyBucket>(k)));
  }
}

// Whether a neighbouring cell has a link.
bool has_neighbour(const ExternalEvidence& external, const PairEvidence& evidence, Index i,
                   Index j) {
  for (Index l = i - std::min<Index>(i, 1); l <= std::min(i + 1, evidence.num_source - 1); ++l) {
    for (Index m = j - std::min<Index>(j, 1); m <= std::min(j + 1, evidence.num_target - 1); ++m) {
      if ((l != i || m != j) && external.linked(l, m) != 0) return true;
    }
  }
  return false;
}

void look_at_association(const PairEvidence& evidence, Index i, Index j, float floor,
                         LinkCell& cell) {
  const float dice = evidence.dice(i, j);
  cell.dice = dice;
  cell.other_source_dice = evidence.source_dice[i].best_other(dice);
  cell.other_target_dice = evidence.target_dice[j].best_other(dice);
  cell.in_lexicon = evidence.in_lexicon(i, j) != 0;
  const auto scaled = [&](float log_t) {
    return floor < 0 ? std::clamp(1 - double{log_t} / double{floor}, 0.0, 1.0) : 1.0;
  };
  cell.forward_t = scaled(evidence.forward_t(i, j));
  cell.reverse_t = scaled(evidence.reverse_t(i, j));
  const auto row = static_cast<std::ptrdiff_t>(i), column = static_cast<std::ptrdiff_t>(j);
  cell.before = evidence.dice_at(row - 1, column - 1);
  cell.after = evidence.dice_at(row + 1, column + 1);
  cell.inverted =
      std::max(evidence.dice_at(row + 1, column - 1), evidence.dice_at(row - 1, column + 1));
}

void look_at_views(const PairEvidence& evidence, Index i, Index j, LinkCell& cell) {
  for (Index v = 0; v < evidence.views.size(); ++v) {
    const ViewEvidence& view = evidence.views[v];
    const float product = view.product(i, j);
    cell.views[v] = {double{view.forward(i, j)}, double{view.reverse(i, j)},
                     product > 0 && product == view.source_product[i],
                     product > 0 && product == view.target_product[j], view.best(i, j)};
  }
  cell.source_alone = double{evidence.views[0].source_alone[i]};
  cell.target_alone = double{evidence.views[0].target_alone[j]};
}

void look_at_externals(const PairEvidence& evidence, Index i, Index j, LinkCell& cell) {
  const std::uint8_t own = evidence.views[0].best(i, j);
  Index votes = ((own & ViewEvidence::kForward) != 0 ? 1u : 0u) +
                ((own & ViewEvidence::kReverse) != 0 ? 1u : 0u);
  for (Index x = 0; x < evidence.externals.size(); ++x) {
    const ExternalEvidence& external = evidence.externals[x];
    const bool linked = external.linked(i, j) != 0;
    votes += linked ? 1 : 0;
    cell.externals[x] = {linked, has_neighbour(external, evidence, i, j),
                         linked && (own & ViewEvidence::kBoth) == ViewEvidence::kBoth,
                         external.source_linked[i] == 0, external.target_linked[j] == 0};
  }
  cell.votes = static_cast<double>(votes) / static_cast<double>(evidence.externals.size() + 2);
}

}  // namespace

LinkFeatures::LinkFeatures(const std::vector<std::string>& views,
                           const std::vector<std::string>& externals, float floor)
    : views_(views), floor_(floor) {
  for (const std::string& name : externals) externals_.push_back("external." + name);
  const WordForm nothing;
  Cell cell;
  cell.source = cell.target = &nothing;
  cell.views.resize(views_.size());
  cell.externals.resize(externals_.size());
  FeatureNames sink(names_);
  tell(cell, sink);
}

template <class Sink>
void LinkFeatures::tell(const Cell& cell, Sink& sink) const {
  sink("bias", 1);
  tell_association(cell, sink);
  tell_views(cell, sink);
  tell_position(cell, cell.views[0].forward * cell.views[0].reverse, sink);
  tell_spelling(cell, sink);
  tell_frequency(cell, sink);
  tell_externals(cell, sink);
}

template <class Sink>
void LinkFeatures::tell_views(const Cell& cell, Sink& sink) const {
  for (Index v = 0; v < views_.size(); ++v) {
    sink.group(views_[v]);
    tell_view(cell.views[v], sink);
    if (v == 0) tell_aligner(cell.views[v], sink);
  }
  sink.group("alone");
  sink("source", cell.source_alone);
  sink("target", cell.target_alone);
  sink("either", std::max(cell.source_alone, cell.target_alone));
}

template <class Sink>
void LinkFeatures::tell_externals(const Cell& cell, Sink& sink) const {
  if (externals_.empty()) return;
  sink.group("external");
  sink("votes", cell.votes);
  for (Index x = 0; x < externals_.size(); ++x) {
    const External& external = cell.externals[x];
    sink.group(externals_[x]);
    sink("linked", indicator(external.linked));
    sink("neighbour", indicator(external.neighbour));
    sink("agrees", indicator(external.agrees));
    sink("source_alone", indicator(external.source_alone));
    sink("target_alone", indicator(external.target_alone));
  }
}

void LinkFeatures::look(const PairEvidence& evidence, Index i, Index j, Cell& cell) const {
  look_at_association(evidence, i, j, floor_, cell);
  look_at_views(evidence, i, j, cell);
  look_at_externals(evidence, i, j, cell);
  cell.distance =
      std::abs((static_cast<double>(i) + 0.5) / static_cast<double>(evidence.num_source) -
               (static_cast<double>(j) + 0.5) / static_cast<double>(evidence.num_target));
  cell.both_first = i == 0 && j == 0;
  cell.both_last = i + 1 == evidence.num_source && j + 1 == evidence.num_target;
  cell.source = &evidence.source_forms[i];
  cell.target = &evidence.target_forms[j];
  cell.source_facts = evidence.source_facts[i];
  cell.target_facts = evidence.target_facts[j];
}

void LinkFeatures::fill(const PairEvidence& evidence, std::span<const MatchingEdges::Edge> edges,
                        Scratch& scratch, std::span<float> rows) const {
  assert(rows.size() == edges.size() * names_.size());
  scratch.views.resize(views_.size());
  scratch.externals.resize(externals_.size());
  FeatureValues sink(rows.data());
  for (const MatchingEdges::Edge edge : edges) {
    look(evidence, edge.left, edge.right, scratch);
    tell(scratch, sink);
  }
  assert(sink.next() == rows.data() + rows.size());
}

}  // namespace trellis::align
