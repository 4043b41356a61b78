// A DiscLDA model with all parameters known, and a document as each class of it sees it.
//
//   p(y) = π_y,   θ ~ Dir(α),   z ~ θ,   p(w | z = l, y) = φ^y_wl = Σ_k φ_wk T^y_kl          (4.20)
//
// Given Φ and T, documents are independent, and given y as well, one is a document of LDA with the
// topics φ^y_·1 … φ^y_·L.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/disclda/known_topics.h"
#include "trellis/topics/disclda/transformation.h"

namespace trellis::topics {

struct DiscLdaModel {
  Transformation transformation;
  KnownTopics topics;
  double alpha = 0.1;             // of each component
  std::vector<double> log_prior;  // log π_y

  // Throws UsageError where the parts do not fit together.
  void check() const;
};

// log π_y where each class has been seen once more than it has: no class is impossible.
std::vector<double> log_prior_of(std::span<const std::uint32_t> labels, Index classes);

// φ and φ^y of a document's words, looked up once. Holds its memory, which repeated calls reuse.
// Memory: (K + C L) doubles for each word that differs.
class DocumentTables {
 public:
  // Throws UsageError where a token is no word of the model.
  void read(const DiscLdaModel& model, std::span<const std::uint32_t> document);

  Index num_tokens() const { return tokens_.size(); }
  // The words that differ, in rising order; how often each occurs; and of each token, which it is.
  std::span<const std::uint32_t> words() const { return words_; }
  std::span<const double> times() const { return times_; }
  std::span<const std::uint32_t> tokens() const { return tokens_; }

  // By the number of a word here: φ_wk for all k, and φ^y_wl for all l, all above 0.
  std::span<const double> phi(Index word) const {
    return std::span(phi_).subspan(word * num_topics_, num_topics_);
  }
  std::span<const double> class_phi(Index y, Index word) const {
    return std::span(class_phi_)
        .subspan((y * words_.size() + word) * num_components_, num_components_);
  }
  // Of all words, one row after another.
  std::span<const double> class_phi(Index y) const {
    const Index size = words_.size() * num_components_;
    return std::span(class_phi_).subspan(y * size, size);
  }

 private:
  Index num_topics_ = 0, num_components_ = 0;
  std::vector<std::uint32_t> words_, tokens_;
  std::vector<double> times_, phi_, class_phi_;
};

}  // namespace trellis::topics
