// `trellis match predict`
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/base/parallel.h"
#include "trellis/cli/command_options.h"
#include "trellis/cli/match/commands.h"
#include "trellis/tasks/match/matcher.h"

namespace trellis::cli {
namespace {

// Graphs are matched and written so many at a time.
constexpr Index kBatch = 256;

struct MatchPredictCall {
  CommonOptions common;
  match::MatchInput input;
  std::string model;
  std::string output;
  Index k_best = 1;
  bool marginals = false;
};

// What is said of one graph.
struct Prediction {
  std::vector<double> scores;     // by edge
  std::vector<double> marginals;  // by edge, where they were asked for
  double log_sum = 0;             // log Z, with the marginals
  std::vector<ScoredOutput<Matching::Output>> best;
};

class Predictor {
 public:
  Predictor(const MatchPredictCall& call, const match::MatchModel& model)
      : call_(call),
        matcher_(model),
        scratch_(static_cast<Index>(resolve_threads(call.common.threads))),
        out_(call.output) {}

  void run(std::span<const match::MatchExample> examples) {
    if (call_.common.json) out_.write("{\"graphs\":[");
    for (Index first = 0; first < examples.size(); first += kBatch) {
      const auto batch = examples.subspan(first, std::min(kBatch, examples.size() - first));
      std::vector<Prediction> predictions(batch.size());
      parallel_for(batch.size(), call_.common.threads, [&](Index i, int worker) {
        predict(batch[i], scratch_[static_cast<Index>(worker)], predictions[i]);
      });
      for (Index i = 0; i < batch.size(); ++i) {
        if (call_.common.json) {
          if (first + i > 0) out_.write(",");
          out_.write(json(batch[i], predictions[i]).dump());
        } else {
          out_.write(text(batch[i], predictions[i]));
        }
      }
    }
    if (call_.common.json) out_.write("]}\n");
    out_.commit();
  }

 private:
  void predict(const match::MatchExample& example, match::Matcher::Scratch& scratch,
               Prediction& prediction) const {
    if (call_.marginals) {
      prediction.marginals.resize(example.features.num_edges());
      prediction.log_sum = matcher_.marginals(example, scratch, prediction.marginals);
    }
    if (call_.k_best == 1) {
      prediction.best.resize(1);
      prediction.best[0].score = matcher_.match(example, scratch, prediction.best[0].output);
    } else {
      matcher_.k_best(example, call_.k_best, scratch, prediction.best);
    }
    const auto scores = matcher_.scores(example, scratch);
    prediction.scores.assign(scores.begin(), scores.end());
  }

  std::string text(const match::MatchExample& example, const Prediction& prediction) const {
    std::string text;
    for (Index rank = 0; rank < prediction.best.size(); ++rank) {
      const auto& [y, score] = prediction.best[rank];
      text += fmt::format("graph {} {} {} score {:.6g}", example.name, example.num_left,
                          example.num_right, score);
      if (call_.marginals) {
        text += fmt::format(" probability {:.6g}", std::exp(score - prediction.log_sum));
      }
      if (call_.k_best > 1) text += fmt::format(" rank {}", rank + 1);
      text += "\n";
      for (Index i = 0; i < y.size(); ++i) {
        if (y[i] == kNoLabel) continue;
        const auto j = static_cast<Index>(y[i]);
        const Index e = edge_between(example, i, j);
        text += fmt::format("{} {} {:.6g}", example.left_name(i), example.right_name(j),
                            prediction.scores[e]);
        if (call_.marginals) text += fmt::format(" {:.6g}", prediction.marginals[e]);
        text += "\n";
      }
      text += "\n";
    }
    return text;
  }

  nlohmann::json json(const match::MatchExample& example, const Prediction& prediction) const {
    nlohmann::json graph = {{"name", example.name},
                            {"left", example.num_left},
                            {"right", example.num_right},
                            {"matchings", nlohmann::json::array()}};
    for (const auto& [y, score] : prediction.best) {
      nlohmann::json matching = {{"score", score}, {"matches", nlohmann::json::array()}};
      if (call_.marginals) matching["probability"] = std::exp(score - prediction.log_sum);
      for (Index i = 0; i < y.size(); ++i) {
        if (y[i] == kNoLabel) continue;
        const auto j = static_cast<Index>(y[i]);
        const Index e = edge_between(example, i, j);
        nlohmann::json pair = {{"left", example.left_name(i)},
                               {"right", example.right_name(j)},
                               {"score", prediction.scores[e]}};
        if (call_.marginals) pair["probability"] = prediction.marginals[e];
        if (example.left != nullptr) {
          const match::Point& a = example.left->points[i];
          const match::Point& b = example.right->points[j];
          pair["left_point"] = {a.x, a.y};
          pair["right_point"] = {b.x, b.y};
        }
        matching["matches"].push_back(std::move(pair));
      }
      graph["matchings"].push_back(std::move(matching));
    }
    return graph;
  }

  const MatchPredictCall& call_;
  match::Matcher matcher_;
  std::vector<match::Matcher::Scratch> scratch_;
  OutputFile out_;
};

int run(MatchPredictCall& call) {
  const auto model = match::MatchModel::load(call.model);
  call.input.pairs = model.features().pairs();
  call.input.labelled = false;
  if (call.input.files.empty() && call.input.shapes.empty()) {
    throw UsageError("there is nothing to match: name files, or --pair LEFT RIGHT");
  }
  if (!call.input.pairs && !call.input.shapes.empty()) {
    throw UsageError("the model was trained on graphs: --pair is for shapes");
  }
  const auto examples = match::read_examples(call.input, model.features(), call.common.threads);
  if (call.marginals) {
    for (const match::MatchExample& example : examples) {
      require_sums(example, model.features().cover());
    }
  }
  Predictor(call, model).run(examples);
  return 0;
}

}  // namespace

void add_match_predict(CLI::App& match, int& status) {
  auto call = std::make_shared<MatchPredictCall>();
  CLI::App* app = match.add_subcommand(
      "predict",
      "Who belongs to whom: for each graph a line 'graph NAME LEFT RIGHT score S', a line 'left "
      "right score' for each match, and an empty line.\n\n"
      "  trellis match predict graphs.txt --model m.trellis\n"
      "  trellis match predict --pair cat.png lion.png --model shapes.trellis");
  app->add_option("files", call->input.files,
                  "Graph files, or lists of pairs for a model of shapes");
  app->add_option("--pair", call->input.shapes, "Two shapes, instead of a list of pairs")
      ->expected(2);
  app->add_option("--model", call->model, "The model")->required();
  app->add_option("--output", call->output, "Where to write; '-' or nothing: standard output");
  app->add_option("--k-best", call->k_best, "The K best matchings of each graph, best first")
      ->check(CLI::Range(Index{1}, Index{1} << 20))
      ->capture_default_str();
  app->add_flag("--marginals", call->marginals,
                "Write the probability of each match (at most 24 nodes on a side), and of the "
                "matching; meant for models of --estimator map");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
