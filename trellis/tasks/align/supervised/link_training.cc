#include "trellis/tasks/align/supervised/link_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/fit/dials.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/structure/limited_search.h"
#include "trellis/structure/matchings/fertility_matching.h"
#include "trellis/structure/matchings/relaxed_quadratic_matching.h"
#include "trellis/tasks/align/supervised/frequent_words.h"
#include "trellis/tasks/align/supervised/link_trainable.h"

namespace trellis::align {
namespace {

// The tags in the pairs, in order.
std::vector<std::string> tags_of(const LabelledPairs& pairs, bool source) {
  std::set<std::string> tags;
  for (const PairExtras& extras : pairs.extras) {
    const auto& side = source ? extras.source_tags : extras.target_tags;
    tags.insert(side.begin(), side.end());
  }
  return {tags.begin(), tags.end()};
}

FeatureShape feature_shape(const AlignModel& base, const LabelledPairs& pairs,
                           const LinkTrainingOptions& options) {
  FeatureShape shape;
  shape.externals = options.externals;
  shape.source_tags = tags_of(pairs, true);
  shape.target_tags = tags_of(pairs, false);
  shape.lexical_source = frequent_words(base, options.lexical, true);
  shape.lexical_target = frequent_words(base, options.lexical, false);
  return shape;
}

// The feature that decides between several sets of sure links: the generative model's belief.
Index preferred_feature(const AlignmentFeatures& features) {
  const auto names = features.link_names();
  const auto found = std::find_if(names.begin(), names.end(), [](const std::string& name) {
    return name.ends_with(".product");
  });
  return static_cast<Index>(found - names.begin());
}

std::uint64_t digest_of(std::span<const LinkExample> examples) {
  std::uint64_t digest = examples.size();
  const auto add = [&](std::string_view bytes) { digest = combine(digest, fingerprint(bytes)); };
  for (const LinkExample& example : examples) {
    for (const FeatureBlock& block : example.parts.blocks) {
      for (Index r = 0; r < block.rows.num_rows(); ++r) {
        block.rows.for_each(r, [&](Index k, double value) {
          digest = combine(combine(digest, k), std::bit_cast<std::uint64_t>(value));
        });
      }
    }
    for (const Links* links : {&example.gold.sure, &example.gold.possible}) {
      add({reinterpret_cast<const char*>(links->data()), links->size() * sizeof(Link)});
    }
  }
  return digest;
}

class LinkTraining {
 public:
  LinkTraining(const AlignModel& base, const LabelledPairs& pairs, const LabelledPairs* dev,
               const LinkTrainingOptions& options, const std::string& gold_name,
               const TrainEvents& events)
      : base_(base),
        options_(options),
        gold_name_(gold_name),
        events_(events),
        choice_(link_learner(options, dev != nullptr)),
        features_(base, feature_shape(base, pairs, options)) {
    lesson_.shape = options.shape;
    lesson_.layout = layout_of(features_, options.shape);
    lesson_.offsets = options.offset ? std::vector<double>{*options.offset} : standard_offsets();
    lesson_.search_limit = options.search_limit;
    lesson_.seed = options.training.seed;
    lesson_.threads = options.training.threads;
    events_.phase(fmt::format("features of {} labelled pairs", pairs.gold.pairs.size()));
    LeftOut of_dev;
    lesson_.examples = examples_of(pairs, result_.left_out);
    if (dev != nullptr) lesson_.dev = examples_of(*dev, of_dev);
    result_.shape = options.shape;
    result_.weights = lesson_.layout.dimension();
    count_pairs();
  }

  LinkTrained run() {
    tell_left_out();
    LinkTrained trained;
    if (!options_.shape.quadratic) {
      learn<FertilityMatching>();
    } else if (options_.quadratic == QuadraticTraining::kRelaxed) {
      learn<RelaxedQuadraticMatching>();
    } else if (choice_.takes_k_best()) {
      learn<QuadraticMatching>();
    } else {
      learn<LimitedSearch<QuadraticMatching>>();
    }
    if (result_.learned.usable()) trained.model.emplace(finish());
    trained.result = std::move(result_);
    return trained;
  }

