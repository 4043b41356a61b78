#include "trellis/tasks/rank/train.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/base/stopwatch.h"
#include "trellis/fit/dials.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/tasks/rank/rank_trial.h"

namespace trellis::rank {
namespace {

constexpr std::uint64_t kFoldStream = 0x666f6c64;  // key of the random numbers

std::uint64_t digest(std::span<const Query> queries, std::uint64_t seed) {
  for (const Query& query : queries) {
    seed = XXH3_64bits_withSeed(query.id.data(), query.id.size(), seed);
    seed = XXH3_64bits_withSeed(query.grades.data(), query.grades.size(), seed);
    seed = XXH3_64bits_withSeed(query.begin.data(), query.begin.size() * sizeof(Index), seed);
    seed =
        XXH3_64bits_withSeed(query.values.data(), query.values.size() * sizeof(IndexedValue), seed);
  }
  return seed;
}

// Sets the loss of an estimator, unless the options give another one.
void name_loss(Estimator estimator, LearnerOptions& said) {
  const Loss meant = Loss::named(estimator == Estimator::kMap ? "crf" : "svm");
  const bool contradicts =
      said.loss && (said.loss->beta != meant.beta || said.loss->gamma != meant.gamma);
  if (contradicts || said.beta.value_or(meant.beta) != meant.beta) {
    throw UsageError(
        fmt::format("--estimator {} means the loss {}: give only one of --estimator and --loss",
                    to_string(estimator), meant.description()));
  }
  said.loss = meant;
}

bool has_two_grades(const Query& query) {
  return std::any_of(query.grades.begin(), query.grades.end(),
                     [&](Grade grade) { return grade != query.grades.front(); });
}

// Training on the queries with one expansion of their features; several objects share the data.
class RankTrainable final : public Trainable {
 public:
  // The data must outlive the object.
  RankTrainable(LearnerChoice choice, const RankData& data, const RankData* dev,
                TrainOptions options)
      : choice_(std::move(choice)), data_(data), dev_(dev), options_(std::move(options)) {}

  // Made on first use: variants that are not chosen never need it.
  const RankTrial& whole() const override {
    std::call_once(made_, [&] {
      const auto held_out =
          dev_ == nullptr ? std::span<const Query>() : std::span<const Query>(dev_->queries);
      whole_.emplace(options_, choice_, data_.name, data_.queries, held_out,
                     options_.training.threads);
    });
    return *whole_;
  }
  Index num_examples() const override { return data_.queries.size(); }
  bool has_dev() const override { return dev_ != nullptr; }
  std::unique_ptr<Trial> fold(Index k, Index folds) const override {
    const std::vector<Index> order =
        random_permutation(data_.queries.size(), Random(options_.training.seed, 0, kFoldStream));
    std::vector<Query> seen;
    std::vector<Query> unseen;
    for (Index q = 0; q < order.size(); ++q) {
      (q % folds == k ? unseen : seen).push_back(data_.queries[order[q]]);
    }
    return std::make_unique<RankTrial>(options_, choice_, data_.name, seen, unseen, 1);
  }
  double figure(std::span<const double> tally) const override {
    return options_.select.figure(tally);
  }
  std::string_view figure_name() const override { return options_.select.to_string(); }

 private:
  LearnerChoice choice_;
  const RankData& data_;
  const RankData* dev_;
  TrainOptions options_;
  mutable std::once_flag made_;
  mutable std::optional<RankTrial> whole_;
};

// One training for each expansion of the race, or only the given expansion. Keeps the last one
// made, because its features take time.
class RankRace {
 public:
  // The data must outlive the object and everything it makes.
  RankRace(const LearnerChoice& choice, const RankData& data, const RankData* dev,
           const TrainOptions& options)
      : choice_(choice), data_(data), dev_(dev), options_(options) {
    expansions_ = options.race.empty() ? std::vector{options.expansion} : options.race;
  }

  std::vector<Variant> variants() {
    std::vector<Variant> all;
    for (Index v = 0; v < expansions_.size(); ++v) {
      all.push_back({expansions_[v].to_string(), choice_, [this, v] {
                       trainable(v);
                       return std::shared_ptr<const Trainable>(made_);
                     }});
    }
    return all;
  }

