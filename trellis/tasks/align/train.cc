#include "trellis/tasks/align/train.h"
#include "trellis/frame/training/run_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/frame/training/stages.h"
#include "trellis/generative/alignment/association.h"
#include "trellis/generative/alignment/expectation_maximisation.h"
#include "trellis/generative/alignment/fertility_maximisation.h"
#include "trellis/generative/alignment/independent_positions.h"
#include "trellis/generative/alignment/jump_positions.h"
#include "trellis/generative/alignment/model1.h"
#include "trellis/tasks/align/count_statistics.h"
#include "trellis/tasks/align/held_out.h"
#include "trellis/tasks/align/train_stages.h"

namespace trellis::align {
namespace {

std::vector<Lengths> lengths_of(const Bitext& bitext, bool reverse) {
  std::vector<Lengths> lengths;
  for (Index k = 0; k < bitext.size(); ++k) {
    const WordPair pair = reverse ? bitext[k].swapped() : bitext[k];
    if (pair.cells() > 0) lengths.push_back({pair.source.size(), pair.target.size()});
  }
  return lengths;
}

std::shared_ptr<PositionModel> positions_of(AlignerKind aligner, const TrainOptions& options,
                                            const Bitext& bitext, bool reverse) {
  switch (aligner) {
    case AlignerKind::kModel2:
      return std::make_shared<TablePositions>(options.null, lengths_of(bitext, reverse), 0.0);
    case AlignerKind::kDiagonal:
      return std::make_shared<DiagonalPositions>(options.null, options.tension,
                                                 lengths_of(bitext, reverse));
    case AlignerKind::kHmm:
    case AlignerKind::kFertility:
    case AlignerKind::kGibbs: {
      JumpPositions::Options jumps;
      jumps.reach = options.reach;
      jumps.null = options.null;
      return std::make_shared<JumpPositions>(jumps);
    }
    default:
      return std::make_shared<UniformPositions>(options.null);
  }
}

std::string_view bytes_of(std::span<const float> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}
std::vector<float> floats_of(const std::string& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::copy_n(bytes.data(), values.size() * sizeof(float), reinterpret_cast<char*>(values.data()));
  return values;
}

// The arrays of a lexicon that EM changes.
struct LexiconPart {
  std::string_view name;
  std::span<const float> LexiconView::*values;
};
constexpr std::array<LexiconPart, 6> kLexiconParts = {
    {{"forward", &LexiconView::forward},
     {"reverse", &LexiconView::reverse},
     {"null_forward", &LexiconView::null_forward},
     {"null_reverse", &LexiconView::null_reverse},
     {"unseen_forward", &LexiconView::unseen_forward},
     {"unseen_reverse", &LexiconView::unseen_reverse}}};

// One run: the lexicon and the models of positions, from stage to stage.
class AlignTraining {
 public:
  AlignTraining(const Bitext& bitext, const Vocabularies& words, const GoldPairs* dev,
                const TrainOptions& options, const AlignModel* start, const TrainEvents& events)
      : bitext_(bitext),
        words_(words),
        dev_(dev),
        options_(options),
        start_(start),
        events_(events) {}

  Trained train() {
    Trained trained;
    TrainResult& result = trained.result;
    result.aligner = options_.aligner;
    result.pairs = bitext_.size();
    result.source_tokens = bitext_.source_tokens().size();
    result.target_tokens = bitext_.target_tokens().size();
    result.source_words = words_.source().size();
    result.target_words = words_.target().size();
    const std::shared_ptr<Stages> saved =
        make_stages(options_, identity_of(bitext_, words_, start_), events_);
    Stages& stages = *saved;
    const bool finished = prepare(stages, result) && iterate(stages, result) &&
                          add_fertilities(stages, result) && sample(stages, result);
    result.interrupted = !finished;
    if (!finished) return trained;
    result.entries = lexicon_->size();
    result.decoding = options_.decoding;
    const LexiconView before = start_ != nullptr ? start_->aligner().lexicon() : LexiconView();
    LexiconArrays kept =
        LexiconArrays::compact(lexicon_->view(), start_ != nullptr ? &before : nullptr);
    result.kept = kept.targets.size();
    const WordAligner aligner(kept.view(), forward_, reverse_, fertilities_);
    std::shared_ptr<const TextStatistics> statistics;
    if (options_.statistics) {
      statistics = count(aligner, stages, result);
      result.interrupted = statistics == nullptr;
      if (result.interrupted) return trained;
    }
    if (dev_ != nullptr) {
      const ThresholdChoice judged = judge(aligner, result.decoding);
      result.dev = judged.counts;
      result.aim_reached = judged.reached;
    }
    trained.model.emplace(words_, std::move(kept), forward_, reverse_, fertilities_,
                          result.decoding, provenance(result), std::move(statistics));
    stages.discard();
    return trained;
  }

