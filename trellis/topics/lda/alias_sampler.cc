#include "trellis/topics/lda/alias_sampler.h"

#include <algorithm>
#include <bit>

namespace trellis::topics {

AliasSampler::AliasSampler(Index topics)
    : num_topics_(topics),
      alpha_(topics),
      beta_sums_(topics),
      alpha_cells_(topics),
      totals_(topics),
      in_document_(topics),
      present_((topics + 63) / 64) {}

void AliasSampler::begin(std::span<const double> alpha, std::span<const double> beta_sums,
                         std::span<const std::uint32_t> round_totals) {
  alpha_sum_ = 0;
  for (Index k = 0; k < num_topics_; ++k) {
    alpha_[k] = static_cast<float>(alpha[k]);
    alpha_sum_ += static_cast<double>(alpha_[k]);
    beta_sums_[k] = static_cast<float>(beta_sums[k]);
  }
  builder_.build(alpha_, alpha_cells_);
  std::copy(round_totals.begin(), round_totals.end(), totals_.begin());
}

void AliasSampler::sample(const Cell& cell, Index cycles) {
  const LdaLayout& layout = *cell.layout;
  propose_by_words(cell);
  CellRandom random(cell.stream);
  for (Index d = layout.first_document(cell.document_block);
       d < layout.first_document(cell.document_block + 1); ++d) {
    const Index begin = layout.begin(d, cell.word_block), end = layout.end(d, cell.word_block);
    if (begin == end || !cell.has(d)) continue;
    open(cell, d);
    for (Index i = begin; i < end; ++i) sample_token(cell, d, i, cycles, random);
    close(cell, d);
  }
}

void AliasSampler::propose_by_words(const Cell& cell) {
  first_word_ = cell.layout->first_word(cell.word_block);
  const Index last = cell.layout->first_word(cell.word_block + 1);
  begin_.assign(1, 0);
  topics_.clear();
  counts_.clear();
  for (Index w = first_word_; w < last; ++w) {
    cell.word_topics->for_each(w, [&](Index k, std::uint32_t count) {
      topics_.push_back(static_cast<std::uint32_t>(k));
      counts_.push_back(static_cast<float>(count));
    });
    begin_.push_back(static_cast<std::uint32_t>(topics_.size()));
  }
  leave_out_own(cell);
  cells_.resize(topics_.size());
  mass_.assign(last - first_word_, 0);
  for (Index w = 0; w < mass_.size(); ++w) {
    const Index first = begin_[w], size = begin_[w + 1] - first;
    const std::span<const float> counts = std::span<const float>(counts_).subspan(first, size);
    for (const float count : counts) mass_[w] += count;
    if (mass_[w] > 0) builder_.build(counts, std::span(cells_).subspan(first, size));
  }
}

void AliasSampler::leave_out_own(const Cell& cell) {
  const LdaLayout& layout = *cell.layout;
  for (Index d = layout.first_document(cell.document_block);
       d < layout.first_document(cell.document_block + 1); ++d) {
    if (!cell.has(d)) continue;
    for (Index i = layout.begin(d, cell.word_block); i < layout.end(d, cell.word_block); ++i) {
      const Index w = layout.in_block()[i];
      const auto first = topics_.begin() + begin_[w], last = topics_.begin() + begin_[w + 1];
      const auto found = std::lower_bound(first, last, std::uint32_t{cell.assignments[i]});
      counts_[static_cast<Index>(found - topics_.begin())] -= 1;
    }
  }
}

float AliasSampler::outside(std::uint32_t word, std::uint32_t topic) const {
  const Index w = word - first_word_;
  const auto first = topics_.begin() + begin_[w], last = topics_.begin() + begin_[w + 1];
  const auto found = std::lower_bound(first, last, topic);
  return found != last && *found == topic ? counts_[static_cast<Index>(found - topics_.begin())]
                                          : 0;
}

void AliasSampler::open(const Cell& cell, Index d) {
  cell.document_topics->for_each(d, [&](std::uint32_t k, std::uint32_t n) {
    in_document_[k] = n;
    present_[k / 64] |= std::uint64_t{1} << k % 64;
  });
}

void AliasSampler::close(const Cell& cell, Index d) {
  auto list = cell.document_topics->rewrite(d);
  for (Index i = 0; i < present_.size(); ++i) {
    for (std::uint64_t bits = present_[i]; bits != 0; bits &= bits - 1) {
      const auto k =
          static_cast<std::uint32_t>(64 * i) + static_cast<std::uint32_t>(std::countr_zero(bits));
      if (in_document_[k] > 0) list.push(k, in_document_[k]);
      in_document_[k] = 0;
    }
    present_[i] = 0;
  }
}

// The topic of another token of the document, or a draw by α.
std::uint32_t AliasSampler::by_document(const Cell& cell, Index d, Index i,
                                        CellRandom& random) const {
  const Index begin = cell.layout->begin(d);
  const auto others = static_cast<std::uint32_t>(cell.layout->end(d) - begin - 1);
  const double target = random.uniform() * (static_cast<double>(others) + alpha_sum_);
  if (target < static_cast<double>(others)) {
    const Index j = begin + static_cast<Index>(target);
    return cell.assignments[j < i ? j : j + 1];
  }
  const std::uint32_t which = random.next();
  return alias_draw(alpha_cells_, which, random.next());
}

std::uint32_t AliasSampler::by_word(std::uint32_t word, float beta, CellRandom& random) const {
  const Index w = word - first_word_;
  const double mass = static_cast<double>(mass_[w]);
  const double smooth = static_cast<double>(beta) * static_cast<double>(num_topics_);
  if (random.uniform() * (mass + smooth) < mass) {
    const std::span<const AliasCell> cells =
        std::span<const AliasCell>(cells_).subspan(begin_[w], begin_[w + 1] - begin_[w]);
    const std::uint32_t which = random.next();
    return topics_[begin_[w] + alias_draw(cells, which, random.next())];
  }
  return random.below(static_cast<std::uint32_t>(num_topics_));
}

// The token's counts as a topic sees them, all without the token itself.
struct AliasSampler::Token {
  std::uint32_t topic;
  float of_word, of_document, of_topic;  // n_wk + β_kw, n_dk + α_k, n_k + β̄_k
};

void AliasSampler::sample_token(const Cell& cell, Index d, Index i, Index cycles,
                                CellRandom& random) {
  const auto word = static_cast<std::uint32_t>(cell.layout->word(i, cell.word_block));
  const float beta = cell.prior->beta(word);
  const float* row = cell.prior->row(word);
  const std::uint32_t old = cell.assignments[i];
  --in_document_[old];
  --totals_[old];
  const auto seen_by = [&](std::uint32_t k) {
    const std::uint32_t count = cell.word_topics->count(word, k) - (k == old ? 1 : 0);
    return Token{k, static_cast<float>(count) + (row == nullptr ? beta : row[k]),
                 static_cast<float>(in_document_[k]) + alpha_[k],
                 static_cast<float>(totals_[k]) + beta_sums_[k]};
  };
  // Accepts with probability min(1, gain / loss).
  const auto accepts = [&](float gain, float loss) {
    return gain >= loss || static_cast<float>(random.next() >> 8) * 0x1p-24F * loss < gain;
  };
  Token now = seen_by(old);
  for (Index cycle = 0; cycle < cycles; ++cycle) {
    std::uint32_t t = by_document(cell, d, i, random);
    if (t != now.topic) {
      const Token next = seen_by(t);
      if (accepts(next.of_word * now.of_topic, now.of_word * next.of_topic)) now = next;
    }
    t = by_word(word, beta, random);
    if (t != now.topic) {
      const Token next = seen_by(t);
      const float proposed = outside(word, t) + beta, back = outside(word, now.topic) + beta;
      if (accepts(next.of_document * next.of_word / next.of_topic * back,
                  now.of_document * now.of_word / now.of_topic * proposed)) {
        now = next;
      }
    }
  }
  const std::uint32_t k = now.topic;
  ++in_document_[k];
  ++totals_[k];
  if (k == old) return;
  present_[k / 64] |= std::uint64_t{1} << k % 64;
  cell.word_topics->remove(word, old);
  cell.word_topics->add(word, k);
  cell.assignments[i] = static_cast<std::uint16_t>(k);
}

}  // namespace trellis::topics
