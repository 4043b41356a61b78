#include "trellis/generative/alignment/model1.h"

#include <algorithm>
#include <numeric>

#include "trellis/base/parallel.h"
#include "trellis/generative/alignment/lexicon_estimate.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr Index kRowsAtATime = 128;
constexpr Index kTokensAtATime = 4096;

float probability(float log_t) {
  return static_cast<float>(portable_exp(log_t));
}

double times(std::span<const WordId> sentence, Index word) {
  return static_cast<double>(std::count(sentence.begin(), sentence.end(), word));
}

}  // namespace

Model1::Model1(const Bitext& bitext, const Options& options)
    : bitext_(bitext),
      options_(options),
      occurrences_(bitext),
      support_(cooccurring(bitext, occurrences_, options.threads)) {
  options_.threads = resolve_threads(options.threads);
  const auto even = [](Index words) { return 1 / static_cast<float>(std::max<Index>(words, 1)); };
  forward_.assign(support_.size(), even(bitext.target_words()));
  reverse_.assign(support_.size(), even(bitext.source_words()));
  null_forward_.assign(bitext.target_words(), even(bitext.target_words()));
  null_reverse_.assign(bitext.source_words(), even(bitext.source_words()));
  totals_.resize(bitext.target_tokens().size());
  add_up();
}

// work(e, row) for all source words, with the row laid out.
template <class Work>
void Model1::each_row(const Work& work) {
  const Index words = bitext_.source_words();
  std::vector<std::vector<Cell>> rows(static_cast<Index>(options_.threads),
                                      std::vector<Cell>(bitext_.target_words()));
  parallel_for(
      (words + kRowsAtATime - 1) / kRowsAtATime, options_.threads, [&](Index c, int worker) {
        std::vector<Cell>& row = rows[static_cast<Index>(worker)];
        for (Index e = c * kRowsAtATime; e < std::min(words, (c + 1) * kRowsAtATime); ++e) {
          for (Index x = support_.begin[e]; x < support_.begin[e + 1]; ++x) {
            row[support_.targets[x]] = {forward_[x], reverse_[x], 0, 0};
          }
          work(e, row);
        }
      });
}

// Both directions' counts of the row.
Model1::RowFigures Model1::count_row(Index e, std::vector<Cell>& row) const {
  RowFigures figures;
  const double null = options_.null, nothing = null * null_reverse_[e];
  for (const std::uint32_t k : occurrences_.of(e)) {
    const WordPair pair = bitext_[k];
    if (pair.target.empty()) continue;
    const double n = times(pair.source, e);
    double together = 0;
    for (const WordId f : pair.target) together += row[f].reverse;
    const double share = (1 - null) / static_cast<double>(pair.target.size());
    const double total = nothing + share * together;
    figures.reverse_likelihood += n * portable_log(total);
    figures.null_count += n * nothing / total;
    const double forward = n * (1 - null) / static_cast<double>(pair.source.size());
    const double reverse = n * share / total;
    const double* d = totals_.data() + bitext_.target_begin(k);
    for (const WordId f : pair.target) {
      Cell& cell = row[f];
      cell.forward_count += forward * cell.forward / *d++;
      cell.reverse_count += reverse * cell.reverse;
    }
  }
  return figures;
}

Model1::Likelihood Model1::iterate() {
  Likelihood likelihood;
  std::vector<RowFigures> figures(bitext_.source_words());
  each_row([&](Index e, std::vector<Cell>& row) {
    figures[e] = count_row(e, row);
    double total = 0;
    for (Index x = support_.begin[e]; x < support_.begin[e + 1]; ++x) {
      total += row[support_.targets[x]].forward_count;
    }
    const LexiconEstimate estimate(options_.lexicon, total, bitext_.target_words());
    for (Index x = support_.begin[e]; x < support_.begin[e + 1]; ++x) {
      const Cell& cell = row[support_.targets[x]];
      forward_[x] = probability(estimate(cell.forward_count));
      reverse_[x] = static_cast<float>(cell.reverse_count);  // a count, till update_reverse
    }
  });
  for (const RowFigures& row : figures) likelihood.reverse += row.reverse_likelihood;
  for (const double total : totals_) {
    if (total > 0) likelihood.forward += portable_log(total);
  }
  update_reverse();
  update_null(figures);
  add_up();
  return likelihood;
}

void Model1::update_reverse() {
  std::vector<double> columns(bitext_.target_words(), 0.0);
  for (Index x = 0; x < support_.size(); ++x) columns[support_.targets[x]] += reverse_[x];
  std::vector<LexiconEstimate> estimates;
  estimates.reserve(columns.size());
  for (const double total : columns) {
    estimates.emplace_back(options_.lexicon, total, bitext_.source_words());
  }
  const Index chunks = (support_.size() + kTokensAtATime - 1) / kTokensAtATime;
  parallel_for(chunks, options_.threads, [&](Index c, int) {
    const Index end = std::min(support_.size(), (c + 1) * kTokensAtATime);
    for (Index x = c * kTokensAtATime; x < end; ++x) {
      reverse_[x] = probability(estimates[support_.targets[x]](reverse_[x]));
    }
  });
}

