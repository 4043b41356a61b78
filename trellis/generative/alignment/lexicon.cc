#include "trellis/generative/alignment/lexicon.h"

#include <algorithm>
#include <cmath>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/generative/alignment/lexicon_estimate.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr Index kRowsInChunk = 512;

}  // namespace

Index LexiconView::find(WordId e, WordId f) const {
  if (Index{e} + 1 >= row_begin.size()) return kNone;
  const auto begin = targets.begin() + static_cast<std::ptrdiff_t>(row_begin[e]);
  const auto end = targets.begin() + static_cast<std::ptrdiff_t>(row_begin[e + 1]);
  const auto found = std::lower_bound(begin, end, f);
  return found == end || *found != f ? kNone : static_cast<Index>(found - targets.begin());
}

void LexiconView::grids(WordPair pair, std::span<double> forward_grid,
                        std::span<double> reverse_grid) const {
  const Index sources = pair.source.size(), targets = pair.target.size();
  for (Index i = 0; i < sources; ++i) {
    for (Index j = 0; j < targets; ++j) {
      const Index entry = find(pair.source[i], pair.target[j]);
      const bool known = entry != kNone;
      forward_grid[j * (sources + 1) + i] =
          known ? forward[entry] : unseen_forward_of(pair.source[i]);
      reverse_grid[i * (targets + 1) + j] =
          known ? reverse[entry] : unseen_reverse_of(pair.target[j]);
    }
    reverse_grid[i * (targets + 1) + targets] = null_reverse_of(pair.source[i]);
  }
  for (Index j = 0; j < targets; ++j) {
    forward_grid[j * (sources + 1) + sources] = null_forward_of(pair.target[j]);
  }
}

void LexiconCounts::clear() {
  forward.clear();
  reverse.clear();
  null_forward.clear();
  null_reverse.clear();
}

Lexicon::Lexicon(std::vector<Index> row_begin, std::vector<WordId> targets, Index target_words,
                 const Options& options)
    : options_(options), row_begin_(std::move(row_begin)), targets_(std::move(targets)) {
  const auto even = [](Index words) {
    return static_cast<float>(-portable_log(static_cast<double>(std::max<Index>(words, 1))));
  };
  forward_.assign(targets_.size(), even(target_words));
  reverse_.assign(targets_.size(), even(source_words()));
  null_forward_.assign(target_words, even(target_words));
  null_reverse_.assign(source_words(), even(source_words()));
  forget_unseen();
}

Lexicon::Lexicon(std::vector<Index> row_begin, std::vector<WordId> targets,
                 std::vector<float> forward, std::vector<float> reverse,
                 std::vector<float> null_forward, std::vector<float> null_reverse,
                 const Options& options)
    : options_(options),
      row_begin_(std::move(row_begin)),
      targets_(std::move(targets)),
      forward_(std::move(forward)),
      reverse_(std::move(reverse)),
      null_forward_(std::move(null_forward)),
      null_reverse_(std::move(null_reverse)) {
  forget_unseen();
}

void Lexicon::forget_unseen() {
  const auto floor = static_cast<float>(portable_log(options_.floor));
  unseen_forward_.assign(source_words(), floor);
  unseen_reverse_.assign(target_words(), floor);
}

LexiconView Lexicon::view() const {
  return {row_begin_,      targets_,        forward_,
          reverse_,        null_forward_,   null_reverse_,
          unseen_forward_, unseen_reverse_, static_cast<float>(portable_log(options_.floor))};
}

void Lexicon::set(const LexiconView& values) {
  const auto copy = [](std::span<const float> from, std::vector<float>& to) {
    if (from.size() != to.size()) throw UsageError("another number of entries of the lexicon");
    std::copy(from.begin(), from.end(), to.begin());
  };
  copy(values.forward, forward_);
  copy(values.reverse, reverse_);
  copy(values.null_forward, null_forward_);
  copy(values.null_reverse, null_reverse_);
  copy(values.unseen_forward, unseen_forward_);
  copy(values.unseen_reverse, unseen_reverse_);
}

void Lexicon::take(const LexiconView& other) {
  for (Index e = 0; e < std::min(source_words(), other.row_begin.size() - 1); ++e) {
    for (Index x = row_begin_[e]; x < row_begin_[e + 1]; ++x) {
      const Index entry = other.find(static_cast<WordId>(e), targets_[x]);
      if (entry == LexiconView::kNone) continue;
      forward_[x] = other.forward[entry];
      reverse_[x] = other.reverse[entry];
    }
  }
  const auto copy = [](std::span<const float> from, std::vector<float>& to) {
    std::copy_n(from.begin(), std::min(from.size(), to.size()), to.begin());
  };
  copy(other.null_forward, null_forward_);
  copy(other.null_reverse, null_reverse_);
  copy(other.unseen_forward, unseen_forward_);
  copy(other.unseen_reverse, unseen_reverse_);
}

void Lexicon::update(const LexiconCounts& counts, Smoothing smoothing, double prior) {
  options_.smoothing = smoothing;
  options_.prior = prior;
  update(counts);
}

void Lexicon::update(const LexiconCounts& counts) {
  const Index sources = source_words(), words = target_words();
  double null_forward = 0, null_reverse = 0;
  for (Index f = 0; f < words; ++f) null_forward += counts.null_forward[f];
  for (Index e = 0; e < sources; ++e) null_reverse += counts.null_reverse[e];
  const LexiconEstimate forward_null(options_, null_forward, words);
  const LexiconEstimate reverse_null(options_, null_reverse, sources);
  for (Index f = 0; f < words; ++f) null_forward_[f] = forward_null(counts.null_forward[f]);
  for (Index e = 0; e < sources; ++e) null_reverse_[e] = reverse_null(counts.null_reverse[e]);

  std::vector<double> column(words, 0.0);
  for (Index x = 0; x < targets_.size(); ++x) column[targets_[x]] += counts.reverse[x];
  std::vector<LexiconEstimate> reverse_estimates;
  reverse_estimates.reserve(words);
  for (Index f = 0; f < words; ++f) {
    reverse_estimates.emplace_back(options_, column[f], sources);
    unseen_reverse_[f] = reverse_estimates.back()(0);
  }

  const Index chunks = (sources + kRowsInChunk - 1) / kRowsInChunk;
  parallel_for(chunks, resolve_threads(options_.threads), [&](Index c, int) {
    for (Index e = c * kRowsInChunk; e < std::min(sources, (c + 1) * kRowsInChunk); ++e) {
      double total = 0;
      for (Index x = row_begin_[e]; x < row_begin_[e + 1]; ++x) total += counts.forward[x];
      const LexiconEstimate estimate(options_, total, words);
      unseen_forward_[e] = estimate(0);
      for (Index x = row_begin_[e]; x < row_begin_[e + 1]; ++x) {
        forward_[x] = estimate(counts.forward[x]);
        reverse_[x] = reverse_estimates[targets_[x]](counts.reverse[x]);
      }
    }
  });
}

}  // namespace trellis
