// All short sequences of labels of a tag scheme.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/columns/tag_scheme.h"

namespace trellis::testing {

inline constexpr tag::TagScheme kSpanSchemes[] = {tag::TagScheme::kIob1, tag::TagScheme::kIob2,
                                                  tag::TagScheme::kBioes};

// Calls visit with every sequence of up to `length` labels.
template <class Visit>
void for_each_sequence(const std::vector<std::string>& labels, Index length, const Visit& visit) {
  std::vector<Index> digits;
  std::vector<std::string_view> sequence;
  while (true) {
    visit(sequence, digits);
    Index t = 0;
    while (t < digits.size() && digits[t] + 1 == labels.size()) digits[t++] = 0;
    if (t == digits.size()) {
      if (digits.size() == length) return;
      digits.assign(digits.size() + 1, 0);
    } else {
      ++digits[t];
    }
    sequence.clear();
    for (const Index d : digits) sequence.push_back(labels[d]);
  }
}

// Labels of two types, and, but for BIOES, of none.
inline std::vector<std::string> label_alphabet(tag::TagScheme scheme) {
  if (scheme == tag::TagScheme::kBioes) {
    return {"O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "E-Y", "S-Y"};
  }
  return {"O", "B-X", "I-X", "B-Y", "I-Y", "B", "I"};
}

}  // namespace trellis::testing
