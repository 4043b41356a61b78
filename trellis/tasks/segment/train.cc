#include "trellis/tasks/segment/train.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/tasks/learning_run.h"
#include "trellis/tasks/segment/network_model.h"
#include "trellis/tasks/segment/run_learner.h"
#include "trellis/tasks/segment/segment_data.h"
#include "trellis/tasks/segment/segment_model.h"
#include "trellis/tasks/segment/segmenter.h"

namespace trellis::segment {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<std::pair<std::string_view, Learner>, 5> kLearners = {
    {{"extragradient", Learner::kExtragradient},
     {"bcfw", Learner::kBcfw},
     {"bmrm", Learner::kBmrm},
     {"perceptron", Learner::kPerceptron},
     {"sgd", Learner::kSgd}}};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Training {
 public:
  Training(const TrainOptions& options, const TrainEvents& events)
      : options_(options), events_(events) {
    if (options_.files.empty()) throw UsageError("there is nothing to train on");
    require_cell(options_);
  }

  TrainResult run() {
    const Clock::time_point start = Clock::now();
    require_writable(options_.model);
    require_writable(options_.checkpoint);
    read();
    read_held_out();
    result_.read_seconds = seconds_since(start);
    learn();
    if (!result_.interrupted) {
      if (!options_.model.empty()) {
        SegmentModel(data_->features, std::move(weights_), provenance()).write(options_.model);
      }
      run_->discard_checkpoint();
    }
    result_.total_seconds = seconds_since(start);
    return std::move(result_);
  }

 private:
  void phase(const std::string& message) const {
    if (events_.on_phase) events_.on_phase(message);
  }

  void read() {
    if (options_.graphs) {
      data_ = std::make_unique<TrainingData>(
          read_training_graphs(options_.files, options_.allow_disconnected, options_.unary));
    } else {
      const PictureOptions picture{false, options_.scale, options_.connectivity};
      data_ = std::make_unique<TrainingData>(
          read_training_pictures(options_.files, picture, options_.unary, options_.threads));
    }
    for (const SegmentExample& example : data_->examples) {
      result_.nodes += example.num_nodes;
      result_.edges += example.edges.size();
    }
    result_.examples = data_->examples.size();
    result_.weights = data_->features.dimension();
    result_.lambda = lambda_from_c(options_.c, result_.examples);
    const NodeCosts costs = options_.balanced ? NodeCosts::balanced(data_->examples) : NodeCosts{};
    model_ = std::make_unique<NetworkModel>(data_->features, data_->examples, costs);
    weights_.assign(result_.weights, 0.0);
    phase(fmt::format("read {} {}, {} nodes, {} edges, {} weights", result_.examples,
                      options_.graphs ? "graphs" : "pictures", result_.nodes, result_.edges,
                      result_.weights));
  }

  void read_held_out() {
    if (options_.dev.empty()) return;
    held_out_ = read_examples({options_.dev, options_.graphs, true, options_.allow_disconnected},
                              data_->features, options_.threads);
    held_out_networks_ = networks_of(held_out_);
    phase(fmt::format("watching {} {}", held_out_.size(), options_.graphs ? "graphs" : "pictures"));
  }

  // Higher is better: the share of pixels that are right.
  double dev_figure(std::span<const double> w) const {
    return 100 - dev_scores(w).overall().pixel_error();
  }

  SegmentScores dev_scores(std::span<const double> w) const {
    return evaluate(Segmenter(data_->features, w), held_out_, held_out_networks_, options_.threads);
  }

  // What must be the same for a checkpoint to fit this run.
  std::string signature() const {
    return fmt::format(
        "{} C={} radius={} warm_up={} average={} balanced={} seed={} n={} d={} digest={:016x}",
        to_string(options_.learner), options_.c, options_.radius, options_.warm_up,
        options_.average, options_.balanced, options_.seed, result_.examples, result_.weights,
        digest(data_->examples) ^ (3 * digest(held_out_)));
  }

  void learn() {
    LearningRunOptions run_options;
    run_options.threads = options_.threads;
    run_options.certify = options_.certify || options_.gap > 0;
    run_options.gap = options_.gap;
    run_options.seed = options_.seed;
    run_options.patience = options_.patience > 0                         ? options_.patience
                           : options_.learner == Learner::kExtragradient ? 60
                                                                         : 20;
    run_options.checkpoint = options_.checkpoint;
    run_options.resume = options_.resume;
    run_options.on_epoch = events_.on_epoch;
    run_options.stop = events_.stop;
    std::function<double(std::span<const double>)> judge;
    if (!options_.dev.empty()) judge = [this](std::span<const double> w) { return dev_figure(w); };
    run_ = std::make_unique<LearningRun>(std::move(run_options), signature(), judge);
    result_.summary = run_learner(options_, *model_, weights_, run_->control(), judge);
    result_.interrupted = !run_->finish(result_.summary, weights_);
    if (result_.interrupted || options_.dev.empty()) return;
    result_.best_epoch = run_->best_epoch();
    result_.dev = dev_scores(weights_);
  }

  // How the model was made; nothing that differs between two runs of the same call.
  nlohmann::json provenance() const {
    nlohmann::json training;
    training["learner"] = std::string(to_string(options_.learner));
    training["c"] = options_.c;
    if (options_.radius > 0) training["radius"] = options_.radius;
    if (options_.learner == Learner::kExtragradient) training["warm_up"] = options_.warm_up;
    training["balanced"] = options_.balanced;
    training["examples"] = result_.examples;
    training["nodes"] = result_.nodes;
    training["edges"] = result_.edges;
    training["weights"] = result_.weights;
    training["seed"] = options_.seed;
    put_provenance(result_.summary, training);
    if (result_.dev) {
      training["best_epoch"] = result_.best_epoch;
      training["dev_pixel_error"] = result_.dev->overall().pixel_error();
    }
    return training;
  }

  const TrainOptions& options_;
  const TrainEvents& events_;
  TrainResult result_;
  std::unique_ptr<TrainingData> data_;
  std::unique_ptr<NetworkModel> model_;
  std::vector<SegmentExample> held_out_;
  std::vector<CutNetwork> held_out_networks_;
  std::unique_ptr<LearningRun> run_;
  std::vector<double> weights_;
};

}  // namespace

std::string_view to_string(Learner learner) {
  for (const auto& [name, value] : kLearners) {
    if (value == learner) return name;
  }
  return "";
}

Learner parse_learner(std::string_view name) {
  for (const auto& [known, value] : kLearners) {
    if (known == name) return value;
  }
  throw UsageError(fmt::format(
      "unknown learner '{}': expected extragradient, bcfw, bmrm, perceptron or sgd", name));
}

nlohmann::json TrainResult::to_json() const {
  nlohmann::json json;
  put_summary(summary, {read_seconds, total_seconds}, json);
  json["examples"] = examples;
  json["nodes"] = nodes;
  json["edges"] = edges;
  json["weights"] = weights;
  json["lambda"] = lambda;
  if (dev) {
    json["best_epoch"] = best_epoch;
    json["dev"] = {{"pixel_error", dev->overall().pixel_error()}, {"iou", dev->overall().iou()}};
  }
  return json;
}

TrainResult train_segmenter(const TrainOptions& options, const TrainEvents& events) {
  return Training(options, events).run();
}

}  // namespace trellis::segment
