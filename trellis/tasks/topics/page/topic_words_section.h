// Further words of topics: those of each language side by side, and those raised by links to other
// words.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/pictures/page/page.h"

namespace trellis::report {

// One topic, by its name.
struct TopicLanguages {
  std::string topic;
  std::vector<std::string> words;  // for each language, separated by blanks
};

struct RaisedWordRow {
  std::string topic;
  std::string word;
  double prior = 0, usual = 0;  // here, and the mean over topics
  double count = 0;             // of the word in the topic
  std::string kin;              // linked words in the topic, as text
};

// Each adds nothing if there are no data. Topics are in the order of display.
void add_languages_section(const std::vector<std::string>& languages,
                           const std::vector<TopicLanguages>& topics, Page& page);
void add_raised_section(const std::vector<RaisedWordRow>& words, Page& page);

}  // namespace trellis::report
