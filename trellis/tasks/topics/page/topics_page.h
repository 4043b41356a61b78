// From a topic model, its training and documents to the page that shows them.
//
// Mixtures, the comparison of topics and the map of documents take their time: they tell how far
// they are, and end where a stop is asked for; what they have added by then is not to be shown.
#pragma once

#include <string>

#include "trellis/base/types.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/topics/output/evaluate.h"
#include "trellis/tasks/topics/page/topics_report.h"
#include "trellis/tasks/topics/topic_model.h"
#include "trellis/tasks/topics/train.h"
#include "trellis/topics/corpus/corpus.h"

namespace trellis::report {

struct TopicsPageOptions {
  Index map_documents = 50000;  // at most; every so-many-th where there are more; 0: no map
  Index map_iterations = 750;
  int threads = 0;
};

// Of more topics than that a page has the most prevalent.
inline constexpr Index kMostTopicsInReport = 1000;
// Mixtures of more topics are compared along so many random directions.
inline constexpr Index kMostMapDimensions = 256;

// What can be said of any model: its topics under the numbers that `inspect` gives them.
TopicsReport model_page(const topics::TopicModel& model, const std::string& title,
                        const TopicsPageOptions& options, const TrainEvents& events);
// How the sweeps went, and key figures.
void add_training(const topics::TrainResult& result, TopicsReport& page);
// `file` is what the documents are called.
void add_evaluation(const topics::Evaluation& found, const std::string& file, TopicsReport& page);
// The map; documents without a word have no place in it. The corpus is in the model's words.
void add_documents(const topics::TopicModel& model, const topics::Corpus& corpus,
                   const TopicsPageOptions& options, const TrainEvents& events, TopicsReport& page);

}  // namespace trellis::report
