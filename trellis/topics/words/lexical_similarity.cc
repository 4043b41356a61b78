#include "trellis/topics/words/lexical_similarity.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/parallel.h"
#include "trellis/base/text.h"
#include "trellis/topics/words/key_of_codes.h"
#include "trellis/topics/words/postings.h"
#include "trellis/topics/words/strongest_links.h"

namespace trellis::topics {
namespace {

// No characters of Unicode.
constexpr char32_t kWordBegin = 0x110000, kWordEnd = 0x110001;

Postings substring_profiles(const NameView& vocabulary) {
  using Options = LexicalSimilarityOptions;
  std::vector<KeyOfWord> keys;
  std::u32string codes;
  std::u32string marked;
  for (std::uint32_t word = 0; word < vocabulary.size(); ++word) {
    decode_utf8(vocabulary[word], codes);
    marked.assign(1, kWordBegin).append(codes).push_back(kWordEnd);
    for (Index n = Options::kShortest; n <= Options::kLongest; ++n) {
      for (Index at = 0; at + n <= marked.size(); ++at) {
        keys.push_back({key_of_codes(std::u32string_view(marked).substr(at, n)), word});
      }
    }
  }
  return {std::move(keys), vocabulary.size()};
}

// The products of one word's profile with those of the others.
class ProfileProducts {
 public:
  explicit ProfileProducts(Index num_words) : products_(num_words) {}

  // Calls put(other, product) for the words that share a substring with this one.
  template <class Put>
  void compute(const Postings& profiles, std::uint32_t word, const Put& put) {
    others_.clear();
    for (const Postings::Entry& key : profiles.keys_of(word)) {
      for (const Postings::Entry& other : profiles.words_of(key.id)) {
        double& product = products_[other.id];
        if (product == 0) others_.push_back(other.id);
        product += static_cast<double>(key.count) * static_cast<double>(other.count);
      }
    }
    for (const std::uint32_t other : others_) {
      if (other != word) put(other, products_[other]);
      products_[other] = 0;
    }
  }

 private:
  std::vector<double> products_;  // 0 between calls
  std::vector<std::uint32_t> others_;
};

}  // namespace

void LexicalSimilarityOptions::check() const {
  check_nearest(neighbours, min_cosine);
  require_edge_weight(weight);
}

LinkTally add_lexical_links(const NameView& vocabulary, const LexicalSimilarityOptions& options,
                            int threads, WordGraphBuilder& graph) {
  options.check();
  require_same_vocabulary(vocabulary.size(), graph);
  const Postings profiles = substring_profiles(vocabulary);
  const int workers = resolve_threads(threads);
  std::vector<ProfileProducts> products(static_cast<Index>(workers),
                                        ProfileProducts(vocabulary.size()));
  const auto find = [&](std::uint32_t word, int worker, std::vector<WordGraph::Link>& found) {
    const double norm = profiles.squared_norm(word);
    products[static_cast<Index>(worker)].compute(
        profiles, word, [&](std::uint32_t other, double product) {
          const double cosine = product / std::sqrt(norm * profiles.squared_norm(other));
          if (cosine < options.min_cosine) return;
          found.push_back({other, options.weight * static_cast<float>(cosine)});
        });
  };
  LinkTally tally;
  tally.links = add_strongest_links(options.neighbours, workers, find, graph);
  return tally;
}

}  // namespace trellis::topics
