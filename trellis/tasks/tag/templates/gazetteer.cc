#include "trellis/tasks/tag/templates/gazetteer.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <set>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/text.h"
#include "trellis/tasks/tag/templates/text_hash.h"

namespace trellis::tag {
namespace {

constexpr Index kMaxListBytes = Index{1} << 30;

void split_words(std::string_view line, std::vector<std::string_view>& words) {
  constexpr std::string_view kBlanksBetween = " \t\r";
  words.clear();
  for (Index end = 0;;) {
    const Index begin = line.find_first_not_of(kBlanksBetween, end);
    if (begin == std::string_view::npos) return;
    end = std::min(line.find_first_of(kBlanksBetween, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
  }
}

template <class Visit>  // calls visit(line, number)
void for_each_line(std::string_view text, const Visit& visit) {
  for (Index begin = 0, number = 1; begin < text.size(); ++number) {
    const Index end = std::min(text.find('\n', begin), text.size());
    visit(text.substr(begin, end - begin), number);
    begin = end + 1;
  }
}

std::uint64_t child_key(std::uint32_t node, std::uint32_t word) {
  return std::uint64_t{node} << 32 | word;
}

}  // namespace

GazetteerLoader gazetteer_files(std::string directory) {
  return [directory = std::move(directory)](const std::string& path) {
    const bool absolute = !path.empty() && path.front() == '/';
    return read_file(absolute || directory.empty() ? path : directory + "/" + path, kMaxListBytes);
  };
}

GazetteerLoader no_gazetteers() {
  return [](const std::string& path) -> std::string {
    throw InputError(path, 0, "lists of phrases cannot be read in this template");
  };
}

std::size_t Gazetteer::Hash::operator()(std::string_view text) const {
  return static_cast<std::size_t>(attribute_fingerprint(text));
}

Gazetteer::Gazetteer(std::string_view text, const std::string& name, bool ignore_case) {
  std::vector<std::string_view> words;
  std::string lower;
  for_each_line(text, [&](std::string_view line, Index number) {
    if (find_invalid_utf8(line) != std::string_view::npos) {
      throw InputError(name, number, "the list is not valid UTF-8");
    }
    if (ignore_case) {
      to_lower(line, lower);
      line = lower;
    }
    split_words(line, words);
    if (words.size() > kMaxPhraseWords) {
      throw InputError(
          name, number,
          "a phrase may have " + std::to_string(kMaxPhraseWords) + " words, this one has",
          std::to_string(words.size()));
    }
    if (!words.empty()) add_phrase(words);
  });
  if (num_phrases_ == 0) throw InputError(name, 0, "the list has no phrases");
}

void Gazetteer::add_phrase(std::span<const std::string_view> words) {
  std::uint32_t node = 0;
  for (const std::string_view text : words) {
    const auto next_word = static_cast<std::uint32_t>(words_.size() + 1);
    const std::uint32_t word = words_.try_emplace(std::string(text), next_word).first->second;
    const auto next_node = static_cast<std::uint32_t>(ends_phrase_.size());
    const auto [child, is_new] = children_.try_emplace(child_key(node, word), next_node);
    if (is_new) ends_phrase_.push_back(false);
    node = child->second;
  }
  if (!ends_phrase_[node]) ++num_phrases_;
  ends_phrase_[node] = true;
}

std::uint32_t Gazetteer::word(std::string_view text) const {
  const auto found = words_.find(text);
  return found == words_.end() ? kNoWord : found->second;
}

// The number of words of the longest phrase at the beginning of `words`, or 0.
Index Gazetteer::longest_at(std::span<const std::uint32_t> words) const {
  Index longest = 0;
  std::uint32_t node = 0;
  for (Index n = 0; n < words.size() && words[n] != kNoWord; ++n) {
    const auto child = children_.find(child_key(node, words[n]));
    if (child == children_.end()) break;
    node = child->second;
    if (ends_phrase_[node]) longest = n + 1;
  }
  return longest;
}

void Gazetteer::find(std::span<const std::uint32_t> words, std::span<char> positions) const {
  assert(words.size() == positions.size());
  std::fill(positions.begin(), positions.end(), '\0');
  for (Index t = 0; t < words.size();) {
    const Index length = longest_at(words.subspan(t));
    if (length == 1) positions[t] = 'U';
    if (length > 1) {
      std::fill_n(positions.begin() + static_cast<std::ptrdiff_t>(t), length, 'I');
      positions[t] = 'B';
      positions[t + length - 1] = 'L';
    }
    t += std::max<Index>(length, 1);
  }
}

std::string normalize_phrases(std::string_view text) {
  std::set<std::string> phrases;
  std::vector<std::string_view> words;
  for_each_line(text, [&](std::string_view line, Index) {
    split_words(line, words);
    std::string phrase;
    for (const std::string_view word : words) {
      if (!phrase.empty()) phrase += ' ';
      phrase += word;
    }
    if (!phrase.empty()) phrases.insert(std::move(phrase));
  });
  std::string out;
  for (const std::string& phrase : phrases) (out += phrase) += '\n';
  return out;
}

}  // namespace trellis::tag
