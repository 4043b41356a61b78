// Scripts of pages: plain JavaScript without a library, each a constant of this layer that touches
// nothing outside its page.
#pragma once

#include <string>
#include <string_view>

namespace trellis::report {

// The body in a scope of its own, strict, after what the bodies share:
//   $(id)                          the element
//   read(id)                       what Page::add_data wrote there
//   make(name, attributes, …)      a new element with content
//   grouped(n)                     as format_count
std::string page_script(std::string_view body);

}  // namespace trellis::report
