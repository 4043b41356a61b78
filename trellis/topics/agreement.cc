#include "trellis/topics/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/solve/vectors/distance_kernels.h"

namespace trellis::topics {
namespace {

// Tiles that stay in the second-level cache while the queries of a task go over them.
constexpr Index kCandidateBlockValues = 1 << 15;
constexpr Index kQueriesOfATask = 32;

// The candidates in tiles, and how many of them are as near to a query as its partner or nearer.
class PartnerRanks {
 public:
  PartnerRanks(std::span<const float> queries, std::span<const float> candidates, Index dimensions)
      : queries_(queries),
        dimensions_(dimensions),
        size_(candidates.size() / dimensions),
        num_tiles_((size_ + kTileWidth - 1) / kTileWidth),
        block_(std::max<Index>(1, kCandidateBlockValues / (dimensions * kTileWidth))),
        tiles_(num_tiles_ * dimensions * kTileWidth, 0.0F) {
    for (Index i = 0; i < size_; ++i) {
      float* tile = tiles_.data() + i / kTileWidth * dimensions * kTileWidth + i % kTileWidth;
      for (Index k = 0; k < dimensions; ++k) tile[k * kTileWidth] = candidates[i * dimensions + k];
    }
  }

  Index num_scratch_values() const { return kTileQueries * block_ * kTileWidth; }

  // Of queries [first, last).
  void run(Index first, Index last, float* scratch, std::span<double> ranks) const {
    std::array<Counts, kQueriesOfATask> counts{};
    for (Index q = first; q < last; ++q) counts[q - first].own = own_distance(q, scratch);
    for (Index tile = 0; tile < num_tiles_; tile += block_) {
      for (Index q = first; q < last; q += kTileQueries) {
        count_block(tile, q, scratch,
                    std::span(counts).subspan(q - first, std::min(kTileQueries, last - q)));
      }
    }
    for (Index q = first; q < last; ++q) {
      const Counts& found = counts[q - first];  // the partner is one of those at its distance
      ranks[q] = static_cast<double>(found.nearer) + (static_cast<double>(found.equal) + 1) / 2;
    }
  }

 private:
  struct Counts {
    float own = 0;  // distance of the partner
    std::uint64_t nearer = 0;
    std::uint64_t equal = 0;
  };

  // Of the few queries from `query` on to tiles; where they are fewer than the kernel takes, the
  // last one stands in for the others.
  void distances(Index tile, Index count, Index query, Index num_queries, float* out) const {
    std::array<const float*, kTileQueries> rows{};
    for (Index r = 0; r < kTileQueries; ++r) {
      rows[r] = queries_.data() + (query + std::min(r, num_queries - 1)) * dimensions_;
    }
    squared_distances(rows, dimensions_, tiles_.data() + tile * kTileWidth * dimensions_, count,
                      out);
  }

  // By the kernel that the others are compared by, to the bit.
  float own_distance(Index query, float* scratch) const {
    distances(query / kTileWidth, 1, query, 1, scratch);
    return scratch[query % kTileWidth];
  }

  void count_block(Index tile, Index query, float* scratch, std::span<Counts> counts) const {
    const Index count = std::min(block_, num_tiles_ - tile);
    distances(tile, count, query, counts.size(), scratch);
    const Index size = std::min(count * kTileWidth, size_ - tile * kTileWidth);
    for (Index r = 0; r < counts.size(); ++r) {
      const float* row = scratch + r * count * kTileWidth;
      const float own = counts[r].own;
      std::uint32_t nearer = 0, equal = 0;
      for (Index j = 0; j < size; ++j) {
        nearer += row[j] < own ? 1U : 0U;
        equal += row[j] == own ? 1U : 0U;
      }
      counts[r].nearer += nearer;
      counts[r].equal += equal;
    }
  }

