#include "trellis/topics/disclda/disclda_chain.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/solve/vectors/gamma_functions.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

constexpr std::uint16_t kNone = 65535;

DiscLdaChainOptions checked_chain_options(const DiscLdaChainOptions& options) {
  const auto usable = [](double value) { return value >= 1e-12 && value <= 1e12; };
  if (!usable(options.alpha)) throw UsageError("alpha must be above 0 and finite");
  if (!usable(options.beta)) throw UsageError("beta must be above 0 and finite");
  return options;
}

// The first index whose partial sum is above `threshold`, or else the last; by counting instead of
// a search, because the end of a search cannot be predicted by the processor.
Index find_in_partial_sums(std::span<const double> partial, double threshold) {
  Index below = 0;
  for (Index i = 0; i + 1 < partial.size(); ++i) below += partial[i] <= threshold ? 1 : 0;
  return below;
}

}  // namespace

struct DiscLdaChain::Scratch {
  explicit Scratch(const Transformation& transformation)
      : component_counts(transformation.num_components()),
        mixture(transformation.num_topics()),
        weights(std::max(transformation.num_topics(), transformation.num_components())),
        inverse(transformation.num_topics()) {}

  std::vector<double> component_counts;  // n_dl
  std::vector<double> mixture;           // c_k, by place in the class
  std::vector<double> weights;
  std::vector<std::uint32_t> totals;  // m_k as this cell sees them
  std::vector<double> inverse;        // 1 / (V β + m_k)
};

DiscLdaChain::DiscLdaChain(const Documents& documents, std::span<const std::uint32_t> labels,
                           Transformation transformation, const DiscLdaChainOptions& options)
    : options_(checked_chain_options(options)),
      layout_(documents, options.blocks),
      labels_(labels.begin(), labels.end()),
      transformation_(std::move(transformation)),
      assignments_(layout_.num_tokens(), {kNone, kNone}),
      totals_(transformation_.num_topics(), 0),
      beta_sum_(options.beta * static_cast<double>(layout_.num_words())) {
  if (labels.size() != layout_.num_documents()) {
    throw UsageError("expected a label for each document");
  }
  for (const std::uint32_t label : labels) {
    if (label >= transformation_.num_classes()) {
      throw UsageError("label " + std::to_string(label) + " is not one of the " +
                       std::to_string(transformation_.num_classes()) + " classes");
    }
  }
  counts_.assign(layout_.num_words() * transformation_.num_topics(), 0);
  document_counts_.assign(layout_.num_documents() * transformation_.num_components(), 0);
  run_begin_.resize(transformation_.num_topics());
  std::iota(run_begin_.begin(), run_begin_.end(), Index{0});  // a topic of no class stands alone
  run_length_.assign(transformation_.num_topics(), 1);
  for (Index y = 0; y < transformation_.num_classes(); ++y) {
    for (const auto& run : transformation_.runs(y)) {
      for (Index k = run.topic; k < run.topic + run.length; ++k) {
        run_begin_[k] = run.topic;
        run_length_[k] = run.length;
      }
    }
  }
  order_.resize(layout_.num_documents());
  std::iota(order_.begin(), order_.end(), 0U);
  for (Index block = 0; block < layout_.num_blocks(); ++block) {
    std::stable_sort(
        order_.begin() + static_cast<std::ptrdiff_t>(layout_.first_document(block)),
        order_.begin() + static_cast<std::ptrdiff_t>(layout_.first_document(block + 1)),
        [&](auto c, auto d) { return labels_[c] < labels_[d]; });
  }
}

void DiscLdaChain::clear() {
  std::fill(assignments_.begin(), assignments_.end(), Assignment{kNone, kNone});
  std::fill(counts_.begin(), counts_.end(), 0U);
  std::fill(document_counts_.begin(), document_counts_.end(), 0U);
  std::fill(totals_.begin(), totals_.end(), 0U);
}

void DiscLdaChain::start(int threads) {
  clear();
  sweeps_ = 0;
  run_rounds(0, threads);
}

void DiscLdaChain::sweep(int threads) {
  run_rounds(++sweeps_, threads);
}

