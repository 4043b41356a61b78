#include "trellis/tasks/grammar/features/span_features.h"

#include <algorithm>
#include <array>
#include <bit>
#include <ranges>

#include "trellis/data/fingerprint_table.h"
#include "trellis/generative/grammar/word_model.h"

namespace trellis::grammar {
namespace {

constexpr std::uint64_t kBorder = 0x9AE16A3B2F90404Fu;  // before the first word, behind the last
constexpr Index kWholeSpan = 4;                         // longest span described by all its tags

// The finalisation step of MurmurHash3 (Appleby 2011).
std::uint64_t scramble(std::uint64_t h) {
  h = (h ^ (h >> 33)) * 0xFF51AFD7ED558CCDu;
  return h ^ (h >> 32);
}

// The fingerprint of a property: its kind and its components, in order.
template <class... Atom>
std::uint64_t property(std::uint64_t kind, Atom... atom) {
  std::uint64_t h = (kind + 1) * 0x9E3779B97F4A7C15u;
  ((h = scramble(h + atom * 0xC2B2AE3D27D4EB4Fu)), ...);
  return h;
}

// Buckets of lengths: 1, 2, 3, 4, 5, 6 … 7, 8 … 11, and so on.
std::uint64_t length_bucket(Index length) {
  if (length <= 5) return length;
  return 4 + 2 * static_cast<std::uint64_t>(std::bit_width(length)) - 4 +
         (length >> (std::bit_width(length) - 2) & 1);
}

}  // namespace

void SpanAtoms::assign(std::span<const std::string> words, std::span<const std::uint32_t> tags,
                       const FeatureKeys& keys) {
  n_ = words.size();
  word_.assign(n_ + 2, kBorder);
  tag_.assign(n_ + 2, kBorder);
  classes_.resize(n_ * kClasses);
  std::string name;
  for (Index i = 0; i < n_; ++i) {
    word_[i + 1] = fingerprint(words[i]);
    for (Index level = 1; level <= kClasses; ++level) {
      word_class(words[i], level, name);
      classes_[i * kClasses + level - 1] = fingerprint(name);
    }
    tag_[i + 1] = keys.tag[tags[i]];
  }
}

void SpanFeatures::begin(const SpanAtoms& atoms) {
  atoms_ = &atoms;
  const Index n = atoms.words();
  of_span_.resize((n + 1) * (n + 1) * kOfSpan);
  is_there_.assign((n + 1) * (n + 1), 0);
}

std::span<const std::uint64_t> SpanFeatures::properties(Index i, Index j) {
  const Index at = i * (atoms_->words() + 1) + j;
  const std::span<std::uint64_t> out = std::span(of_span_).subspan(at * kOfSpan, kOfSpan);
  if (is_there_[at] != 0) return out;
  is_there_[at] = 1;
  const auto first = static_cast<std::ptrdiff_t>(i), last = static_cast<std::ptrdiff_t>(j) - 1;
  const auto w = [&](std::ptrdiff_t place) { return atoms_->word(place); };
  const auto t = [&](std::ptrdiff_t place) { return atoms_->tag(place); };
  const std::uint64_t length = length_bucket(j - i);
  std::uint64_t shape = length;
  if (j - i <= kWholeSpan) {
    for (std::ptrdiff_t k = first; k <= last; ++k) shape = property(shape & 1, shape, t(k));
  }
  const std::array<std::uint64_t, kOfSpan> all{
      property(0, length),
      property(1, t(first)),
      property(2, t(last)),
      property(3, t(first - 1)),
      property(4, t(last + 1)),
      property(5, t(first - 1), t(first)),
      property(6, t(last), t(last + 1)),
      property(7, t(first), t(last)),
      property(8, t(first - 1), t(last + 1)),
      property(9, t(first - 1), t(first), t(last), t(last + 1)),
      property(10, shape),
      property(11, w(first)),
      property(12, w(last)),
      property(13, w(first - 1)),
      property(14, w(last + 1)),
      property(15, w(first), length),
      property(16, w(last), w(last + 1)),
      property(17, w(first - 1), w(first)),
      property(18, w(first - 1), t(first)),
      property(19, t(last), w(last + 1)),
      property(20, w(first), w(last)),
  };
  std::ranges::copy(all, out.begin());
  return out;
}

void SpanFeatures::split_properties(Index i, Index k, Index j) {
  const auto left = static_cast<std::ptrdiff_t>(k) - 1, right = static_cast<std::ptrdiff_t>(k);
  const auto first = static_cast<std::ptrdiff_t>(i), last = static_cast<std::ptrdiff_t>(j) - 1;
  const auto w = [&](std::ptrdiff_t place) { return atoms_->word(place); };
  const auto t = [&](std::ptrdiff_t place) { return atoms_->tag(place); };
  others_ = {
      property(30, t(left), t(right)),
      property(31, w(left)),
      property(32, w(right)),
      property(33, w(left), t(right)),
      property(34, t(left), w(right)),
      property(35, t(first), t(right)),
      property(36, t(left), t(last)),
      property(37, length_bucket(k - i)),
      property(38, length_bucket(j - k)),
      property(39, w(first), w(right)),
  };
}

void SpanFeatures::word_properties(Index i) {
  const auto at = static_cast<std::ptrdiff_t>(i);
  others_ = {
      property(50, atoms_->word(at)),
      property(51, atoms_->tag(at)),
      property(52, atoms_->word(at - 1), atoms_->word(at)),
      property(53, atoms_->word(at), atoms_->word(at + 1)),
      property(54, atoms_->tag(at - 1), atoms_->tag(at)),
      property(55, atoms_->tag(at), atoms_->tag(at + 1)),
      property(56, atoms_->word(at - 1)),
      property(57, atoms_->word(at + 1)),
  };
  std::uint64_t kind = 58;
  for (const std::uint64_t name : atoms_->classes(i)) others_.push_back(property(kind++, name));
}

void SpanFeatures::add(std::uint64_t key, std::span<const std::uint64_t> properties) {
  for (const std::uint64_t property : properties) found_.push_back(scramble(property + key));
}

std::uint64_t SpanFeatures::of_binary_rule(Index rule) const {
  return scramble(keys_->binary[rule]);
}

std::uint64_t SpanFeatures::of_chain(Index rule) const {
  return scramble(keys_->chain[rule]);
}

void SpanFeatures::fill(const ChartNode& node) {
  found_.clear();
  if (node.above || node.end - node.begin < 2) return;
  const std::span<const std::uint64_t> properties = this->properties(node.begin, node.end);
  add(keys_->coarse[node.symbol], properties);
  add(keys_->symbol[node.symbol], properties.first(kOfTags));
}

void SpanFeatures::fill(const ChartNode& node, const ChartEdge& edge) {
  found_.clear();
  switch (edge.kind) {
    case ChartEdge::Kind::kWord:
      word_properties(node.begin);
      add(keys_->symbol[node.symbol], others_);
      break;
    case ChartEdge::Kind::kBinary: {
      found_.push_back(of_binary_rule(edge.rule));
      split_properties(node.begin, edge.split, node.end);
      add(keys_->coarse_binary[edge.rule], others_);
      add(keys_->coarse_binary[edge.rule], properties(node.begin, node.end));
      break;
    }
    case ChartEdge::Kind::kChain:
      found_.push_back(of_chain(edge.rule));
      add(keys_->chain[edge.rule], properties(node.begin, node.end));
      break;
    case ChartEdge::Kind::kPass:
      break;
  }
}

}  // namespace trellis::grammar