 private:
  Lexicon::Options lexicon_options() const {
    Lexicon::Options lexicon;
    lexicon.smoothing = options_.smoothing;
    lexicon.prior = options_.smoothing == Smoothing::kNone ? 0 : options_.prior;
    lexicon.floor = options_.floor;
    lexicon.threads = options_.threads;
    return lexicon;
  }

  // Makes the initial lexicon: from an association, Model 1 or another model. Returns false if
  // interrupted; Model 1 then starts again, since its state is not worth saving.
  bool prepare(Stages& stages, TrainResult& result) {
    events_.phase("counting co-occurring words");
    forward_ = positions_of(AlignerKind::kModel1, options_, bitext_, false);
    reverse_ = positions_of(AlignerKind::kModel1, options_, bitext_, true);
    if (!learns(options_.aligner)) {
      count_associations();
      return true;
    }
    Model1 model(bitext_, {options_.null, lexicon_options(), options_.threads});
    for (Index n = 0; n < model1_iterations_of(options_); ++n) {
      if (stages.stop_requested()) {
        stages.keep();
        return false;
      }
      const Model1::Likelihood likelihood = model.iterate();
      tell(AlignerKind::kModel1, likelihood.forward, likelihood.reverse, result);
    }
    lexicon_.emplace(model.take(options_.keep));
    if (start_ != nullptr) lexicon_->take(start_->aligner().lexicon());
    return true;
  }

  void count_associations() {
    Cooccurrence found = count_cooccurrences(bitext_, options_.threads);
    const std::vector<double> scores = associations(found, options_.aligner == AlignerKind::kDice
                                                               ? Association::kDice
                                                               : Association::kLogLikelihoodRatio);
    lexicon_.emplace(std::move(found.row_begin), std::move(found.targets), words_.target().size(),
                     lexicon_options());
    set_associations(scores, *lexicon_);
  }

  // Returns false if interrupted.
  bool iterate(Stages& stages, TrainResult& result) {
    const Index iterations = em_iterations_of(options_);
    if (iterations == 0) return true;
    const AlignerKind stage = em_stage_of(options_);
    enter(stage);
    std::optional<ExpectationMaximisation> em;
    return repeat(stages, stage, iterations, result, [&](Index) {
      if (!em) em.emplace(bitext_, *lexicon_, options_.threads);
      return em->iterate(*forward_, *reverse_, options_.agree);
    });
  }

  // Continues from the HMM. Returns false if interrupted.
  bool add_fertilities(Stages& stages, TrainResult& result) {
    if (options_.aligner != AlignerKind::kFertility) return true;
    FertilityTraining training = options_.fertility;
    training.threads = options_.threads;
    training.sampling.seed = options_.seed;
    FertilityParameters forward(jumps_of(*forward_).weights(), words_.source().size());
    FertilityParameters reverse(jumps_of(*reverse_).weights(), words_.target().size());
    set_fertilities(forward, reverse, training.null);
    std::optional<FertilityMaximisation> em;
    return repeat(stages, AlignerKind::kFertility, options_.fertility_iterations, result,
                  [&](Index done) {
                    if (!em) {
                      em.emplace(bitext_, *lexicon_, training);
                      forward = {jumps_of(*forward_).weights(), fertilities_->forward};
                      reverse = {jumps_of(*reverse_).weights(), fertilities_->reverse};
                    }
                    const EmIteration found = em->iterate(forward, reverse, options_.agree, done);
                    set_fertilities(forward, reverse, training.null);
                    return found;
                  });
  }

  static const JumpPositions& jumps_of(const PositionModel& positions) {
    return dynamic_cast<const JumpPositions&>(positions);
  }
  void set_fertilities(const FertilityParameters& forward, const FertilityParameters& reverse,
                       double null) {
    JumpPositions::Options jumps;
    jumps.reach = forward.jumps.size() / 2;
    jumps.null = null;
    forward_ = std::make_shared<JumpPositions>(jumps, forward.jumps);
    reverse_ = std::make_shared<JumpPositions>(jumps, reverse.jumps);
    FertilitySampling sampling;
    sampling.seed = options_.seed;
    fertilities_ = std::make_shared<Fertilities>(
        Fertilities{forward.fertilities, reverse.fertilities, sampling});
  }

