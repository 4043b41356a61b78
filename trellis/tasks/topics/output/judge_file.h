// What anybody found, against documents: classes, and topics by their foremost words. No model is
// needed. (Mixtures of topics have no truth that they could be compared with.)
#pragma once

#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/data/value.h"
#include "trellis/tasks/topics/output/evaluate.h"
#include "trellis/topics/coherence.h"
#include "trellis/topics/corpus/corpus.h"

namespace trellis::topics {

// Classes as `predict` writes them (predict.h), in the order of the documents: lines of text, whose
// first columns are the id, the language where documents have some, and the class; CSV, with the
// columns id and predicted; or JSON, with the keys "id" and "predicted". Throws InputError with
// file and line where they are not of these documents, and where no document has a label.
ClassEvaluation judge_classes(const Corpus& corpus, InputFile predictions,
                              const std::string& source);
Value classes_record(const ClassEvaluation& classes, Index documents);

// Topics as words with blanks between them, the foremost first, a topic a line; words that the
// documents do not have are left out.
struct TopicCoherence {
  std::vector<double> npmi, uci, umass;  // of each topic; NaN: there is none

  Value record() const;
  std::string to_text() const;
};
// The options' measure is not looked at; umass is of whole documents, whatever the window. Throws
// InputError for a file without a topic, UsageError for options that do not go together.
TopicCoherence judge_topics(const Corpus& corpus, InputFile topics, CoherenceOptions options);

}  // namespace trellis::topics
