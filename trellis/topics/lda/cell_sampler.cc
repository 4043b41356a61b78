#include "trellis/topics/lda/cell_sampler.h"

#include <algorithm>
#include <cstddef>

#include "trellis/solve/vectors/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/topics/lda/cell_sampler.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace trellis::topics {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kLanes = WordTopics::kLanes;
using Floats = hn::CappedTag<float, kLanes>;
constexpr size_t kWidth = hn::MaxLanes(Floats());
constexpr size_t kParts = kLanes / kWidth;

HWY_INLINE hn::Vec<Floats> load_counts(const std::uint8_t* counts) {
  const hn::Rebind<std::uint8_t, Floats> bytes;
  const hn::Rebind<std::int32_t, Floats> integers;
  return hn::ConvertTo(Floats(), hn::PromoteTo(integers, hn::LoadU(bytes, counts)));
}

HWY_INLINE hn::Vec<Floats> load_counts(const std::uint16_t* counts) {
  const hn::Rebind<std::uint16_t, Floats> shorts;
  const hn::Rebind<std::int32_t, Floats> integers;
  return hn::ConvertTo(Floats(), hn::PromoteTo(integers, hn::LoadU(shorts, counts)));
}

// No count reaches 2^31: a word has so many tokens only in a corpus of that word alone, and the
// layout has fewer than 2^32 tokens of all words.
HWY_INLINE hn::Vec<Floats> load_counts(const std::uint32_t* counts) {
  const hn::Rebind<std::int32_t, Floats> integers;
  return hn::ConvertTo(Floats(),
                       hn::LoadU(integers, reinterpret_cast<const std::int32_t*>(counts)));
}

// β_kw from topic k on, for a common value and for a row.
HWY_INLINE hn::Vec<Floats> load_prior(float beta, size_t) {
  return hn::Set(Floats(), beta);
}
HWY_INLINE hn::Vec<Floats> load_prior(const float* row, size_t k) {
  return hn::Load(Floats(), row + k);
}
HWY_INLINE float prior_of(float beta, size_t) {
  return beta;
}
HWY_INLINE float prior_of(const float* row, size_t k) {
  return row[k];
}

// running[8 t + j] = Σ_{t' ≤ t} c_k (n_wk + β_kw) with k = 8 t' + j.
template <class Count, class Prior>
HWY_INLINE void weigh(const Count* counts, Prior prior, const float* weight, size_t padded,
                      float* running) {
  const Floats d;
  for (size_t first = 0; first < kLanes; first += 2 * kWidth) {
    auto sum0 = hn::Zero(d), sum1 = hn::Zero(d);
    for (size_t k = first; k < padded; k += kLanes) {
      const auto c0 = hn::Load(d, weight + k);
      sum0 = hn::Add(sum0, hn::Mul(c0, hn::Add(load_counts(counts + k), load_prior(prior, k))));
      hn::Store(sum0, d, running + k);
      if constexpr (kParts > 1) {
        const auto c1 = hn::Load(d, weight + k + kWidth);
        sum1 = hn::Add(sum1, hn::Mul(c1, hn::Add(load_counts(counts + k + kWidth),
                                                 load_prior(prior, k + kWidth))));
        hn::Store(sum1, d, running + k + kWidth);
      }
    }
  }
}

// running[8 t + j] = Σ_{t' ≤ t} c_k with k = 8 t' + j; with a row, of β_kw c_k.
HWY_INLINE void add_up(const float* row, const float* weight, size_t padded, float* running) {
  const Floats d;
  for (size_t first = 0; first < kLanes; first += kWidth) {
    auto sum = hn::Zero(d);
    for (size_t k = first; k < padded; k += kLanes) {
      const auto c = hn::Load(d, weight + k);
      sum = hn::Add(sum, row == nullptr ? c : hn::Mul(c, hn::Load(d, row + k)));
      hn::Store(sum, d, running + k);
    }
  }
}

