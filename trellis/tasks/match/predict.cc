#include "trellis/tasks/match/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/pipeline.h"
#include "trellis/data/json.h"
#include "trellis/formats/graphs/bipartite_file.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/match/matcher.h"
#include "trellis/tasks/match/pair_list.h"

namespace trellis::match {
namespace {

constexpr Index kBatch = 64;
// Number of cached shapes: in lists, one shape often occurs in many pairs.
constexpr Index kKeptShapes = 256;

// One block of a graph file, or one line of a list.
struct Item {
  GraphRecord graph;
  ShapePair pair;
};

class ItemReader {
 public:
  ItemReader(const PredictInput& input, const MatchFeatures& features)
      : files_(input.files), features_(frozen(features.graphs())) {
    if (!features.pairs()) return;
    pairs_ = std::make_unique<PairReader>(input.files, features.contexts(), kKeptShapes);
    called_ = read_pairs(input.shapes, features.contexts());
  }

  bool read(Item& item) {
    return pairs_ == nullptr ? read_graph(item.graph) : read_pair(item.pair);
  }

 private:
  bool read_graph(GraphRecord& graph) {
    for (; next_ < files_.size(); ++next_, graphs_.reset()) {
      if (graphs_ == nullptr) {
        graphs_ = std::make_unique<GraphReader>(InputFile(files_[next_]), features_);
      }
      if (graphs_->read(graph)) return true;
    }
    return false;
  }

  bool read_pair(ShapePair& pair) {
    if (pairs_->read(pair)) return true;
    if (next_ == called_.size()) return false;
    pair = called_[next_++];
    return true;
  }

  std::vector<std::string> files_;
  GraphFeatures features_;
  std::unique_ptr<GraphReader> graphs_;  // of the current file
  std::unique_ptr<PairReader> pairs_;    // for models of shapes
  std::vector<ShapePair> called_;
  Index next_ = 0;  // next file, or next pair of the call
};

// The prediction for one graph.
struct Prediction {
  std::span<const double> scores;  // by edge
  std::vector<double> marginals;   // by edge, if requested
  double log_sum = 0;              // log Z, with the marginals
  std::vector<ScoredOutput<Matching::Output>> best;
};

class Predictor {
 public:
  Predictor(const MatchModel& model, const PredictOptions& options)
      : model_(model), options_(options), matcher_(model) {}

  std::string render(const Item& item, Matcher::Scratch& scratch) const {
    const MatchFeatures& features = model_.features();
    const MatchExample example = features.pairs() ? unlabelled_example(item.pair, features)
                                                  : unlabelled_example(item.graph, features);
    const Prediction prediction = predict(example, scratch);
    return options_.json ? to_json(record(example, prediction)) : text(example, prediction);
  }

 private:
  Prediction predict(const MatchExample& example, Matcher::Scratch& scratch) const {
    Prediction prediction;
    if (options_.marginals) {
      prediction.marginals.resize(example.features.num_edges());
      prediction.log_sum = matcher_.marginals(example, scratch, prediction.marginals);
    }
    if (options_.k_best == 1) {
      prediction.best.resize(1);
      prediction.best[0].score = matcher_.match(example, scratch, prediction.best[0].output);
    } else {
      matcher_.k_best(example, options_.k_best, scratch, prediction.best);
    }
    prediction.scores = matcher_.scores(example, scratch);
    return prediction;
  }

  // Calls visit(left, right, edge).
  template <class Visit>
  static void for_each_match(const MatchExample& example, const Matching::Output& y,
                             const Visit& visit) {
    for (Index i = 0; i < y.size(); ++i) {
      if (y[i] == kNoLabel) continue;
      const auto j = static_cast<Index>(y[i]);
      visit(i, j, edge_between(example, i, j));
    }
  }

  std::string text(const MatchExample& example, const Prediction& prediction) const {
    std::string text;
    for (Index rank = 0; rank < prediction.best.size(); ++rank) {
      const auto& [y, score] = prediction.best[rank];
      text += fmt::format("graph {} {} {} score {:.6g}", example.name, example.num_left,
                          example.num_right, score);
      if (options_.marginals) {
        text += fmt::format(" probability {:.6g}", portable_exp(score - prediction.log_sum));
      }
      if (options_.k_best > 1) text += fmt::format(" rank {}", rank + 1);
      text += "\n";
      for_each_match(example, y, [&](Index i, Index j, Index e) {
        text += fmt::format("{} {} {:.6g}", example.left_name(i), example.right_name(j),
                            prediction.scores[e]);
        if (options_.marginals) text += fmt::format(" {:.6g}", prediction.marginals[e]);
        text += "\n";
      });
      text += "\n";
    }
    return text;
  }

  Value record(const MatchExample& example, const Prediction& prediction) const {
    Value graph = Value::record({{"name", example.name},
                                 {"left", example.num_left},
                                 {"right", example.num_right},
                                 {"matchings", Value::list()}});
    for (const auto& [y, score] : prediction.best) {
      Value matching = Value::record({{"score", score}, {"matches", Value::list()}});
      if (options_.marginals) matching["probability"] = portable_exp(score - prediction.log_sum);
      for_each_match(example, y, [&](Index i, Index j, Index e) {
        Value pair = Value::record({{"left", example.left_name(i)},
                                    {"right", example.right_name(j)},
                                    {"score", prediction.scores[e]}});
        if (options_.marginals) pair["probability"] = prediction.marginals[e];
        if (example.left != nullptr) {
          const Point& a = example.left->points[i];
          const Point& b = example.right->points[j];
          pair["left_point"] = Value::list({a.x, a.y});
          pair["right_point"] = Value::list({b.x, b.y});
        }
        matching["matches"].push_back(std::move(pair));
      });
      graph["matchings"].push_back(std::move(matching));
    }
    return graph;
  }

  const MatchModel& model_;
  const PredictOptions& options_;
  Matcher matcher_;
};

void require_input(const MatchModel& model, const PredictInput& input,
                   const PredictOptions& options) {
  if (input.files.empty() && input.shapes.empty()) {
    throw UsageError("expected files, or --pair LEFT RIGHT");
  }
  if (!model.features().pairs() && !input.shapes.empty()) {
    throw UsageError("--pair requires a model of shapes: this model was trained on graphs");
  }
  if (options.marginals) require_sums(model.features().cover());
}

}  // namespace

void predict(const MatchModel& model, const PredictInput& input, const PredictOptions& options,
             OutputFile& out) {
  require_input(model, input, options);
  const bool piped = std::find(input.files.begin(), input.files.end(), "-") != input.files.end();
  Pipeline<Item> pipeline(piped ? Pipeline<Item>::kAtOnce : kBatch, options.threads);
  std::vector<Matcher::Scratch> scratch(static_cast<Index>(pipeline.num_workers()));
  std::vector<std::string> rendered(pipeline.batch_size());
  const Predictor predictor(model, options);
  ItemReader reader(input, model.features());
  const char* between = "";
  if (options.json) out.write("{\"graphs\":[");
  pipeline.run([&](Item& item) { return reader.read(item); },
               [&](const Item& item, Index slot, int worker) {
                 rendered[slot] = predictor.render(item, scratch[static_cast<Index>(worker)]);
               },
               [&](const Item&, Index slot) {
                 if (options.json) out.write(std::exchange(between, ","));
                 out.write(rendered[slot]);
                 if (piped) out.flush();
               });
  if (options.json) out.write("]}\n");
}

}  // namespace trellis::match
