// Evaluates results of any program on documents: classes, and topics given by their top words. No
// model is required. (Mixtures of topics have no gold values.)
#pragma once

#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/data/value.h"
#include "trellis/tasks/topics/output/evaluate.h"
#include "trellis/topics/coherence.h"
#include "trellis/topics/corpus/corpus.h"

namespace trellis::topics {

// Evaluates classes in the formats of `predict` (predict.h), in the order of the documents: lines
// of text, whose first columns are the id, the language if documents have languages, and the class;
// CSV with the columns id and predicted; or JSON with the keys "id" and "predicted". Throws
// InputError with file and line if they do not match the documents, and if no document has a label.
ClassEvaluation judge_classes(const Corpus& corpus, InputFile predictions,
                              const std::string& source);
Value classes_record(const ClassEvaluation& classes, Index documents);

// Topics as words separated by blanks, top word first, one topic per line; words that the documents
// lack are left out.
struct TopicCoherence {
  std::vector<double> npmi, uci, umass;  // for each topic; NaN: not defined

  Value record() const;
  std::string to_text() const;
};
// Ignores the measure in the options; umass uses whole documents for any window. Throws InputError
// for a file without topics, UsageError for options that do not fit together.
TopicCoherence judge_topics(const Corpus& corpus, InputFile topics, CoherenceOptions options);

}  // namespace trellis::topics
