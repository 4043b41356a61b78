#include "trellis/tasks/segment/train.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "trellis/base/stopwatch.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/frame/training/folds.h"
#include "trellis/frame/training/judged_trial.h"
#include "trellis/tasks/segment/network_model.h"
#include "trellis/tasks/segment/segmenter.h"

namespace trellis::segment {
namespace {

// TaskDefaults::few_examples for pictures, which have thousands of pixels: if there are more, one
// fifth is enough for the choice. Graphs may be small.
constexpr Index kFewPictures = 20;

class SegmentTrainable final : public Trainable {
 public:
  SegmentTrainable(const SegmentData& data, std::span<const SegmentExample> dev,
                   const TrainOptions& options)
      : data_(data),
        dev_(dev),
        options_(options),
        networks_(networks_of(dev)),
        model_(data.features, data.examples,
               options.balanced ? NodeCosts::balanced(data.examples) : NodeCosts{}),
        whole_(trial_of(model_, {}, [this](std::span<const double> w) {
          return tally_of(dev_scores(w).overall());
        })) {}

  const Trial& whole() const override { return *whole_; }
  Index num_examples() const override { return data_.examples.size(); }
  bool has_dev() const override { return !dev_.empty(); }
  std::unique_ptr<Trial> fold(Index k, Index folds) const override {
    const Index n = data_.examples.size();
    std::vector<Index> held = deal_folds(n, folds, options_.training.seed)[k];
    std::vector<Index> rest = without(held, n);
    return trial_of(model_, std::move(rest),
                    [this, held = std::move(held)](std::span<const double> w) {
                      return tally_of(counts_on(held, w));
                    });
  }
  double figure(std::span<const double> tally) const override {
    return 100 - (tally[1] == 0 ? 0 : 100 * tally[0] / tally[1]);
  }
  std::string_view figure_name() const override { return "percent of right pixels"; }

  SegmentScores dev_scores(std::span<const double> w) const {
    return evaluate(Segmenter(data_.features, w), dev_, networks_, options_.training.threads);
  }

 private:
  static std::vector<double> tally_of(const SegmentCounts& counts) {
    return {static_cast<double>(counts.wrong()), static_cast<double>(counts.total())};
  }
  // Folds run side by side, so each is evaluated on one thread.
  SegmentCounts counts_on(std::span<const Index> examples, std::span<const double> w) const {
    const Segmenter segmenter(data_.features, w);
    Segmenter::Scratch scratch;
    std::vector<std::uint8_t> found;
    SegmentCounts counts;
    for (const Index i : examples) {
      segmenter.segment(data_.examples[i], model_.structure(i), scratch, found);
      counts.add(compare(data_.examples[i].labels, found));
    }
    return counts;
  }

