// Reader of the data format of CRFsuite (Okazaki 2007; "Data format" in
// https://www.chokkan.org/software/crfsuite/manual.html), here called item files: one token per
// line, with its label and the attributes that another program has extracted.
//
//   label TAB item TAB item …          item = name or name:value
//
// An empty line ends the sequence. In names and values "\:" stands for ':' and "\\" for '\'; any
// other backslash stands for itself. An item without a value, or with an empty one, has the value
// 1. Empty fields (two tabs in a row) are skipped. Where CRFsuite would read nonsense — a value
// that is no number, as behind a colon that was not escaped — this reader throws InputError.
//
// The label is the first field, with the same escapes; a colon in it needs none. A line that begins
// with a tab has an empty label: it is not known, which is of use in prediction only. A field
// "@weight:w" before the label, on a line of its own or not, gives the whole sequence the weight w.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"

namespace trellis::tag {

struct Item {
  std::string_view name;
  double value;  // finite
};

// Tokens with their labels and items. Storage is reused by clear().
class ItemSentence {
 public:
  Index num_tokens() const { return labels_.size(); }
  std::string_view label(Index token) const { return view(labels_[token]); }
  Index num_items(Index token) const { return item_begin_[token + 1] - item_begin_[token]; }
  Item item(Index token, Index i) const {  // the view lives until the sentence is changed
    const Entry& entry = items_[item_begin_[token] + i];
    return {view(entry.name), entry.value};
  }
  double weight() const { return weight_; }  // > 0, 1 where the file does not say
  Index line(Index token) const { return lines_[token]; }

  // Building: a label begins a token, items add to the last one.
  void clear();
  void add_token(std::string_view label, Index line);
  void add_item(std::string_view name, double value);
  void set_weight(double weight) { weight_ = weight; }

 private:
  struct Slice {
    Index begin;
    Index size;
  };
  struct Entry {
    Slice name;
    double value;
  };
  Slice store(std::string_view text);
  std::string_view view(const Slice& s) const {
    return std::string_view(text_).substr(s.begin, s.size);
  }

  std::string text_;
  std::vector<Slice> labels_;
  std::vector<Index> item_begin_{0};
  std::vector<Entry> items_;
  std::vector<Index> lines_;
  double weight_ = 1;
};

class ItemReader {
 public:
  explicit ItemReader(InputFile file);

  // The next sequence, of at least one token, or false at the end of the file. Throws InputError.
  bool read(ItemSentence& sentence);
  const std::string& name() const { return file_.name(); }

 private:
  void read_token(std::string_view line, ItemSentence& sentence);
  bool read_weight(std::string_view field, ItemSentence& sentence);
  void read_item(std::string_view field, ItemSentence& sentence);
  double parse_value(std::string_view text, std::string_view field) const;

  InputFile file_;
  std::string unescaped_;
};

}  // namespace trellis::tag