// Σ_k β_kw c_k, in eight lanes of two partial sums each: the same shape on all processors.
HWY_INLINE double product(const float* row, const float* weight, size_t padded) {
  const Floats d;
  const auto term = [&](size_t k)
                        HWY_ATTR { return hn::Mul(hn::Load(d, row + k), hn::Load(d, weight + k)); };
  hn::Vec<Floats> even[kParts], odd[kParts];
  for (size_t p = 0; p < kParts; ++p) even[p] = odd[p] = hn::Zero(d);
  size_t k = 0;
  for (; k + kLanes < padded; k += 2 * kLanes) {
    for (size_t p = 0; p < kParts; ++p) {
      even[p] = hn::Add(even[p], term(k + p * kWidth));
      odd[p] = hn::Add(odd[p], term(k + kLanes + p * kWidth));
    }
  }
  if (k < padded) {
    for (size_t p = 0; p < kParts; ++p) even[p] = hn::Add(even[p], term(k + p * kWidth));
  }
  HWY_ALIGN float lanes[kLanes];
  for (size_t p = 0; p < kParts; ++p) hn::Store(hn::Add(even[p], odd[p]), d, lanes + p * kWidth);
  return (static_cast<double>(lanes[0] + lanes[4]) + static_cast<double>(lanes[2] + lanes[6])) +
         (static_cast<double>(lanes[1] + lanes[5]) + static_cast<double>(lanes[3] + lanes[7]));
}

#if HWY_TARGET == HWY_SCALAR  // whose vectors have one lane

// The same as below, one after another.
HWY_INLINE float eight_terms(const std::uint32_t* entries, const float* weight, std::uint32_t old,
                             float* terms) {
  for (size_t i = 0; i < kLanes; ++i) {
    const std::uint32_t topic = TopicList::topic(entries[i]), count = entries[i] & 0xFFFFU;
    const std::uint32_t others = topic == old && count > 0 ? count - 1 : count;
    terms[i] = static_cast<float>(others) * weight[topic];
  }
  return ((terms[0] + terms[4]) + (terms[1] + terms[5])) +
         ((terms[2] + terms[6]) + (terms[3] + terms[7]));
}

#else

// n_wk c_k of four entries of a list, without a token of topic `old`. Loads one by one: a gather
// instruction is no faster, and processors without it emulate it by stores.
using Quad = hn::FixedTag<float, 4>;
HWY_INLINE hn::Vec<Quad> list_terms(const std::uint32_t* entries, const float* weight,
                                    std::uint32_t old) {
  const Quad d;
  const hn::RebindToUnsigned<Quad> whole;
  const hn::RebindToSigned<Quad> integers;
  auto weights = hn::Set(d, weight[TopicList::topic(entries[0])]);
  weights = hn::InsertLane(weights, 1, weight[TopicList::topic(entries[1])]);
  weights = hn::InsertLane(weights, 2, weight[TopicList::topic(entries[2])]);
  weights = hn::InsertLane(weights, 3, weight[TopicList::topic(entries[3])]);
  const auto all = hn::LoadU(whole, entries);
  const auto is_old = hn::Eq(hn::ShiftRight<16>(all), hn::Set(whole, old));
  const auto counts = hn::BitCast(integers, hn::And(all, hn::Set(whole, 0xFFFFU)));
  // A mask is −1. The zeros past the end of the list are read as topic 0.
  const auto others = hn::Max(
      hn::Add(counts, hn::BitCast(integers, hn::VecFromMask(whole, is_old))), hn::Zero(integers));
  return hn::Mul(hn::ConvertTo(d, others), weights);
}

// Eight terms, and their sum, in one order for all processors.
HWY_INLINE float eight_terms(const std::uint32_t* entries, const float* weight, std::uint32_t old,
                             float* terms) {
  const auto low = list_terms(entries, weight, old);
  const auto high = list_terms(entries + 4, weight, old);
  hn::Store(low, Quad(), terms);
  hn::Store(high, Quad(), terms + 4);
  auto sums = hn::Add(low, high);
  sums = hn::Add(sums, hn::Shuffle2301(sums));
  return hn::GetLane(hn::Add(sums, hn::Shuffle1032(sums)));
}

#endif