  const SegmentData& data_;
  std::span<const SegmentExample> dev_;
  const TrainOptions& options_;
  std::vector<CutNetwork> networks_;  // for the dev set
  NetworkModel model_;
  std::unique_ptr<Trial> whole_;
};

// If a loss and no learner is given, the error message is about the loss, not about the loss's
// default learner.
void require_loss(const LearnerOptions& said, const Able& able) {
  const bool smooth = said.loss && !said.loss->hinge() && !said.beta;
  if (!smooth || said.learner || able.sums || said.draws) return;
  throw UsageError(
      fmt::format("--loss {} requires sums over all cuts, which cannot be computed: choose svm or "
                  "perceptron, which require only the best cut",
                  said.loss->description()));
}

// Throws UsageError unless the options can be trained.
LearnerChoice plan(const TrainingOptions& options, bool unary, bool has_dev) {
  require_loss(options.learner, able(unary));
  LearnerChoice choice = choose(options.learner, defaults(), able(unary));
  refuse_voters(choice, options, defaults(), "a segmenter");
  require_something_to_choose_by(options, has_dev);
  return choice;
}

std::string identity(const SegmentData& data, std::span<const SegmentExample> dev) {
  return fmt::format("segment n={} d={} digest={:016x}/{:016x}", data.examples.size(),
                     data.features.dimension(), digest(data.examples), digest(dev));
}

// How the model was made; the same for two runs of the same call.
Value provenance(const TrainResult& result, const TrainOptions& options) {
  Value training;
  put_provenance(result.learned, options.training.seed, training);
  if (result.learned.choice.values.c) training["c"] = *result.learned.choice.values.c;
  training["balanced"] = options.balanced;
  training["examples"] = result.examples;
  training["nodes"] = result.nodes;
  training["edges"] = result.edges;
  training["weights"] = result.weights;
  if (result.dev) training["dev_pixel_error"] = result.dev->overall().pixel_error();
  return training;
}

TrainResult sizes_of(const SegmentData& data) {
  TrainResult result;
  for (const SegmentExample& example : data.examples) {
    result.nodes += example.num_nodes;
    result.edges += example.edges.size();
  }
  result.examples = data.examples.size();
  result.weights = data.features.dimension();
  return result;
}

}  // namespace

const TaskDefaults& defaults() {
  static const TaskDefaults table = [] {
    using enum LearnerKind;
    // Slopes have some thousand entries, and a cut takes longer than all steps on cached cuts.
    LearnerOptions bcfw;
    bcfw.epochs = 200;
    bcfw.cache = 20;
    bcfw.average = true;
    bcfw.gap_every = 1;
    // After about ten epochs the held-out error stays the same, even if the gap is far from 0; and
    // the best of many epochs on the dev set is best by chance.
    LearnerOptions short_bcfw;
    short_bcfw.epochs = 20;
    short_bcfw.patience = 3;
    // The provably safe step is far too short here and would take fifty iterations to grow; a step
    // that is too long is reduced at once.
    LearnerOptions extragradient;
    extragradient.epochs = 500;
    extragradient.step_scale = 10;
    extragradient.patience = 60;
    LearnerOptions sgd;
    sgd.loss = Loss::named("svm");
    sgd.epochs = 100;
    sgd.average = true;
    LearnerOptions perceptron;
    perceptron.epochs = 100;
    LearnerOptions dca;
    dca.dual = "stored";  // "online" cannot keep the weights of edges ≥ 0
    LearnerOptions all;
    all.c = 30;
    all.patience = 20;
    TaskDefaults task;
    task.loss = Loss::named("svm");
    task.smooth = kLbfgs;
    task.hinge = kBcfw;
    // The best C was in this range; a walk continues beyond either end.
    task.grid = {10, 30, 100};
    task.rows = {{{kBcfw}, {}, short_bcfw, false, true},
                 {{kBcfw}, {}, bcfw},
                 {{kExtragradient}, {}, extragradient},
                 {{kSgd}, {}, sgd},
                 {{kPerceptron}, {}, perceptron},
                 {{kDca}, {}, dca},
                 {LearnerSet::all(), {}, all}};
    return task;
  }();
  return table;
}

Able able(bool unary) {
  Able able = able_of<NetworkModel>();
  able.nonnegative = able.nonnegative && !unary;
  return able;
}

Value TrainResult::record() const {
  Value record;
  put_learned(learned, seconds, record);
  record["examples"] = examples;
  record["nodes"] = nodes;
  record["edges"] = edges;
  record["weights"] = weights;
  if (lambda > 0) record["lambda"] = lambda;
  if (dev) {
    record["best_epoch"] = learned.best_epoch;
    record["dev"] = Value::record(
        {{"pixel_error", dev->overall().pixel_error()}, {"iou", dev->overall().iou()}});
  }
  return record;
}

std::vector<std::string> TrainResult::notes(const std::string&) const {
  if (!dev) return {};
  return {fmt::format("best on dev: pixel error {:.2f} %, IoU {:.2f} % (epoch {})",
                      dev->overall().pixel_error(), dev->overall().iou(), learned.best_epoch)};
}

Trained train(const SegmentData& data, std::span<const SegmentExample> dev,
              const TrainOptions& options, const TrainEvents& events) {
  const Stopwatch watch;
  const LearnerChoice choice = plan(options.training, data.features.unary(), !dev.empty());
  const SegmentTrainable trainable(data, dev, options);
  Trained trained{std::nullopt, sizes_of(data)};
  TrainResult& result = trained.result;
  TaskDefaults table = defaults();
  if (data.features.pictures()) table.few_examples = kFewPictures;
  result.learned = learn(trainable, choice, table, options.training, identity(data, dev), events);
  result.seconds.total = watch.seconds();
  if (!result.learned.usable()) return trained;
  result.lambda = result.learned.choice.lambda(result.examples);
  if (!dev.empty()) result.dev = trainable.dev_scores(result.learned.w);
  trained.model.emplace(data.features, result.learned.w, provenance(result, options));
  result.seconds.total = watch.seconds();
  return trained;
}

Trained train_files(const SegmentInput& input, const std::vector<std::string>& dev,
                    const TrainOptions& options, const TrainEvents& events) {
  const Stopwatch watch;
  const int threads = options.training.threads;
  const char* what = input.graphs ? "graphs" : "pictures";
  plan(options.training, options.features.unary, !dev.empty());
  const SegmentData data = read_segment_data(input, options.features, threads);
  const TrainResult sizes = sizes_of(data);
  events.phase(fmt::format("read {} {}, {} nodes, {} edges, {} weights", sizes.examples, what,
                           sizes.nodes, sizes.edges, sizes.weights));
  std::vector<SegmentExample> held_out;
  if (!dev.empty()) {
    held_out =
        read_examples({dev, input.graphs, true, input.allow_disconnected}, data.features, threads);
    events.phase(fmt::format("evaluating each epoch on {} {}", held_out.size(), what));
  }
  const double read_seconds = watch.seconds();
  Trained trained = train(data, held_out, options, events);
  trained.result.seconds = {read_seconds, watch.seconds()};
  return trained;
}

}  // namespace trellis::segment
