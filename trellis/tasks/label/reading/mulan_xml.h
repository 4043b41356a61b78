// The label file of Mulan (Tsoumakas et al. 2011), which says which attributes of an ARFF file are
// labels:
//
//   <?xml version="1.0" encoding="utf-8"?>
//   <labels xmlns="http://mulan.sourceforge.net/labels">
//     <label name="sports"><label name="football"/></label>
//     <label name="politics"></label>
//   </labels>
//
// Of XML this takes what such files need, strictly: one root `labels`, elements `label` to any
// depth, comments, processing instructions, attributes in any order and in either quotes, the five
// entities and numeric ones, UTF-8. A document type is refused: it could define entities that
// unfold to any size.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trellis::label {

// The names in the order of the file, nested ones after the label that they stand in. Throws
// InputError with the line; a name that is empty or occurs twice is an error, as is no label.
std::vector<std::string> parse_mulan_xml(std::string_view xml, const std::string& file);

}  // namespace trellis::label
