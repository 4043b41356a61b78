#include "trellis/data/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ranges>

namespace trellis {

// The fields in their order; of many also where each is.
class Value::Fields {
 public:
  std::span<const Field> all() const { return fields_; }
  const Value* find(std::string_view name) const {
    const Index k = place(name);
    return k == fields_.size() ? nullptr : &fields_[k].value;
  }
  Value& find_or_add(std::string_view name) {
    const Index k = place(name);
    if (k < fields_.size()) return fields_[k].value;
    fields_.push_back({std::string(name), Value()});
    if (fields_.size() == kMany) {
      for (Index i = 0; i < kMany; ++i) places_.emplace(fields_[i].name, i);
    } else if (fields_.size() > kMany) {
      places_.emplace(name, k);
    }
    return fields_.back().value;
  }
  void erase(std::string_view name) {
    const Index k = place(name);
    if (k == fields_.size()) return;
    fields_.erase(fields_.begin() + static_cast<std::ptrdiff_t>(k));
    places_.clear();
    for (Index i = 0; i < fields_.size() && fields_.size() >= kMany; ++i) {
      places_.emplace(fields_[i].name, i);
    }
  }

 private:
  static constexpr Index kMany = 16;

  Index place(std::string_view name) const {
    if (fields_.size() >= kMany) {
      const auto found = places_.find(name);
      return found == places_.end() ? fields_.size() : found->second;
    }
    Index k = 0;
    while (k < fields_.size() && fields_[k].name != name) ++k;
    return k;
  }

  std::vector<Field> fields_;
  std::map<std::string, Index, std::less<>> places_;
};

namespace {

constexpr std::string_view name_of(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::kNull:
      return "nothing";
    case Value::Kind::kBool:
      return "a truth value";
    case Value::Kind::kInteger:
    case Value::Kind::kUnsigned:
    case Value::Kind::kReal:
      return "a number";
    case Value::Kind::kText:
      return "a text";
    case Value::Kind::kList:
      return "a list";
    case Value::Kind::kRecord:
      return "a record";
  }
  return "";
}

}  // namespace

Value::Value(std::string text) : kind_(Kind::kText) {
  content_.text = new std::string(std::move(text));
}
Value::Value(std::string_view text) : Value(std::string(text)) {}
Value::Value(const char* text) : Value(std::string(text)) {}

Value::Value(std::initializer_list<Field> fields) : Value(record()) {
  for (const Field& field : fields) (*this)[field.name] = field.value;
}

Value::Value(const Value& other) : kind_(other.kind_), content_(other.content_) {
  if (kind_ == Kind::kText) content_.text = new std::string(*other.content_.text);
  if (kind_ == Kind::kList) content_.list = new std::vector<Value>(*other.content_.list);
  if (kind_ == Kind::kRecord) content_.fields = new Fields(*other.content_.fields);
}

Value& Value::operator=(Value other) noexcept {
  std::swap(kind_, other.kind_);
  std::swap(content_, other.content_);
  return *this;
}

void Value::clear() noexcept {
  if (kind_ == Kind::kText) delete content_.text;
  if (kind_ == Kind::kList) delete content_.list;
  if (kind_ == Kind::kRecord) delete content_.fields;
  kind_ = Kind::kNull;
}

Value Value::list(std::initializer_list<Value> values) {
  Value list;
  list.content_.list = new std::vector<Value>(values);
  list.kind_ = Kind::kList;
  return list;
}

Value Value::record() {
  Value record;
  record.content_.fields = new Fields;
  record.kind_ = Kind::kRecord;
  return record;
}

void Value::set_unsigned(std::uint64_t number) noexcept {
  if (std::in_range<std::int64_t>(number)) {
    kind_ = Kind::kInteger;
    content_.integer = static_cast<std::int64_t>(number);
  } else {
    kind_ = Kind::kUnsigned;
    content_.natural = number;
  }
}

