#include "trellis/tasks/tag/templates/template_bytes.h"

#include <cstdint>

#include "trellis/base/error.h"
#include "trellis/base/types.h"

namespace trellis::tag {
namespace {

constexpr std::string_view kMagic{"TRTMPL\n\x01", 8};
constexpr Index kNumberBytes = 8;

void write_number(std::uint64_t number, std::string& out) {
  for (Index i = 0; i < kNumberBytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xFF);
}

void write_text(std::string_view text, std::string& out) {
  write_number(text.size(), out);
  out += text;
}

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name) : rest_(bytes), name_(name) {}

  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) throw InputError(name_, 0, "the template in the model is cut short");
    const std::string_view taken = rest_.substr(0, static_cast<Index>(size));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::uint64_t number() {
    std::uint64_t number = 0;
    Index shift = 0;
    for (const char c : take(kNumberBytes)) {
      number |= std::uint64_t{static_cast<unsigned char>(c)} << shift;
      shift += 8;
    }
    return number;
  }

  std::string text() { return std::string(take(number())); }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  const std::string& name_;
};

}  // namespace

std::string write_template_bytes(const TemplateBytes& parts) {
  std::string out(kMagic);
  write_number(parts.lists.size(), out);
  write_text(parts.source, out);
  for (const auto& [path, phrases] : parts.lists) {
    write_text(path, out);
    write_text(phrases, out);
  }
  return out;
}

TemplateBytes read_template_bytes(std::string_view bytes, const std::string& name) {
  Reader reader(bytes, name);
  if (bytes.size() < kMagic.size() || reader.take(kMagic.size()) != kMagic) {
    throw InputError(name, 0, "the template in the model is of an unknown form");
  }
  TemplateBytes parts;
  const std::uint64_t num_lists = reader.number();
  parts.source = reader.text();
  for (std::uint64_t i = 0; i < num_lists; ++i) {
    std::string path = reader.text();
    std::string phrases = reader.text();
    if (!parts.lists.emplace(std::move(path), std::move(phrases)).second) {
      throw InputError(name, 0, "the template in the model has a list twice");
    }
  }
  if (!reader.at_end()) throw InputError(name, 0, "something follows the template in the model");
  return parts;
}

}  // namespace trellis::tag