// P rounds of P cells that share neither a document nor a word. Changes of the totals are whole
// numbers: their order does not matter.
void DiscLdaChain::run_rounds(std::uint64_t step, int threads) {
  const Index blocks = layout_.num_blocks();
  threads = static_cast<int>(std::min<Index>(static_cast<Index>(resolve_threads(threads)), blocks));
  std::vector<Scratch> scratch(static_cast<Index>(threads), Scratch(transformation_));
  std::vector<std::vector<std::uint32_t>> after(blocks);
  for (Index round = 0; round < blocks; ++round) {
    parallel_for(blocks, threads, [&](Index i, int worker) {
      Scratch& own = scratch[static_cast<Index>(worker)];
      own.totals = totals_;
      for (Index k = 0; k < totals_.size(); ++k) own.inverse[k] = 1 / (beta_sum_ + totals_[k]);
      visit_cell(i, (i + round) % blocks, Random(options_.seed, round * blocks + i, step), own);
      after[i] = own.totals;
    });
    const std::vector<std::uint32_t> before = totals_;
    for (Index i = 0; i < blocks; ++i) {
      for (Index k = 0; k < totals_.size(); ++k) totals_[k] += after[i][k] - before[k];
    }
  }
}

void DiscLdaChain::visit_cell(Index document_block, Index word_block, Random random,
                              Scratch& scratch) {
  const Index last = layout_.first_document(document_block + 1);
  for (Index at = layout_.first_document(document_block); at < last; ++at) {
    const Index d = order_[at], y = labels_[d];
    const Index begin = layout_.begin(d, word_block), end = layout_.end(d, word_block);
    if (begin == end) continue;
    enter_document(d, scratch);
    for (Index position = begin; position < end; ++position) {
      const Index word = layout_.word(position, word_block);
      if (assignments_[position].topic != kNone) remove(position, word, y, scratch);
      draw_pair(position, word, y, random, scratch);
    }
    leave_document(d, scratch);
  }
}

// Recomputes c_k at each visit, so that rounding errors of updates do not accumulate.
void DiscLdaChain::enter_document(Index d, Scratch& scratch) const {
  const Index y = labels_[d], components = transformation_.num_components();
  for (Index l = 0; l < components; ++l) {
    scratch.component_counts[l] = document_counts_[d * components + l];
  }
  std::fill_n(scratch.mixture.begin(), transformation_.topics(y).size(), 0.0);
  for (Index l = 0; l < components; ++l) {
    const double weight = options_.alpha + scratch.component_counts[l];
    for (const auto& entry : transformation_.column(y, l)) {
      scratch.mixture[entry.place] += entry.share * weight;
    }
  }
}

void DiscLdaChain::leave_document(Index d, const Scratch& scratch) {
  const Index components = transformation_.num_components();
  for (Index l = 0; l < components; ++l) {
    document_counts_[d * components + l] = static_cast<std::uint32_t>(scratch.component_counts[l]);
  }
}

void DiscLdaChain::remove(Index position, Index word, Index y, Scratch& scratch) {
  const auto [k, l] = assignments_[position];
  --counts_[cell_of(word, k)];
  scratch.inverse[k] = 1 / (beta_sum_ + --scratch.totals[k]);
  scratch.component_counts[l] -= 1;
  for (const auto& entry : transformation_.column(y, l)) {
    scratch.mixture[entry.place] -= entry.share;
  }
}

void DiscLdaChain::draw_pair(Index position, Index word, Index y, Random& random,
                             Scratch& scratch) {
  const Index num_words = layout_.num_words();
  double* weights = scratch.weights.data();
  for (const auto& run : transformation_.runs(y)) {
    const std::uint32_t* counts = &counts_[num_words * run.topic + word * run.length];
    const double* inverse = scratch.inverse.data() + run.topic;
    const double* mixture = scratch.mixture.data() + run.place;
    double* out = weights + run.place;
    for (Index j = 0; j < run.length; ++j) {
      out[j] = (options_.beta + counts[j]) * inverse[j] * mixture[j];
    }
  }
  const auto topics = transformation_.topics(y);
  std::partial_sum(weights, weights + topics.size(), weights);
  const std::span<const double> of_topics(weights, topics.size());
  const Index place = find_in_partial_sums(of_topics, random.uniform() * of_topics.back());

  const auto row = transformation_.row(y, place);
  Index at = 0;
  if (row.size() > 1) {
    double total = 0;
    for (Index e = 0; e < row.size(); ++e) {
      total += row[e].share * (options_.alpha + scratch.component_counts[row[e].component]);
      weights[e] = total;
    }
    at = find_in_partial_sums({weights, row.size()}, random.uniform() * total);
  }
  const std::uint32_t k = topics[place], l = row[at].component;
  assignments_[position] = {static_cast<std::uint16_t>(k), static_cast<std::uint16_t>(l)};
  ++counts_[cell_of(word, k)];
  scratch.inverse[k] = 1 / (beta_sum_ + ++scratch.totals[k]);
  scratch.component_counts[l] += 1;
  for (const auto& entry : transformation_.column(y, l)) {
    scratch.mixture[entry.place] += entry.share;
  }
}

