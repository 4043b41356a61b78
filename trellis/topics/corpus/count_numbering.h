// Maps words of counts (UCI, SVMlight) to the numbers of another vocabulary.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/corpus/document_reader.h"

namespace trellis::topics {

// Calls number(name) once for each word of a vocabulary; without a vocabulary, the digits of a word
// are its name. The reader must outlive it.
template <class Number>
class CountNumbering {
 public:
  CountNumbering(const CorpusReader& reader, Number number)
      : reader_(reader),
        number_(std::move(number)),
        numbers_(reader.vocabulary().size(), kUnasked) {}

  std::uint32_t operator()(std::uint32_t word) {
    if (!reader_.has_vocabulary()) return number_of_digits(word);
    std::uint64_t& number = numbers_[word];
    if (number == kUnasked) number = number_(reader_.vocabulary()[word]);
    return static_cast<std::uint32_t>(number);
  }

 private:
  static constexpr std::uint64_t kUnasked = ~std::uint64_t{0};

  std::uint32_t number_of_digits(std::uint32_t word) {
    char digits[10];
    const std::to_chars_result result = std::to_chars(digits, digits + sizeof digits, word);
    return number_(std::string_view(digits, static_cast<Index>(result.ptr - digits)));
  }

  const CorpusReader& reader_;
  Number number_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace trellis::topics
