// A model that is its stored parts: plain data, whose description (frame/model_schema.h) is the
// model's. A task's own model has
//
//   class RankModel : public StoredModel<RankModel, RankParts> {
//    public:
//     static constexpr ModelKind kKind{"rank"};
//     static void describe(ModelArchive& a, RankParts& m);
//     explicit RankModel(RankParts parts);  // may throw UsageError
//   };
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "trellis/data/model_file.h"
#include "trellis/data/value.h"
#include "trellis/frame/model_schema.h"

namespace trellis {

// A copy that copies of a model share.
inline std::shared_ptr<const Value> share(const Value& value) {
  return std::make_shared<const Value>(value);
}

template <class Model, class Parts>
class StoredModel {
 public:
  // Throws InputError unless the file is a whole model that this program understands.
  static Model read(const std::string& path) { return load(ModelReader::open(path)); }
  static Model from_bytes(std::span<const std::byte> bytes, const std::string& name) {
    return load(ModelReader::from_bytes(bytes, name));
  }
  void write(const std::string& path) const {
    ModelArchive::write(Model::kKind, path, description());
  }
  std::string to_bytes() const { return ModelArchive::to_bytes(Model::kKind, description()); }
  // What the file says of the model besides its arrays.
  Value meta() const { return ModelArchive::meta(description()); }
  static ModelSchema schema() {
    return ModelArchive::schema(Model::kKind, [](ModelArchive& a) {
      Parts parts;
      Model::describe(a, parts);
    });
  }
  const std::string& name() const { return name_; }           // of the file, for messages
  const Value& training() const { return *parts_.training; }  // how it was made

  explicit StoredModel(Parts parts) : parts_(std::move(parts)) {}

 protected:
  const Parts& parts() const { return parts_; }
  Parts& parts() { return parts_; }

 private:
  static Model load(const ModelReader& reader) {
    std::optional<Model> model;
    ModelArchive::read(Model::kKind, reader, [&](ModelArchive& a) {
      Parts parts;
      Model::describe(a, parts);
      model.emplace(std::move(parts));
    });
    model->name_ = reader.name();
    return *std::move(model);
  }
  // A writer does not change the parts.
  ModelArchive::Describe description() const {
    return [this](ModelArchive& a) { Model::describe(a, const_cast<Parts&>(parts_)); };
  }

  Parts parts_;
  std::string name_ = "<memory>";
};

}  // namespace trellis
