#include "trellis/topics/lda/cell_sampler.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

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

// No count reaches 2^31: a word's row has as many tokens as that only in a corpus of them alone,
// and the layout has fewer than 2^32 of all words.
HWY_INLINE hn::Vec<Floats> load_counts(const std::uint32_t* counts) {
  const hn::Rebind<std::int32_t, Floats> integers;
  return hn::ConvertTo(Floats(),
                       hn::LoadU(integers, reinterpret_cast<const std::int32_t*>(counts)));
}

// running[8 t + j] = Σ_{t' ≤ t} c_k (n_wk + β_w) with k = 8 t' + j.
template <class Count>
HWY_INLINE void weigh(const Count* counts, float beta, const float* weight, size_t padded,
                      float* running) {
  const Floats d;
  const auto prior = hn::Set(d, beta);
  for (size_t first = 0; first < kLanes; first += 2 * kWidth) {
    auto sum0 = hn::Zero(d), sum1 = hn::Zero(d);
    for (size_t k = first; k < padded; k += kLanes) {
      const auto c0 = hn::Load(d, weight + k);
      sum0 = hn::Add(sum0, hn::Mul(c0, hn::Add(load_counts(counts + k), prior)));
      hn::Store(sum0, d, running + k);
      if constexpr (kParts > 1) {
        const auto c1 = hn::Load(d, weight + k + kWidth);
        sum1 = hn::Add(sum1, hn::Mul(c1, hn::Add(load_counts(counts + k + kWidth), prior)));
        hn::Store(sum1, d, running + k + kWidth);
      }
    }
  }
}

// A topic by the running sums, for u uniform on [0, 1).
HWY_INLINE size_t find_topic(const float* running, size_t padded, size_t topics, double u) {
  const float* last = running + padded - kLanes;
  double sums[kLanes];
  double sum = 0;
  for (size_t j = 0; j < kLanes; ++j) sums[j] = sum += static_cast<double>(last[j]);
  const double target = u * sum;
  size_t lane = 0;
  for (size_t j = 0; j + 1 < kLanes; ++j) lane += sums[j] <= target ? 1 : 0;
  const float rest = static_cast<float>(lane > 0 ? target - sums[lane - 1] : target);
  const float* column = running + lane;
  size_t below = 0;  // steps known to end at or before `rest`
  for (size_t left = padded / kLanes; left > 0;) {
    const size_t half = left / 2;
    const bool before = column[(below + half) * kLanes] <= rest;
    below = before ? below + half + 1 : below;
    left = before ? left - half - 1 : half;
  }
  // Rounding may leave the target beyond the lane's sum, in the zeros past the last topic.
  const size_t topic = below * kLanes + lane;
  if (topic < topics) return topic;
  return lane < topics ? (topics - 1 - lane) / kLanes * kLanes + lane : topics - 1;
}

class Sampler {
 public:
  HWY_INLINE Sampler(const Cell& cell, Random random, CellScratch& scratch)
      : cell_(cell), scratch_(scratch), random_(random) {}

  void run() {
    const LdaLayout& layout = *cell_.layout;
    const Index last = layout.first_document(cell_.document_block + 1);
    for (Index d = layout.first_document(cell_.document_block); d < last; ++d) {
      const Index begin = layout.begin(d, cell_.word_block);
      const Index end = layout.end(d, cell_.word_block);
      if (begin == end) continue;
      open(d);
      for (Index i = begin; i < end; ++i) sample(i, layout.words()[i]);
      close();
    }
  }

 private:
  void open(Index d) {
    CellScratch& s = scratch_;
    const LdaLayout& layout = *cell_.layout;
    for (Index i = layout.begin(d); i < layout.end(d); ++i) {
      const std::uint16_t k = cell_.assignments[i];
      if (k == kNoTopic) continue;
      if (s.in_document[k]++ == 0) s.present.push_back(k);
    }
    s.document_mass = 0;
    for (const std::uint16_t k : s.present) {
      s.is_present[k] = 1;
      const auto count = static_cast<float>(s.in_document[k]);
      s.weight[k] = (count + s.alpha[k]) * s.inverse[k];
      s.document_mass += static_cast<double>(count * s.inverse[k]);
    }
  }

  void close() {
    CellScratch& s = scratch_;
    for (const std::uint16_t k : s.present) {
      s.in_document[k] = 0;
      s.is_present[k] = 0;
      s.weight[k] = s.alpha[k] * s.inverse[k];
    }
    s.present.clear();
  }

  HWY_INLINE void sample(Index i, Index w) {
    std::uint16_t& z = cell_.assignments[i];
    switch (cell_.word_topics->form(w)) {
      case RowForm::kBytes: z = sample_row(w, z, cell_.word_topics->row<std::uint8_t>(w)); break;
      case RowForm::kShorts: z = sample_row(w, z, cell_.word_topics->row<std::uint16_t>(w)); break;
      case RowForm::kWords: z = sample_row(w, z, cell_.word_topics->row<std::uint32_t>(w)); break;
      case RowForm::kList: z = sample_list(w, z); break;
    }
  }

  template <class Count>
  HWY_INLINE std::uint16_t sample_row(Index w, std::uint16_t old, Count* counts) {
    CellScratch& s = scratch_;
    if (old != kNoTopic) {
      --counts[old];
      change(old, -1);
    }
    weigh(counts, cell_.beta[w], s.weight.get(), s.padded, s.running.get());
    const auto k = static_cast<std::uint16_t>(
        find_topic(s.running.get(), s.padded, s.num_topics, uniform()));
    ++counts[k];
    change(k, +1);
    return k;
  }

