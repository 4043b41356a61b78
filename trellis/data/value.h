// Results, metrics, inspections and descriptions of models as plain data. A value is null, a truth
// value, a number, a text, a list of values, or a record: values with names, in the order of
// insertion.
//
//   Value scores;
//   scores["accuracy"] = 97.5;
//   scores["labels"] = labels;                       // a vector of texts becomes a list
//   scores["pairs"].push_back(Value::record({{"from", "B"}, {"to", "I"}}));
//   scores.at("accuracy").get<double>();
//
// data/json.h prints and parses values. Code that reads values from a file catches ValueError,
// which reports a field that is missing or has another type.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

class ValueError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Value {
 public:
  enum class Kind : std::uint8_t {
    kNull,
    kBool,
    kInteger,
    kUnsigned,
    kReal,
    kText,
    kList,
    kRecord
  };
  struct Field;

  // These constructors are implicit, so that their arguments can stand for values.
  // NOLINTBEGIN(google-explicit-constructor)
  Value() noexcept : kind_(Kind::kNull) { content_.integer = 0; }
  Value(std::nullptr_t) noexcept : Value() {}
  Value(std::string text);
  Value(std::string_view text);
  Value(const char* text);
  template <class T>
  requires std::same_as<T, bool> Value(T truth)
  noexcept : kind_(Kind::kBool) { content_.truth = truth; }
  template <std::signed_integral T>
  Value(T number) noexcept : kind_(Kind::kInteger) {
    content_.integer = number;
  }
  // Unsigned numbers that fit into 63 bits are of kind kInteger, too.
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Value(T number)
  noexcept { set_unsigned(number); }
  template <std::floating_point T>
  Value(T number) noexcept : kind_(Kind::kReal) {
    content_.real = static_cast<double>(number);
  }
  template <class T>
  Value(const std::optional<T>& value) : Value() {
    if (value) *this = Value(*value);
  }
  template <class T>
  Value(const std::vector<T>& values) : Value(list()) {
    for (const auto& value : values) push_back(Value(T(value)));
  }
  template <class T, std::size_t N>
  Value(std::span<T, N> values) : Value(list()) {
    for (const auto& value : values) push_back(Value(value));
  }
  template <class T>
  Value(const std::map<std::string, T>& fields) : Value(record()) {
    for (const auto& [name, value] : fields) (*this)[name] = Value(value);
  }
  // A record: {{"from", "B"}, {"to", "I"}}.
  Value(std::initializer_list<Field> fields);
  // NOLINTEND(google-explicit-constructor)
  Value(const Value& other);
  Value(Value&& other) noexcept : kind_(other.kind_), content_(other.content_) {
    other.kind_ = Kind::kNull;
  }
  Value& operator=(Value other) noexcept;
  ~Value() { clear(); }

  // Empty, or with these elements.
  static Value list(std::initializer_list<Value> values = {});
  static Value record();
  static Value record(std::initializer_list<Field> fields) { return Value(fields); }

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_bool() const { return kind_ == Kind::kBool; }
  bool is_integer() const { return kind_ == Kind::kInteger || kind_ == Kind::kUnsigned; }
  // An integer of at least 0.
  bool is_count() const;
  bool is_number() const { return is_integer() || kind_ == Kind::kReal; }
  bool is_text() const { return kind_ == Kind::kText; }
  bool is_list() const { return kind_ == Kind::kList; }
  bool is_record() const { return kind_ == Kind::kRecord; }

  // The size of a list or record; 0 for null, 1 for anything else.
  Index size() const;
  bool empty() const { return size() == 0; }

  // The field of this name, added if the record lacks it; null becomes a record.
  Value& operator[](std::string_view name);
  Value& operator[](std::integral auto) = delete;  // a literal 0 would be a null pointer to a text
  // Appends to a list; null becomes a list.
  void push_back(Value value);
  // Copies the fields of another record; they replace fields of the same names.
  void update(const Value& other);
  // Does nothing if there is no such field.
  void erase(std::string_view name);

  // These functions throw ValueError if the kind is wrong, a field or element is missing, or a
  // number does not fit.
  const Value& at(std::string_view name) const;
  const Value& at(Index k) const;
  const Value& at(std::signed_integral auto k) const { return at(static_cast<Index>(k)); }
  Value& at(std::string_view name);
  bool contains(std::string_view name) const;  // false if this is not a record
  std::span<const Value> items() const;        // of a list
  std::span<const Field> fields() const;       // of a record
  const std::string& text() const;
  // bool, integers, floating-point numbers (also from integers), std::string, Value, and
  // std::vector and std::map<std::string, …> of these.
  template <class T>
  T get() const {
    T value{};
    read(value);
    return value;
  }

  // Numbers are equal by value, NaN equals NaN; the order of a record's fields does not matter.
  friend bool operator==(const Value& a, const Value& b);

 private:
  class Fields;
  union Content {
    bool truth;
    std::int64_t integer;
    std::uint64_t natural;
    double real;
    std::string* text;
    std::vector<Value>* list;
    Fields* fields;
  };

  void set_unsigned(std::uint64_t number) noexcept;
  void clear() noexcept;
  [[noreturn]] void refuse(std::string_view expected) const;
  std::int64_t integer() const;
  std::uint64_t natural() const;

  void read(bool& value) const;
  void read(double& value) const;
  void read(float& value) const;
  void read(std::string& value) const { value = text(); }
  void read(Value& value) const { value = *this; }
  template <std::signed_integral T>
  void read(T& value) const {
    const std::int64_t number = integer();
    if (!std::in_range<T>(number)) refuse("a smaller number");
    value = static_cast<T>(number);
  }
  template <std::unsigned_integral T>
  void read(T& value) const {
    const std::uint64_t number = natural();
    if (!std::in_range<T>(number)) refuse("a smaller number");
    value = static_cast<T>(number);
  }
  template <class T>
  void read(std::vector<T>& values) const;
  template <class T>
  void read(std::map<std::string, T>& values) const;

  Kind kind_;
  Content content_;
};

struct Value::Field {
  std::string name;
  Value value;
};

template <class T>
void Value::read(std::vector<T>& values) const {
  for (const Value& item : items()) values.push_back(item.get<T>());
}
template <class T>
void Value::read(std::map<std::string, T>& values) const {
  for (const Field& field : fields()) values[field.name] = field.value.template get<T>();
}

}  // namespace trellis