KnownTopics DiscLdaChain::topics() const {
  const Index topics = transformation_.num_topics();
  std::vector<std::uint64_t> begin = {0};
  std::vector<KnownTopics::Entry> entries;
  for (Index v = 0; v < layout_.num_words(); ++v) {
    for (std::uint32_t k = 0; k < topics; ++k) {
      const std::uint32_t count = counts_[cell_of(layout_.numbers()[v], k)];
      if (count > 0) entries.push_back({k, static_cast<double>(count)});
    }
    begin.push_back(entries.size());
  }
  return {topics, options_.beta, std::move(begin), std::move(entries)};
}

double DiscLdaChain::log_joint() const {
  const double of_alpha = log_gamma(options_.alpha), of_beta = log_gamma(options_.beta);
  const double alpha_sum = options_.alpha * static_cast<double>(transformation_.num_components());
  const std::vector<double> shares = transformation_.shares();
  std::vector<std::uint32_t> counts(transformation_.num_components());
  double value = 0;
  for (Index d = 0; d < layout_.num_documents(); ++d) {
    std::fill(counts.begin(), counts.end(), 0U);
    for (Index position = layout_.begin(d); position < layout_.end(d); ++position) {
      const auto [k, l] = assignments_[position];
      if (k == kNone) return -kInfinity;
      ++counts[l];
      value += portable_log(shares[(labels_[d] * counts.size() + l) * totals_.size() + k]);
    }
    const auto length = static_cast<double>(layout_.end(d) - layout_.begin(d));
    value += log_gamma(alpha_sum) - log_gamma(alpha_sum + length);
    for (const std::uint32_t count : counts) {
      if (count > 0) value += log_gamma(options_.alpha + count) - of_alpha;
    }
  }
  for (const std::uint32_t count : counts_) {
    if (count > 0) value += log_gamma(options_.beta + count) - of_beta;
  }
  for (const std::uint32_t total : totals_) {
    value += log_gamma(beta_sum_) - log_gamma(beta_sum_ + total);
  }
  return value;
}

std::vector<DiscLdaChain::Assignment> DiscLdaChain::assignments(const Documents& documents) const {
  if (documents.size() != layout_.num_documents())
    throw UsageError("the state belongs to other documents");
  std::vector<Assignment> assignments(layout_.num_tokens());
  std::vector<std::uint32_t> places;
  for (Index d = 0; d < documents.size(); ++d) {
    layout_.places(documents[d], places);
    for (Index i = 0; i < places.size(); ++i) {
      assignments[layout_.begin(d) + i] = assignments_[layout_.begin(d) + places[i]];
    }
  }
  return assignments;
}

void DiscLdaChain::restore(const Documents& documents, std::span<const Assignment> assignments,
                           Index sweeps) {
  if (documents.size() != layout_.num_documents() || assignments.size() != layout_.num_tokens()) {
    throw UsageError("the assignments belong to other documents");
  }
  const std::vector<double> shares = transformation_.shares();
  const Index topics = transformation_.num_topics(), components = transformation_.num_components();
  for (Index d = 0; d < documents.size(); ++d) {
    for (Index position = layout_.begin(d); position < layout_.end(d); ++position) {
      const auto [k, l] = assignments[position];
      if (k >= topics || l >= components ||
          shares[(labels_[d] * components + l) * topics + k] == 0) {
        throw UsageError("an assignment is not possible for the class of its document");
      }
    }
  }
  clear();
  std::vector<std::uint32_t> places;
  for (Index d = 0; d < documents.size(); ++d) {
    layout_.places(documents[d], places);
    for (Index i = 0; i < places.size(); ++i) {
      const Index position = layout_.begin(d) + places[i];
      const Assignment assignment = assignments[layout_.begin(d) + i];
      assignments_[position] = assignment;
      ++counts_[cell_of(layout_.numbers()[documents[d][i]], assignment.topic)];
      ++document_counts_[d * components + assignment.component];
      ++totals_[assignment.topic];
    }
  }
  sweeps_ = sweeps;
}

}  // namespace trellis::topics
