// The container of all models: named sections of bytes behind a header, in one file that is mapped
// into memory and used where it lies.
//
//   0   "TRELLIS\n"                       56  XXH3-64 of header and table, this field as 0
//   8   u32 version of this layout        64  table: for each section
//   12  u32 version of the kind                 0   name, 32 bytes, padded with zeros
//   16  u64 size of the file                    32  u64 offset    40  u64 size
//   24  u32 number of sections, u32 0           48  XXH3-128 of the bytes (low, high)
//   32  kind, 24 bytes, padded with zeros     then the sections in the order of the table
//
// All numbers are little-endian. Each section begins at the next multiple of 64 bytes; the gaps are
// zeros and nothing follows the last one, so equal contents are equal files. There is no time, no
// host and no path inside. Sizes are 64 bits.
//
// A file that is not exactly this is refused with an InputError of one sentence: nothing that a
// stranger puts into it can do more. A file cut short by another program while it is mapped is
// beyond us (the system raises SIGBUS); AtomicFile never does that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"

namespace trellis {

// What an array section may hold: numbers, or structs of integers without padding (padding would
// make files differ).
template <class T>
concept ModelElement = std::is_trivially_copyable_v<T> &&
    (std::is_floating_point_v<T> || std::has_unique_object_representations_v<T>);

class ModelWriter {
 public:
  static constexpr std::uint32_t kLayoutVersion = 1;

  // `kind` (1 to 24 printable ASCII characters) names the reader of the model ("tag"), `version`
  // the version of its format.
  ModelWriter(std::string kind, std::uint32_t version);

  // Appends a section; names are unique, 1 to 32 printable ASCII characters (UsageError otherwise).
  // Spans are not copied and must be valid until the model is written.
  void add(std::string_view name, std::span<const std::byte> bytes);
  template <ModelElement T>
  void add_array(std::string_view name, std::span<const T> array) {
    add(name, std::as_bytes(array));
  }
  void add_text(std::string_view name, std::string text);  // owned
  void add_json(std::string_view name, const Value& value);

  // Streams the sections to an AtomicFile: two passes over the spans, no copy in memory. A path in
  // .gz or .zst is compressed.
  void write(const std::string& path) const;
  std::string to_bytes() const;

 private:
  struct Section {
    std::string name;
    std::span<const std::byte> bytes;
    std::shared_ptr<const std::string> owned;
  };
  std::string header_and_table() const;
  template <class Put>
  void put_sections(const Put& put) const;

  std::string kind_;
  std::uint32_t version_;
  std::vector<Section> sections_;
};

// An opened model. Copies share the memory, which stays as long as one of them lives: a model that
// holds spans of sections holds its reader, too. All const, so thread-safe.
class ModelReader {
 public:
  // A section of JSON is parsed up to this size and nesting.
  static constexpr Index kMaxJsonSize = Index{1} << 26;
  static constexpr Index kMaxJsonDepth = 64;
  // A compressed model is refused if it unfolds to more than this times its size (and 1 MiB);
  // deflate cannot exceed it, so only a bomb does.
  static constexpr Index kMaxExpansion = 1032;

  // Maps the file; what cannot be mapped (a compressed file, a pipe) is read into memory. Checks
  // everything, checksums included. Throws InputError.
  static ModelReader open(const std::string& path);
  // Copies the bytes, compressed or not; `name` stands in messages.
  static ModelReader from_bytes(std::span<const std::byte> bytes, std::string name);

  const std::string& name() const;  // the path, for messages
  const std::string& kind() const;
  std::uint32_t version() const;  // of the kind
  // Throws InputError unless this is a model of the kind in a version up to `newest`.
  void expect(std::string_view kind, std::uint32_t newest) const;

  // The same bytes in a file, or compressed in one in .gz or .zst.
  void write(const std::string& path) const;
  // The whole file, for a model that has others inside; lives as long as the reader does.
  std::span<const std::byte> bytes() const;

  Index num_sections() const;
  bool has(std::string_view section) const;
  // The following throw InputError if there is no such section or it has another form.
  std::span<const std::byte> section(std::string_view name) const;  // aligned to 64 bytes
  std::string_view text(std::string_view name) const;
  Value json(std::string_view name) const;
  template <ModelElement T>
  std::span<const T> array(std::string_view name) const {
    static_assert(alignof(T) <= 64);
    const std::span<const std::byte> bytes = section(name);
    check_divisible(name, bytes.size(), sizeof(T));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  // With the number of elements that it must have.
  template <ModelElement T>
  std::span<const T> array(std::string_view name, Index size) const {
    const std::span<const T> elements = array<T>(name);
    check_size(name, elements.size(), size);
    return elements;
  }
  // The weights of a model (`size` of them): none beyond kLargestWeight, so that no score
  // overflows.
  static constexpr double kLargestWeight = 1e100;
  std::span<const double> weights(std::string_view name) const;
  std::span<const double> weights(std::string_view name, Index size) const;

 private:
  class Content;
  explicit ModelReader(std::shared_ptr<const Content> content);
  void check_divisible(std::string_view section, Index size, Index element) const;
  void check_size(std::string_view section, Index found, Index expected) const;

  std::shared_ptr<const Content> content_;
};

}  // namespace trellis
