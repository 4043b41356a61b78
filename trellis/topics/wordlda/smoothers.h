// The priors of words that are related, each for each topic (Petterson 2011, sec. 6.2.2):
//
//   log β_kv = log b_v + y_v + y_kv + ⟨x_v, u_k⟩
//
//   b_v   what the word would have in standard LDA
//   y_v   a correction for all topics
//   y_kv  one for topic k, drawn towards those of the words that v is linked to in a graph
//   u_k   weights of features x_v of words: "general word features"
//
// with a Gaussian prior
//
//   −log p(y, u) = 1/(2λ²) [ Σ_{edges vv'} φ_vv' Σ_k (y_kv − y_kv')² + Σ_v y_v² ]
//                + 1/(2σ²) Σ_kv y_kv² + 1/(2τ²) Σ_kf u_kf².
//
// The thesis has no term in σ (σ = ∞): then nothing holds a set of words that are linked to each
// other alone, and where a topic has none of their tokens their priors go to zero, which no later
// sweep undoes. It also has b_v = 1, a y_v for every word, and λ = 1 (sec. 6.4.3).
//
// Words that have neither a link nor a feature have no y: without any, this is standard LDA. Of
// words with features and no link, y_kv = 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/lda/word_prior.h"
#include "trellis/topics/wordlda/word_features.h"
#include "trellis/topics/wordlda/word_graph.h"

namespace trellis::topics {

struct SmoothingOptions {
  double lambda = 0.5;      // λ: how far related words may be apart, and y_v from 0
  double sigma = 5;         // σ: how far y_kv may be from 0; ∞: anywhere
  double tau = 1;           // τ: the same for u_kf
  Index evaluations = 8;    // of the objective at most, in a step
  double tolerance = 1e-2;  // a step ends where an iterate gains less, as a share of its gains

  // Throws UsageError.
  void check() const;
};

// What is known of words, by those that something is known of.
class RelatedWords {
 public:
  RelatedWords() = default;
  // Both of one vocabulary. Throws UsageError otherwise.
  RelatedWords(const WordGraph& graph, const WordFeatures& features);

  struct Link {
    std::uint32_t row;
    double weight;  // φ
  };
  struct Feature {
    std::uint32_t feature;
    double value;
  };

  Index num_rows() const { return words_.size(); }
  Index num_linked() const { return link_begin_.size() - 1; }
  Index num_features() const { return num_features_; }
  // By row. Rows 0 … num_linked() − 1 are words with links, the others have features alone; in
  // either part words rise.
  std::span<const std::uint32_t> words() const { return words_; }
  // To rows above, so that each is there once; row < num_linked().
  std::span<const Link> links(Index row) const {
    return std::span(links_).subspan(link_begin_[row], link_begin_[row + 1] - link_begin_[row]);
  }
  std::span<const Feature> features(Index row) const {
    return std::span(features_).subspan(feature_begin_[row],
                                        feature_begin_[row + 1] - feature_begin_[row]);
  }

 private:
  std::vector<std::uint32_t> words_;
  std::vector<std::uint64_t> link_begin_ = {0}, feature_begin_ = {0};
  std::vector<Link> links_;
  std::vector<Feature> features_;
  Index num_features_ = 0;
};

// y and u. A topic's are one after another: y_kv of the words with links, then u_kf.
class Smoothers {
 public:
  Smoothers() = default;
  Smoothers(Index topics, const RelatedWords& words)
      : num_topics_(topics),
        stride_(words.num_linked() + words.num_features()),
        common_(words.num_rows(), 0),
        of_topics_(topics * stride_, 0) {}

  Index num_topics() const { return num_topics_; }
  std::span<double> common() { return common_; }  // y_v, by row
  std::span<const double> common() const { return common_; }
  std::span<double> of_topic(Index k) {
    return std::span(of_topics_).subspan(k * stride_, stride_);
  }
  std::span<const double> of_topic(Index k) const {
    return std::span(of_topics_).subspan(k * stride_, stride_);
  }
  std::span<const double> of_topics() const { return of_topics_; }
  // Throws UsageError where there are not as many.
  void restore(std::span<const double> common, std::span<const double> of_topics);

 private:
  Index num_topics_ = 0, stride_ = 0;
  std::vector<double> common_, of_topics_;
};

// s_r = y_kv + ⟨x_v, u_k⟩ by row, for the smoothers of one topic.
void topic_scores(const RelatedWords& words, std::span<const double> of_topic,
                  std::span<double> scores);

// β_kv of the words with rows, kept in the bounds of a prior; `base` is b by word.
PriorRows prior_rows(const RelatedWords& words, const Smoothers& smoothers,
                     std::span<const double> base);

}  // namespace trellis::topics
