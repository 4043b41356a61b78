#include "trellis/generative/alignment/gibbs_chain.h"

#include <algorithm>

#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/gamma_functions.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr std::uint32_t kNoEntry = EntryIndex::kNone;

// log Π of the sequential predictions of counts under a symmetric Dirichlet prior, up to what does
// not depend on the counts' order.
double log_dirichlet_multinomial(std::span<const std::uint32_t> counts, double prior, double total,
                                 double categories) {
  double value = log_gamma(prior * categories) - log_gamma(prior * categories + total);
  for (const std::uint32_t count : counts) {
    if (count > 0) value += log_gamma(prior + count) - log_gamma(prior);
  }
  return value;
}

}  // namespace

GibbsChain::GibbsChain(const Bitext& bitext, const EntryIndex& index, Index entries,
                       const GibbsOptions& options)
    : bitext_(bitext), index_(index), options_(options) {
  const Index generating = options.reverse ? bitext.target_words() : bitext.source_words();
  generated_words_ = options.reverse ? bitext.source_words() : bitext.target_words();
  double total = 0, poisson = 1;
  for (Index phi = 0; phi <= kMostFertile; ++phi) {
    if (phi > 0) poisson /= static_cast<double>(phi);
    total += fertility_prior_[phi] = poisson;
  }
  for (double& beta : fertility_prior_) beta *= kFertilityPrior / total;
  begin_.push_back(0);
  for (Index k = 0; k < bitext.size(); ++k) {
    begin_.push_back(begin_.back() +
                     (options.reverse ? bitext[k].source.size() : bitext[k].target.size()));
  }
  a_.assign(begin_.back(), kNothing);
  lexical_.assign(entries, 0);
  null_lexical_.assign(generated_words_, 0);
  totals_.assign(generating, 0);
  jumps_.assign(2 * options.reach + 1, 0);
  fertilities_.assign(generating * (kMostFertile + 1), 0);
  for (Index k = 0; k < bitext.size(); ++k) {
    const WordPair pair = options.reverse ? bitext[k].swapped() : bitext[k];
    for (const WordId f : pair.target) ++null_lexical_[f];
    null_total_ += static_cast<std::uint32_t>(pair.target.size());
    for (const WordId e : pair.source) ++fertile(e, 0);
    ++jumps_[jump_class(static_cast<std::ptrdiff_t>(pair.source.size()) + 1)];
    ++jump_total_;
  }
}

Index GibbsChain::jump_class(std::ptrdiff_t distance) const {
  const auto reach = static_cast<std::ptrdiff_t>(options_.reach);
  return static_cast<Index>(std::clamp(distance, -reach, reach) + reach);
}

std::span<const std::uint16_t> GibbsChain::alignment(Index k) const {
  return std::span(a_).subspan(begin_[k], begin_[k + 1] - begin_[k]);
}

GibbsChain::Pair GibbsChain::open(Index k) {
  const WordPair words = options_.reverse ? bitext_[k].swapped() : bitext_[k];
  const Pair pair{words.source, words.target, a_.data() + begin_[k]};
  const Index width = pair.generating.size();
  cells_.clear();
  for (const WordId f : pair.generated) {
    for (const WordId e : pair.generating) {
      cells_.push_back(options_.reverse ? index_.find(f, e) : index_.find(e, f));
    }
  }
  fertility_.assign(width, 0);
  for (Index j = 0; j < pair.generated.size(); ++j) {
    if (pair.a[j] != kNothing) ++fertility_[pair.a[j]];
  }
  weights_.resize(width + 1);
  factors_.resize(width);
  for (const WordId e : pair.generating) weigh_word(pair, e);
  return pair;
}

// Puts word j to position i (the width: nothing), or takes it from there. Jumps are the caller's.
void GibbsChain::add(const Pair& pair, Index j, Index i, int sign) {
  const auto step = static_cast<std::uint32_t>(sign);
  if (i == pair.generating.size()) {
    null_lexical_[pair.generated[j]] += step;
    null_total_ += step;
    return;
  }
  const WordId e = pair.generating[i];
  lexical_[entry(pair, i, j)] += step;
  totals_[e] += step;
  --fertile(e, fertility_[i]);
  fertility_[i] = static_cast<std::uint16_t>(fertility_[i] + sign);
  ++fertile(e, fertility_[i]);
}

void GibbsChain::start(Index k, std::span<const Label> a) {
  const Pair pair = open(k);
  const Index width = pair.generating.size();
  const auto count_jumps = [&](std::uint32_t step) {
    std::ptrdiff_t last = -1;
    const auto take = [&](std::ptrdiff_t to) {
      jumps_[jump_class(to - last)] += step;
      jump_total_ += step;
      last = to;
    };
    for (Index j = 0; j < pair.generated.size(); ++j) {
      if (pair.a[j] != kNothing) take(pair.a[j]);
    }
    take(static_cast<std::ptrdiff_t>(width));
  };
  count_jumps(~std::uint32_t{0});
  for (Index j = 0; j < pair.generated.size(); ++j) {
    add(pair, j, pair.a[j] == kNothing ? width : pair.a[j], -1);
    const bool linked = a[j] != kNoLabel && entry(pair, static_cast<Index>(a[j]), j) != kNoEntry;
    pair.a[j] = linked ? static_cast<std::uint16_t>(a[j]) : kNothing;
    add(pair, j, linked ? pair.a[j] : width, 1);
  }
  count_jumps(1);
}

