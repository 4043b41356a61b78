// docs/models.md is what the models' descriptions say. To write it anew:
//
//   TRELLIS_WRITE_PAGES=1 build/release/tests/tasks_test --gtest_filter='ModelsPage.*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "trellis/frame/model_schema.h"
#include "trellis/tasks/align/model/align_model.h"
#include "trellis/tasks/classify/classify_model.h"
#include "trellis/tasks/factors/factors_model.h"
#include "trellis/tasks/grammar/model/grammar_model.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/match/match_model.h"
#include "trellis/tasks/parse/model/parse_model.h"
#include "trellis/tasks/rank/rank_model.h"
#include "trellis/tasks/segment/segment_model.h"
#include "trellis/tasks/tables/bayes/bayes_model.h"
#include "trellis/tasks/tables/hmm/sequence_model.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/topics/topic_model.h"

namespace trellis {
namespace {

constexpr const char* kIntroduction = R"(# Model files

This page is generated from the code that writes and checks models (`tests/tasks/models_page_test.cc` tells how).
`trellis/data/model_file.h` describes the container: named sections with checksums. The section `meta` is JSON; its
fields are listed here as `meta: NAME`, those of a record inside it as `meta: RECORD.NAME`. All other sections are
arrays. The last column has the conditions under which a model has the field or section.

A program reads models of all versions up to its own, and writes the lowest version that has all parts of a model.
)";

template <class Parts>
ModelSchema schema_of(const ModelKind& kind, void (*describe)(ModelArchive&, Parts&)) {
  Parts parts;
  return ModelArchive::schema(kind, [&](ModelArchive& a) { describe(a, parts); });
}
template <class File>
ModelSchema schema_of_file(const ModelKind& kind) {
  File file;
  return ModelArchive::schema(kind, [&](ModelArchive& a) { file.describe(a); });
}

std::vector<ModelSchema> all_schemas() {
  return {schema_of_file<tag::TagFile>(tag::TagModel::kKind),
          schema_of(classify::ClassifyModel::kKind, classify::ClassifyModel::describe),
          segment::SegmentModel::schema(),
          schema_of(label::LabelModel::kKind, label::LabelModel::describe),
          match::MatchModel::schema(),
          rank::RankModel::schema(),
          align::AlignModel::schema(),
          schema_of_file<parse::ParseFile>(parse::ParseModel::kKind),
          grammar::GrammarModel::schema(),
          factors::FactorsModel::schema(),
          schema_of(topics::TopicModel::kKind, topics::TopicModel::describe),
          hmm::SequenceModel::schema(),
          bayes::BayesModel::schema()};
}

std::string escaped(std::string text) {
  for (Index at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) {
    text.insert(at, "\\");
  }
  return text;
}

std::string page() {
  std::string page = kIntroduction;
  for (const ModelSchema& schema : all_schemas()) {
    page += fmt::format("\n## {}\n\n", schema.kind);
    if (schema.newest > 1) page += fmt::format("Versions 1 to {}.\n\n", schema.newest);
    page += "| name | type | content | only if |\n|---|---|---|---|\n";
    for (const ModelSchema::Row& row : schema.rows) {
      std::string where = row.where;
      if (row.since > 1) where += fmt::format(" (since version {})", row.since);
      page += fmt::format("| `{}` | {} | {} | {} |\n", row.name, escaped(row.type),
                          escaped(row.what), escaped(where));
    }
  }
  return page;
}

TEST(ModelsPage, IsWhatTheDescriptionsSay) {
  const std::string path = std::string(TRELLIS_SOURCE_DIR) + "/docs/models.md";
  const char* write = std::getenv("TRELLIS_WRITE_PAGES");
  if (write != nullptr) std::ofstream(path) << page();
  std::ifstream file(path);
  const std::string stored((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(stored == page()) << "write docs/models.md anew";
}

TEST(ModelsPage, EverySectionHasOneName) {
  for (const ModelSchema& schema : all_schemas()) {
    EXPECT_GT(schema.rows.size(), 5U) << schema.kind;
    for (const ModelSchema::Row& row : schema.rows) EXPECT_FALSE(row.what.empty()) << row.name;
  }
}

}  // namespace
}  // namespace trellis
