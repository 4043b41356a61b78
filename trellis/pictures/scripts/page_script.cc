#include "trellis/pictures/scripts/page_script.h"

#include <fmt/format.h>

namespace trellis::report {
namespace {

constexpr std::string_view kShared = R"js(const $ = id => document.getElementById(id);
const read = id => JSON.parse($(id).textContent);
const make = (name, attributes = {}, ...content) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
};
const grouped = n => String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
)js";

}  // namespace

std::string page_script(std::string_view body) {
  return fmt::format("\"use strict\";\n(() => {{\n{}{}}})();", kShared, body);
}

}  // namespace trellis::report
