// What the attributes of an ARFF file are for: labels, or features. A numeric attribute is a
// feature; so is a nominal one of one or two numbers ({0,1}), by its number; any other nominal
// attribute is a feature `name=value` for each of its values, which is 1 or 0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/label/reading/arff.h"
#include "trellis/tasks/label/reading/instance_reader.h"

namespace trellis::label {

// One attribute: from the text of a cell to a label, or to a feature and its value.
class ArffColumn {
 public:
  enum class Use { kLabel, kNumber, kListedNumber, kIndicators };

  // Throws InputError of the reader for a label that is neither numeric nor a list of 0 and 1.
  static ArffColumn label(const ArffReader& reader, const ArffAttribute& attribute,
                          std::uint32_t label);
  static ArffColumn feature(const ArffAttribute& attribute, std::uint32_t first_feature);

  Use use() const { return use_; }
  std::uint32_t id() const { return id_; }  // the label, or the first feature
  Index num_features() const;
  // Of kLabel: whether it is given. Throws InputError for what is not 0 or 1.
  bool given(const ArffReader& reader, std::string_view text) const;
  // Of the others. Throws InputError for what is no finite number, or not in the list.
  Feature feature_of(const ArffReader& reader, std::string_view text) const;
  // Whether a sparse row that leaves the attribute out says more than 0: the first value of the
  // list is what is left out.
  bool implies_something() const;
  const std::string& first_value() const { return attribute_->values.front(); }

 private:
  ArffColumn(const ArffAttribute& attribute, Use use, std::uint32_t id);
  Index value_index(const ArffReader& reader, std::string_view text) const;

  const ArffAttribute* attribute_;
  Use use_;
  std::uint32_t id_;
  std::vector<float> numbers_;                                 // of a list of numbers
  std::unordered_map<std::string_view, Index> value_indices_;  // of long lists
};

}  // namespace trellis::label