// What a draw multiplies for position i besides the counts of words and jumps; it changes where a
// word's total or fertilities do.
void GibbsChain::weigh_word(const Pair& pair, WordId e) {
  const double alpha = options_.lexical_prior;
  const double total = totals_[e] + alpha * static_cast<double>(generated_words_);
  for (Index i = 0; i < pair.generating.size(); ++i) {
    if (pair.generating[i] != e) continue;
    double factor = (1 - options_.null) / total;
    if (options_.fertility) {
      const Index now = std::min<Index>(fertility_[i], kMostFertile);
      const Index then = std::min<Index>(fertility_[i] + Index{1}, kMostFertile);
      const double same = now == then ? 1 : 0;
      factor *= (fertile(e, then) - same + fertility_prior_[then]) /
                (fertile(e, now) - 1 + fertility_prior_[now]);
    }
    factors_[i] = factor;
  }
}

void GibbsChain::add_jump(Index from, Index to, int sign) {
  jumps_[jump_class(static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(from))] +=
      static_cast<std::uint32_t>(sign);
  jump_total_ += static_cast<std::uint32_t>(sign);
}

// Draws a_j, between the source positions that were taken before and will be taken after it
// (counted from 1; 0: none before, width + 1: none after).
void GibbsChain::draw(const Pair& pair, Index j, Index previous, Index next, Random& random) {
  const Index width = pair.generating.size();
  const auto move = [&](Index i, int sign) {
    add(pair, j, i, sign);
    if (i == width) {
      add_jump(previous, next, sign);
    } else {
      weigh_word(pair, pair.generating[i]);
      add_jump(previous, i + 1, sign);
      add_jump(i + 1, next, sign);
    }
  };
  move(pair.a[j] == kNothing ? width : pair.a[j], -1);

  const double eta = kJumpPrior, alpha = options_.lexical_prior;
  const double words = static_cast<double>(generated_words_);
  const double jump_total = jump_total_ + eta * static_cast<double>(jumps_.size());
  const double scale = 1 / (jump_total * (jump_total + 1));
  const auto jump = [&](Index from, Index to) {
    return jump_class(static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(from));
  };
  const std::uint32_t* cell = cells_.data() + j * width;
  for (Index i = 0; i < width; ++i) {
    if (cell[i] == kNoEntry) {
      weights_[i] = 0;
      continue;
    }
    const Index first = jump(previous, i + 1), second = jump(i + 1, next);
    weights_[i] = (lexical_[cell[i]] + alpha) * factors_[i] * scale * (jumps_[first] + eta) *
                  (jumps_[second] + (first == second ? 1 : 0) + eta);
  }
  weights_[width] = options_.null * (null_lexical_[pair.generated[j]] + options_.null_prior) /
                    (null_total_ + options_.null_prior * words) *
                    (jumps_[jump(previous, next)] + eta) / jump_total;

  const Index drawn = trellis::draw(weights_, random);
  move(drawn, 1);
  pair.a[j] = drawn == width ? kNothing : static_cast<std::uint16_t>(drawn);
}

void GibbsChain::sweep() {
  std::vector<Index> next;
  for (Index k = 0; k < bitext_.size(); ++k) {
    if (bitext_[k].cells() == 0) continue;
    const Pair pair = open(k);
    const Index length = pair.generated.size();
    next.assign(length + 1, pair.generating.size() + 1);
    for (Index j = length; j-- > 0;) {
      next[j] = pair.a[j] == kNothing ? next[j + 1] : Index{pair.a[j]} + 1;
    }
    Random random(options_.seed, k, sweeps_);
    Index previous = 0;
    for (Index j = 0; j < length; ++j) {
      draw(pair, j, previous, next[j + 1], random);
      if (pair.a[j] != kNothing) previous = Index{pair.a[j]} + 1;
    }
  }
  ++sweeps_;
}

double GibbsChain::log_joint() const {
  const double words = static_cast<double>(generated_words_);
  double value = log_dirichlet_multinomial(null_lexical_, options_.null_prior, null_total_, words);
  value += log_dirichlet_multinomial(jumps_, kJumpPrior, jump_total_,
                                     static_cast<double>(jumps_.size()));
  std::uint64_t linked = 0;
  for (const std::uint32_t total : totals_) {
    linked += total;
    value += log_gamma(options_.lexical_prior * words) -
             log_gamma(options_.lexical_prior * words + total);
  }
  for (const std::uint32_t count : lexical_) {
    if (count > 0) {
      value += log_gamma(options_.lexical_prior + count) - log_gamma(options_.lexical_prior);
    }
  }
  if (options_.fertility) {
    for (Index e = 0; e < totals_.size(); ++e) {
      const auto row = std::span(fertilities_).subspan(e * (kMostFertile + 1), kMostFertile + 1);
      double total = 0;
      for (Index phi = 0; phi <= kMostFertile; ++phi) {
        const double beta = fertility_prior_[phi];
        value += log_gamma(beta + row[phi]) - log_gamma(beta);
        total += row[phi];
      }
      value += log_gamma(kFertilityPrior) - log_gamma(kFertilityPrior + total);
    }
  }
  return value + static_cast<double>(linked) * portable_log(1 - options_.null) +
         static_cast<double>(null_total_) * portable_log(options_.null);
}

}  // namespace trellis
