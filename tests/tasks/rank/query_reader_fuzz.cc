// Any bytes are a sequence of queries, or an InputError; and every query can be turned into
// features and scored. The first byte chooses the options.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/formats/queries/query_reader.h"
#include "trellis/tasks/rank/rank_features.h"
#include "trellis/tasks/rank/rank_metrics.h"

namespace {

using namespace trellis;
using namespace trellis::rank;

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const Query& query) {
  require(query.num_documents() > 0 && query.begin.size() == query.num_documents() + 1);
  require(query.notes.size() == query.num_documents() &&
          query.lines.size() == query.num_documents());
  for (Index d = 0; d < query.num_documents(); ++d) {
    require(query.grades[d] <= kMaxGrade);
    const auto values = query.document(d);
    for (Index k = 0; k < values.size(); ++k) {
      require(std::isfinite(values[k].value) && values[k].value != 0);
      require(k == 0 || values[k - 1].index < values[k].index);
    }
  }
  const QueryScores scores = score_ranking(query.grades, Ndcg::kStandard);
  for (const double ndcg : scores.ndcg) require(ndcg >= 0 && ndcg <= 1 + 1e-12);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    QueryReader reader(InputFile::from_bytes(bytes, "fuzz"), (data[0] & 1) != 0);
    std::vector<Query> queries;
    Query query;
    while (reader.read(query)) {
      check(query);
      queries.push_back(query);
    }
    const auto normalization = static_cast<Normalization>((data[0] >> 1) & 3);
    const char* expansions[] = {"none", "binned:3", "random:2", "none"};
    const RankFeatures features = RankFeatures::learn(
        queries, normalization, Expansion::parse(expansions[(data[0] >> 3) & 3]), 1);
    features.rows(queries);
  } catch (const InputError&) {
  }
  return 0;
}
