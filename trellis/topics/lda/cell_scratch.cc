#include "trellis/topics/lda/cell_scratch.h"

#include <algorithm>
#include <new>

#include "trellis/topics/lda/word_topics.h"

namespace trellis::topics {

CellScratch::CellScratch(Index topics, Index parts)
    : num_topics(topics),
      num_parts(parts),
      padded((topics + WordTopics::kLanes - 1) / WordTopics::kLanes * WordTopics::kLanes),
      alpha(hwy::AllocateAligned<float>(padded)),
      beta_sum(hwy::AllocateAligned<float>(parts * padded)),
      inverse(hwy::AllocateAligned<float>(parts * padded)),
      weight(hwy::AllocateAligned<float>(parts * padded)),
      running(hwy::AllocateAligned<float>(padded)),
      totals(parts * topics),
      in_document(topics),
      present((topics + 63) / 64),
      sums(padded / WordTopics::kLanes),
      mass(parts) {
  if (!alpha || !beta_sum || !inverse || !weight || !running) throw std::bad_alloc();
  std::fill_n(weight.get(), parts * padded, 0.0F);
}

void CellScratch::begin(std::span<const double> alphas, std::span<const double> beta_sums,
                        std::span<const std::uint32_t> round_totals) {
  std::copy(round_totals.begin(), round_totals.end(), totals.begin());
  for (Index k = 0; k < num_topics; ++k) alpha[k] = static_cast<float>(alphas[k]);
  for (Index part = 0; part < num_parts; ++part) {
    mass[part] = 0;
    for (Index k = 0; k < num_topics; ++k) {
      const Index at = part * padded + k;
      beta_sum[at] = static_cast<float>(beta_sums[part * num_topics + k]);
      inverse[at] = inverse_of(at, totals[part * num_topics + k]);
      weight[at] = alpha[k] * inverse[at];
      mass[part] += static_cast<double>(weight[at]);
    }
  }
}

}  // namespace trellis::topics