// Selects a topic by running sums, for u uniform on [0, 1), after subtracting `less` from the
// weight of topic `old`. Only the rare last branch depends on the outcome.
HWY_INLINE size_t find_topic(const float* running, size_t padded, size_t topics, double u,
                             size_t old, float less) {
  const float* last = running + padded - kLanes;
  const size_t old_lane = old % kLanes, old_step = old / kLanes;
  double sums[kLanes];
  double sum = 0;
  for (size_t j = 0; j < kLanes; ++j) {
    sums[j] = sum += static_cast<double>(last[j] - (j == old_lane ? less : 0.0F));
  }
  const double target = u * sum;
  size_t lane = 0;
  double before = 0;
  for (size_t j = 0; j + 1 < kLanes; ++j) {
    lane += sums[j] <= target ? 1 : 0;
    before = sums[j] <= target ? sums[j] : before;
  }
  const auto early = static_cast<float>(target - before);
  const float late = lane == old_lane ? early + less : early;
  const float* column = running + lane;
  const auto passed = [&](size_t step) HWY_ATTR {
    return column[step * kLanes] <= (step < old_step ? early : late) ? size_t{1} : size_t{0};
  };
  constexpr size_t kStride = 16;
  const size_t steps = padded / kLanes;
  size_t step = 0;
  for (size_t t = kStride - 1; t < steps; t += kStride) step += passed(t) * kStride;
  for (size_t t = step, end = std::min(step + kStride, steps); t < end; ++t) step += passed(t);
  // Rounding may put the target beyond the lane's sum, in the zeros past the last topic.
  const size_t topic = step * kLanes + lane;
  if (HWY_LIKELY(topic < topics)) return topic;
  return lane < topics ? (topics - 1 - lane) / kLanes * kLanes + lane : topics - 1;
}

// kOne: the vocabulary has one part, and the code for several parts is left out.
template <bool kOne>
class Sampler {
 public:
  HWY_INLINE Sampler(const Cell& cell, CellScratch& scratch)
      : cell_(cell), scratch_(scratch), has_rows_(cell.prior->has_rows()), random_(cell.stream) {}

  void run() {
    const LdaLayout& layout = *cell_.layout;
    const std::uint16_t* words = layout.in_block().data();
    const Index first_word = layout.first_word(cell_.word_block);
    const Index last = layout.first_document(cell_.document_block + 1);
    for (Index d = layout.first_document(cell_.document_block); d < last; ++d) {
      const Index begin = layout.begin(d, cell_.word_block);
      const Index end = layout.end(d, cell_.word_block);
      if (begin == end || !cell_.has(d)) continue;
      open(d);
      for (Index i = begin; i < end; ++i) {
        const Index later = first_word + words[std::min(i + kAhead, end - 1)];
        cell_.word_topics->prefetch(later);
        if (has_rows_) cell_.prior->prefetch(later);
        sample(i, first_word + words[i]);
      }
      close(d);
    }
  }

 private:
  static constexpr Index kAhead = 3;  // tokens: some hundred nanoseconds

  void open(Index d) {
    CellScratch& s = scratch_;
    cell_.document_topics->for_each(d, [&](std::uint32_t k, std::uint32_t n) HWY_ATTR {
      s.in_document[k] = n;
      s.present[k / 64] |= std::uint64_t{1} << k % 64;
      set_weights(k);
    });
  }

  void close(Index d) {
    CellScratch& s = scratch_;
    auto counts = cell_.document_topics->rewrite(d);
    for_each_present([&](std::uint32_t k) HWY_ATTR {
      if (s.in_document[k] > 0) counts.push(k, s.in_document[k]);
      s.in_document[k] = 0;
      set_weights(k);
    });
    std::fill(s.present.begin(), s.present.end(), std::uint64_t{0});
  }

  HWY_INLINE void sample(Index i, Index w) {
    std::uint16_t& z = cell_.assignments[i];
    if constexpr (!kOne) set_part(cell_.prior->part(w));
    switch (cell_.word_topics->form(w)) {
      case RowForm::kBytes:
        z = sample_row(w, z, cell_.word_topics->row<std::uint8_t>(w));
        break;
      case RowForm::kShorts:
        z = sample_row(w, z, cell_.word_topics->row<std::uint16_t>(w));
        break;
      case RowForm::kWords:
        z = sample_row(w, z, cell_.word_topics->row<std::uint32_t>(w));
        break;
      case RowForm::kList:
        z = sample_list(w, z);
        break;
    }
  }

