#include "trellis/tasks/align/features/identity_features.h"

#include <fmt/format.h>

#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::align {
namespace {

NameList list_of(const std::vector<std::string>& names, std::string_view what) {
  NameList list;
  for (const std::string& name : names) {
    if (list.find(name) != NameList::kNone) {
      throw UsageError(fmt::format("the {} '{}' is listed twice", what, name));
    }
    list.add(name);
  }
  return list;
}

}  // namespace

IdentityFeatures::IdentityFeatures(const FeatureShape& shape, bool lowercase)
    : source_tags_(list_of(shape.source_tags, "source tag")),
      target_tags_(list_of(shape.target_tags, "target tag")),
      source_words_(list_of(shape.lexical_source, "source word")),
      target_words_(list_of(shape.lexical_target, "target word")),
      lowercase_(lowercase) {
  if (source_tags_.empty() != target_tags_.empty()) {
    throw UsageError("tags are required for both sides, found only one side");
  }
  for (const std::string& s : shape.source_tags) {
    for (const std::string& t : shape.target_tags)
      names_.push_back(fmt::format("tags.{} {}", s, t));
  }
  for (const std::string& e : shape.lexical_source) {
    for (const std::string& f : shape.lexical_target)
      names_.push_back(fmt::format("words.{} {}", e, f));
  }
  for (const std::string& e : shape.lexical_source) names_.push_back("source_word." + e);
  for (const std::string& f : shape.lexical_target) names_.push_back("target_word." + f);
}

void IdentityFeatures::find_tags(const NameList& known, Side side,
                                 std::vector<std::uint32_t>& tags) const {
  tags.clear();
  if (known.empty()) return;
  if (side.tags.size() != side.words.size()) {
    throw UsageError(fmt::format("the features require a tag for each word: {} words have {} tags",
                                 side.words.size(), side.tags.size()));
  }
  for (const std::string& tag : side.tags) tags.push_back(known.find(tag));
}

void IdentityFeatures::find_words(const NameList& lexical, Side side, std::string& lower,
                                  std::vector<std::uint32_t>& words) const {
  words.assign(side.words.size(), NameList::kNone);
  if (lexical.empty()) return;
  for (Index k = 0; k < words.size(); ++k) {
    if (lowercase_) {
      to_lower(side.words[k], lower);
      words[k] = lexical.find(lower);
    } else {
      words[k] = lexical.find(side.words[k]);
    }
  }
}

std::uint32_t IdentityFeatures::words_feature(std::uint32_t source, std::uint32_t target) const {
  const auto tag_pairs = static_cast<std::uint32_t>(source_tags_.size() * target_tags_.size());
  const auto sources = static_cast<std::uint32_t>(source_words_.size());
  const auto targets = static_cast<std::uint32_t>(target_words_.size());
  const std::uint32_t alone = tag_pairs + sources * targets;
  if (source != NameList::kNone && target != NameList::kNone) {
    return tag_pairs + source * targets + target;
  }
  if (source != NameList::kNone) return alone + source;
  if (target != NameList::kNone) return alone + sources + target;
  return NameList::kNone;
}

FeatureRows IdentityFeatures::rows(Side source, Side target,
                                   std::span<const MatchingEdges::Edge> edges,
                                   Scratch& scratch) const {
  find_tags(source_tags_, source, scratch.source_tags);
  find_tags(target_tags_, target, scratch.target_tags);
  find_words(source_words_, source, scratch.lower, scratch.source_words);
  find_words(target_words_, target, scratch.lower, scratch.target_words);
  FeatureRowsBuilder builder(names_.size(), false);
  for (const MatchingEdges::Edge edge : edges) {
    builder.begin_row();
    if (!source_tags_.empty()) {
      const std::uint32_t s = scratch.source_tags[edge.left], t = scratch.target_tags[edge.right];
      if (s != NameList::kNone && t != NameList::kNone) {
        builder.add(s * target_tags_.size() + t, 1);
      }
    }
    const std::uint32_t words =
        words_feature(scratch.source_words[edge.left], scratch.target_words[edge.right]);
    if (words != NameList::kNone) builder.add(words, 1);
  }
  return std::move(builder).finish();
}

}  // namespace trellis::align