  const RankTrainable& trainable(Index variant) {
    if (made_ == nullptr || which_ != variant) {
      TrainOptions options = options_;
      options.expansion = expansions_[variant];
      which_ = variant;
      made_ = std::make_shared<const RankTrainable>(choice_, data_, dev_, std::move(options));
    }
    return *made_;
  }

 private:
  const LearnerChoice& choice_;
  const RankData& data_;
  const RankData* dev_;
  const TrainOptions& options_;
  std::vector<Expansion> expansions_;
  std::shared_ptr<const RankTrainable> made_;
  Index which_ = 0;
};

constexpr Index kFewestForRace = 10;

// The expansions that are possible for these data and this learner. Trees require sums over all
// orders of a subset, and have hundreds of leaves, too many for learners that solve one large
// program.
std::vector<Expansion> fit_for_race(const TrainOptions& options, LearnerKind learner,
                                    Index num_queries) {
  std::vector<Expansion> race = options.race;
  if (num_queries < kFewestForRace || options.training.path) race.clear();
  const bool one_program = !dial("epochs").learners.has(learner);
  if (options.subsets.size > kLargestPermanent || one_program) {
    std::erase_if(race, [](const Expansion& one) { return one.kind == Expansion::Kind::kTrees; });
  }
  return race;
}

std::string identity(const RankData& data, const RankData* dev) {
  std::uint64_t seen = digest(data.queries, 0);
  if (dev != nullptr) seen = digest(dev->queries, seen + 1);
  return fmt::format("rank digest={:016x}", seen);
}

void count(const RankData& data, const TrainEvents& events, TrainResult& result) {
  result.queries = data.queries.size();
  for (const Query& query : data.queries) {
    result.documents += query.num_documents();
    if (!has_two_grades(query)) ++result.silent_queries;
  }
  std::string text = fmt::format("read {} queries, {} documents", result.queries, result.documents);
  if (result.silent_queries > 0) {
    text += fmt::format(" ({} queries are not used, since all their documents have the same grade)",
                        result.silent_queries);
  }
  events.phase(text);
}

// How the model was made; the same for two runs of the same call.
Value provenance(const TrainOptions& options, const TrainResult& result) {
  Value training;
  const Loss& loss = result.learned.choice.loss;
  if (loss.beta == 1) training["estimator"] = "map";
  if (loss.hinge() && loss.gamma > 0) training["estimator"] = "max-margin";
  if (result.lambda > 0) training["lambda"] = result.lambda;
  training["position"] = to_string(options.subsets.position);
  training["ties"] = to_string(options.subsets.ties);
  training["size"] = result.subset_size;
  training["subsets"] = result.subsets;
  training["queries"] = result.queries;
  training["documents"] = result.documents;
  put_provenance(result.learned, options.training.seed, training);
  return training;
}

}  // namespace

const TaskDefaults& defaults() {
  using enum LearnerKind;
  using Losses = TaskDefaults::Losses;
  static const TaskDefaults defaults = [] {
    const LearnerSet to_the_gap = LearnerSet::all().but({kDca, kSgd, kPerceptron, kMira});
    LearnerOptions every, certified, smooth, hinge, probable;
    every.lambda = 0.1;
    // A certified gap ends a run at the optimum; a dev set does not end it.
    certified.certify = true;
    certified.epochs = 1000;
    certified.patience = 0;
    certified.epsilon = 0;
    certified.delta = 1e-10;
    smooth.gap = 1e-6;
    hinge.gap = 1e-4;
    probable.loss = Loss::named("crf");

    TaskDefaults all{Loss::named("crf"), kLbfgs, kBmrm};
    all.rows = {{LearnerSet::all(), Losses::kAny, every},
                {to_the_gap, Losses::kAny, certified},
                {to_the_gap, Losses::kSmooth, smooth},
                {to_the_gap, Losses::kHinge, hinge},
                {{kLbfgs, kDca, kSgd, kBcfw, kBmrm}, Losses::kAny, probable}};
    all.grid = {10, 3, 1, 0.3, 0.1, 0.03, 0.01, 0.003};
    all.per_lambda = true;
    return all;
  }();
  return defaults;
}

std::vector<Expansion> standard_race() {
  return {Expansion{}, Expansion::parse("binned:8"), Expansion::parse("trees")};
}

Plan plan(const TrainOptions& options, bool has_dev) {
  TrainingOptions training = options.training;
  if (options.estimator) name_loss(*options.estimator, training.learner);
  Plan plan{choose(training.learner, defaults(), able()), std::move(training)};
  refuse_voters(plan.choice, plan.training, defaults(), "a ranker");
  const bool chooses = has_dev || plan.training.folds > 0;
  const bool has_lambda = dial("lambda").learners.has(plan.choice.learner);
  if (chooses && has_lambda && !says_how_weights_are_held(plan.training)) {
    plan.training.candidates.push_back({"lambda", {}});
  }
  if (plan.training.folds > 0 && plan.training.candidates.empty()) {
    throw UsageError("--cv has nothing to choose from: give an option several values");
  }
  require_something_to_choose_by(plan.training, has_dev);
  resolve(plan.training.candidates, plan.choice, defaults());
  return plan;
}

Value TrainResult::record() const {
  Value record;
  put_learned(learned, seconds, record);
  record["queries"] = queries;
  record["documents"] = documents;
  record["silent_queries"] = silent_queries;
  record["features"] = features;
  record["weights"] = weights;
  record["size"] = subset_size;
  record["subsets"] = subsets;
  if (lambda > 0) record["lambda"] = lambda;
  if (dev) record["dev"] = dev->record(false);
  return record;
}

std::vector<std::string> TrainResult::notes(const std::string& dev_name) const {
  std::vector<std::string> notes;
  if (lambda > 0) notes.push_back(fmt::format("lambda {:g}", lambda));
  if (dev) {
    notes.push_back(fmt::format("best on {}: NDCG@1 {:.4f}, NDCG@10 {:.4f}, MAP {:.4f}", dev_name,
                                dev->ndcg(1), dev->ndcg(10), dev->map()));
  }
  return notes;
}

Trained train(const RankData& data, const RankData* dev, const TrainOptions& said,
              const TrainEvents& events) {
  const Stopwatch watch;
  const Plan plan = rank::plan(said, dev != nullptr);
  Trained trained;
  TrainResult& result = trained.result;
  count(data, events, result);
  if (plan.training.folds > result.queries) {
    throw UsageError(fmt::format("{} folds require at least as many queries, found {}",
                                 plan.training.folds, result.queries));
  }
  // Folds draw subsets of the size for all queries.
  TrainOptions options = said;
  options.subsets.size = result.subset_size = resolve_size(said.subsets, data.queries);
  if (said.subsets.size > result.subset_size) {
    events.phase(fmt::format("no query has more than {} documents: --size {} is as good as {}",
                             result.subset_size, said.subsets.size, result.subset_size));
  }
  options.subsets.seed = said.training.seed;
  options.race = fit_for_race(options, plan.choice.learner, result.queries);
  RankRace race(plan.choice, data, dev, options);
  result.learned =
      learn_best(race.variants(), defaults(), plan.training, identity(data, dev), events);
  if (result.learned.usable()) {
    const RankTrainable& trainable = race.trainable(result.learned.variant);
    result.features = trainable.whole().features().num_columns();
    result.weights = trainable.whole().dimension();
    result.subsets = trainable.whole().num_subsets();
    events.phase(fmt::format("{} subsets of {} documents, {} weights", result.subsets,
                             result.subset_size, result.weights));
    result.lambda = result.learned.choice.lambda(result.subsets);
    if (dev != nullptr) result.dev = trainable.whole().scores(result.learned.w);
    trained.model.emplace(trainable.whole().features(), result.learned.w,
                          provenance(options, result));
  }
  result.seconds.total = watch.seconds();
  return trained;
}

Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events) {
  const Stopwatch watch;
  plan(options, !files.dev.empty());
  const RankData data = read_rank_data({files.files.begin(), files.files.end()});
  std::optional<RankData> dev;
  if (!files.dev.empty()) dev = RankData{files.dev, read_queries(InputFile(files.dev))};
  const double read_seconds = watch.seconds();
  Trained trained = train(data, dev ? &*dev : nullptr, options, events);
  trained.result.seconds = {read_seconds, watch.seconds()};
  return trained;
}

}  // namespace trellis::rank
