#include "trellis/tasks/match/match_model.h"

#include <fmt/format.h>

#include <utility>

namespace trellis::match {
namespace {

Index count(const ModelReader& reader, const Value& meta, const char* key) {
  const Value& value = meta.at(key);
  if (!value.is_count()) refuse(reader, fmt::format("the model's {} is not a valid number", key));
  return value.get<Index>();
}

MatchFeatures read_pair_features(const ModelReader& reader, const Value& meta, Cover cover) {
  ContextOptions contexts;
  contexts.rings = count(reader, meta, "rings");
  contexts.sectors = count(reader, meta, "sectors");
  contexts.points = count(reader, meta, "points");
  contexts.outline = count(reader, meta, "outline");
  contexts.inner = meta.at("inner").get<double>();
  contexts.outer = meta.at("outer").get<double>();
  contexts.difference = parse_named<Difference>(meta.at("difference").get<std::string>());
  return MatchFeatures::of_pairs(contexts, cover);
}

MatchFeatures read_graph_features(const ModelReader& reader, const Value& meta, Cover cover) {
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

MatchFeatures read_features(const ModelReader& reader, const Value& meta) {
  const std::string input = meta.at("input").get<std::string>();
  const Cover cover = parse_named<Cover>(meta.at("cover").get<std::string>());
  if (input == "pairs") return read_pair_features(reader, meta, cover);
  if (input == "graphs") return read_graph_features(reader, meta, cover);
  refuse(reader, "the model's input is neither graphs nor pairs");
}

Value description(const MatchModel& model) {
  const MatchFeatures& features = model.features();
  Value meta;
  meta["input"] = features.pairs() ? "pairs" : "graphs";
  meta["cover"] = to_string(features.cover());
  meta["estimator"] = to_string(model.estimator());
  meta["training"] = model.training();
  if (features.pairs()) {
    const ContextOptions& contexts = features.contexts();
    meta["rings"] = contexts.rings;
    meta["sectors"] = contexts.sectors;
    meta["inner"] = contexts.inner;
    meta["outer"] = contexts.outer;
    meta["difference"] = to_string(contexts.difference);
    meta["points"] = contexts.points;
    meta["outline"] = contexts.outline;
  } else {
    meta["named"] = features.graphs().named;
  }
  return meta;
}

}  // namespace

MatchModel::MatchModel(MatchFeatures features, Estimator estimator, std::vector<double> weights,
                       const Value& training)
    : LinearModel(std::move(features), std::move(weights), training), estimator_(estimator) {}

MatchModel MatchModel::from_file(const ModelReader& reader, const Value& meta) {
  MatchFeatures features = read_features(reader, meta);
  const auto stored = reader.weights("weights", features.dimension());
  const auto estimator = parse_named<Estimator>(meta.at("estimator").get<std::string>());
  return MatchModel(std::move(features), estimator, {stored.begin(), stored.end()},
                    meta.at("training"));
}

ModelWriter MatchModel::writer() const {
  ModelWriter writer{std::string(kKind), kVersion};
  writer.add_json("meta", description(*this));
  const GraphFeatures& graphs = features().graphs();
  if (!features().pairs() && graphs.named) {
    writer.add_array<std::uint64_t>("names/offsets", graphs.names.offsets());
    writer.add_array<char>("names/bytes", graphs.names.bytes());
  }
  writer.add_array<double>("weights", weights());
  return writer;
}

}  // namespace trellis::match
