// What documents are about: the mixture of topics of each (document_inference.h), and its class,
// where the model knows classes.
//
//   text     id TAB topic:share …        the topics with the largest shares, the largest first.
//            With classes id TAB class TAB …, with languages id TAB language TAB …
//   csv      a header, then id,label,words,topic_0,…,topic_K−1. With classes …,words,predicted,…,
//            and of DiscLDA …,predicted,p_FIRST,…,p_LAST,…, the probabilities of classes; with
//            languages id,language,label,…
//   libsvm   label 1:share … K:share     index k + 1 is topic k: what `trellis classify` reads. The
//            label is the document's; 0 where it has none
//   json     {"id", "label", "words", "mixture"} a line; mixture[k] is topic k's share. With
//            classes "predicted", and of DiscLDA "classes": {class: probability}; with languages
//            "language"
//
// With languages means: of documents of which some have one; libsvm has no place for it.
// Documents without an id are called by their number, from 1. One without a word that the model
// knows has the mean of the prior: α_k / Σα.
#pragma once

#include <cstdint>
#include <string>

#include "trellis/base/names.h"
#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/topics/corpus_files.h"
#include "trellis/tasks/topics/document_inference.h"
#include "trellis/tasks/topics/topic_model.h"
#include "trellis/topics/corpus/corpus.h"

namespace trellis::topics {

enum class MixtureFormat { kText, kCsv, kLibsvm, kJson };
constexpr auto names_of(MixtureFormat) {
  return Names{"format of mixtures", "text", "csv", "libsvm", "json"};
}

struct PredictOptions {
  MixtureFormat format = MixtureFormat::kText;
  InferenceOptions inference;
  Index top = 5;         // topics of each document: kText
  bool at_once = false;  // write a document's before the next is read
  int threads = 0;
};

struct PredictCounts {
  Index documents = 0;
  Index empty = 0;           // without a word that the model knows
  Index words = 0;           // that it knows
  std::uint64_t unseen = 0;  // words that it does not

  // "3 of 60 documents have no word …"; empty where there is nothing to say.
  std::string to_text() const;
};

// Streams: memory does not grow with the files, and what stands before a bad line is written before
// that is told. The caller commits `out`. Throws InputError for what is wrong with the files, and
// where a label cannot stand in the format.
PredictCounts predict(const TopicModel& model, const CorpusFiles& files,
                      const PredictOptions& options, OutputFile& out);

// The same for a corpus in the model's words; UsageError where it has others.
PredictCounts predict(const TopicModel& model, const Corpus& corpus, const PredictOptions& options,
                      OutputFile& out);

}  // namespace trellis::topics
