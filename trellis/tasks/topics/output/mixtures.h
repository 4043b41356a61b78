// What documents are made of, and whose topics are: what pictures of a model ask it for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/topics/topic_model.h"
#include "trellis/topics/documents.h"

namespace trellis::topics {

// Row i has the share of each topic in document chosen[i]: E[θ | w] by CVB0, as predict() has it
// where nothing else is said.
std::vector<double> mixtures_of(const TopicModel& model, const Documents& documents,
                                std::span<const Index> chosen, int threads);

// The class that has the topic for itself, or what topics are called that classes share; empty
// where a model knows of no classes.
std::string group_of(const TopicModel& model, Index topic);

}  // namespace trellis::topics
