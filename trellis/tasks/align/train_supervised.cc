#include "trellis/tasks/align/train_supervised.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/frame/training/stages.h"
#include "trellis/tasks/align/train_stages.h"

namespace trellis::align {
namespace {

// Adds the words of the pairs, after those of the text.
void append(const GoldPairs& pairs, Vocabularies& words, Bitext& bitext) {
  std::vector<WordId> source, target;
  for (const SentencePair& pair : pairs.pairs) {
    words.add(pair.source(), pair.target(), source, target);
    bitext.add(source, target);
  }
}

class SupervisedTraining {
 public:
  SupervisedTraining(const SupervisedFiles& files, const SupervisedOptions& options,
                     const TrainEvents& events)
      : files_(files), options_(options), events_(events) {}

  SupervisedTrained run() {
    const Stopwatch watch;
    require_files();
    const LabelledPairs labelled = read_labelled(files_.labelled);
    if (options_.links.strict) {
      require_few_links(labelled.gold, options_.links.shape.most_links,
                        files_.labelled.links.links);
    }
    if (files_.dev) trained_.dev = read_labelled(*files_.dev);
    std::optional<AlignModel> base = read_or_train(labelled);
    if (!base) return std::move(trained_);
    require_same_languages(*base, labelled.gold);
    const double before = watch.seconds();
    LinkTrained found = learn(*base, labelled);
    trained_.result = std::move(found.result);
    trained_.result.seconds = {before, watch.seconds()};
    trained_.model = std::move(found.model);
    if (stages_ && !trained_.result.learned.interrupted) stages_->discard();
    return std::move(trained_);
  }

 private:
  void require_files() const {
    const auto require = [](const LabelledFiles& files) {
      require_readable({files.text.source, files.text.target, files.links.links});
      require_readable(files.extras.paths());
    };
    require(files_.labelled);
    if (files_.dev) require(*files_.dev);
    if (files_.text) require_readable({files_.text->source, files_.text->target});
    require_readable({files_.generative});
  }

  // Empty: interrupted.
  std::optional<AlignModel> read_or_train(const LabelledPairs& labelled) {
    if (files_.generative.empty()) return train_base(labelled);
    AlignModel base = AlignModel::read(files_.generative);
    if (base.statistics() == nullptr) {
      throw InputError(files_.generative, 0,
                       "expected a model with statistics of its text: train it with --statistics");
    }
    if (base.links() != nullptr) {
      throw InputError(files_.generative, 0,
                       "expected a model trained on text only, found a model trained with links");
    }
    return base;
  }

  std::optional<AlignModel> train_base(const LabelledPairs& labelled) {
    Vocabularies words(options_.generative.lowercase);
    Bitext bitext;
    if (files_.text) {
      events_.phase(fmt::format("reading {}", files_.text->source));
      bitext = read_bitext(*files_.text, words);
    }
    append(labelled.gold, words, bitext);
    if (trained_.dev) append(trained_.dev->gold, words, bitext);
    if (bitext.source_tokens().empty() || bitext.target_tokens().empty()) {
      throw InputError(files_.labelled.text.source, 0, "expected words to align, found none");
    }
    TrainOptions options = options_.generative;
    const TrainingOptions& training = options_.links.training;
    options.threads = training.threads;
    options.seed = training.seed;
    options.statistics = true;
    static_cast<CheckpointOptions&>(options) = training.checkpointing();
    if (!training.checkpoint.empty()) options.checkpoint = training.checkpoint + ".text";
    return train_in_stage(bitext, words, options);
  }

  // A finished generative model is a stage like any other, which a resumed run finds.
  std::optional<AlignModel> train_in_stage(const Bitext& bitext, const Vocabularies& words,
                                           const TrainOptions& options) {
    const TrainingOptions& training = options_.links.training;
    const std::string file = training.checkpoint.empty() ? "" : training.checkpoint + ".base";
    CheckpointOptions of_base = training.checkpointing();
    of_base.checkpoint = file;
    stages_.emplace(of_base, "base " + identity_of(bitext, words, nullptr), events_.stop);
    Checkpoint kept;
    const bool done = stages_->run(
        "base",
        [&](Checkpoint& result, Checkpoint&) {
          Trained trained = train(bitext, words, nullptr, options, nullptr, events_);
          trained_.generative = std::move(trained.result);
          if (!trained.model) return false;
          result.put_text("model", trained.model->to_bytes());
          return true;
        },
        kept);
    if (!done) return std::nullopt;
    stages_->keep();
    const std::string bytes = kept.text("model");
    return AlignModel::from_bytes(std::as_bytes(std::span(bytes)), "<the generative model>");
  }

  // If links are refused, the state is removed, unless the run resumed from one.
  LinkTrained learn(const AlignModel& base, const LabelledPairs& labelled) const {
    try {
      return train_links(base, labelled, trained_.dev ? &*trained_.dev : nullptr, options_.links,
                         files_.labelled.links.links, events_);
    } catch (const InputError&) {
      if (stages_ && !options_.links.training.resume) stages_->discard();
      throw;
    }
  }

  // The number of words of the pairs that the model does not know.
  static Index unknown_words(const AlignModel& base, const GoldPairs& gold, bool swapped) {
    Index unknown = 0;
    std::vector<WordId> source, target;
    for (const SentencePair& pair : gold.pairs) {
      base.words().find(swapped ? pair.target() : pair.source(),
                        swapped ? pair.source() : pair.target(), source, target);
      for (const std::vector<WordId>* side : {&source, &target}) {
        unknown += static_cast<Index>(std::count(side->begin(), side->end(), kUnknownWord));
      }
    }
    return unknown;
  }

  // A model of other languages knows few of the words. A model of the reverse direction knows many
  // more with exchanged sides, and also some without: large vocabularies have foreign words.
  void require_same_languages(const AlignModel& base, const GoldPairs& gold) const {
    if (files_.generative.empty()) return;
    Index all = 0;
    for (const SentencePair& pair : gold.pairs) all += pair.source().size() + pair.target().size();
    const Index unknown = unknown_words(base, gold, false);
    if (2 * unknown > all) {
      throw InputError(files_.generative, 0,
                       fmt::format("knows {} of the {} words of the labelled pairs: expected a "
                                   "model of these languages, with words separated in the same way",
                                   all - unknown, all));
    }
    const Index swapped = unknown_words(base, gold, true);
    if (10 * unknown > all && 2 * swapped < unknown) {
      throw InputError(files_.generative, 0,
                       fmt::format("knows {} of the {} words of the labelled pairs, and {} with "
                                   "the sides exchanged: expected the source language first",
                                   all - unknown, all, all - swapped));
    }
  }

  const SupervisedFiles& files_;
  const SupervisedOptions& options_;
  const TrainEvents& events_;
  SupervisedTrained trained_;
  std::optional<Stages> stages_;
};

}  // namespace

SupervisedTrained train_supervised(const SupervisedFiles& files, const SupervisedOptions& options,
                                   const TrainEvents& events) {
  link_learner(options.links, files.dev.has_value());
  check(options.generative);
  return SupervisedTraining(files, options, events).run();
}

}  // namespace trellis::align
