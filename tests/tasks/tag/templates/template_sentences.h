// Sentences written down in tests, and what a template makes of them.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <string_view>
#include <vector>

#include "trellis/formats/columns/sentence.h"
#include "trellis/tasks/tag/templates/feature_template.h"

namespace trellis::tag {

using Rows = std::vector<std::vector<std::string>>;

inline Sentence make_sentence(const Rows& rows) {
  Sentence sentence;
  sentence.clear(1);
  for (const std::vector<std::string>& row : rows) {
    sentence.add_token(std::vector<std::string_view>(row.begin(), row.end()));
  }
  return sentence;
}

// One column: the words of a text.
inline Sentence make_words(const std::vector<std::string>& words) {
  Rows rows;
  for (const std::string& word : words) rows.push_back({word});
  return make_sentence(rows);
}

using Names = std::vector<std::string>;

template <class... Text>
Names list(const Text&... texts) {
  return {std::string(texts)...};
}

inline bool says(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

inline Names node_names(const FeatureTemplate& features, const Sentence& sentence, Index t) {
  FeatureTemplate::Scratch scratch;
  SentenceAttributes attributes;
  features.extract(sentence, scratch, attributes);
  Names names;
  for (Index k = 0; k < attributes.node.begin[t + 1] - attributes.node.begin[t]; ++k) {
    names.push_back(FeatureTemplate::Names(features, sentence, scratch).node(t, k));
  }
  return names;
}

inline Names edge_names(const FeatureTemplate& features, const Sentence& sentence, Index t) {
  FeatureTemplate::Scratch scratch;
  SentenceAttributes attributes;
  features.extract(sentence, scratch, attributes);
  Names names;
  for (Index k = 0; k < attributes.edge.begin[t + 1] - attributes.edge.begin[t]; ++k) {
    names.push_back(FeatureTemplate::Names(features, sentence, scratch).edge(t, k));
  }
  return names;
}

// The names that `statements` make at token t.
inline Names names_of(const std::string& statements, const Sentence& sentence, Index t = 0) {
  return node_names(FeatureTemplate::parse(statements, "test"), sentence, t);
}

// Few and nasty words, so that texts collide where they can.
inline rc::Gen<std::string> any_word() {
  return rc::gen::oneOf(
      rc::gen::elementOf(std::vector<std::string>{
          "the", "The",  "U.S.",  "42",       "1,000", "|",      "=",   ":",    "a:b",     "|a",
          "a|",  "_B-1", "x-ray", "McDonald", "Αθήνα", "ΕΛΛΆΔΑ", "ένα", "日本", "%x[0,0]", "\\"}),
      rc::gen::nonEmpty(
          rc::gen::container<std::string>(rc::gen::elementOf(std::string("aB1-|=")))));
}

inline rc::Gen<Rows> any_rows(std::size_t columns) {
  return rc::gen::nonEmpty(
      rc::gen::container<Rows>(rc::gen::container<std::vector<std::string>>(columns, any_word())));
}

}  // namespace trellis::tag