void Model1::update_null(std::span<const RowFigures> rows) {
  std::vector<double> counts(bitext_.target_words(), 0.0);
  const std::span<const WordId> tokens = bitext_.target_tokens();
  for (Index token = 0; token < tokens.size(); ++token) {
    if (totals_[token] > 0) {
      counts[tokens[token]] += options_.null * null_forward_[tokens[token]] / totals_[token];
    }
  }
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  const LexiconEstimate forward(options_.lexicon, total, counts.size());
  for (Index f = 0; f < counts.size(); ++f) null_forward_[f] = probability(forward(counts[f]));

  double reverse_total = 0;
  for (const RowFigures& row : rows) reverse_total += row.null_count;
  const LexiconEstimate reverse(options_.lexicon, reverse_total, rows.size());
  for (Index e = 0; e < rows.size(); ++e)
    null_reverse_[e] = probability(reverse(rows[e].null_count));
}

// D_j of all target tokens. Each thread has its pairs, and goes along the source words for them.
void Model1::add_up() {
  const auto shares = static_cast<Index>(options_.threads);
  parallel_for(shares, options_.threads, [&](Index share, int) {
    const Index first = bitext_.size() * share / shares,
                end = bitext_.size() * (share + 1) / shares;
    for (Index k = first; k < end; ++k) {
      const WordPair pair = bitext_[k];
      double* d = totals_.data() + bitext_.target_begin(k);
      for (const WordId f : pair.target) {
        *d++ = pair.source.empty() ? 0 : options_.null * null_forward_[f];
      }
    }
    std::vector<float> row(bitext_.target_words(), 0);
    for (Index e = 0; e < bitext_.source_words(); ++e) {
      const std::span<const std::uint32_t> pairs = occurrences_.of(e, first, end);
      if (pairs.empty()) continue;
      for (Index x = support_.begin[e]; x < support_.begin[e + 1]; ++x) {
        row[support_.targets[x]] = forward_[x];
      }
      for (const std::uint32_t k : pairs) {
        const WordPair pair = bitext_[k];
        const double weight =
            times(pair.source, e) * (1 - options_.null) / static_cast<double>(pair.source.size());
        double* d = totals_.data() + bitext_.target_begin(k);
        for (const WordId f : pair.target) *d++ += weight * row[f];
      }
    }
  });
}

Lexicon Model1::take(double keep) {
  std::vector<std::uint8_t> kept(support_.size(), 1);
  if (keep > 0) {
    // The counts of a cell are the largest posteriors that it has had.
    each_row([&](Index e, std::vector<Cell>& row) {
      const double nothing = options_.null * null_reverse_[e];
      for (const std::uint32_t k : occurrences_.of(e)) {
        const WordPair pair = bitext_[k];
        if (pair.target.empty()) continue;
        double together = 0;
        for (const WordId f : pair.target) together += row[f].reverse;
        const double share = (1 - options_.null) / static_cast<double>(pair.target.size());
        const double reverse = share / (nothing + share * together);
        const double forward = (1 - options_.null) / static_cast<double>(pair.source.size());
        const double* d = totals_.data() + bitext_.target_begin(k);
        for (const WordId f : pair.target) {
          Cell& cell = row[f];
          cell.forward_count = std::max(cell.forward_count, forward * cell.forward / *d++);
          cell.reverse_count = std::max(cell.reverse_count, reverse * cell.reverse);
        }
      }
      for (Index x = support_.begin[e]; x < support_.begin[e + 1]; ++x) {
        const Cell& cell = row[support_.targets[x]];
        kept[x] = cell.forward_count >= keep || cell.reverse_count >= keep ? 1 : 0;
      }
    });
  }
  const double floor = options_.lexicon.floor;
  const auto log_of = [&](float t) {
    return static_cast<float>(portable_log(std::max<double>(t, floor)));
  };
  Index place = 0;
  for (Index e = 0; e + 1 < support_.begin.size(); ++e) {
    const Index from = support_.begin[e], to = support_.begin[e + 1];
    support_.begin[e] = place;
    for (Index x = from; x < to; ++x) {
      if (kept[x] == 0) continue;
      support_.targets[place] = support_.targets[x];
      forward_[place] = log_of(forward_[x]);
      reverse_[place++] = log_of(reverse_[x]);
    }
  }
  support_.begin.back() = place;
  const auto shrink = [&](auto& values) {
    values.resize(place);
    values.shrink_to_fit();
  };
  shrink(support_.targets);
  shrink(forward_);
  shrink(reverse_);
  for (float& t : null_forward_) t = log_of(t);
  for (float& t : null_reverse_) t = log_of(t);
  totals_ = {};
  return {std::move(support_.begin), std::move(support_.targets), std::move(forward_),
          std::move(reverse_),       std::move(null_forward_),    std::move(null_reverse_),
          options_.lexicon};
}

}  // namespace trellis
