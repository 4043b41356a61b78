// One description of a model file, from which it is written, read and checked, inspected and
// documented. A model describes itself once, section by section and field by field of the JSON in
// section "meta":
//
//   void describe(ModelArchive& a, RankParts& m) {
//     a.choice("normalization", m.normalization, "scale of the features of a query");
//     a.array("indices", m.indices, {.ascending = true}, "the features");
//     a.where("normalization is scale", m.normalization == Normalization::kScale, [&] {
//       a.array("scales", m.scales, {.size = m.indices.size(), .in = kFinite}, "by feature");
//     });
//     a.weights("weights", m.weights, m.dimension(), "by dimension");
//     a.value("training", m.training, "how the model was made");
//   }
//
// A writer leaves the parts as they are and keeps views of them. A reader sets them from the file;
// spans become views of it. It throws an InputError of one sentence about the file for whatever the
// description does not allow, so a hostile file can at worst be refused, and before it takes memory
// that the file does not have. What the description cannot express is tested in check(): a
// UsageError thrown there, or by a constructor while the file is read, becomes an InputError.
//
// Versions: optional() names the version since which files can have an optional part. A file gets
// the lowest version that has all of its parts, so that a program that would ignore one of them
// refuses the file; a file of another version than its parts need is refused.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/model_file.h"
#include "trellis/data/name_list.h"
#include "trellis/data/value.h"

namespace trellis {

struct ModelKind {
  std::string_view name;
  std::uint32_t newest = 1;  // version
  std::uint32_t oldest = 1;  // version that is written; older ones are read alike
  bool meta_last = false;    // behind all other sections
  bool checked = false;      // a writer tests the parts as a reader does: UsageError
};

// Both ends included.
struct Range {
  double low = -kInfinity, high = kInfinity;
};
inline constexpr Range kFinite{std::numeric_limits<double>::lowest(),
                               std::numeric_limits<double>::max()};
inline constexpr Range kWeights{-ModelReader::kLargestWeight, ModelReader::kLargestWeight};
inline constexpr double kAboveZero = std::numeric_limits<double>::denorm_min();

// What must hold of an array.
struct Elements {
  std::optional<Index> size = {};
  bool ascending = false;        // each larger than the one before; of lists: within each list
  std::optional<Range> in = {};  // every element; none is NaN
};

// The documentation of a model file.
struct ModelSchema {
  struct Row {
    std::string name;  // of a section; "meta: order" of a field
    std::string type, what, where;
    std::uint32_t since = 1;
  };
  std::string kind;
  std::uint32_t newest = 1;
  std::vector<Row> rows;
};

class ModelArchive {
 public:
  using Describe = std::function<void(ModelArchive&)>;

  static void write(const ModelKind& kind, const std::string& path, const Describe& describe);
  static std::string to_bytes(const ModelKind& kind, const Describe& describe);
  static void read(const ModelKind& kind, const ModelReader& reader, const Describe& describe);
  // The fields alone, for an inspection.
  static Value meta(const Describe& describe);
  // Of parts without content: conditions do not count.
  static ModelSchema schema(const ModelKind& kind, const Describe& describe);

  bool reading() const { return reader_ != nullptr; }

  // Fields of "meta". Whatever a Value can be: truth values, texts, lists, Value itself.
  template <class T>
  void value(std::string_view key, T& value, std::string_view what) {
    field(
        key, what, [&] { return Value(value); },
        [&](const Value& stored) { value = stored.get<T>(); }, type_of<T>());
  }
  void value(std::string_view key, std::shared_ptr<const Value>& shared, std::string_view what);
  template <class T>
  void number(std::string_view key, T& value, Range range, std::string_view what) {
    field(
        key, what, [&] { return Value(value); },
        [&](const Value& stored) {
          value = stored.get<T>();
          require_in(range, static_cast<double>(value));
        },
        type_of<T>());
  }
  template <Named E>
  void choice(std::string_view key, E& value, std::string_view what) {
    field(
        key, what, [&] { return Value(to_string(value)); },
        [&](const Value& stored) { value = parse_named<E>(stored.text()); },
        documenting() ? listed(words_of<E>()) : "");
  }
  // Names of which none occurs twice.
  void names(std::string_view key, std::vector<std::string>& names, Range count,
             std::string_view what);
  // What has another form in the file: put() returns its Value, get(const Value&) takes it.
  template <class Put, class Get>
  void field(std::string_view key, std::string_view what, const Put& put, const Get& get,
             std::string_view type = "text") {
    if (documenting()) document(path_ + std::string(key), type, what);
    if (writing()) (*meta_)[key] = put();
    if (reading()) read_field(key, get);
  }
  // A record inside the description.
  void record(std::string_view key, const std::function<void()>& fields);

