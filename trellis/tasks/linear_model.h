// What models of one vector of weights have in common: the features that the weights are for, and
// how they came about; in memory, and as a model file whose section "meta" describes them. A task's
// own model says its kind and version, makes itself of a file, and a writer of itself:
//
//   class RankModel : public LinearModel<RankModel, RankFeatures> {
//    public:
//     static constexpr std::string_view kKind = "rank";
//     static constexpr std::uint32_t kVersion = 1;
//     static RankModel from_file(const ModelReader& reader, const Value& meta);
//     ModelWriter writer() const;   // the spans that it takes belong to the model
//   };
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/data/model_file.h"
#include "trellis/data/value.h"

namespace trellis {

// Throws InputError about the file.
[[noreturn]] void refuse(const ModelReader& reader, const std::string& why);

// Hands the description of a model of that kind to `read`. What that lacks there (exceptions of
// ValueError) or finds not to go together (UsageError) becomes an InputError about the file.
void read_meta(const ModelReader& reader, std::string_view kind, std::uint32_t newest,
               const std::function<void(const Value& meta)>& read);

// A copy that copies of a model share.
std::shared_ptr<const Value> share(const Value& value);

template <class Model, class Features>
class LinearModel {
 public:
  // Throws InputError unless the file is a whole model that this program understands.
  static Model read(const std::string& path) { return load(ModelReader::open(path)); }
  static Model from_bytes(std::span<const std::byte> bytes, const std::string& name) {
    return load(ModelReader::from_bytes(bytes, name));
  }
  void write(const std::string& path) const { self().writer().write(path); }
  std::string to_bytes() const { return self().writer().to_bytes(); }

  const Features& features() const { return features_; }
  std::span<const double> weights() const { return weights_; }
  const Value& training() const { return *training_; }  // how it was made

 protected:
  LinearModel(Features features, std::vector<double> weights, const Value& training)
      : features_(std::move(features)), weights_(std::move(weights)), training_(share(training)) {}

 private:
  const Model& self() const { return static_cast<const Model&>(*this); }
  static Model load(const ModelReader& reader) {
    std::optional<Model> model;
    read_meta(reader, Model::kKind, Model::kVersion,
              [&](const Value& meta) { model.emplace(Model::from_file(reader, meta)); });
    return *std::move(model);
  }

  Features features_;
  std::vector<double> weights_;
  std::shared_ptr<const Value> training_;
};

}  // namespace trellis
