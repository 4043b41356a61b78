// A DiscLDA model with known parameters, and a document with the word probabilities of each class.
//
//   p(y) = π_y,   θ ~ Dir(α),   z ~ θ,   p(w | z = l, y) = φ^y_wl = Σ_k φ_wk T^y_kl          (4.20)
//
// Given Φ and T, documents are independent, and given y as well, each is a document of LDA with the
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

  // Throws UsageError if the parts do not match.
  void check() const;
};

// log π_y with each class counted once more than it occurs: no class is impossible.
std::vector<double> log_prior_of(std::span<const std::uint32_t> labels, Index classes);

// φ and φ^y of a document's words, looked up once. Reuses its memory in repeated calls. Memory: (K
// + C L) doubles for each distinct word.
class DocumentTables {
 public:
  // Throws UsageError if a token is not a word of the model.
  void read(const DiscLdaModel& model, std::span<const std::uint32_t> document);

  Index num_tokens() const { return tokens_.size(); }
  // The distinct words, ascending; the count of each; and for each token, the index of its word.
  std::span<const std::uint32_t> words() const { return words_; }
  std::span<const double> times() const { return times_; }
  std::span<const std::uint32_t> tokens() const { return tokens_; }

  // By index in words(): φ_wk for all k, and φ^y_wl for all l, all above 0.
  std::span<const double> phi(Index word) const {
    return std::span(phi_).subspan(word * num_topics_, num_topics_);
  }
  std::span<const double> class_phi(Index y, Index word) const {
    return std::span(class_phi_)
        .subspan((y * words_.size() + word) * num_components_, num_components_);
  }
  // For all words, row by row.
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
