#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>
#include <variant>

#include "trellis/base/byte_stream.h"
#include "trellis/base/error.h"
#include "trellis/base/mapped_file.h"
#include "trellis/base/output_file.h"
#include "trellis/data/json.h"
#include "trellis/data/model_file.h"
#include "trellis/data/model_layout.h"

namespace trellis {
namespace {

using namespace model_layout;

// Memory that is aligned as the sections are.
struct alignas(kAlignment) Line {
  std::byte bytes[kAlignment];
};

struct OwnedBytes {
  std::vector<Line> lines;
  Index size = 0;

  Index capacity() const { return lines.size() * sizeof(Line); }
  std::byte* data() { return reinterpret_cast<std::byte*>(lines.data()); }
  std::span<const std::byte> bytes() const {
    return {reinterpret_cast<const std::byte*>(lines.data()), size};
  }
};

OwnedBytes read_all(ByteStream& stream, Index max_size, const std::string& name) {
  constexpr Index kFirstLines = Index{1} << 12;
  OwnedBytes all;
  while (true) {
    if (all.size == all.capacity()) all.lines.resize(std::max(kFirstLines, 2 * all.lines.size()));
    char* free = reinterpret_cast<char*>(all.data() + all.size);
    const Index got = stream.read({free, all.capacity() - all.size});
    if (got == 0) return all;
    all.size += got;
    if (all.size > max_size) {
      throw InputError(name, 0,
                       "expected a model of at most " + std::to_string(max_size) +
                           " bytes, estimated from its compressed size");
    }
  }
}

OwnedBytes decompressed(std::span<const std::byte> bytes, const std::string& name) {
  const std::unique_ptr<ByteStream> stream = open_byte_stream(as_text(bytes), name);
  return read_all(*stream, (Index{1} << 20) + bytes.size() * ModelReader::kMaxExpansion, name);
}

OwnedBytes copy_of(std::span<const std::byte> bytes) {
  OwnedBytes copy;
  copy.lines.resize(align(bytes.size()) / sizeof(Line));
  copy.size = bytes.size();
  if (!bytes.empty()) std::memcpy(copy.data(), bytes.data(), bytes.size());
  return copy;
}

// A name in a field of fixed size: legal, and zeros behind it.
template <Index kSize>
std::optional<std::string> padded_name(const char (&field)[kSize]) {
  const std::string_view all(field, kSize);
  const std::string_view name = all.substr(0, all.find('\0'));
  const bool padded = all.find_first_not_of('\0', name.size()) == std::string_view::npos;
  if (!is_legal_name(name) || !padded) return std::nullopt;
  return std::string(name);
}

bool is_regular_file(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

// How deep the brackets of a JSON text nest.
Index json_depth(std::string_view text) {
  Index depth = 0, deepest = 0;
  bool in_string = false;
  for (Index i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

std::string in_quotes(std::string_view name) {
  return fmt::format("\"{}\"", name);
}

}  // namespace

class ModelReader::Content {
 public:
  struct Section {
    std::string name;
    std::span<const std::byte> bytes;
  };
  using Memory = std::variant<MappedFile, OwnedBytes>;

  Content(Memory memory, std::string name) : name(std::move(name)), memory_(std::move(memory)) {
    const auto bytes_of = [](const auto& m) { return m.bytes(); };
    file_ = std::visit(bytes_of, memory_);
    read_header();
    read_table();
  }

  std::span<const std::byte> bytes() const { return file_; }
  Index num_sections() const { return sections_.size(); }
  const Section* find(std::string_view section) const {
    const auto same = [&](const Section& s) { return s.name == section; };
    const auto found = std::find_if(sections_.begin(), sections_.end(), same);
    return found == sections_.end() ? nullptr : &*found;
  }

  [[noreturn]] void refuse(std::string_view complaint) const {
    throw InputError(name, 0, complaint);
  }

  std::string name;
  std::string kind;
  std::uint32_t kind_version = 0;

 private:
  void read_header() {
    if (file_.size() < kMagic.size() || as_text(file_).substr(0, kMagic.size()) != kMagic) {
      refuse("expected a Trellis model, but the file does not begin with the signature of a model");
    }
    if (file_.size() < sizeof(Header)) refuse("the model is truncated within its header");
    std::memcpy(&header_, file_.data(), sizeof header_);
    // First of all: what follows need not mean the same in another version.
    if (header_.layout_version != ModelWriter::kLayoutVersion) {
      refuse("the model has layout version " + std::to_string(header_.layout_version) +
             ", but this program reads version " + std::to_string(ModelWriter::kLayoutVersion));
    }
    if (header_.file_size != file_.size()) {
      refuse("the model should have " + std::to_string(header_.file_size) + " bytes, but has " +
             std::to_string(file_.size()));
    }
    if (header_.num_sections > (file_.size() - sizeof(Header)) / sizeof(Entry)) {
      refuse("the model is damaged: its table of sections exceeds the file");
    }
    check_front();
    const std::optional<std::string> kind_name = padded_name(header_.kind);
    if (!kind_name || header_.zero != 0) refuse("the model is damaged: its header is ill-formed");
    kind = *kind_name;
    kind_version = header_.kind_version;
  }

  void check_front() const {
    std::string front(as_text(file_.first(front_size())));
    std::memset(front.data() + offsetof(Header, checksum), 0, sizeof header_.checksum);
    if (XXH3_64bits(front.data(), front.size()) != header_.checksum) {
      refuse("the model is damaged: the checksum of its header does not match");
    }
  }

  void read_table() {
    std::uint64_t end = front_size();
    sections_.reserve(header_.num_sections);
    for (std::uint32_t i = 0; i < header_.num_sections; ++i) {
      Entry entry;
      std::memcpy(&entry, file_.data() + sizeof(Header) + i * sizeof(Entry), sizeof entry);
      end = add_section(entry, end);
    }
    if (end != file_.size()) refuse("the model is damaged: bytes follow its last section");
    check_names();
  }

  // Returns where the section ends. `end` (at most the size of the file) is where the one before
  // it ended, which leaves only one place for this one: so sections cannot overlap.
  std::uint64_t add_section(const Entry& entry, std::uint64_t end) {
    const std::optional<std::string> section = padded_name(entry.name);
    if (!section) refuse("the model is damaged: a section has an ill-formed name");
    if (entry.offset != align(end) || entry.offset > file_.size() ||
        entry.size > file_.size() - entry.offset) {
      refuse("the model is damaged: section " + in_quotes(*section) + " is not at its position");
    }
    const std::string_view gap = as_text(file_.subspan(end, entry.offset - end));
    const std::span<const std::byte> bytes = file_.subspan(entry.offset, entry.size);
    const XXH128_hash_t hash = checksum(bytes);
    if (hash.low64 != entry.checksum_low || hash.high64 != entry.checksum_high ||
        gap.find_first_not_of('\0') != std::string_view::npos) {
      refuse("the model is damaged: the checksum of section " + in_quotes(*section) +
             " does not match");
    }
    sections_.push_back({*section, bytes});
    return entry.offset + entry.size;
  }

  void check_names() const {
    std::vector<std::string_view> names;
    for (const Section& section : sections_) names.push_back(section.name);
    std::sort(names.begin(), names.end());
    const auto twin = std::adjacent_find(names.begin(), names.end());
    if (twin != names.end()) refuse("the model has two sections " + in_quotes(*twin));
  }

  Index front_size() const { return sizeof(Header) + header_.num_sections * sizeof(Entry); }

  Memory memory_;
  std::span<const std::byte> file_;
  Header header_{};
  std::vector<Section> sections_;
};

ModelReader::ModelReader(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

ModelReader ModelReader::open(const std::string& path) {
  if (!is_regular_file(path)) {
    const std::unique_ptr<ByteStream> stream = open_byte_stream(path);
    constexpr Index kMaxPipe = Index{1} << 40;
    return ModelReader(std::make_shared<Content>(read_all(*stream, kMaxPipe, path), path));
  }
  MappedFile file(path);
  if (detect_compression(as_text(file.bytes())) != Compression::kNone) {
    return from_bytes(file.bytes(), path);
  }
  return ModelReader(std::make_shared<Content>(std::move(file), path));
}

ModelReader ModelReader::from_bytes(std::span<const std::byte> bytes, std::string name) {
  OwnedBytes owned = detect_compression(as_text(bytes)) == Compression::kNone
                         ? copy_of(bytes)
                         : decompressed(bytes, name);
  return ModelReader(std::make_shared<Content>(std::move(owned), std::move(name)));
}

const std::string& ModelReader::name() const {
  return content_->name;
}
const std::string& ModelReader::kind() const {
  return content_->kind;
}
std::uint32_t ModelReader::version() const {
  return content_->kind_version;
}

void ModelReader::expect(std::string_view kind, std::uint32_t newest) const {
  if (content_->kind != kind) {
    content_->refuse("expected a model of kind " + in_quotes(kind) + ", found " +
                     in_quotes(content_->kind));
  }
  if (version() > newest) {
    content_->refuse("the " + content_->kind + " model has version " + std::to_string(version()) +
                     ", but this program reads versions up to " + std::to_string(newest));
  }
}

void ModelReader::write(const std::string& path) const {
  AtomicFile file(path);
  file.write(as_text(content_->bytes()));
  file.commit();
}

std::span<const std::byte> ModelReader::bytes() const {
  return content_->bytes();
}

Index ModelReader::num_sections() const {
  return content_->num_sections();
}

bool ModelReader::has(std::string_view section) const {
  return content_->find(section) != nullptr;
}

std::span<const std::byte> ModelReader::section(std::string_view name) const {
  const Content::Section* found = content_->find(name);
  if (found == nullptr) content_->refuse("the model has no section " + in_quotes(name));
  return found->bytes;
}

std::string_view ModelReader::text(std::string_view name) const {
  return as_text(section(name));
}

Value ModelReader::json(std::string_view name) const {
  const std::string_view source = text(name);
  if (source.size() > kMaxJsonSize || json_depth(source) > kMaxJsonDepth) {
    content_->refuse("section " + in_quotes(name) +
                     " of the model is too large or too deep for JSON");
  }
  std::optional<Value> value = parse_json(source);
  if (!value) content_->refuse("section " + in_quotes(name) + " of the model is not JSON");
  return *std::move(value);
}

std::span<const double> ModelReader::weights(std::string_view name, Index size) const {
  check_size(name, array<double>(name).size(), size);
  return weights(name);
}

std::span<const double> ModelReader::weights(std::string_view name) const {
  const std::span<const double> found = array<double>(name);
  for (const double weight : found) {
    if (std::abs(weight) <= kLargestWeight) continue;  // false for NaN
    content_->refuse("section " + in_quotes(name) + " of the model has a weight beyond " +
                     fmt::format("{:g}", kLargestWeight));
  }
  return found;
}

void ModelReader::check_divisible(std::string_view section, Index size, Index element) const {
  if (size % element != 0) {
    content_->refuse("section " + in_quotes(section) + " of the model should hold elements of " +
                     std::to_string(element) + " bytes, but has " + std::to_string(size));
  }
}

void ModelReader::check_size(std::string_view section, Index found, Index expected) const {
  if (found != expected) {
    content_->refuse("section " + in_quotes(section) + " of the model should hold " +
                     std::to_string(expected) + " elements, but has " + std::to_string(found));
  }
}

}  // namespace trellis
