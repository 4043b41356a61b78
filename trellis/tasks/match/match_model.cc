#include "trellis/tasks/match/match_model.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/model_file.h"

namespace trellis::match {
namespace {

constexpr std::array<std::pair<std::string_view, Estimator>, 3> kEstimators = {
    {{"map", Estimator::kMap},
     {"max-margin", Estimator::kMaxMargin},
     {"distance", Estimator::kDistance}}};

[[noreturn]] void refuse(const ModelReader& reader, const std::string& why) {
  throw InputError(reader.name(), 0, why);
}

Index count(const ModelReader& reader, const nlohmann::json& meta, const char* key) {
  const nlohmann::json& value = meta.at(key);
  if (!value.is_number_unsigned()) refuse(reader, fmt::format("the model's {} is no count", key));
  return value.get<Index>();
}

MatchFeatures read_pair_features(const ModelReader& reader, const nlohmann::json& meta,
                                 Cover cover) {
  ContextOptions contexts;
  contexts.rings = count(reader, meta, "rings");
  contexts.sectors = count(reader, meta, "sectors");
  contexts.points = count(reader, meta, "points");
  contexts.outline = count(reader, meta, "outline");
  contexts.inner = meta.at("inner").get<double>();
  contexts.outer = meta.at("outer").get<double>();
  contexts.difference = parse_difference(meta.at("difference").get<std::string>());
  return MatchFeatures::of_pairs(contexts, cover);
}

MatchFeatures read_graph_features(const ModelReader& reader, const nlohmann::json& meta,
                                  Cover cover) {
  GraphFeatures graphs;
  graphs.known = true;
  graphs.named = meta.at("named").get<bool>();
  if (graphs.named) {
    const NameView names(reader.array<std::uint64_t>("names/offsets"),
                         reader.array<char>("names/bytes"), reader.name());
    graphs.names = NameList(names, reader.name());
  } else {
    graphs.width = reader.array<double>("weights").size();
  }
  if (graphs.dimension() == 0) refuse(reader, "the model has no features");
  return MatchFeatures::of_graphs(std::move(graphs), cover);
}

MatchFeatures read_features(const ModelReader& reader, const nlohmann::json& meta) {
  const std::string input = meta.at("input").get<std::string>();
  const Cover cover = parse_cover(meta.at("cover").get<std::string>());
  if (input == "pairs") return read_pair_features(reader, meta, cover);
  if (input == "graphs") return read_graph_features(reader, meta, cover);
  refuse(reader, "the model's input is neither graphs nor pairs");
}

MatchModel read_model(const ModelReader& reader) {
  reader.expect(kMatchModelKind, kMatchModelVersion);
  const nlohmann::json meta = reader.json("meta");
  try {
    MatchFeatures features = read_features(reader, meta);
    const auto stored = reader.weights("weights", features.dimension());
    const Estimator estimator = parse_estimator(meta.at("estimator").get<std::string>());
    return MatchModel(std::move(features), estimator, {stored.begin(), stored.end()},
                      meta.at("training"));
  } catch (const nlohmann::json::exception&) {
    refuse(reader, "the model's description lacks something or has it in another form");
  } catch (const UsageError& error) {
    refuse(reader, error.what());
  }
}

nlohmann::json description(const MatchModel& model) {
  const MatchFeatures& features = model.features();
  nlohmann::json meta;
  meta["input"] = features.pairs() ? "pairs" : "graphs";
  meta["cover"] = std::string(to_string(features.cover()));
  meta["estimator"] = std::string(to_string(model.estimator()));
  meta["training"] = model.training();
  if (features.pairs()) {
    const ContextOptions& contexts = features.contexts();
    meta["rings"] = contexts.rings;
    meta["sectors"] = contexts.sectors;
    meta["inner"] = contexts.inner;
    meta["outer"] = contexts.outer;
    meta["difference"] = std::string(to_string(contexts.difference));
    meta["points"] = contexts.points;
    meta["outline"] = contexts.outline;
  } else {
    meta["named"] = features.graphs().named;
  }
  return meta;
}

// Its spans belong to the model.
ModelWriter writer_of(const MatchModel& model) {
  ModelWriter writer{std::string(kMatchModelKind), kMatchModelVersion};
  writer.add_json("meta", description(model));
  const GraphFeatures& graphs = model.features().graphs();
  if (!model.features().pairs() && graphs.named) {
    writer.add_array<std::uint64_t>("names/offsets", graphs.names.offsets());
    writer.add_array<char>("names/bytes", graphs.names.bytes());
  }
  writer.add_array<double>("weights", model.weights());
  return writer;
}

}  // namespace

std::string_view to_string(Estimator estimator) {
  for (const auto& [name, value] : kEstimators) {
    if (value == estimator) return name;
  }
  return "";
}

Estimator parse_estimator(std::string_view name) {
  for (const auto& [known, value] : kEstimators) {
    if (known == name) return value;
  }
  throw UsageError(
      fmt::format("unknown estimator '{}': expected map, max-margin or distance", name));
}

MatchModel::MatchModel(MatchFeatures features, Estimator estimator, std::vector<double> weights,
                       const nlohmann::json& training)
    : features_(std::move(features)),
      estimator_(estimator),
      weights_(std::move(weights)),
      training_(std::make_shared<const nlohmann::json>(training)) {}

MatchModel MatchModel::read(const std::string& path) {
  return read_model(ModelReader::open(path));
}

MatchModel MatchModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return read_model(ModelReader::from_bytes(bytes, name));
}

void MatchModel::write(const std::string& path) const {
  writer_of(*this).write(path);
}

std::string MatchModel::to_bytes() const {
  return writer_of(*this).to_bytes();
}

}  // namespace trellis::match
