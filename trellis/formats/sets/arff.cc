// Attribute-Relation File Format (Weka; Hall et al. 2009), used for multi-label data sets:
//
//   % a comment
//   @relation 'any name'
//   @attribute length numeric            numeric, real, integer: all are numbers
//   @attribute 'a name' {red, 'dark red'}
//   @data
//   3.5, red                             a row with a value for each attribute
//   {0 3.5, 1 'dark red'}                or with those that are not 0 (the first of a list)
//
// Keywords may be in any case. A name or value is quoted ('…' or "…", with \' \" \\ \% \t \n \r
// inside), or it is a word up to the next blank, comma or brace, in which a backslash is an
// ordinary character. `?` is a missing value. Text, date and relational attributes, and instance
// weights, are refused.
//
// ReadOptions names the attributes that are labels, or the name of the relation does, as in MEKA:
// `-C 6` in it means the first 6, `-C -6` the last. Any other numeric attribute is a feature; so is
// a nominal one with at most two values that are numbers ({0,1}: the feature's values). Any other
// nominal attribute gives a feature `name=value` for each of its values, which is 1 or 0.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/name_list.h"
#include "trellis/formats/sets/arff_scanner.h"
#include "trellis/formats/sets/label_reader.h"

namespace trellis::label {
namespace {

constexpr Index kShortList = 8;  // up to this length a linear search is as fast as hashing

// Compares without regard to case; ASCII.
bool same_word(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

std::string_view first_word(std::string_view line) {
  line = trim(line);
  return line.substr(0, line.find_first_of(" \t"));
}

std::optional<float> parse_float(std::string_view text) {
  const auto value = parse_double(text);
  if (!value || std::abs(*value) > static_cast<double>(std::numeric_limits<float>::max())) {
    return std::nullopt;
  }
  return static_cast<float>(*value);
}

// The values as numbers if there are at most two and all are numbers; otherwise empty.
std::vector<float> listed_numbers(const std::vector<std::string>& values) {
  std::vector<float> numbers;
  if (values.size() > 2) return numbers;
  for (const std::string& value : values) {
    const auto number = parse_float(value);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

// The number after -C in the name of a relation; 0 if there is no such number.
long long meka_labels(std::string_view relation) {
  constexpr std::string_view kFlag = "-C ";
  const Index at = relation.find(kFlag);
  constexpr std::string_view kBefore = " :'\"";
  if (at == std::string_view::npos) return 0;
  if (at > 0 && kBefore.find(relation[at - 1]) == std::string_view::npos) return 0;
  constexpr Index kLongest = 10;  // no file has as many attributes
  const std::string_view number = trim(relation.substr(at + kFlag.size()));
  const std::string_view digits = number.substr(0, number.find_first_not_of("-0123456789"));
  return digits.size() <= kLongest ? parse_integer(digits).value_or(0) : 0;
}

// An attribute and its use.
struct ArffColumn {
  enum class Use { kLabel, kNumber, kListedNumber, kIndicators };

  std::string name;
  std::vector<std::string> values;  // of a nominal attribute, distinct; empty: numeric
  Use use = Use::kNumber;
  std::uint32_t id = 0;                                 // the label, or the first feature
  std::vector<float> numbers;                           // of a list of numbers
  std::unordered_map<std::string_view, Index> indices;  // of the values of long lists

  // Whether an omitted value in a sparse row is other than 0: it stands for the first value of the
  // list.
  bool implies_something() const {
    return use == Use::kIndicators || (!numbers.empty() && numbers.front() != 0);
  }
};

class ArffInstances : public InstanceReader {
 public:
  ArffInstances(InputFile file, std::string_view first_line, const ReadOptions& options)
      : InstanceReader(std::move(file), options.label_names),
        labels_required_(options.labels_required),
        scanner_(file_) {
    declares_features_ = true;
    const Index first = file_.line_number();
    read_header(first_line);
    if (label_names_.empty()) find_labels(first);
    use_columns();
  }

  bool read(Instance& instance) override {
    std::string_view line;
    while (file_.read_line(line)) {
      bytes_read_ += line.size() + 1;
      scanner_.start(line);
      if (scanner_.at_end()) continue;
      begin(instance);
      instance_ = &instance;
      instance.sparse = scanner_.take('{');
      instance.sparse ? read_sparse() : read_dense();
      if (!scanner_.at_end()) {
        scanner_.refuse(
            "expected the end of the row (weights of instances are not supported), found",
            scanner_.rest());
      }
      std::sort(instance.labels.begin(), instance.labels.end());
      return true;
    }
    return false;
  }

 private:
  using Use = ArffColumn::Use;

  // Reads up to and including @data.
  void read_header(std::string_view line) {
    std::unordered_set<std::string> known;
    do {
      bytes_read_ += line.size() + 1;
      line = trim(line);
      if (line.empty() || line.starts_with('%')) continue;
      const std::string_view keyword = first_word(line);
      scanner_.start(line.substr(keyword.size()));
      if (same_word(keyword, "@data")) {
        if (!scanner_.at_end()) {
          scanner_.refuse("expected nothing after @data, found", scanner_.rest());
        }
        if (columns_.empty()) scanner_.refuse("expected an attribute before @data, found none");
        return;
      }
      if (same_word(keyword, "@attribute")) {
        read_attribute();
        if (!known.insert(columns_.back().name).second) {
          scanner_.refuse("expected each attribute once, found twice:", columns_.back().name);
        }
      } else if (same_word(keyword, "@relation")) {
        meka_labels_ = meka_labels(trim(scanner_.rest()));
      } else {
        scanner_.refuse("expected @relation, @attribute or @data, found", line);
      }
    } while (file_.read_line(line));
    throw InputError(file_.name(), 0, "expected @data, found the end of the file");
  }

  // The options name no labels, so only the relation can.
  void find_labels(Index line) {
    const Index count = static_cast<Index>(std::abs(meka_labels_));
    if (count == 0 || count >= columns_.size()) {
      throw InputError(
          file_.name(), line,
          "an ARFF file does not declare which attributes are labels: use --labels LABELS.xml with "
          "a Mulan file (its content: <labels><label name=\"...\"/> ... </labels>)");
    }
    const Index begin = meka_labels_ > 0 ? 0 : columns_.size() - count;
    for (Index k = begin; k < begin + count; ++k) {
      const std::string& name = columns_[k].name;
      if (const auto fault = label_name_fault(name)) {
        throw InputError(file_.name(), line, *fault, name);
      }
      label_names_.push_back(name);
    }
    recognised_ =
        fmt::format("{}: the {} {} attributes are labels, as given in @relation (-C {})",
                    file_.name(), meka_labels_ > 0 ? "first" : "last", count, meka_labels_);
  }

  void read_attribute() {
    if (find_invalid_utf8(scanner_.rest()) != std::string_view::npos) {
      scanner_.refuse("expected an attribute in UTF-8, found invalid bytes");
    }
    if (columns_.size() == std::numeric_limits<std::uint32_t>::max()) {
      scanner_.refuse("too many attributes");
    }
    ArffColumn column;
    column.name = scanner_.read("{", "the name of an attribute").text;
    if (column.name.empty()) {
      scanner_.refuse("expected the name of an attribute, found an empty one");
    }
    if (scanner_.take('{')) {
      read_values(column);
    } else {
      require_numeric(scanner_.read("{", "the type of an attribute").text, column.name);
    }
    if (!scanner_.at_end()) {
      scanner_.refuse("expected nothing after the type of an attribute, found", scanner_.rest());
    }
    columns_.push_back(std::move(column));
  }

  void read_values(ArffColumn& column) {
    std::unordered_set<std::string> known;
    do {
      column.values.emplace_back(scanner_.read(",{}", "a value of a nominal attribute").text);
    } while (scanner_.take(','));
    if (!scanner_.take('}')) {
      scanner_.refuse(
          fmt::format("expected ',' or '}}' among the values of '{}', found", column.name),
          scanner_.rest());
    }
    for (const std::string& value : column.values) {
      if (known.insert(value).second) continue;
      scanner_.refuse(fmt::format("expected each value of '{}' once, found twice:", column.name),
                      value);
    }
  }

  void require_numeric(std::string_view type, const std::string& name) const {
    for (const std::string_view known : {"numeric", "real", "integer"}) {
      if (same_word(type, known)) return;
    }
    scanner_.refuse(
        fmt::format("expected attribute '{}' to be numeric, real, integer or a list {{…}}, found",
                    name),
        type);
  }

  void use_columns() {
    std::unordered_map<std::string_view, std::uint32_t> labels;
    for (Index v = 0; v < label_names_.size(); ++v) {
      labels.emplace(label_names_[v], static_cast<std::uint32_t>(v));
    }
    NameList names;
    Index features = 0;
    for (Index k = 0; k < columns_.size(); ++k) {
      ArffColumn& column = columns_[k];
      column.numbers = listed_numbers(column.values);
      for (Index j = 0; column.values.size() > kShortList && j < column.values.size(); ++j) {
        column.indices[column.values[j]] = j;
      }
      if (const auto label = labels.find(column.name); label != labels.end()) {
        use_as_label(label->second, column);
        labels.erase(label);
      } else {
        use_as_feature(names, column);
        ++features;
      }
      if (column.implies_something()) implied_.push_back(k);
    }
    for (const std::string& name : label_names_) {
      if (!labels_required_ || !labels.contains(name)) continue;
      throw InputError(
          file_.name(), 0,
          fmt::format("expected an attribute for each label, found none for '{}'", name));
    }
    for (Index k = 0; k < names.size(); ++k) feature_names_.emplace_back(names[k]);
    // Lists with many values make rows with many zeros; a dense form would waste memory.
    dense_ = feature_names_.size() <= 2 * features;
  }

  void use_as_label(std::uint32_t label, ArffColumn& column) const {
    column.use = Use::kLabel;
    column.id = label;
    const std::vector<float>& numbers = column.numbers;
    const bool binary = !numbers.empty() && std::all_of(numbers.begin(), numbers.end(),
                                                        [](float x) { return x == 0 || x == 1; });
    if (binary || column.values.empty()) return;
    const auto some = std::span(column.values).first(std::min(column.values.size(), kShortList));
    scanner_.refuse(
        fmt::format("expected the label '{}' to be an attribute {{0,1}}, found other values among",
                    column.name),
        fmt::format("{}", fmt::join(some, ",")));
  }

  void use_as_feature(NameList& names, ArffColumn& column) const {
    column.id = static_cast<std::uint32_t>(names.size());
    const auto add = [&](const std::string& name) {
      const Index before = names.size();
      names.add(name);
      if (names.size() > before) return;
      throw InputError(
          file_.name(), 0,
          fmt::format(
              "the feature '{}' occurs twice: as an attribute, and as a value of another attribute",
              name));
    };
    if (column.values.empty() || !column.numbers.empty()) {
      column.use = column.values.empty() ? Use::kNumber : Use::kListedNumber;
      return add(column.name);
    }
    column.use = Use::kIndicators;
    for (const std::string& value : column.values) add(column.name + "=" + value);
  }

  void read_dense() {
    for (Index k = 0; k < columns_.size(); ++k) {
      if (k > 0 && !scanner_.take(',')) {
        if (!scanner_.at_end()) scanner_.refuse("expected ',', found", scanner_.rest());
        refuse_count(k);
      }
      read_cell(columns_[k]);
    }
    if (scanner_.take(',') && !scanner_.rest().starts_with('{')) refuse_count(columns_.size() + 1);
  }

  [[noreturn]] void refuse_count(Index found) const {
    scanner_.refuse(fmt::format("expected {} values, one for each attribute, found {}{}",
                                columns_.size(), found, found > columns_.size() ? " or more" : ""));
  }

  // An omitted value is the first value of its list, which may be other than 0.
  void read_sparse() {
    auto implied = implied_.begin();
    const auto add_implied_before = [&](Index attribute) {
      for (; implied != implied_.end() && *implied < attribute; ++implied) {
        count_implied();
        add(columns_[*implied], columns_[*implied].values.front());
      }
    };
    for (Index next = 0; !scanner_.take('}');) {
      if (next > 0 && !scanner_.take(',')) {
        scanner_.refuse("expected ',' or '}', found", scanner_.rest());
      }
      const Index attribute = read_attribute_index(next);
      add_implied_before(attribute);
      if (implied != implied_.end() && *implied == attribute) ++implied;
      read_cell(columns_[attribute]);
      next = attribute + 1;
    }
    add_implied_before(columns_.size());
  }

  Index read_attribute_index(Index smallest) {
    const ArffScanner::Token token = scanner_.read(",{}", "the index of an attribute");
    const auto index = token.quoted ? std::nullopt : parse_integer(token.text);
    if (!index || *index < 0 || static_cast<Index>(*index) >= columns_.size()) {
      scanner_.refuse(
          fmt::format("expected the index of an attribute, 0 to {}, found", columns_.size() - 1),
          token.text);
    }
    if (static_cast<Index>(*index) < smallest) {
      scanner_.refuse(fmt::format("expected an index above {}, found", smallest - 1), token.text);
    }
    return static_cast<Index>(*index);
  }

  // Limits the expansion of short rows with many such attributes to a multiple of the file's size.
  void count_implied() {
    constexpr Index kPerByte = 4;
    constexpr Index kAlways = Index{1} << 20;
    if (++num_implied_ <= kAlways + kPerByte * bytes_read_) return;
    scanner_.refuse(
        "sparse rows omit too many values that are not 0 (an omitted value means the first value "
        "of its list): write these rows in dense form");
  }

  void read_cell(const ArffColumn& column) {
    const ArffScanner::Token token = scanner_.read(",{}", "a value");
    if (token.quoted || token.text != "?") return add(column, token.text);
    if (column.use != Use::kLabel || !labels_required_) return;
    scanner_.refuse(
        fmt::format("expected 0 or 1 for the label '{}', found a missing value", column.name));
  }

  void add(const ArffColumn& column, std::string_view text) {
    switch (column.use) {
      case Use::kLabel:
        if (given(column, text)) instance_->labels.push_back(column.id);
        return;
      case Use::kNumber:
        return instance_->features.push_back({column.id, number(column, text)});
      case Use::kListedNumber:
        return instance_->features.push_back({column.id, column.numbers[index_of(column, text)]});
      case Use::kIndicators: {
        const auto index = static_cast<std::uint32_t>(index_of(column, text));
        return instance_->features.push_back({column.id + index, 1});
      }
    }
  }

  bool given(const ArffColumn& column, std::string_view text) const {
    if (!column.values.empty()) return column.numbers[index_of(column, text)] == 1;
    const auto number = parse_double(text);
    if (!number || (*number != 0 && *number != 1)) {
      scanner_.refuse(fmt::format("expected 0 or 1 for the label '{}', found", column.name), text);
    }
    return *number == 1;
  }

  float number(const ArffColumn& column, std::string_view text) const {
    const auto number = parse_float(text);
    if (!number) {
      scanner_.refuse(fmt::format("expected a finite number up to 3.4e38 for attribute '{}', found",
                                  column.name),
                      text);
    }
    return *number;
  }

  Index index_of(const ArffColumn& column, std::string_view text) const {
    if (column.indices.empty()) {
      const auto found = std::find(column.values.begin(), column.values.end(), text);
      if (found != column.values.end()) return static_cast<Index>(found - column.values.begin());
    } else if (const auto found = column.indices.find(text); found != column.indices.end()) {
      return found->second;
    }
    scanner_.refuse(
        fmt::format("expected a value that attribute '{}' declares, found", column.name), text);
  }

  bool labels_required_;
  long long meka_labels_ = 0;  // as the relation says
  ArffScanner scanner_;
  std::vector<ArffColumn> columns_;
  std::vector<Index> implied_;  // columns whose omitted values are not 0
  Index num_implied_ = 0;
  Index bytes_read_ = 0;
  Instance* instance_ = nullptr;  // the one at hand
};

}  // namespace

bool begins_arff(std::string_view line) {
  const std::string_view word = first_word(line);
  return word.starts_with('%') || same_word(word, "@relation") || same_word(word, "@attribute") ||
         same_word(word, "@data");
}

std::unique_ptr<InstanceReader> open_arff_instances(InputFile file, std::string_view first_line,
                                                    const ReadOptions& options) {
  return std::make_unique<ArffInstances>(std::move(file), first_line, options);
}

}  // namespace trellis::label
