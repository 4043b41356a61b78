// A trained topic model: the words, the counts of words and topics, the priors, how text is read,
// and how it was made; of DiscLDA what it knows of classes, and where one was trained along, a
// classifier of documents by their mixtures.
//
// Everything is checked when it is read: a stranger's file can at worst be refused, and takes no
// more memory than some times its size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/data/value.h"
#include "trellis/frame/model_schema.h"
#include "trellis/tasks/topics/topic_classes.h"
#include "trellis/tasks/topics/topic_classifier.h"
#include "trellis/tasks/topics/topic_words.h"
#include "trellis/topics/corpus/corpus.h"
#include "trellis/topics/documents.h"
#include "trellis/topics/lda/lda_model.h"
#include "trellis/topics/wordlda/word_graph.h"

namespace trellis::topics {

enum class TopicKind { kLda, kDiscLda, kWordLda };
constexpr auto names_of(TopicKind) {
  return Names{"kind of topic model", "lda", "disclda", "wordlda"};
}

// Where a chain stands; with the model's priors that is its state (lda/lda_chain.h).
struct KeptChain {
  std::vector<std::uint16_t> topics;  // of every token
  Index sweeps = 0;
  std::uint64_t documents = 0;  // digest_of() those that it is of
};

// Of words as of numbers.
std::uint64_t digest_of(const Documents& documents, const NameView& words);

struct TopicModelParts {
  NameList words;
  TextOptions text;
  std::optional<LdaModel>
      lda;  // there, except while a file is read; of DiscLDA: the first of the classes' samples
  bool expected = false;  // counts need not be whole
  std::shared_ptr<const Value> training;
  std::optional<KeptChain> chain;
  std::optional<TopicClasses> classes;  // DiscLDA
  std::optional<TopicClassifier> classifier;
  std::optional<WordGraph> graph = {};           // word-feature LDA
  std::optional<ModelLanguages> languages = {};  // where the documents had some
};

class TopicModel {
 public:
  static constexpr ModelKind kKind{.name = "topics", .meta_last = true};
  static void describe(ModelArchive& a, TopicModelParts& m);

  // Throws UsageError where the parts do not go together.
  explicit TopicModel(TopicModelParts parts);

  // Throws InputError unless the file is a whole model that this program understands.
  static TopicModel read(const std::string& path);
  static TopicModel from_bytes(std::span<const std::byte> bytes, const std::string& name);
  void write(const std::string& path) const;
  std::string to_bytes() const;

  const std::string& name() const { return name_; }  // of the file, for messages
  TopicKind kind() const;
  const NameList& words() const { return parts_->words; }
  const TextOptions& text() const { return parts_->text; }
  const LdaModel& lda() const { return *parts_->lda; }
  Index num_topics() const { return lda().num_topics(); }
  const Value& training() const { return *parts_->training; }
  // Each null where there is none.
  const KeptChain* chain() const { return parts_->chain ? &*parts_->chain : nullptr; }
  const TopicClasses* classes() const { return parts_->classes ? &*parts_->classes : nullptr; }
  const TopicClassifier* classifier() const {
    return parts_->classifier ? &*parts_->classifier : nullptr;
  }
  const WordGraph* graph() const { return parts_->graph ? &*parts_->graph : nullptr; }
  const ModelLanguages* languages() const {
    return parts_->languages ? &*parts_->languages : nullptr;
  }
  // The classes that documents are predicted to be of; null where none are.
  const NameList* class_names() const;

  // n_k / n, of the training text.
  std::vector<double> prevalence() const;
  // The words with the largest φ_wk, the largest first; of equal ones the first of the vocabulary.
  std::vector<std::vector<std::uint32_t>> top_words(Index count) const;

 private:
  static TopicModel load(const ModelReader& reader);
  ModelArchive::Describe description() const;

  std::string name_ = "<memory>";
  std::shared_ptr<const TopicModelParts> parts_;  // copies share them
};

}  // namespace trellis::topics