  HWY_INLINE std::uint16_t sample_list(Index w, std::uint16_t old) {
    CellScratch& s = scratch_;
    TopicList list = cell_.word_topics->list(w);
    if (old != kNoTopic) change(old, -1);
    // The list still has the token itself, which the sum leaves out.
    const std::uint32_t* entries = list.entries();
    const std::uint32_t size = list.size();
    double mass = 0;
    std::uint32_t old_place = size;
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::uint32_t topic = TopicList::topic(entries[i]);
      const bool itself = topic == old;
      const std::uint32_t count = TopicList::count(entries[i]) - (itself ? 1 : 0);
      old_place = itself ? i : old_place;
      mass += static_cast<double>(static_cast<float>(count) * s.weight[topic]);
      s.cumulative[i] = mass;
    }
    const double beta = static_cast<double>(cell_.beta[w]);
    const double target = uniform() * (mass + beta * (s.document_mass + s.prior_mass));
    std::uint16_t k = kNoTopic;
    if (target < mass) {
      const auto place = static_cast<std::uint32_t>(
          std::upper_bound(s.cumulative.begin(), s.cumulative.begin() + size, target) -
          s.cumulative.begin());
      k = static_cast<std::uint16_t>(TopicList::topic(entries[place]));
      if (k != old) {
        list.add_at(place);
        if (old != kNoTopic) list.remove_at(old_place);
      }
    } else {
      k = draw_from_priors((target - mass) / beta);
      if (k != old) {
        if (old != kNoTopic) list.remove_at(old_place);
        list.add(k);
      }
    }
    change(k, +1);
    return k;
  }

  // From n_dk / (n_k + Σβ) below document_mass, and from α_k / (n_k + Σβ) above it.
  std::uint16_t draw_from_priors(double target) const {
    const CellScratch& s = scratch_;
    if (target < s.document_mass) {
      double sum = 0;
      std::uint16_t last = kNoTopic;
      for (const std::uint16_t k : s.present) {
        if (s.in_document[k] == 0) continue;
        sum += static_cast<double>(static_cast<float>(s.in_document[k]) * s.inverse[k]);
        last = k;
        if (target < sum) return k;
      }
      if (last != kNoTopic) return last;  // rounding
    }
    target -= s.document_mass;
    double sum = 0;
    for (size_t k = 0; k < s.num_topics; ++k) {
      sum += static_cast<double>(s.alpha[k] * s.inverse[k]);
      if (target < sum) return static_cast<std::uint16_t>(k);
    }
    return static_cast<std::uint16_t>(s.num_topics - 1);
  }

  // Counts one token more or less of topic k, in the document and in all.
  HWY_INLINE void change(std::uint16_t k, int by) {
    CellScratch& s = scratch_;
    const auto in_document_before = static_cast<float>(s.in_document[k]);
    s.in_document[k] += static_cast<std::uint32_t>(by);
    s.totals[k] += static_cast<std::uint32_t>(by);
    const auto in_document = static_cast<float>(s.in_document[k]);
    const float before = s.inverse[k];
    const float inverse =
        1 / (static_cast<float>(s.totals[k]) + static_cast<float>(s.beta_sum));
    s.inverse[k] = inverse;
    s.weight[k] = (in_document + s.alpha[k]) * inverse;
    s.document_mass += static_cast<double>(in_document * inverse) -
                       static_cast<double>(in_document_before * before);
    s.prior_mass +=
        static_cast<double>(s.alpha[k] * inverse) - static_cast<double>(s.alpha[k] * before);
    if (by > 0 && s.is_present[k] == 0) {
      s.is_present[k] = 1;
      s.present.push_back(k);
    }
  }

  // 32 bits of each draw: a word of the stream serves two tokens.
  HWY_INLINE double uniform() {
    if (have_half_) {
      have_half_ = false;
      return static_cast<double>(bits_ >> 32) * 0x1p-32;
    }
    bits_ = random_.next();
    have_half_ = true;
    return static_cast<double>(bits_ & 0xFFFFFFFF) * 0x1p-32;
  }

  const Cell& cell_;
  CellScratch& scratch_;
  Random random_;
  std::uint64_t bits_ = 0;
  bool have_half_ = false;
};

void SampleCell(const Cell& cell, const Random& random, CellScratch& scratch) {
  Sampler(cell, random, scratch).run();
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis::topics
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace trellis::topics {

HWY_EXPORT(SampleCell);

void sample_cell(const Cell& cell, Random random, CellScratch& scratch) {
  HWY_DYNAMIC_DISPATCH(SampleCell)(cell, random, scratch);
}

CellScratch::CellScratch(Index topics)
    : num_topics(topics),
      padded((topics + WordTopics::kLanes - 1) / WordTopics::kLanes * WordTopics::kLanes),
      alpha(hwy::AllocateAligned<float>(padded)),
      inverse(hwy::AllocateAligned<float>(padded)),
      weight(hwy::AllocateAligned<float>(padded)),
      running(hwy::AllocateAligned<float>(padded)),
      totals(topics),
      in_document(topics),
      is_present(topics),
      cumulative(topics) {
  if (!alpha || !inverse || !weight || !running) throw std::bad_alloc();
  present.reserve(topics);
  std::fill_n(weight.get(), padded, 0.0F);
}

void CellScratch::begin(std::span<const double> prior, double sum,
                        std::span<const std::uint32_t> round_totals) {
  beta_sum = sum;
  prior_mass = 0;
  std::copy(round_totals.begin(), round_totals.end(), totals.begin());
  for (Index k = 0; k < num_topics; ++k) {
    alpha[k] = static_cast<float>(prior[k]);
    inverse[k] = 1 / (static_cast<float>(totals[k]) + static_cast<float>(beta_sum));
    weight[k] = alpha[k] * inverse[k];
    prior_mass += static_cast<double>(weight[k]);
  }
}

}  // namespace trellis::topics

#endif  // HWY_ONCE