  // Sections.
  template <class T>
  void array(std::string_view section, std::span<const T>& values, const Elements& expected,
             std::string_view what) {
    if (documenting()) document(section, element_type<T>(), what);
    if (writing()) put(section, std::as_bytes(values));
    if (reading()) values = next_section().template array<T>(section);
    if (checking_) check_elements(section, values, expected);
  }
  template <class T>
  void array(std::string_view section, std::vector<T>& values, const Elements& expected,
             std::string_view what) {
    std::span<const T> view(values);
    array(section, view, expected, what);
    if (reading()) values.assign(view.begin(), view.end());
  }
  // An array that is made for the file: a writer takes it.
  template <class T>
  void made_array(std::string_view section, std::vector<T>& values, const Elements& expected,
                  std::string_view what) {
    if (!writing()) return array(section, values, expected, what);
    const auto owned = std::make_shared<std::vector<T>>(std::move(values));
    array(section, *owned, expected, what);
    keep(owned);
  }
  // What the sections of a writer are views of.
  void keep(std::shared_ptr<const void> owner) { owners_.push_back(std::move(owner)); }
  // `count` lists one after another: where each begins, and the end; then their elements.
  template <class Begin, class T>
  void lists(std::string_view begin_section, Begin& begin, std::string_view section, T& values,
             std::optional<Index> count, const Elements& expected, std::string_view what) {
    array(begin_section, begin, {.size = count ? std::optional(*count + 1) : count},
          "where each list of `" + std::string(section) + "` begins, and the end");
    Elements unordered = expected;
    unordered.ascending = false;
    array(section, values, unordered, what);
    if (checking_) check_lists(begin_section, begin, section, values, expected.ascending);
  }
  template <class Weights>
  void weights(std::string_view section, Weights& weights, std::optional<Index> size,
               std::string_view what) {
    array(section, weights, {.size = size, .in = kWeights}, what);
  }
  // A list of names as two sections: its bytes, and where names begin and end; or SECTION/offsets
  // and SECTION/bytes. A NameList has no name twice.
  template <class Names>
  void name_list(std::string_view bytes, std::string_view ends, Names& names, std::string_view what,
                 bool ends_first = false) {
    put_names(bytes, ends, view_of(names), what, ends_first);
    if (reading()) read_names(bytes, ends, names);
  }
  template <class Names>
  void name_list(std::string_view section, Names& names, std::string_view what) {
    const std::string prefix(section);
    name_list(prefix + "/bytes", prefix + "/offsets", names, what, true);
  }

  // Parts that a file has under a condition on what was described before; `name` says it.
  void where(std::string_view name, bool condition, const std::function<void()>& part);
  // Parts that a file may have: `key` is a field or section that it has exactly then.
  void optional(std::string_view key, bool present, std::uint32_t since,
                const std::function<void()>& part);
  // part(element, its number from `first`): a schema documents one, numbered "K".
  template <class T, class Part>
  void each(std::vector<T>& elements, Index first, const Part& part) {
    if (documenting()) elements.resize(1);
    for (Index k = 0; k < elements.size(); ++k) {
      part(elements[k], documenting() ? std::string("K") : std::to_string(first + k));
    }
  }
  // Only when parts are checked, which are those of a file that is read, mostly.
  void check(const std::function<void()>& test) const {
    if (checking_) test();
  }
  void require(bool holds, std::string_view otherwise) const {
    if (checking_ && !holds) throw UsageError(std::string(otherwise));
  }
  const std::string& name() const { return reader_->name(); }  // of the file that is read

 private:
  struct Section {
    std::string name;
    std::span<const std::byte> bytes;
  };

