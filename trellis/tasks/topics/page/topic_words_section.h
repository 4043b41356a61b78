// Words of topics beside the foremost: those of each language side by side, and those that links to
// others have raised.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/pictures/page/page.h"

namespace trellis::report {

// Of one topic, by its name.
struct TopicLanguages {
  std::string topic;
  std::vector<std::string> words;  // for each language, with blanks between them
};

struct RaisedWordRow {
  std::string topic;
  std::string word;
  double prior = 0, usual = 0;  // here, and the mean over topics
  double count = 0;             // of the word in the topic
  std::string kin;              // linked words in the topic, as text
};

// Each adds nothing where there is nothing to tell. The topics come as they are to stand there.
void add_languages_section(const std::vector<std::string>& languages,
                           const std::vector<TopicLanguages>& topics, Page& page);
void add_raised_section(const std::vector<RaisedWordRow>& words, Page& page);

}  // namespace trellis::report
