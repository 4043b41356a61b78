#include "trellis/topics/lda/cvb0.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/random.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

Cvb0Options checked_cvb0(const Cvb0Options& options) {
  if (options.topics < 1) throw UsageError("there must be at least one topic");
  if (!(options.alpha > 0 && std::isfinite(options.alpha) && options.beta > 0 &&
        std::isfinite(options.beta))) {
    throw UsageError("alpha and beta must be above 0 and finite");
  }
  return options;
}

}  // namespace

Cvb0::Cvb0(const Documents& documents, const Cvb0Options& options)
    : options_(checked_cvb0(options)),
      layout_(documents, options.blocks),
      beta_sum_(options.beta * static_cast<double>(documents.num_words)) {
  pair_tokens();
  start();
}

void Cvb0::pair_tokens() {
  for (Index d = 0; d < num_documents(); ++d) {
    for (Index b = 0; b < layout_.num_blocks(); ++b) {
      cell_begin_.push_back(pairs_.size());
      for (Index i = layout_.begin(d, b); i < layout_.end(d, b); ++i) {
        const auto word = static_cast<std::uint32_t>(layout_.word(i, b));
        if (i > layout_.begin(d, b) && pairs_.back().word == word) {
          ++pairs_.back().times;
        } else {
          pairs_.push_back({word, 1});
        }
      }
    }
  }
  cell_begin_.push_back(pairs_.size());
}

void Cvb0::start() {
  const Index topics = num_topics(), blocks = layout_.num_blocks();
  state_.gamma.resize(pairs_.size() * topics);
  state_.document_counts.assign(num_documents() * topics, 0.0);
  state_.word_counts.assign(layout_.num_words() * topics, 0.0);
  state_.totals.assign(topics, 0.0);
  std::vector<double> weights(topics);
  for (Index d = 0; d < num_documents(); ++d) {
    Random random(options_.seed, d);
    for (Index p = cell_begin_[d * blocks]; p < cell_begin_[(d + 1) * blocks]; ++p) {
      for (double& weight : weights) weight = 0.1 + random.uniform();
      const double norm = 1 / sum(weights);
      const auto times = static_cast<double>(pairs_[p].times);
      for (Index k = 0; k < topics; ++k) {
        const auto gamma = static_cast<float>(weights[k] * norm);
        state_.gamma[p * topics + k] = gamma;
        const double share = times * static_cast<double>(gamma);
        state_.document_counts[d * topics + k] += share;
        state_.word_counts[pairs_[p].word * topics + k] += share;
        state_.totals[k] += share;
      }
    }
  }
}

double Cvb0::sweep(int threads) {
  const Index blocks = layout_.num_blocks();
  threads = resolve_threads(threads);
  std::vector<CellChange> changes(blocks);
  double moved = 0;
  for (Index round = 0; round < blocks; ++round) {
    parallel_for(blocks, threads,
                 [&](Index i, int) { visit_cell(i, (i + round) % blocks, changes[i]); });
    const std::vector<double> before = state_.totals;
    for (const CellChange& change : changes) {
      for (Index k = 0; k < state_.totals.size(); ++k)
        state_.totals[k] += change.totals[k] - before[k];
      moved += change.moved;
    }
  }
  return layout_.num_tokens() == 0 ? 0 : moved / static_cast<double>(layout_.num_tokens());
}

void Cvb0::visit_cell(Index document_block, Index word_block, CellChange& change) {
  const Index blocks = layout_.num_blocks();
  change.totals = state_.totals;
  change.moved = 0;
  std::vector<double> weights(num_topics());
  for (Index d = layout_.first_document(document_block);
       d < layout_.first_document(document_block + 1); ++d) {
    const Index cell = d * blocks + word_block;
    for (Index p = cell_begin_[cell]; p < cell_begin_[cell + 1]; ++p) {
      change.moved += visit(d, p, change.totals, weights);
    }
  }
}

double Cvb0::visit(Index d, Index pair, std::span<double> totals, std::span<double> weights) {
  const Index topics = num_topics();
  float* gamma = state_.gamma.data() + pair * topics;
  double* of_document = state_.document_counts.data() + d * topics;
  double* of_word = state_.word_counts.data() + pairs_[pair].word * topics;
  const auto times = static_cast<double>(pairs_[pair].times);
  // Rounding may make a sum minus its own term negative; it then counts as 0.
  const double alpha = options_.alpha, beta = options_.beta;
  for (Index k = 0; k < topics; ++k) {
    const auto own = static_cast<double>(gamma[k]);
    const double word = of_word[k] - own, document = of_document[k] - own, total = totals[k] - own;
    weights[k] = ((word > 0 ? word : 0) + beta) * ((document > 0 ? document : 0) + alpha) /
                 ((total > 0 ? total : 0) + beta_sum_);
  }
  const double norm = 1 / sum(weights);
  double moved = 0;
  for (Index k = 0; k < topics; ++k) {
    const auto next = static_cast<float>(weights[k] * norm);
    const double change = times * (static_cast<double>(next) - static_cast<double>(gamma[k]));
    gamma[k] = next;
    of_word[k] += change;
    of_document[k] += change;
    totals[k] += change;
    moved += std::abs(change);
  }
  return moved;
}

void Cvb0::restore(Cvb0State state) {
  if (state.gamma.size() != state_.gamma.size() || state.totals.size() != state_.totals.size() ||
      state.document_counts.size() != state_.document_counts.size() ||
      state.word_counts.size() != state_.word_counts.size()) {
    throw UsageError("the state belongs to other documents");
  }
  state_ = std::move(state);
}

LdaModel Cvb0::model() const {
  std::vector<std::uint64_t> begin = {0};
  std::vector<LdaModel::Entry> entries;
  for (Index w = 0; w < layout_.num_words(); ++w) {
    const std::span<const double> counts = word_counts(w);
    for (std::uint32_t k = 0; k < counts.size(); ++k) {
      if (counts[k] > 0) entries.push_back({k, counts[k]});
    }
    begin.push_back(entries.size());
  }
  return {std::vector<double>(num_topics(), options_.alpha),
          std::vector<double>(layout_.num_words(), options_.beta), std::move(begin),
          std::move(entries)};
}

}  // namespace trellis::topics