  std::span<const float> queries_;
  Index dimensions_;
  Index size_;
  Index num_tiles_;
  Index block_;  // tiles
  std::vector<float> tiles_;
};

void check_pairs(Index num_rows, std::span<const TranslationPair> pairs) {
  std::vector<bool> is_first(num_rows), is_second(num_rows);
  for (const TranslationPair& pair : pairs) {
    if (pair.first >= num_rows || pair.second >= num_rows) {
      throw UsageError(fmt::format("a pair has the document {}, but there are only {} mixtures",
                                   std::max(pair.first, pair.second), num_rows));
    }
    if (is_first[pair.first] || is_second[pair.second]) {
      throw UsageError("a document is in two pairs of translations");
    }
    is_first[pair.first] = is_second[pair.second] = true;
  }
}

// The `count` topics with the largest shares, the largest first.
void find_top_topics(std::span<const double> theta, Index count, std::vector<Index>& order) {
  order.resize(theta.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
  std::partial_sort(order.begin(), middle, order.end(), [&](Index a, Index b) {
    return theta[a] != theta[b] ? theta[a] > theta[b] : a < b;
  });
  order.erase(middle, order.end());
}

double l2_distance(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (Index k = 0; k < x.size(); ++k) sum += (x[k] - y[k]) * (x[k] - y[k]);
  return std::sqrt(sum);
}

double hellinger_distance(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (Index k = 0; k < x.size(); ++k) {
    const double difference = std::sqrt(x[k]) - std::sqrt(y[k]);
    sum += difference * difference;
  }
  return sum;
}

// Sums of what pairs have, in their order.
Agreement sums_of_pairs(std::span<const double> mixtures, Index num_topics,
                        std::span<const TranslationPair> pairs, Index count) {
  Agreement sums{pairs.size(), 0, 0, 0, 0, {}, {}};
  std::vector<Index> left, right;
  for (const TranslationPair& pair : pairs) {
    const auto x = mixtures.subspan(pair.first * num_topics, num_topics);
    const auto y = mixtures.subspan(pair.second * num_topics, num_topics);
    sums.l2 += l2_distance(x, y);
    sums.hellinger += hellinger_distance(x, y);
    find_top_topics(x, count, left);
    find_top_topics(y, count, right);
    sums.first_topic += left.front() == right.front() ? 1 : 0;
    for (const Index topic : left) {
      sums.top_topics += std::find(right.begin(), right.end(), topic) != right.end() ? 1 : 0;
    }
  }
  return sums;
}

Retrieval retrieval_of(const std::vector<double>& ranks) {
  Retrieval found{0, 0};
  for (const double rank : ranks) {
    found.first += rank == 1 ? 1 : 0;
    found.reciprocal_rank += 1 / rank;
  }
  found.first /= static_cast<double>(ranks.size());
  found.reciprocal_rank /= static_cast<double>(ranks.size());
  return found;
}

}  // namespace

void AgreementOptions::check() const {
  if (top_topics < 1) throw UsageError("agreement is of at least one topic");
}

std::vector<double> ranks_of_partners(std::span<const float> queries,
                                      std::span<const float> candidates, Index dimensions,
                                      int threads) {
  if (dimensions == 0 || queries.size() != candidates.size() || queries.size() % dimensions != 0) {
    throw UsageError("ranks are of as many candidates as queries, rows of one width");
  }
  const Index n = queries.size() / dimensions;
  std::vector<double> ranks(n);
  const PartnerRanks search(queries, candidates, dimensions);
  threads = resolve_threads(threads);
  std::vector<std::vector<float>> scratch(static_cast<Index>(threads),
                                          std::vector<float>(search.num_scratch_values()));
  parallel_for((n + kQueriesOfATask - 1) / kQueriesOfATask, threads, [&](Index task, int worker) {
    const Index first = task * kQueriesOfATask;
    search.run(first, std::min(first + kQueriesOfATask, n),
               scratch[static_cast<Index>(worker)].data(), ranks);
  });
  return ranks;
}

Agreement measure_agreement(std::span<const double> mixtures, Index num_topics,
                            std::span<const TranslationPair> pairs, const AgreementOptions& options,
                            int threads) {
  options.check();
  if (num_topics == 0 || mixtures.size() % num_topics != 0) {
    throw UsageError("mixtures are rows of at least one topic");
  }
  check_pairs(mixtures.size() / num_topics, pairs);
  if (pairs.empty()) return {};
  Agreement found = sums_of_pairs(mixtures, num_topics, pairs, options.top_topics);
  const auto n = static_cast<double>(pairs.size());
  for (double* sum : {&found.l2, &found.hellinger, &found.first_topic, &found.top_topics})
    *sum /= n;

  std::vector<float> first, second;  // square roots, whose squared distances are Hellinger's
  for (const TranslationPair& pair : pairs) {
    for (Index k = 0; k < num_topics; ++k) {
      first.push_back(static_cast<float>(std::sqrt(mixtures[pair.first * num_topics + k])));
      second.push_back(static_cast<float>(std::sqrt(mixtures[pair.second * num_topics + k])));
    }
  }
  found.forth = retrieval_of(ranks_of_partners(first, second, num_topics, threads));
  found.back = retrieval_of(ranks_of_partners(second, first, num_topics, threads));
  return found;
}

}  // namespace trellis::topics
