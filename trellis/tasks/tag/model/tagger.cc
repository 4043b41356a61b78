#include "trellis/tasks/tag/model/tagger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::tag {
namespace {

bool unconstrained(std::string_view text) {
  return text == "_" || text == "?" || text == "*";
}

}  // namespace

void Tagger::read_constraints(const TagSequence& sequence, Index column, const std::string& file,
                              std::vector<std::uint8_t>& allowed) const {
  if (sequence.format != InputFormat::kColumns) {
    throw UsageError("item files have no column of constraints");
  }
  if (column >= sequence.columns.num_columns()) {
    throw InputError(file, sequence.line(0),
                     fmt::format("expected constraints in column {}, found {} columns", column,
                                 sequence.columns.num_columns()));
  }
  const Index num_labels = model_->labels().size();
  allowed.assign(sequence.num_tokens() * num_labels, 0);
  std::vector<std::string_view> names;
  for (Index t = 0; t < sequence.num_tokens(); ++t) {
    std::uint8_t* row = allowed.data() + t * num_labels;
    const std::string_view text = sequence.columns.field(t, column);
    if (unconstrained(text)) {
      std::fill_n(row, num_labels, std::uint8_t{1});
      continue;
    }
    split(text, '|', names);
    for (const std::string_view name : names) {
      const Label label = model_->find_label(name);
      if (label == kNoLabel) {
        throw InputError(file, sequence.line(t),
                         "expected labels of the model, separated by '|', or '_' for any", name);
      }
      row[label] = 1;
    }
  }
}

SequenceAttributes Tagger::resolve(const TagSequence& sequence, Scratch& scratch) const {
  extract(sequence, model_->features(), scratch.features, scratch.attributes);
  const auto look_up = [](const AttributeList& list, const TagModel::Attributes& known,
                          KnownAttributes& out) {
    for (const std::uint64_t fingerprint : list.fingerprints) known.ids.prefetch(fingerprint);
    out.resolve(list, [&](std::uint64_t fingerprint) { return known.find(fingerprint); });
  };
  const TagModel::NodeKernel* kernel = model_->kernel();
  if (kernel == nullptr) {
    look_up(scratch.attributes.node, model_->nodes(), scratch.node);
  } else {
    expand_positions(
        scratch.attributes.node,
        [&](std::uint64_t fingerprint) { return kernel->dimensions.find(fingerprint); },
        kernel->pivots, kernel->rows, scratch.node);
  }
  SequenceAttributes x{sequence.num_tokens(), scratch.node.view(), {}};
  if (model_->chain().transitions() == Transitions::kPositionDependent) {
    look_up(scratch.attributes.edge, model_->edges(), scratch.edge);
    x.edge = scratch.edge.view();
  }
  return x;
}

std::span<const double> Tagger::score(const SequenceAttributes& x, Index voter,
                                      Scratch& scratch) const {
  const Index num_parts = model_->chain().chain(x.length).num_parts();
  if (scratch.scores.size() < num_parts) scratch.scores.resize(num_parts);
  const std::span<double> s = std::span(scratch.scores).first(num_parts);
  model_->chain().scores(x, model_->weights(voter), s);
  return s;
}

double Tagger::tag(const TagSequence& sequence, std::span<const std::uint8_t> allowed,
                   Scratch& scratch, std::vector<Label>& labels) const {
  const SequenceAttributes x = resolve(sequence, scratch);
  const Chain chain = model_->chain().chain(x.length, allowed);
  if (model_->voted()) return vote(x, chain, scratch, labels);
  return chain.maximize(score(x, 0, scratch), scratch.chain, labels);
}

// Each voter predicts its best sequence (Freund & Schapire 1999); the result is the legal sequence
// that agrees with the most votes, label by label.
double Tagger::vote(const SequenceAttributes& x, const Chain& chain, Scratch& scratch,
                    std::vector<Label>& labels) const {
  scratch.votes.assign(chain.num_parts(), 0.0);
  for (Index v = 0; v < model_->num_voters(); ++v) {
    const double best = chain.maximize(score(x, v, scratch), scratch.chain, scratch.output);
    if (std::isinf(best)) {
      labels.clear();
      return best;
    }
    for (Index t = 0; t < x.length; ++t) {
      scratch.votes[chain.node_part(t, scratch.output[t])] += model_->votes(v);
    }
  }
  return chain.maximize(scratch.votes, scratch.chain, labels);
}

double Tagger::n_best(const TagSequence& sequence, std::span<const std::uint8_t> allowed, Index k,
                      Scratch& scratch, std::vector<ScoredOutput<std::vector<Label>>>& best) const {
  const SequenceAttributes x = resolve(sequence, scratch);
  const Chain chain = model_->chain().chain(x.length, allowed);
  const std::span<const double> s = score(x, 0, scratch);
  chain.k_best(s, k, scratch.chain, best);
  return chain.log_partition(s, scratch.chain);
}

double Tagger::marginals(const TagSequence& sequence, std::span<const std::uint8_t> allowed,
                         Scratch& scratch, std::vector<double>& probabilities) const {
  const SequenceAttributes x = resolve(sequence, scratch);
  const Chain chain = model_->chain().chain(x.length, allowed);
  scratch.marginals.resize(chain.num_parts());
  const double log_sum =
      chain.log_partition(score(x, 0, scratch), scratch.chain, scratch.marginals);
  probabilities.assign(
      scratch.marginals.begin(),
      scratch.marginals.begin() + static_cast<std::ptrdiff_t>(x.length * model_->labels().size()));
  return log_sum;
}

}  // namespace trellis::tag
