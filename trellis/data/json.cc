#include "trellis/data/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ranges>

#include "trellis/base/text.h"

namespace trellis {
namespace {

class JsonPrinter {
 public:
  JsonPrinter(bool sorted, InvalidText invalid) : sorted_(sorted), invalid_(invalid) {}

  std::string print(const Value& value) {
    add(value);
    return std::move(out_);
  }

 private:
  void add(const Value& value) {
    switch (value.kind()) {
      case Value::Kind::kNull:
        out_ += "null";
        return;
      case Value::Kind::kBool:
        out_ += value.get<bool>() ? "true" : "false";
        return;
      case Value::Kind::kInteger:
        fmt::format_to(std::back_inserter(out_), "{}", value.get<std::int64_t>());
        return;
      case Value::Kind::kUnsigned:
        fmt::format_to(std::back_inserter(out_), "{}", value.get<std::uint64_t>());
        return;
      case Value::Kind::kReal:
        return add_real(value.get<double>());
      case Value::Kind::kText:
        return add_text(value.text());
      case Value::Kind::kList:
        return add_list(value.items());
      case Value::Kind::kRecord:
        return add_record(value.fields());
    }
  }

  void add_real(double number) {
    if (!std::isfinite(number)) {
      out_ += "null";
      return;
    }
    std::array<char, 64> digits;
    char* const begin = digits.data();
    out_.append(begin, nlohmann::detail::to_chars(begin, begin + digits.size(), number));
  }

  void add_text(const std::string& text) {
    if (find_invalid_utf8(text) != std::string_view::npos) {
      if (invalid_ == InvalidText::kRefuse) throw ValueError("a string is not valid UTF-8");
      using nlohmann::json;
      out_ += json(text).dump(-1, ' ', false, json::error_handler_t::replace);
      return;
    }
    out_ += '"';
    for (const char c : text) add_character(c);
    out_ += '"';
  }

  void add_character(char c) {
    constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
    const Index k = kEscaped.find(c);
    if (k != std::string_view::npos) {
      out_ += '\\';
      out_ += kLetters[k];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out_), "\\u{:04x}", static_cast<int>(c));
    } else {
      out_ += c;
    }
  }

  void add_list(std::span<const Value> items) {
    out_ += '[';
    for (Index k = 0; k < items.size(); ++k) {
      if (k > 0) out_ += ',';
      add(items[k]);
    }
    out_ += ']';
  }

  void add_record(std::span<const Value::Field> fields) {
    std::vector<const Value::Field*> order;
    for (const Value::Field& field : fields) order.push_back(&field);
    if (sorted_)
      std::ranges::sort(order, {}, [](auto* field) { return std::string_view(field->name); });
    out_ += '{';
    for (Index k = 0; k < order.size(); ++k) {
      if (k > 0) out_ += ',';
      add_text(order[k]->name);
      out_ += ':';
      add(order[k]->value);
    }
    out_ += '}';
  }

  bool sorted_;
  InvalidText invalid_;
  std::string out_;
};

// Builds a value from the parser's events, without recursion.
class ValueBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Value take() { return std::move(root_); }

  bool null() override { return add(Value()); }
  bool boolean(bool truth) override { return add(truth); }
  bool number_integer(number_integer_t number) override { return add(number); }
  bool number_unsigned(number_unsigned_t number) override { return add(number); }
  bool number_float(number_float_t number, const string_t&) override { return add(number); }
  bool string(string_t& text) override { return add(std::move(text)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(); }
  bool key(string_t& name) override {
    open_.back().names.push_back(std::move(name));
    return true;
  }
  bool end_object() override {
    Open& ended = open_.back();
    std::vector<Index> order(ended.names.size());
    for (Index k = 0; k < order.size(); ++k) order[k] = k;
    std::ranges::stable_sort(order, {}, [&](Index k) { return ended.names[k]; });
    Value record = Value::record();
    for (const Index k : order) record[ended.names[k]] = std::move(ended.values[k]);
    open_.pop_back();
    return add(std::move(record));
  }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override {
    Value list = Value::list();
    for (Value& value : open_.back().values) list.push_back(std::move(value));
    open_.pop_back();
    return add(std::move(list));
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  // A list or record whose end has not been seen.
  struct Open {
    std::vector<std::string> names;
    std::vector<Value> values;
  };

  bool open() {
    if (open_.size() >= kMaxJsonNesting) return false;
    open_.emplace_back();
    return true;
  }
  bool add(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else {
      open_.back().values.push_back(std::move(value));
    }
    return true;
  }

  Value root_;
  std::vector<Open> open_;
};

}  // namespace

std::string to_json(const Value& value, InvalidText invalid) {
  return JsonPrinter(true, invalid).print(value);
}

std::string to_ordered_json(const Value& value, InvalidText invalid) {
  return JsonPrinter(false, invalid).print(value);
}

std::optional<Value> parse_json(std::string_view text) {
  ValueBuilder builder;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
  return builder.take();
}

}  // namespace trellis
