// From a topic model, its training and documents to its page.
//
// Mixtures, the comparison of topics and the map of documents take time: they report progress, and
// end on a stop request; then the page is incomplete and must not be shown.
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
  Index map_documents = 50000;  // maximum, taken at equal distances; 0: no map
  Index map_iterations = 750;
  int threads = 0;
};

// Maximum number of topics on a page, the most prevalent ones.
inline constexpr Index kMostTopicsInReport = 1000;
// With more topics, mixtures are compared along this many random directions.
inline constexpr Index kMostMapDimensions = 256;

// The data of a model: its topics have the numbers of `inspect`.
TopicsReport model_page(const topics::TopicModel& model, const std::string& title,
                        const TopicsPageOptions& options, const TrainEvents& events);
// The course of sweeps, and key figures.
void add_training(const topics::TrainResult& result, TopicsReport& page);
// `file`: the name of the documents.
void add_evaluation(const topics::Evaluation& found, const std::string& file, TopicsReport& page);
// The map; documents without words are left out. The corpus must have the model's words.
void add_documents(const topics::TopicModel& model, const topics::Corpus& corpus,
                   const TopicsPageOptions& options, const TrainEvents& events, TopicsReport& page);

}  // namespace trellis::report
