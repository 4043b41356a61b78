#include <algorithm>
#include <cstring>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/data/json.h"
#include "trellis/data/model_file.h"
#include "trellis/data/model_layout.h"

namespace trellis {
namespace {

using namespace model_layout;

template <Index kSize>
void check_name(std::string_view what, std::string_view name, const char (&)[kSize]) {
  if (!is_legal_name(name) || name.size() > kSize) {
    throw UsageError(std::string(what) + " needs a name of 1 to " + std::to_string(kSize) +
                     " printable ASCII characters, not \"" + std::string(name) + "\"");
  }
}

template <class Record>
void append(std::string& out, const Record& record) {
  out.append(reinterpret_cast<const char*>(&record), sizeof record);
}

}  // namespace

ModelWriter::ModelWriter(std::string kind, std::uint32_t version)
    : kind_(std::move(kind)), version_(version) {
  check_name("a kind of model", kind_, Header{}.kind);
}

void ModelWriter::add(std::string_view name, std::span<const std::byte> bytes) {
  check_name("a section", name, Entry{}.name);
  const auto same = [&](const Section& section) { return section.name == name; };
  if (std::any_of(sections_.begin(), sections_.end(), same)) {
    throw UsageError("a model cannot have two sections \"" + std::string(name) + "\"");
  }
  sections_.push_back({std::string(name), bytes, nullptr});
}

void ModelWriter::add_text(std::string_view name, std::string text) {
  auto owned = std::make_shared<const std::string>(std::move(text));
  add(name, std::as_bytes(std::span(*owned)));
  sections_.back().owned = std::move(owned);
}

void ModelWriter::add_json(std::string_view name, const Value& value) {
  add_text(name, to_json(value));
}

std::string ModelWriter::header_and_table() const {
  Header header{};
  std::memcpy(header.magic, kMagic.data(), kMagic.size());
  header.layout_version = kLayoutVersion;
  header.kind_version = version_;
  header.num_sections = static_cast<std::uint32_t>(sections_.size());
  std::memcpy(header.kind, kind_.data(), kind_.size());

  std::string table;
  std::uint64_t end = sizeof(Header) + sections_.size() * sizeof(Entry);
  for (const Section& section : sections_) {
    Entry entry{};
    std::memcpy(entry.name, section.name.data(), section.name.size());
    entry.offset = align(end);
    entry.size = section.bytes.size();
    const XXH128_hash_t hash = checksum(section.bytes);
    entry.checksum_low = hash.low64;
    entry.checksum_high = hash.high64;
    append(table, entry);
    end = entry.offset + entry.size;
  }
  header.file_size = end;

  std::string front;
  append(front, header);
  front += table;
  header.checksum = XXH3_64bits(front.data(), front.size());
  std::memcpy(front.data(), &header, sizeof header);
  return front;
}

template <class Put>
void ModelWriter::put_sections(const Put& put) const {
  const std::string front = header_and_table();
  put(front);
  std::uint64_t end = front.size();
  constexpr char kZeros[kAlignment] = {};
  for (const Section& section : sections_) {
    put(std::string_view(kZeros, align(end) - end));
    put(as_text(section.bytes));
    end = align(end) + section.bytes.size();
  }
}

void ModelWriter::write(const std::string& path) const {
  AtomicFile file(path);
  put_sections([&](std::string_view bytes) { file.write(bytes); });
  file.commit();
}

std::string ModelWriter::to_bytes() const {
  std::string out;
  put_sections([&](std::string_view bytes) { out += bytes; });
  return out;
}

}  // namespace trellis