  // Sets the part of the current word.
  HWY_INLINE void set_part(Index part) {
    part_ = part;
    first_ = part * scratch_.padded;
  }
  HWY_INLINE Index part() const { return kOne ? 0 : part_; }
  HWY_INLINE Index place(Index k) const { return kOne ? k : first_ + k; }
  HWY_INLINE const float* weights() const { return scratch_.weight.get() + (kOne ? 0 : first_); }
  HWY_INLINE std::uint32_t& total(Index k) {
    return scratch_.totals[kOne ? k : part_ * scratch_.num_topics + k];
  }

  // β_kw by topic, or null if all topics have the same value.
  HWY_INLINE const float* prior_row(Index w) const {
    return has_rows_ ? cell_.prior->row(w) : nullptr;
  }

  template <class Count>
  HWY_INLINE std::uint16_t sample_row(Index w, std::uint16_t old, Count* counts) {
    const float* row = prior_row(w);
    return row == nullptr ? sample_row_by(cell_.prior->beta(w), old, counts)
                          : sample_row_by(row, old, counts);
  }

  template <class Prior, class Count>
  HWY_INLINE std::uint16_t sample_row_by(Prior prior, std::uint16_t old, Count* counts) {
    CellScratch& s = scratch_;
    // The vectors use old counts and weights: a load of eight would wait for a store of one.
    float less = 0;
    if (HWY_LIKELY(old != kNoTopic)) {
      const auto count = static_cast<float>(counts[old]);
      const float beta = prior_of(prior, old);
      less = weights()[old] * (count + beta) - weight_without(old) * (count - 1 + beta);
    }
    weigh(counts, prior, weights(), s.padded, s.running.get());
    const auto k = static_cast<std::uint16_t>(
        find_topic(s.running.get(), s.padded, s.num_topics, random_.uniform(), old, less));
    if (k != old) {
      if (HWY_LIKELY(old != kNoTopic)) {
        --counts[old];
        change(old, -1);
      }
      ++counts[k];
      change(k, +1);
    }
    return k;
  }

  HWY_INLINE std::uint16_t sample_list(Index w, std::uint16_t old) {
    CellScratch& s = scratch_;
    TopicList list = cell_.word_topics->list(w);
    const float* row = prior_row(w);
    // With the old weights, for the same reason as above.
    double beta_mass = row == nullptr ? 0 : product(row, weights(), s.padded);
    float weight_before = 0;
    if (HWY_LIKELY(old != kNoTopic)) {
      weight_before = weights()[old];
      const float without = weight_without(old);
      if (row != nullptr) {
        beta_mass -= static_cast<double>(row[old]) *
                     (static_cast<double>(weight_before) - static_cast<double>(without));
      }
      set_weight(old, without);
    }
    const float along = sum_list(list, old);
    if (row == nullptr) beta_mass = static_cast<double>(cell_.prior->beta(w)) * s.mass[part()];
    const double target = random_.uniform() * (static_cast<double>(along) + beta_mass);
    if (HWY_LIKELY(target < static_cast<double>(along))) {
      const std::uint32_t place = find_place(list, static_cast<float>(target));
      const auto k = static_cast<std::uint16_t>(TopicList::topic(list.entries()[place]));
      if (k == old) {
        set_weight(old, weight_before);
        return k;
      }
      list.add_at(place);
      if (HWY_LIKELY(old != kNoTopic)) list.remove(old);
      move(old, k);
      return k;
    }
    const std::uint16_t k = draw_by_prior(row, (target - static_cast<double>(along)) / beta_mass);
    if (k == old) {
      set_weight(old, weight_before);
      return k;
    }
    if (HWY_LIKELY(old != kNoTopic)) list.remove(old);
    list.add(k);
    move(old, k);
    return k;
  }

  // Σ n_wk c_k over the topics of the list without the current token, which its counts still
  // include for topic `old`. For find_place: the terms, and the running sum after each eight terms.
  HWY_INLINE float sum_list(const TopicList& list, std::uint32_t old) {
    const float* weight = weights();
    float* terms = scratch_.running.get();
    float* sums = scratch_.sums.data();
    const std::uint32_t* entries = list.entries();
    float sum = 0;
    for (std::uint32_t first = 0; first < list.padded_size(); first += kLanes) {
      *sums++ = sum += eight_terms(entries + first, weight, old, terms + first);
    }
    return sum;
  }

