// The topics of a model as tables: their top words with φ_wk, and their shares of the training
// text; for DiscLDA their owners and the characteristic words of classes (buckets.h); for documents
// in several languages the words of each, and for related words the effect of links
// (word_tables.h).
//
//   csv   topic,prevalence,alpha,rank,word,probability,count, and for DiscLDA group; with languages
//         the words of each language, which is in the last column
#pragma once

#include <string>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/tasks/topics/topic_model.h"

namespace trellis::topics {

enum class TableFormat { kText, kCsv, kJson };
constexpr auto names_of(TableFormat) {
  return Names{"format of tables", "text", "csv", "json"};
}

enum class TopicOrder { kPrevalence, kNumber };
constexpr auto names_of(TopicOrder) {
  return Names{"order of topics", "prevalence", "number"};
}

struct InspectOptions {
  TableFormat format = TableFormat::kText;
  TopicOrder order = TopicOrder::kPrevalence;
  Index top = 10;  // number of words of each topic
};

std::string inspect(const TopicModel& model, const std::string& name,
                    const InspectOptions& options);

}  // namespace trellis::topics