 private:
  std::vector<LinkExample> examples_of(const LabelledPairs& pairs, LeftOut& left_out) const {
    const Index n = pairs.gold.pairs.size();
    const int threads = options_.training.threads;
    std::vector<LinkExample> examples(n);
    std::vector<LeftOut> left(n);
    std::vector<AlignmentFeatures::Scratch> scratch(static_cast<Index>(resolve_threads(threads)));
    const Index preferred = preferred_feature(features_);
    parallel_for(n, threads, [&](Index k, int worker) {
      LinkGraph graph;
      features_.extract(pairs.gold.pairs[k], pairs.extras[k], options_.shape.quadratic,
                        scratch[static_cast<Index>(worker)], graph);
      std::vector<double> preference(graph.edges.size());
      for (Index p = 0; p < preference.size(); ++p) {
        preference[p] = 0.5 * static_cast<double>(graph.links.dense_row(p)[preferred]);
      }
      examples[k].parts = link_parts(std::move(graph), lesson_.layout);
      examples[k].gold = pairs.gold.links[k];
      choose_output(options_.shape, preference, examples[k], left[k]);
    });
    for (const LeftOut& one : left) left_out += one;
    return examples;
  }

  void count_pairs() {
    result_.pairs = lesson_.examples.size();
    for (const LinkExample& example : lesson_.examples) {
      result_.sure += example.gold.sure.size();
      result_.candidates += example.parts.num_links();
    }
    if (result_.sure == 0) {
      throw InputError(gold_name_, 0, "expected sure links to learn from, found none");
    }
  }

  void tell_left_out() const {
    const LeftOut& left = result_.left_out;
    if (left.over_limit == 0) return;
    events_.phase(fmt::format(
        "ignored {} sure links in {} pairs: a word may have at most {} links (--fertility)",
        left.over_limit, left.pairs_over_limit, options_.shape.most_links));
  }

  template <class S>
  void learn() {
    std::vector<double> costs = options_.costs.empty() ? standard_costs() : options_.costs;
    if (!can_choose()) costs.resize(1);
    std::vector<Variant> variants;
    for (const double cost : costs) {
      variants.push_back({fmt::format("cost {}", cost), choice_, [this, cost] {
                            return std::make_shared<LinkTrainable<S>>(lesson_, cost);
                          }});
    }
    result_.learned =
        learn_best(variants, link_defaults(), judged(options_.training), identity(), events_);
    result_.cost = costs[result_.learned.variant];
    result_.lambda = result_.learned.choice.lambda(result_.pairs);
  }

  // A few hundred pairs cannot distinguish more values of λ: a walk to the best one would follow
  // noise. If folds were requested for a fixed regularisation, they evaluate that setting, in order
  // to choose the offset.
  TrainingOptions judged(TrainingOptions training) const {
    if (!training.candidates.empty()) return training;
    if (!says_how_weights_are_held(training)) {
      const bool enough = !lesson_.dev.empty() || training.folds > 0 || result_.pairs >= kFewest;
      if (training.choose && enough && dial("lambda").learners.has(choice_.learner)) {
        training.candidates.push_back({"lambda", {1e-1, 3e-2, 1e-2}});
      }
      return training;
    }
    for (const char* name : {"c", "lambda", "radius"}) {
      const Dial& held = dial(name);
      if (training.folds > 0 && held.said(training.learner)) {
        training.candidates.push_back({name, {held.number(training.learner)}});
      }
    }
    return training;
  }
  static constexpr Index kFewest = 10;  // pairs for an evaluation by folds

  static std::vector<double> standard_costs() { return {1, 3}; }
  // Without data to choose by, the first cost is used.
  bool can_choose() const {
    const TrainingOptions& said = options_.training;
    return !lesson_.dev.empty() || said.folds > 0 ||
           (said.choose && !says_how_weights_are_held(said));
  }

  AlignModel finish() {
    const LinkJudge judge(options_.shape, lesson_.offsets, lesson_.search_limit);
    const std::vector<double>& tally = result_.learned.tally;
    Index offset = 0;
    if (!tally.empty()) {
      offset = judge.best(tally);
      (lesson_.dev.empty() ? result_.held_out : result_.dev) = judge.counts(tally, offset);
    }
    result_.offset = lesson_.offsets[offset];
    const LinkJudge as_chosen(options_.shape, {result_.offset}, lesson_.search_limit);
    result_.train = as_chosen.counts(
        as_chosen.tally(lesson_.examples, {}, result_.learned.w, lesson_.threads), 0);
    return base_.with_links({options_.shape, features_.shape(), result_.offset, result_.learned.w},
                            provenance());
  }

  std::string identity() const {
    return fmt::format("align links n={} d={} digest={:016x}", result_.pairs, result_.weights,
                       digest_of(lesson_.examples) ^ (3 * digest_of(lesson_.dev)));
  }

