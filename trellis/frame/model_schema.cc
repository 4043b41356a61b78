#include "trellis/frame/model_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace trellis {
namespace {

void append(std::string& list, std::string_view one, std::string_view between) {
  if (!list.empty() && !one.empty()) list += between;
  list += one;
}

}  // namespace

ModelWriter ModelArchive::writer(const ModelKind& kind, const Describe& describe,
                                 ModelArchive& archive) {
  archive.version_ = kind.oldest;
  archive.checking_ = kind.checked;
  describe(archive);
  ModelWriter writer(std::string(kind.name), archive.version_);
  if (!kind.meta_last) writer.add_json("meta", *archive.meta_);
  for (const Section& section : archive.sections_) writer.add(section.name, section.bytes);
  if (kind.meta_last) writer.add_json("meta", *archive.meta_);
  return writer;
}

void ModelArchive::write(const ModelKind& kind, const std::string& path, const Describe& describe) {
  Value meta;
  ModelArchive archive(&meta);
  writer(kind, describe, archive).write(path);
}

std::string ModelArchive::to_bytes(const ModelKind& kind, const Describe& describe) {
  Value meta;
  ModelArchive archive(&meta);
  return writer(kind, describe, archive).to_bytes();
}

Value ModelArchive::meta(const Describe& describe) {
  Value meta;
  ModelArchive archive(&meta);
  describe(archive);
  return meta;
}

void ModelArchive::read(const ModelKind& kind, const ModelReader& reader,
                        const Describe& describe) {
  reader.expect(kind.name, kind.newest);
  Value meta = reader.json("meta");
  ModelArchive archive(&meta, &reader);
  try {
    describe(archive);
    const std::uint32_t required = std::max(archive.version_, kind.oldest);
    if (reader.version() > required || reader.version() < archive.version_) {
      throw UsageError(
          fmt::format("the model has version {}, but its parts are those of version {}",
                      reader.version(), required));
    }
    if (reader.num_sections() != archive.num_read_ + 1) {
      throw UsageError("the model has a section that is not part of its description");
    }
  } catch (const UsageError& error) {
    throw InputError(reader.name(), 0, error.what());
  }
}

ModelSchema ModelArchive::schema(const ModelKind& kind, const Describe& describe) {
  ModelSchema schema{std::string(kind.name), kind.newest, {}};
  Value meta;
  ModelArchive archive(&meta, nullptr, &schema);
  describe(archive);
  return schema;
}

void ModelArchive::value(std::string_view key, std::shared_ptr<const Value>& shared,
                         std::string_view what) {
  field(
      key, what, [&] { return *shared; },
      [&](const Value& stored) { shared = std::make_shared<const Value>(stored); }, "JSON");
}

void ModelArchive::names(std::string_view key, std::vector<std::string>& names, Range count,
                         std::string_view what) {
  value(key, names, what);
  if (!reading()) return;
  read_field(key, [&](const Value&) { require_in(count, static_cast<double>(names.size())); });
  std::unordered_set<std::string_view> known;
  for (const std::string& name : names) {
    if (known.insert(name).second) continue;
    throw UsageError(fmt::format("the \"{}\" of the model have '{}' twice", key, name));
  }
}

void ModelArchive::read_field(std::string_view key,
                              const std::function<void(const Value&)>& get) const {
  if (!meta_->contains(key)) {
    throw UsageError(fmt::format("the description of the model has no \"{}\"", key));
  }
  try {
    get(meta_->at(key));
  } catch (const ValueError& error) {
    throw UsageError(fmt::format("\"{}\" of the model is not valid: {}", key, error.what()));
  }
}

void ModelArchive::record(std::string_view key, const std::function<void()>& fields) {
  Value* const outer = meta_;
  const std::string path = path_;
  Value inner = Value::record();
  if (reading()) {
    read_field(key, [&](const Value& stored) {
      for (const Value::Field& field : stored.fields()) inner[field.name] = field.value;
    });
  }
  meta_ = &inner;
  path_ += std::string(key) + ".";
  fields();
  meta_ = outer;
  path_ = path;
  if (!reading()) (*meta_)[key] = std::move(inner);
}

NameView ModelArchive::view_of(const std::vector<std::string>& names) {
  const auto list = std::make_shared<NameList>();
  for (const std::string& name : names) list->add(name);
  if (list->size() != names.size()) throw UsageError("a list of names has a name twice");
  owners_.push_back(list);
  return list->view();
}

void ModelArchive::put_names(std::string_view bytes, std::string_view ends, const NameView& names,
                             std::string_view what, bool ends_first) {
  const auto put_ends = [&] {
    if (documenting()) document(ends, "uint64", "where each name begins, and the end");
    put(ends, std::as_bytes(names.offsets()));
  };
  if (ends_first) put_ends();
  if (documenting()) document(bytes, "names", what);
  put(bytes, std::as_bytes(names.bytes()));
  if (!ends_first) put_ends();
}

void ModelArchive::read_names(std::string_view bytes, std::string_view ends, NameView& names) {
  names = NameView(next_section().array<std::uint64_t>(ends), next_section().array<char>(bytes),
                   name());
}

void ModelArchive::read_names(std::string_view bytes, std::string_view ends, NameList& names) {
  NameView view;
  read_names(bytes, ends, view);
  names = NameList(view, name());
}

void ModelArchive::read_names(std::string_view bytes, std::string_view ends,
                              std::vector<std::string>& names) {
  NameList list;
  read_names(bytes, ends, list);
  names.clear();
  for (Index i = 0; i < list.size(); ++i) names.emplace_back(list[i]);
}

void ModelArchive::part(std::string_view where, std::uint32_t since,
                        const std::function<void()>& part) {
  const std::string outer = where_;
  const std::uint32_t before = version_;
  append(where_, where, ", ");
  version_ = std::max(version_, since);
  part();
  where_ = outer;
  if (documenting()) version_ = before;
}

void ModelArchive::where(std::string_view name, bool condition, const std::function<void()>& part) {
  if (condition || documenting()) this->part(name, 1, part);
}

void ModelArchive::optional(std::string_view key, bool present, std::uint32_t since,
                            const std::function<void()>& part) {
  const bool there = reading() ? meta_->contains(key) || reader_->has(key) : present;
  if (there || documenting()) this->part("optional", since, part);
}

void ModelArchive::document(std::string_view name, std::string_view type, std::string_view what) {
  schema_->rows.push_back(
      {std::string(name), std::string(type), std::string(what), where_, version_});
}

void ModelArchive::put(std::string_view section, std::span<const std::byte> bytes) {
  if (writing()) sections_.push_back({std::string(section), bytes});
}

std::string ModelArchive::listed(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) append(list, word, ", ");
  return list;
}

void ModelArchive::require_in(Range range, double value) {
  if (value >= range.low && value <= range.high) return;
  const std::string low = range.low == kAboveZero ? "above 0" : fmt::format("{}", range.low);
  throw ValueError(range.high == kInfinity
                       ? fmt::format("expected at least {}, found {}", low, value)
                       : fmt::format("expected {} to {}, found {}", low, range.high, value));
}

void ModelArchive::refuse_size(std::string_view section, Index found, Index expected) {
  refuse_section(section, fmt::format("should hold {} elements, but has {}", expected, found));
}

void ModelArchive::refuse_section(std::string_view section, std::string_view fault) {
  throw UsageError(fmt::format("section \"{}\" of the model {}", section, fault));
}

}  // namespace trellis
