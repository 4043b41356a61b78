#include "trellis/tasks/parse/tagging/tagger_training.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "trellis/base/parallel.h"
#include "trellis/frame/training/folds.h"
#include "trellis/problem/loss.h"

namespace trellis::parse {
namespace {

using Column = std::string Word::*;

constexpr Index kTaggerEpochs = 10;  // docs/parsing.md

// Trains on the sentences `chosen`, on one thread; empty if interrupted.
std::optional<tagging::WordTagger> train_tagger(std::span<const Sentence> sentences,
                                                std::span<const Index> chosen, Column column,
                                                std::uint64_t seed, const std::stop_token& stop) {
  tagging::TaggedText text;
  for (const Index i : chosen) {
    for (const Word& word : sentences[i].words) text.add(word.form, word.*column);
    text.end_sentence();
  }
  return tagging::train_word_tagger(
      text, {Loss::named("perceptron"), std::nullopt, kTaggerEpochs, seed}, stop);
}

// Whether fine tags can be learned; if there are fine tags and they cannot, reports the reason.
bool learns_fine_tags(std::span<const Sentence> sentences, const TrainEvents& events) {
  std::set<std::string> tags;
  for (const Sentence& sentence : sentences) {
    for (const Word& word : sentence.words) tags.insert(word.fine);
  }
  const bool missing = tags.erase("") > 0;
  if (tags.empty()) return false;
  std::string why;
  if (missing) why = "some words have no tag";
  if (tags.size() > kMostFineTags) {
    why = fmt::format("{} different tags are more than {}", tags.size(), kMostFineTags);
  }
  if (!why.empty()) events.phase(fmt::format("no tagger for fine parts of speech: {}", why));
  return why.empty();
}

class TagLearning {
 public:
  TagLearning(std::span<const Sentence> sentences, const TaggerOptions& options,
              const TrainEvents& events)
      : gold_(sentences),
        options_(options),
        events_(events),
        folds_(deal_folds(sentences.size(), options.jackknife, options.seed)) {
    columns_.push_back(&Word::coarse);
    if (learns_fine_tags(sentences, events)) columns_.push_back(&Word::fine);
    tagged_.assign(sentences.begin(), sentences.end());
    whole_.resize(columns_.size());
  }

  std::optional<LearnedTags> run() {
    const Index rounds = folds_.size() + 1;
    parallel_for(rounds * columns_.size(), options_.threads,
                 [&](Index job, int) { train_one(job / columns_.size(), job % columns_.size()); });
    if (events_.stop.stop_requested()) return std::nullopt;
    LearnedTags learned{SentenceTagger(*std::move(whole_[0]),
                                       columns_.size() > 1 ? std::move(whole_[1]) : std::nullopt),
                        std::move(tagged_),
                        {}};
    for (Index i = 0; i < gold_.size(); ++i) {
      learned.jackknifed.add(gold_[i], learned.sentences[i], learned.tagger.has_fine());
      learned.tagger.hide_unlearned(learned.sentences[i]);
    }
    return learned;
  }

 private:
  // The longest jobs first: all sentences, then those without each fold.
  void train_one(Index round, Index column) {
    const std::vector<Index> held = round == 0 ? std::vector<Index>() : folds_[round - 1];
    auto tagger = train_tagger(gold_, without(held, gold_.size()), columns_[column], options_.seed,
                               events_.stop);
    if (!tagger) return;
    if (round == 0) {
      whole_[column] = std::move(tagger);
    } else {
      tag_fold(*tagger, held, columns_[column]);
    }
  }

  // Thread-safe: other jobs write other columns or other sentences.
  void tag_fold(const tagging::WordTagger& tagger, std::span<const Index> held, Column column) {
    SentenceTagger::Scratch scratch;
    for (const Index i : held) {
      put_words(gold_[i], scratch);
      tagger.tag(scratch);
      for (Index t = 0; t < gold_[i].size(); ++t) {
        tagged_[i].words[t].*column = tagger.name(scratch.labels[t]);
      }
    }
  }

  std::span<const Sentence> gold_;
  const TaggerOptions& options_;
  const TrainEvents& events_;
  std::vector<std::vector<Index>> folds_;
  std::vector<Column> columns_;
  std::vector<Sentence> tagged_;
  std::vector<std::optional<tagging::WordTagger>> whole_;  // by column
};

}  // namespace

std::optional<LearnedTags> learn_tags(std::span<const Sentence> sentences,
                                      const TaggerOptions& options, const TrainEvents& events) {
  tagging::require_folds(options.jackknife, sentences.size());
  return TagLearning(sentences, options, events).run();
}

}  // namespace trellis::parse
