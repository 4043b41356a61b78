// The report of a topic model: a map of its topics with their characteristic words, topics by
// prevalence, a map of the documents, and the course of the chain.
//
// A page consists of plain data and depends on nothing else, so the same data give the same bytes.
// A part without data has no section. This page has scripts for what cannot be drawn in advance:
// relevance at any λ, and a zoomable map of fifty thousand documents. Without scripts, the same
// topics, words and documents appear as tables and pictures.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "trellis/pictures/page/page.h"
#include "trellis/tasks/topics/page/document_map.h"
#include "trellis/tasks/topics/page/topic_picture.h"
#include "trellis/tasks/topics/page/topic_words_section.h"

namespace trellis::report {

// The state after a sweep; NaN: not evaluated.
struct TopicSweep {
  Index sweep = 0;
  double log_likelihood = std::numeric_limits<double>::quiet_NaN();  // per word, in nats
  double held_out = std::numeric_limits<double>::quiet_NaN();        // same, held-out documents
  double coherence = std::numeric_limits<double>::quiet_NaN();       // mean over topics
  double change = std::numeric_limits<double>::quiet_NaN();          // of the topics of a word
};

struct TopicsReport {
  std::string title;
  std::string subtitle;
  std::vector<Tile> figures;  // key figures, most important first
  std::vector<Entry> options;

  std::vector<ReportedTopic> topics;
  std::vector<Index> topic_numbers;  // in the model, for later additions; may be empty
  std::string coherence_name;        // "NPMI", "UMass"; may be empty
  std::vector<std::string> classes;  // names of ReportedDocument::label
  std::vector<ReportedDocument> documents;
  Index documents_in_all = 0;  // from which those were drawn; 0: those are all
  std::vector<TopicSweep> sweeps;
  std::vector<std::string> languages;          // of the documents
  std::vector<TopicLanguages> language_words;  // most prevalent topic first
  std::vector<RaisedWordRow> raised;           // likewise
};

// Throws UsageError if a document's class or topic does not exist, or a number for a picture is not
// finite.
std::string topics_report(const TopicsReport& report);

}  // namespace trellis::report