  // Runs the iterations of one stage, which can be interrupted and resumed; `iterate` takes the
  // number of finished iterations. Returns false if interrupted.
  template <class Iterate>
  bool repeat(Stages& stages, AlignerKind stage, Index iterations, TrainResult& result,
              const Iterate& iterate) {
    const std::string name(to_string(stage));
    const Index before = result.iterations.size();
    Checkpoint end;
    const bool finished = stages.run(
        name,
        [&](Checkpoint& done, Checkpoint& state) {
          if (!state.empty()) restore(stage, state, result);
          while (result.iterations.size() < before + iterations) {
            if (stages.stop_requested()) {
              save(before, result, state);
              return false;
            }
            const EmIteration found = iterate(result.iterations.size() - before);
            tell(stage, found.forward, found.reverse, result);
            if (stages.due()) {
              save(before, result, state);
              stages.pause(name, state);
            }
          }
          save(before, result, done);
          return true;
        },
        end);
    // Finished before this run: nothing was iterated.
    if (finished && result.iterations.size() == before) restore(stage, end, result);
    return finished;
  }

  // Gibbs sampling from the result of EM. Returns false if interrupted; sampling then starts again.
  bool sample(Stages& stages, TrainResult& result) {
    if (options_.aligner != AlignerKind::kGibbs) return true;
    GibbsTraining training = options_.gibbs;
    training.threads = options_.threads;
    training.seed = options_.seed;
    const Index all = 2 * training.chains * (training.burn_in + training.sweeps);
    Index sweeps = 0;
    const GibbsEstimate found = gibbs(bitext_, aligner(), training, [&] {
      if (events_.on_progress) events_.on_progress(fmt::format("sweep {} of {}", ++sweeps, all));
      return !stages.stop_requested();
    });
    if (found.forward.jumps.empty()) {
      stages.keep();
      return false;
    }
    adopt(found);
    result.sweeps = all;
    return true;
  }

  void adopt(const GibbsEstimate& found) {
    const GibbsOptions& chain = options_.gibbs.chain;
    LexiconCounts counts(lexicon_->size(), lexicon_->source_words(), lexicon_->target_words());
    const auto fill = [](const std::vector<double>& from, FixedCounts& to) {
      for (Index x = 0; x < from.size(); ++x) to.add_alone(x, from[x]);
    };
    fill(found.forward.lexical, counts.forward);
    fill(found.reverse.lexical, counts.reverse);
    fill(found.forward.null_lexical, counts.null_forward);
    fill(found.reverse.null_lexical, counts.null_reverse);
    lexicon_->update(counts, Smoothing::kAdd, chain.lexical_prior);
    set_fertilities({found.forward.jumps, found.forward.fertilities},
                    {found.reverse.jumps, found.reverse.fertilities}, chain.null);
    if (!chain.fertility) fertilities_ = nullptr;
  }

  // Null: interrupted; counting then starts again, and the result of EM is kept.
  std::shared_ptr<const TextStatistics> count(const WordAligner& aligner, Stages& stages,
                                              TrainResult& result) const {
    events_.phase("counting the statistics of the text");
    CountOptions counting{options_.frequent, options_.threads, events_.stop, {}};
    if (events_.on_progress) {
      counting.on_progress = [&](Index done, Index all) {
        events_.on_progress(fmt::format("{} of {} pairs", done, all));
      };
    }
    std::optional<TextStatistics> counted = count_statistics(bitext_, aligner, counting);
    if (!counted) {
      stages.keep();
      return nullptr;
    }
    result.bigrams = {counted->source.size(), counted->target.size()};
    return std::make_shared<const TextStatistics>(*std::move(counted));
  }

  WordAligner aligner() const {
    return WordAligner(lexicon_->view(), forward_, reverse_, fertilities_);
  }

  void enter(AlignerKind aligner) {
    forward_ = positions_of(aligner, options_, bitext_, false);
    reverse_ = positions_of(aligner, options_, bitext_, true);
    if (start_ == nullptr) return;
    take_parameters(start_->aligner().forward(), *forward_);
    take_parameters(start_->aligner().reverse(), *reverse_);
  }
  // Copies the parameters if both models have the same kind and size.
  static void take_parameters(const PositionModel& from, PositionModel& to) {
    if (from.kind() != to.kind() || from.kind() == Positions::kTable) return;
    const std::vector<double> parameters = from.parameters();
    if (parameters.size() == to.parameters().size()) to.set_parameters(parameters);
  }

  ThresholdChoice judge(const WordAligner& aligner, Decoding& decoding) const {
    return judge_links(aligner, words_, *dev_, {!options_.fixed_threshold, options_.aim},
                       options_.threads, decoding);
  }