  explicit ModelArchive(Value* meta, const ModelReader* reader = nullptr,
                        ModelSchema* schema = nullptr)
      : meta_(meta), reader_(reader), schema_(schema), checking_(reading()) {}
  static ModelWriter writer(const ModelKind& kind, const Describe& describe, ModelArchive& archive);
  bool writing() const { return !reading() && schema_ == nullptr; }
  bool documenting() const { return schema_ != nullptr; }
  void document(std::string_view name, std::string_view type, std::string_view what);
  void put(std::string_view section, std::span<const std::byte> bytes);
  const ModelReader& next_section() {
    ++num_read_;
    return *reader_;
  }
  void read_field(std::string_view key, const std::function<void(const Value&)>& get) const;
  void put_names(std::string_view bytes, std::string_view ends, const NameView& names,
                 std::string_view what, bool ends_first);
  void read_names(std::string_view bytes, std::string_view ends, NameView& names);
  void read_names(std::string_view bytes, std::string_view ends, NameList& names);
  void read_names(std::string_view bytes, std::string_view ends, std::vector<std::string>& names);
  static const NameView& view_of(const NameView& names) { return names; }
  static NameView view_of(const NameList& names) { return names.view(); }
  NameView view_of(const std::vector<std::string>& names);
  void part(std::string_view where, std::uint32_t since, const std::function<void()>& part);
  static std::string listed(const std::vector<std::string>& words);
  static void require_in(Range range, double value);
  [[noreturn]] static void refuse_size(std::string_view section, Index found, Index expected);
  [[noreturn]] static void refuse_section(std::string_view section, std::string_view fault);

  template <class T>
  static std::string_view type_of() {
    if (std::is_same_v<T, bool>) return "true or false";
    if (std::is_integral_v<T>) return "integer";
    if (std::is_floating_point_v<T>) return "number";
    if (std::is_same_v<T, std::string>) return "text";
    return std::is_same_v<T, Value> ? "JSON" : "list";
  }
  template <class T>
  static std::string element_type() {
    if (std::is_same_v<T, char> || std::is_same_v<T, std::byte>) return "bytes";
    if (!std::is_arithmetic_v<T>) return "records of " + std::to_string(sizeof(T)) + " bytes";
    const char* kind = std::is_floating_point_v<T> ? "float" : std::is_signed_v<T> ? "int" : "uint";
    return kind + std::to_string(8 * sizeof(T));
  }
  template <class T>
  static void check_elements(std::string_view section, std::span<const T> values,
                             const Elements& expected) {
    if (expected.size && *expected.size != values.size()) {
      refuse_size(section, values.size(), *expected.size);
    }
    if constexpr (std::is_arithmetic_v<T>) {
      const auto out_of_range = [range = expected.in.value_or(Range())](T value) {
        const auto number = static_cast<double>(value);
        return !(number >= range.low && number <= range.high);
      };
      if (expected.in && std::ranges::any_of(values, out_of_range)) {
        refuse_section(section, "has an element that is out of range");
      }
      const auto falls = std::not_fn(std::less<>());
      if (expected.ascending && std::ranges::adjacent_find(values, falls) != values.end()) {
        refuse_section(section, "does not ascend");
      }
    }
  }
  template <class Begin, class T>
  static void check_lists(std::string_view begin_section, const Begin& begin,
                          std::string_view section, const T& values, bool ascending) {
    if (begin.empty() || begin.front() != 0 || begin.back() != values.size() ||
        !std::ranges::is_sorted(begin)) {
      refuse_section(begin_section, "does not fit the lists that it delimits");
    }
    if constexpr (std::is_arithmetic_v<typename T::value_type>) {
      for (Index i = 1; ascending && i < begin.size(); ++i) {
        for (Index k = begin[i - 1] + 1; k < begin[i]; ++k) {
          if (!(values[k] > values[k - 1])) {
            refuse_section(section, "has a list that does not ascend");
          }
        }
      }
    }
  }

  Value* meta_;                // the record that fields belong to
  const ModelReader* reader_;  // of the file that is read
  ModelSchema* schema_;        // that is made
  bool checking_;
  std::uint32_t version_ = 1;      // that the parts so far require
  std::vector<Section> sections_;  // to be written
  Index num_read_ = 0;             // sections that were
  std::vector<std::shared_ptr<const void>> owners_;
  std::string path_ = "meta: ";  // documentation of records and conditions
  std::string where_;
};

// A shared part as a description takes it: made where there is none. A writer does not change it.
template <class T>
std::shared_ptr<T> changeable(std::shared_ptr<const T>& part) {
  auto changed = part ? std::const_pointer_cast<T>(part) : std::make_shared<T>();
  part = changed;
  return changed;
}

}  // namespace trellis
