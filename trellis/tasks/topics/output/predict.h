// The mixture of topics of each document (document_inference.h), and its class if the model has
// classes.
//
//   text     id TAB topic:share …        topics with the largest shares, largest first.
//            With classes id TAB class TAB …, with languages id TAB language TAB …
//   csv      a header, then id,label,words,topic_0,…,topic_K−1. With classes …,words,predicted,…,
//            and for DiscLDA …,predicted,p_FIRST,…,p_LAST,…, the probabilities of classes; with
//            languages id,language,label,…
//   libsvm   label 1:share … K:share     index k + 1 is topic k: input of `trellis classify`. The
//            label is the document's, or 0 if it has none
//   json     {"id", "label", "words", "mixture"} per line; mixture[k] is topic k's share. With
//            classes "predicted", and for DiscLDA "classes": {class: probability}; with languages
//            "language"
//
// "With languages" means that some documents have one; libsvm has no field for them. Documents
// without an id get their number, from 1. A document without known words has the mean of the prior:
// α_k / Σα.
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
  Index top = 5;         // maximum number of topics per document: kText
  bool at_once = false;  // write each document before reading the next
  int threads = 0;
};

struct PredictCounts {
  Index documents = 0;
  Index empty = 0;           // documents without a known word
  Index words = 0;           // known ones
  std::uint64_t unseen = 0;  // unknown ones

  // "3 of 60 documents have no word …"; empty if every document has one.
  std::string to_text() const;
};

// Memory does not grow with the files. Results before an invalid line are written before the error
// is reported. The caller commits `out`. Throws InputError for invalid files, and for labels that
// the format cannot represent.
PredictCounts predict(const TopicModel& model, const CorpusFiles& files,
                      const PredictOptions& options, OutputFile& out);

// The same for a corpus with the model's words; UsageError if it has others.
PredictCounts predict(const TopicModel& model, const Corpus& corpus, const PredictOptions& options,
                      OutputFile& out);

}  // namespace trellis::topics