  void tell(AlignerKind stage, double forward, double reverse, TrainResult& result) {
    const auto each = [](double value, Index words) {
      return value / static_cast<double>(std::max<Index>(words, 1));
    };
    Iteration iteration;
    iteration.stage = to_string(stage);
    iteration.number = result.iterations.size() + 1;
    iteration.forward = each(forward, result.target_tokens);
    iteration.reverse = each(reverse, result.source_tokens);
    if (dev_ != nullptr && lexicon_) {
      Decoding decoding = options_.decoding;
      iteration.aer = 100 * judge(aligner(), decoding).counts.aer();
    }
    iteration.seconds = watch_.seconds();
    add(iteration, result);
  }
  void add(const Iteration& iteration, TrainResult& result) const {
    result.iterations.push_back(iteration);
    if (!events_.on_epoch) return;
    EpochRecord record;
    record.epoch = iteration.number;
    record.loss = -(iteration.forward + iteration.reverse) / 2;
    record.dev = iteration.aer;
    record.passes = 1;
    record.seconds = iteration.seconds;
    events_.on_epoch(record);
  }

  // Saves the state of EM between two iterations, and the records of those from `first` on.
  void save(Index first, const TrainResult& result, Checkpoint& state) const {
    const LexiconView lexicon = lexicon_->view();
    for (const LexiconPart& part : kLexiconParts) {
      state.put_text("em/" + std::string(part.name), bytes_of(lexicon.*part.values));
    }
    state.put("em/forward_positions", forward_->parameters());
    state.put("em/reverse_positions", reverse_->parameters());
    std::vector<double> numbers;
    for (Index n = first; n < result.iterations.size(); ++n) {
      const Iteration& one = result.iterations[n];
      numbers.insert(numbers.end(), {one.forward, one.reverse, one.aer, one.seconds});
    }
    state.put("em/iterations", numbers);
    if (fertilities_ == nullptr) return;
    state.put_text("em/forward_fertilities", bytes_of(fertilities_->forward.rows));
    state.put_text("em/reverse_fertilities", bytes_of(fertilities_->reverse.rows));
  }
  void restore(AlignerKind stage, const Checkpoint& state, TrainResult& result) {
    std::array<std::vector<float>, 6> values;
    LexiconView lexicon = lexicon_->view();
    for (Index x = 0; x < values.size(); ++x) {
      values[x] = floats_of(state.text("em/" + std::string(kLexiconParts[x].name)));
      lexicon.*kLexiconParts[x].values = values[x];
    }
    lexicon_->set(lexicon);
    forward_->set_parameters(state.doubles("em/forward_positions"));
    reverse_->set_parameters(state.doubles("em/reverse_positions"));
    if (fertilities_ != nullptr) {
      Fertilities restored = *fertilities_;
      restored.forward.rows = floats_of(state.text("em/forward_fertilities"));
      restored.reverse.rows = floats_of(state.text("em/reverse_fertilities"));
      fertilities_ = std::make_shared<Fertilities>(std::move(restored));
    }
    const std::vector<double>& numbers = state.doubles("em/iterations");
    for (Index x = 0; x + 4 <= numbers.size(); x += 4) {
      add({std::string(to_string(stage)), result.iterations.size() + 1, numbers[x], numbers[x + 1],
           numbers[x + 2], numbers[x + 3]},
          result);
    }
  }

  Value provenance(const TrainResult& result) const {
    Value training = settings_of(options_, start_ != nullptr);
    training["pairs"] = result.pairs;
    training["source_tokens"] = result.source_tokens;
    training["target_tokens"] = result.target_tokens;
    if (!result.iterations.empty()) {
      training["log_likelihood"] = Value::record({{"forward", result.iterations.back().forward},
                                                  {"reverse", result.iterations.back().reverse}});
    }
    if (result.dev) training["threshold_by"] = options_.aim.to_string();
    return training;
  }

  Stopwatch watch_;

  const Bitext& bitext_;
  const Vocabularies& words_;
  const GoldPairs* dev_;
  const TrainOptions& options_;
  const AlignModel* start_;
  const TrainEvents& events_;
  std::optional<Lexicon> lexicon_;
  std::shared_ptr<PositionModel> forward_, reverse_;
  std::shared_ptr<const Fertilities> fertilities_;
};

}  // namespace

Trained train(const Bitext& bitext, const Vocabularies& words, const GoldPairs* dev,
              const TrainOptions& options, const AlignModel* start, const TrainEvents& events) {
  check(options);
  if (bitext.source_tokens().empty() || bitext.target_tokens().empty()) {
    throw UsageError("there are no words to align");
  }
  return AlignTraining(bitext, words, dev, options, start, events).train();
}

}  // namespace trellis::align