  // The first i with Σ_{i' ≤ i} n_wk c_k > target, which is below the total sum.
  HWY_INLINE std::uint32_t find_place(const TopicList& list, float target) const {
    const float* sums = scratch_.sums.data();
    const size_t last = list.padded_size() / kLanes - 1;
    size_t eight = 0;
    while (eight < last && sums[eight] <= target) ++eight;
    const float* terms = scratch_.running.get() + eight * kLanes;
    float sum = eight > 0 ? sums[eight - 1] : 0;
    auto place = static_cast<std::uint32_t>(eight * kLanes);
    for (std::uint32_t i = 0; i < kLanes; ++i) place += (sum += terms[i]) <= target ? 1 : 0;
    return std::min(place, list.size() - 1);  // rounding
  }

  // c_k without the current token, whose topic is k.
  HWY_INLINE float weight_without(std::uint16_t k) {
    const CellScratch& s = scratch_;
    return (static_cast<float>(s.in_document[k] - 1) + s.alpha[k]) *
           s.inverse_of(place(k), total(k) - 1);
  }

  // For the current part.
  HWY_INLINE void set_weight(std::uint32_t k, float weight) {
    CellScratch& s = scratch_;
    s.mass[part()] += static_cast<double>(weight) - static_cast<double>(weights()[k]);
    s.weight[place(k)] = weight;
  }

  // Sets c_k of every part from the current counts.
  HWY_INLINE void set_weights(std::uint32_t k) {
    CellScratch& s = scratch_;
    const float counted = static_cast<float>(s.in_document[k]) + s.alpha[k];
    if constexpr (kOne) return set_weight(k, counted * s.inverse[k]);
    for (Index part = 0; part < s.num_parts; ++part) {
      const Index at = part * s.padded + k;
      const float weight = counted * s.inverse[at];
      s.mass[part] += static_cast<double>(weight) - static_cast<double>(s.weight[at]);
      s.weight[at] = weight;
    }
  }

  // Draws a topic by β_kw c_k, for u uniform on [0, 1).
  HWY_NOINLINE std::uint16_t draw_by_prior(const float* row, double u) const {
    const CellScratch& s = scratch_;
    add_up(row, weights(), s.padded, s.running.get());
    return static_cast<std::uint16_t>(
        find_topic(s.running.get(), s.padded, s.num_topics, u, kNoTopic, 0));
  }

  // Calls body(k) for all topics that the document has had since it was opened.
  template <class Body>
  HWY_INLINE void for_each_present(const Body& body) const {
    for (size_t i = 0; i < scratch_.present.size(); ++i) {
      for (std::uint64_t bits = scratch_.present[i]; bits != 0; bits &= bits - 1) {
        body(static_cast<std::uint32_t>(64 * i + hwy::Num0BitsBelowLS1Bit_Nonzero64(bits)));
      }
    }
  }

  HWY_INLINE void move(std::uint16_t from, std::uint16_t to) {
    if (HWY_LIKELY(from != kNoTopic)) change(from, -1);
    change(to, +1);
  }

  // Adds or removes one token of topic k, in the document and in the totals.
  HWY_INLINE void change(std::uint16_t k, int by) {
    CellScratch& s = scratch_;
    s.in_document[k] += static_cast<std::uint32_t>(by);
    total(k) += static_cast<std::uint32_t>(by);
    s.inverse[place(k)] = s.inverse_of(place(k), total(k));
    set_weights(k);
    s.present[k / 64] |= std::uint64_t{1} << k % 64;
  }

  const Cell& cell_;
  CellScratch& scratch_;
  bool has_rows_;
  Index part_ = 0, first_ = 0;
  CellRandom random_;
};

void run_sampler(const Cell& cell, CellScratch& scratch) {
  if (scratch.num_parts == 1) {
    Sampler<true>(cell, scratch).run();
  } else {
    Sampler<false>(cell, scratch).run();
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis::topics
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace trellis::topics {

HWY_EXPORT(run_sampler);

void sample_cell(const Cell& cell, CellScratch& scratch) {
  HWY_DYNAMIC_DISPATCH(run_sampler)(cell, scratch);
}

}  // namespace trellis::topics

#endif  // HWY_ONCE
