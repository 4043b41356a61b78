// Small queries for the tests of rankers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/formats/queries/query.h"

namespace trellis::rank::testing {

inline void add_document(Query& query, Grade grade, std::vector<IndexedValue> values) {
  query.lines.push_back(query.lines.size() + 1);
  query.grades.push_back(grade);
  query.notes.emplace_back();
  query.values.insert(query.values.end(), values.begin(), values.end());
  query.begin.push_back(query.values.size());
}

// A query whose documents have these grades, and no features.
inline Query graded(const std::string& id, const std::vector<Grade>& grades) {
  Query query;
  query.id = id;
  for (const Grade grade : grades) add_document(query, grade, {});
  return query;
}

// Three features (7, 8 and 30, of which 30 is often missing), on a scale of the query's own; grades
// 0 to 2 that the first two decide.
inline Query random_query(const std::string& id, Index documents, Random random) {
  Query query;
  query.id = id;
  const double scale = 0.5 + 2 * random.uniform();
  const double origin = random.normal();
  for (Index d = 0; d < documents; ++d) {
    const double a = random.normal();
    const double b = random.normal();
    const double merit = a - b + 0.3 * random.normal();
    std::vector<IndexedValue> values = {{7, static_cast<float>(scale * a + origin)},
                                        {8, static_cast<float>(scale * b)}};
    if (random.below(2) == 0) values.push_back({30, static_cast<float>(1 + random.uniform())});
    add_document(query, merit > 1 ? 2 : merit > 0 ? 1 : 0, std::move(values));
  }
  return query;
}

inline std::vector<Query> random_queries(Index count, Index documents, std::uint64_t seed) {
  std::vector<Query> queries;
  for (Index q = 0; q < count; ++q) {
    queries.push_back(random_query("q" + std::to_string(q), documents, Random(seed, q)));
  }
  return queries;
}

// As a file has them.
inline std::string to_file(const std::vector<Query>& queries) {
  std::string text;
  for (const Query& query : queries) {
    for (Index d = 0; d < query.num_documents(); ++d) {
      text += std::to_string(query.grades[d]) + " qid:" + query.id;
      for (const IndexedValue& value : query.document(d)) {
        text += " " + std::to_string(value.index) + ":" + std::to_string(value.value);
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace trellis::rank::testing