bool Value::is_count() const {
  return kind_ == Kind::kUnsigned || (kind_ == Kind::kInteger && content_.integer >= 0);
}

Index Value::size() const {
  switch (kind_) {
    case Kind::kNull:
      return 0;
    case Kind::kList:
      return content_.list->size();
    case Kind::kRecord:
      return content_.fields->all().size();
    default:
      return 1;
  }
}

Value& Value::operator[](std::string_view name) {
  if (is_null()) *this = record();
  if (!is_record()) refuse("a record");
  return content_.fields->find_or_add(name);
}

void Value::push_back(Value value) {
  if (is_null()) *this = list();
  if (!is_list()) refuse("a list");
  content_.list->push_back(std::move(value));
}

void Value::update(const Value& other) {
  if (other.is_null()) return;
  for (const Field& field : other.fields()) (*this)[field.name] = field.value;
}

void Value::erase(std::string_view name) {
  if (!is_record()) refuse("a record");
  content_.fields->erase(name);
}

const Value& Value::at(std::string_view name) const {
  if (!is_record()) refuse("a record");
  const Value* found = content_.fields->find(name);
  if (found == nullptr) throw ValueError(fmt::format("there is no field '{}'", name));
  return *found;
}

Value& Value::at(std::string_view name) {
  return const_cast<Value&>(std::as_const(*this).at(name));
}

const Value& Value::at(Index k) const {
  const std::span<const Value> values = items();
  if (k >= values.size()) {
    throw ValueError(fmt::format("there is no element {} in a list of {}", k, values.size()));
  }
  return values[k];
}

bool Value::contains(std::string_view name) const {
  return is_record() && content_.fields->find(name) != nullptr;
}

std::span<const Value> Value::items() const {
  if (!is_list()) refuse("a list");
  return *content_.list;
}

std::span<const Value::Field> Value::fields() const {
  if (!is_record()) refuse("a record");
  return content_.fields->all();
}

const std::string& Value::text() const {
  if (!is_text()) refuse("a text");
  return *content_.text;
}

void Value::refuse(std::string_view expected) const {
  throw ValueError(fmt::format("expected {}, found {}", expected, name_of(kind_)));
}

std::int64_t Value::integer() const {
  if (kind_ != Kind::kInteger) refuse("an integer");
  return content_.integer;
}

std::uint64_t Value::natural() const {
  if (!is_count()) refuse("an integer of at least 0");
  return kind_ == Kind::kUnsigned ? content_.natural : static_cast<std::uint64_t>(content_.integer);
}

void Value::read(bool& value) const {
  if (!is_bool()) refuse("a truth value");
  value = content_.truth;
}

void Value::read(double& value) const {
  switch (kind_) {
    case Kind::kReal:
      value = content_.real;
      return;
    case Kind::kInteger:
      value = static_cast<double>(content_.integer);
      return;
    case Kind::kUnsigned:
      value = static_cast<double>(content_.natural);
      return;
    default:
      refuse("a number");
  }
}

void Value::read(float& value) const {
  value = static_cast<float>(get<double>());
}

bool operator==(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) {
    if (a.is_integer() && b.is_integer()) {
      return a.kind_ == b.kind_ && a.content_.natural == b.content_.natural;
    }
    const double x = a.get<double>(), y = b.get<double>();
    return x == y || (std::isnan(x) && std::isnan(y));
  }
  if (a.kind_ != b.kind_) return false;
  switch (a.kind_) {
    case Value::Kind::kBool:
      return a.content_.truth == b.content_.truth;
    case Value::Kind::kText:
      return a.text() == b.text();
    case Value::Kind::kList:
      return std::ranges::equal(a.items(), b.items());
    case Value::Kind::kRecord: {
      const auto in_b = [&](const Value::Field& field) {
        return b.contains(field.name) && b.at(field.name) == field.value;
      };
      return a.size() == b.size() && std::ranges::all_of(a.fields(), in_b);
    }
    default:
      return true;
  }
}

}  // namespace trellis
