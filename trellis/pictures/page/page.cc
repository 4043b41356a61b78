#include "trellis/pictures/page/page.h"

#include <fmt/format.h>

#include <cassert>

#include "trellis/pictures/page/style.h"
#include "trellis/pictures/scripts/script_hash.h"

namespace trellis::report {
namespace {

Html section_link(std::string_view heading, std::size_t number) {
  return element("li", text_element("a", {{"href", fmt::format("#section-{}", number)}}, heading));
}

Html table_head(const std::vector<Column>& columns) {
  Html row;
  for (const Column& column : columns) {
    const char* align = column.align == Align::kEnd ? "number" : "name";
    row += text_element("th", {{"scope", "col"}, {"class", align}}, column.heading);
  }
  return element("thead", element("tr", row));
}

Html table_row(const std::vector<Column>& columns, const std::vector<Html>& cells) {
  assert(cells.size() == columns.size());
  Html row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const char* align = columns[i].align == Align::kEnd ? "number" : "name";
    row += i == 0 ? element("th", {{"scope", "row"}, {"class", align}}, cells[i])
                  : element("td", {{"class", align}}, cells[i]);
  }
  return element("tr", row);
}

// What a stranger wrote into JSON cannot end the element that holds it: < > & stand only in strings
// there, which have another way to write them.
std::string without_markup(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<' || c == '>' || c == '&') {
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

Page::Page(std::string_view title, std::string_view subtitle)
    : title_(title), subtitle_(subtitle) {}

void Page::add(const Html& block) {
  opening_ += block;
}

void Page::add_section(std::string_view heading, std::string_view lead, const Html& body) {
  sections_.push_back({std::string(heading), std::string(lead), body});
}

void Page::add_data(std::string_view id, std::string_view json) {
  data_ += element("script", {{"type", "application/json"}, {"id", std::string(id)}},
                   Html::trusted(without_markup(json)));
}

void Page::add_script(std::string_view script) {
  // At once a script and, to an XML parser, character data.
  scripts_.push_back(fmt::format("//<![CDATA[\n{}\n//]]>", script));
}

Html Page::head() const {
  std::string policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
  if (!scripts_.empty()) policy += "; script-src";
  for (const std::string& script : scripts_) policy.append(" ").append(script_source(script));
  return element(
      "head",
      element("meta", {{"charset", "utf-8"}}) +
          element("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", policy}}) +
          element("meta",
                  {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}) +
          element("meta", {{"name", "color-scheme"}, {"content", "light dark"}}) +
          text_element("title", title_) +
          element("style", Html::trusted(std::string(style_sheet()))));
}

Html Page::contents() const {
  if (sections_.size() < 2) return {};
  Html list;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    list += section_link(sections_[i].heading, i + 1);
  }
  return element("nav", {{"aria-label", "Contents"}}, element("ul", list));
}

std::string Page::to_string() const {
  Html header = text_element("h1", {{"dir", "auto"}}, title_);
  if (!subtitle_.empty()) {
    header += text_element("p", {{"class", "subtitle"}, {"dir", "auto"}}, subtitle_);
  }
  Html main = opening_ + contents();
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const Section& section = sections_[i];
    Html content = text_element("h2", section.heading);
    if (!section.lead.empty()) content += text_element("p", {{"class", "lead"}}, section.lead);
    main += element("section", {{"id", fmt::format("section-{}", i + 1)}}, content + section.body);
  }
  Html body = element("header", header) + element("main", main) + data_;
  for (const std::string& script : scripts_) body += element("script", Html::trusted(script));
  const Html page = element("html", {{"lang", "en"}}, head() + element("body", body));
  return "<!DOCTYPE html>\n" + page.markup() + "\n";
}

Html tiles(std::span<const Tile> tiles) {
  Html list;
  for (const Tile& tile : tiles) {
    Html content =
        text_element("dt", tile.label) + text_element("dd", {{"class", "figure"}}, tile.value);
    if (!tile.note.empty()) content += text_element("dd", {{"class", "note"}}, tile.note);
    list += element("div", content);
  }
  return element("dl", {{"class", "tiles"}}, list);
}

Html table(const Table& table) {
  Html content;
  if (!table.caption.empty()) content += text_element("caption", table.caption);
  content += table_head(table.columns);
  Html rows;
  for (const std::vector<Html>& cells : table.rows) rows += table_row(table.columns, cells);
  content += element("tbody", rows);
  return element("div", {{"class", "scroll"}}, element("table", content));
}

Html definitions(std::span<const Entry> entries) {
  Html list;
  for (const Entry& entry : entries) {
    list += element("div", text_element("dt", entry.name) + text_element("dd", entry.value));
  }
  return element("dl", {{"class", "definitions"}}, list);
}

Html paragraph(std::string_view unescaped) {
  return text_element("p", unescaped);
}

Html note(std::string_view unescaped) {
  return text_element("p", {{"class", "note"}}, unescaped);
}

Html subheading(std::string_view unescaped) {
  return text_element("h3", unescaped);
}

Html details(std::string_view summary, const Html& content) {
  return element("details", text_element("summary", summary) + content);
}

Html side_by_side(std::span<const Html> blocks) {
  Html columns;
  for (const Html& block : blocks) columns += element("div", block);
  return element("div", {{"class", "columns"}}, columns);
}

Html in_a_row(std::span<const Html> blocks) {
  Html row;
  for (const Html& block : blocks) row += element("div", block);
  return element("div", {{"class", "row"}}, row);
}

}  // namespace trellis::report
