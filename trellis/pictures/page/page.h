// A report page: one self-contained HTML file.
//
// No network, no external fonts or scripts, and no script at all except for the few pages that have
// one of this layer's: the page's content security policy forbids every other, so that even a token
// that escaped the escaping could not run. The style follows the reader's light or dark scheme, a
// phone's width, and paper. All functions are pure: the same content gives the same bytes, and
// there is no date unless the caller writes one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/pictures/markup/markup.h"

namespace trellis::report {

// The page from top to bottom: title, subtitle, whatever `add` puts there, a list of contents (when
// there are at least two sections), and the sections.
class Page {
 public:
  explicit Page(std::string_view title, std::string_view subtitle = {});

  void add(const Html& block);  // above the first section
  // `lead` is a sentence or two on how to read what follows; may be empty.
  void add_section(std::string_view heading, std::string_view lead, const Html& body);
  // JSON that scripts read, in an element of that id.
  void add_data(std::string_view id, std::string_view json);
  // Runs once the page stands, which must make sense without it. Of page_script(): no "]]>", and no
  // "</".
  void add_script(std::string_view script);

  std::string to_string() const;

 private:
  struct Section {
    std::string heading;
    std::string lead;
    Html body;
  };
  Html contents() const;
  Html head() const;

  std::string title_;
  std::string subtitle_;
  Html opening_;
  std::vector<Section> sections_;
  Html data_;
  std::vector<std::string> scripts_;
};

// A key figure: "F1", "93.61", "23 852 spans".
struct Tile {
  std::string label;
  std::string value;
  std::string note;  // may be empty
};
Html tiles(std::span<const Tile> tiles);

enum class Align { kStart, kEnd };
struct Column {
  std::string heading;
  Align align = Align::kStart;
};
// The first cell of a row is its heading. Wide tables scroll inside their own box.
struct Table {
  std::string caption;  // may be empty
  std::vector<Column> columns;
  std::vector<std::vector<Html>> rows;  // each as long as `columns`
};
Html table(const Table& table);

// Name and value pairs, such as the options of a run.
struct Entry {
  std::string name;
  std::string value;
};
Html definitions(std::span<const Entry> entries);

Html paragraph(std::string_view unescaped);
Html note(std::string_view unescaped);  // small print
Html subheading(std::string_view unescaped);
Html details(std::string_view summary, const Html& content);  // folded at first
Html side_by_side(std::span<const Html> blocks);  // in equal columns where the width allows
Html in_a_row(std::span<const Html> blocks);      // each as wide as it is, while the width allows

}  // namespace trellis::report
