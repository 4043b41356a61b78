// HTML that is well-formed and escaped by construction.
//
// A report prints strings that strangers wrote: tokens, labels, attribute names, file names. So
// text and markup are two types. Text becomes markup only through `text`, which escapes it; an
// element is written by `element`, which escapes its attribute values and always closes it. The one
// way around this, `Html::trusted`, is for the constant fragments of this layer (the style sheet).
//
// The output is at once HTML5 and well-formed XML (all elements closed, all values quoted), so that
// a strict parser can check it.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace trellis::report {

class Html {
 public:
  Html() = default;
  static Html trusted(std::string markup);

  bool empty() const { return markup_.empty(); }
  const std::string& markup() const { return markup_; }
  Html& operator+=(const Html& more);

 private:
  std::string markup_;
};

Html operator+(Html left, const Html& right);

struct Attribute {
  std::string_view name;
  std::string value;  // unescaped
};
using Attributes = std::initializer_list<Attribute>;

// Escaped text. Ill-formed UTF-8 and code points that HTML forbids become U+FFFD, other control
// characters their visible pictures (U+2400 …); tabs and line feeds stay.
Html text(std::string_view unescaped);

// <name attributes>content</name>; elements that HTML calls void (meta, br, …) are closed in place.
// `name` and the names of attributes are constants of this layer.
Html element(std::string_view name, Attributes attributes, const Html& content = {});
Html element(std::string_view name, const Html& content);

// The common case: an element that holds text alone.
Html text_element(std::string_view name, Attributes attributes, std::string_view unescaped);
Html text_element(std::string_view name, std::string_view unescaped);

}  // namespace trellis::report
