// The report of a topic model: a map of its topics and the words that tell them, topics by how
// prevalent they are, a map of the documents, and how the chain went.
//
// A page is made of plain data; a part that is empty has no section. It depends on nothing else, so
// the same data gives the same bytes. This is a page with scripts, for
// what cannot be drawn beforehand: relevance at any λ, and a map of fifty thousand documents that
// zooms. Without them the same topics, words and documents stand there as tables and pictures.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "trellis/pictures/page/page.h"
#include "trellis/tasks/topics/page/document_map.h"
#include "trellis/tasks/topics/page/topic_picture.h"
#include "trellis/tasks/topics/page/topic_words_section.h"

namespace trellis::report {

// What is known after a sweep; NaN where it was not looked at.
struct TopicSweep {
  Index sweep = 0;
  double log_likelihood = std::numeric_limits<double>::quiet_NaN();  // a word, in nats
  double held_out = std::numeric_limits<double>::quiet_NaN();        // alike, of other documents
  double coherence = std::numeric_limits<double>::quiet_NaN();       // mean over topics
  double change = std::numeric_limits<double>::quiet_NaN();          // of a word's topics
};

struct TopicsReport {
  std::string title;
  std::string subtitle;
  std::vector<Tile> figures;  // key figures, the most important first
  std::vector<Entry> options;

  std::vector<ReportedTopic> topics;
  std::vector<Index> topic_numbers;  // in the model, for who adds to the page; may be empty
  std::string coherence_name;        // "NPMI", "UMass"; may be empty
  std::vector<std::string> classes;  // names of ReportedDocument::label
  std::vector<ReportedDocument> documents;
  Index documents_in_all = 0;  // of which those are some; 0: they are all
  std::vector<TopicSweep> sweeps;
  std::vector<std::string> languages;          // of the documents
  std::vector<TopicLanguages> language_words;  // the most prevalent topic first
  std::vector<RaisedWordRow> raised;           // likewise
};

// Throws UsageError where a document's class or topic does not exist, or a number that is drawn is
// not finite.
std::string topics_report(const TopicsReport& report);

}  // namespace trellis::report
