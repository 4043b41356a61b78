#include "trellis/topics/words/edit_distance.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/text.h"
#include "trellis/topics/words/key_of_codes.h"
#include "trellis/topics/words/postings.h"
#include "trellis/topics/words/strongest_links.h"

namespace trellis::topics {
namespace {

// Appends the keys of the text, with up to `deletions` characters from `from` on left out.
void add_deletions(std::u32string& text, Index from, Index deletions, std::uint32_t word,
                   std::vector<KeyOfWord>& keys) {
  keys.push_back({key_of_codes(text), word});
  if (deletions == 0) return;
  for (Index i = from; i < text.size(); ++i) {
    // Of a run of equal characters it does not matter which is left out.
    if (i > from && text[i] == text[i - 1]) continue;
    const char32_t code = text[i];
    text.erase(i, 1);
    add_deletions(text, i, deletions - 1, word, keys);
    text.insert(i, 1, code);
  }
}

}  // namespace

void EditDistanceOptions::check() const {
  if (distance < 1 || distance > 2) {
    throw UsageError(fmt::format("the number of edits must be 1 or 2, not {}", distance));
  }
  if (min_length <= distance) {
    throw UsageError(
        fmt::format("words linked at {} edits must have more characters than edits: the minimum "
                    "length cannot be {}",
                    distance, min_length));
  }
  require_edge_weight(weight);
}

bool within_edits(std::u32string_view a, std::u32string_view b, Index most) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  if (a.empty() || b.empty()) return a.size() + b.size() <= most;
  if (most == 0) return false;
  return within_edits(a.substr(1), b.substr(1), most - 1) ||
         within_edits(a.substr(1), b, most - 1) || within_edits(a, b.substr(1), most - 1);
}

LinkTally add_edit_distance_links(const NameView& vocabulary, const EditDistanceOptions& options,
                                  int threads, WordGraphBuilder& graph) {
  options.check();
  require_same_vocabulary(vocabulary.size(), graph);
  std::vector<std::u32string> codes(vocabulary.size());
  std::vector<KeyOfWord> keys;
  for (std::uint32_t word = 0; word < codes.size(); ++word) {
    decode_utf8(vocabulary[word], codes[word]);
    if (codes[word].size() < options.min_length) continue;
    std::u32string beginning = codes[word].substr(0, EditDistanceOptions::kPrefix);
    add_deletions(beginning, 0, options.distance, word, keys);
  }
  const Postings postings(std::move(keys), vocabulary.size());

  constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
  const int workers = resolve_threads(threads);
  std::vector<std::vector<std::uint32_t>> seen_by(
      static_cast<Index>(workers), std::vector<std::uint32_t>(vocabulary.size(), kNobody));
  const auto find = [&](std::uint32_t word, int worker, std::vector<WordGraph::Link>& found) {
    std::vector<std::uint32_t>& seen = seen_by[static_cast<Index>(worker)];
    for (const Postings::Entry& key : postings.keys_of(word)) {
      for (const Postings::Entry& other : postings.words_of(key.id)) {
        if (other.id >= word) break;  // a pair is looked at once
        if (seen[other.id] == word) continue;
        seen[other.id] = word;
        if (within_edits(codes[word], codes[other.id], options.distance)) {
          found.push_back({other.id, options.weight});
        }
      }
    }
  };
  LinkTally tally;
  tally.links = add_strongest_links(vocabulary.size(), workers, find, graph);
  return tally;
}

}  // namespace trellis::topics