  // How the model was made; the same for two runs of the same call.
  Value provenance() const {
    Value training;
    training["generative"] = base_.training();
    training["model"] = options_.shape.name();
    training["pairs"] = result_.pairs;
    training["sure_links"] = result_.sure;
    training["weights"] = result_.weights;
    training["cost"] = result_.cost;
    if (result_.lambda > 0) training["lambda"] = result_.lambda;
    if (options_.shape.quadratic) training["quadratic_training"] = to_string(options_.quadratic);
    training["train_aer"] = 100 * result_.train.aer();
    if (result_.held_out) training["held_out_aer"] = 100 * result_.held_out->aer();
    if (result_.dev) training["dev_aer"] = 100 * result_.dev->aer();
    put_provenance(result_.learned, options_.training.seed, training);
    return training;
  }

  const AlignModel& base_;
  const LinkTrainingOptions& options_;
  const std::string& gold_name_;
  const TrainEvents& events_;
  LearnerChoice choice_;
  AlignmentFeatures features_;
  LinkLesson lesson_;
  LinkTrainingResult result_;
};

}  // namespace

const TaskDefaults& link_defaults() {
  using enum LearnerKind;
  static const TaskDefaults table = [] {
    TaskDefaults made{Loss::named("svm"), kLbfgs, kBcfw};
    const auto row = [&](const LearnerSet& learners) -> LearnerOptions& {
      made.rows.push_back({learners, TaskDefaults::Losses::kAny, {}});
      return made.rows.back().values;
    };
    row(LearnerSet::all()).lambda = 1e-2;
    row({kBmrm, kBcfw, kExtragradient, kProjectedGradient}).gap = 1e-3;
    row({kBcfw}).gap_every = 10;
    row({kBmrm}).epochs = 1000;
    row({kBcfw}).epochs = 500;
    row({kSgd}).epochs = 50;
    made.grid = {3e-1, 1e-1, 3e-2, 1e-2, 3e-3};
    made.per_lambda = true;
    made.gap_to_compare = 3e-2;
    return made;
  }();
  return table;
}

Able link_able(const LinkShape& shape, QuadraticTraining training) {
  if (!shape.quadratic) {
    Able able = able_of<LinkModel<FertilityMatching>>();
    able.nonnegative = shape.most_links > 1;
    return able;
  }
  return training == QuadraticTraining::kExact ? able_of<LinkModel<QuadraticMatching>>()
                                               : able_of<LinkModel<RelaxedQuadraticMatching>>();
}

Able link_able() {
  return link_able({}, QuadraticTraining::kRelaxed) |
         link_able({1, true}, QuadraticTraining::kExact) |
         link_able({1, true}, QuadraticTraining::kRelaxed);
}

LearnerChoice link_learner(const LinkTrainingOptions& options, bool has_dev) {
  if (options.shape.most_links < 1 || options.shape.most_links > kMostLinks) {
    throw UsageError(fmt::format("--fertility must be 1 to {}", kMostLinks));
  }
  for (const double cost : options.costs) {
    if (!(cost > 0 && cost < 1e6)) throw UsageError("--cost must be above 0");
  }
  if (options.offset && !std::isfinite(*options.offset)) {
    throw UsageError("--offset must be a finite number");
  }
  LearnerChoice choice = choose(options.training.learner, link_defaults(),
                                link_able(options.shape, options.quadratic));
  require_something_to_choose_by(options.training, has_dev);
  if (options.costs.size() > 1 && !has_dev && options.training.folds == 0 &&
      says_how_weights_are_held(options.training)) {
    throw UsageError("several values of --cost require --cv or --dev to choose among them");
  }
  refuse_voters(choice, options.training, link_defaults(), "an aligner");
  return choice;
}

void require_few_links(const GoldPairs& gold, Index most_links, const std::string& gold_name) {
  const auto require = [&](Index pair, std::span<const std::string_view> words,
                           const auto& word_of) {
    std::vector<Index> links(words.size());
    for (const Link link : gold.links[pair].sure) {
      if (++links[word_of(link)] <= most_links) continue;
      throw InputError(
          gold_name, 0,
          fmt::format(
              "pair {}: expected at most {} sure links of a word (--fertility), found more of '{}'",
              pair + 1, most_links, words[word_of(link)]));
    }
  };
  for (Index k = 0; k < gold.pairs.size(); ++k) {
    require(k, gold.pairs[k].source(), [](Link link) { return link.source; });
    require(k, gold.pairs[k].target(), [](Link link) { return link.target; });
  }
}

LinkTrained train_links(const AlignModel& base, const LabelledPairs& pairs,
                        const LabelledPairs* dev, const LinkTrainingOptions& options,
                        const std::string& gold_name, const TrainEvents& events) {
  if (options.strict) require_few_links(pairs.gold, options.shape.most_links, gold_name);
  return LinkTraining(base, pairs, dev, options, gold_name, events).run();
}

}  // namespace trellis::align
