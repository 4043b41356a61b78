// The words for the values of an enumeration, written once, next to the enumeration, in its order:
//
//   enum class Ties { kLevel, kSample };
//   constexpr auto names_of(Ties) { return Names{"treatment of ties", "level", "sample"}; }
//
// Files, messages, the parser of options and the help texts all use these words:
//
//   to_string(Ties::kSample)     "sample"
//   parse_named<Ties>("none")    UsageError: unknown treatment of ties 'none': expected level or
//                                sample
//   parse_named<Ties>("smaple")  UsageError: unknown treatment of ties 'smaple': did you mean
//                                sample?
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace trellis {

template <std::size_t N>
struct Names {
  std::string_view what;  // a value is, in messages
  std::array<std::string_view, N> words;

  template <class... Word>
  constexpr explicit Names(std::string_view a_value, Word... word)
      : what(a_value), words{std::string_view(word)...} {}
};
template <class... Word>
Names(std::string_view, Word...) -> Names<sizeof...(Word)>;

template <class E>
concept Named = std::is_enum_v<E> && requires(E value) {
  names_of(value).words;
};

template <Named E>
constexpr std::string_view to_string(E value) {
  return names_of(value).words[static_cast<std::size_t>(value)];
}

// The word that a mistyped one most likely stands for: a word that begins with the text, or else
// the nearest by letters inserted, deleted, replaced or swapped with their neighbour (Damerau
// 1964). The distance is at most a third of its letters; the first of equally near words wins. Case
// is ignored.
std::optional<std::string_view> nearest_name(std::span<const std::string_view> words,
                                             std::string_view text);
// "did you mean sample?", or "expected level or sample" if no word is near.
std::string suggestion(std::span<const std::string_view> words, std::string_view text);

// The index of the text in `words`. Throws UsageError, which names the nearest word or lists all.
std::size_t find_name(std::string_view what, std::span<const std::string_view> words,
                      std::string_view text);

template <Named E>
E parse_named(std::string_view text) {
  constexpr auto kNames = names_of(E{});
  return static_cast<E>(find_name(kNames.what, kNames.words, text));
}

template <Named E>
std::vector<std::string> words_of() {
  constexpr auto kNames = names_of(E{});
  return {kNames.words.begin(), kNames.words.end()};
}

}  // namespace trellis
