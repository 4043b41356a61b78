#include "trellis/tasks/align/model/position_sections.h"

#include <algorithm>
#include <cmath>

#include "trellis/base/error.h"
#include "trellis/generative/alignment/independent_positions.h"
#include "trellis/generative/alignment/jump_positions.h"

namespace trellis::align {
namespace {

constexpr Index kLargestReach = 100000;

double read_null(const Value& meta) {
  const double null = meta.at("null").get<double>();
  if (!(null > 0 && null < 1))
    throw UsageError("the probability of a link with nothing is not between 0 and 1");
  return null;
}

std::shared_ptr<const PositionModel> read_table(const Value& meta, const std::string& prefix,
                                                const ModelReader& reader) {
  const auto numbers = reader.array<std::uint32_t>(prefix + "/lengths");
  const auto cells = reader.array<float>(prefix + "/cells");
  std::vector<Lengths> lengths;
  Index size = 0;
  for (Index t = 0; t + 1 < numbers.size(); t += 2) {
    lengths.push_back({numbers[t], numbers[t + 1]});
    const bool ascending = t == 0 || lengths[t / 2 - 1] < lengths[t / 2];
    if (!ascending || numbers[t] == 0 || numbers[t + 1] == 0) {
      throw UsageError("lengths are not ascending");
    }
    const Index table = Index{numbers[t]} * numbers[t + 1];
    if (table > cells.size() - size) throw UsageError("tables of positions are incomplete");
    size += table;
  }
  const bool in_range =
      std::all_of(cells.begin(), cells.end(), [](float p) { return p <= 0 && p >= -1000; });
  if (numbers.size() % 2 != 0 || size != cells.size() || !in_range) {
    throw UsageError("tables of positions do not fit their lengths");
  }
  return std::make_shared<TablePositions>(read_null(meta), LengthTables(std::move(lengths), false),
                                          std::vector<float>(cells.begin(), cells.end()), 0.0);
}

std::shared_ptr<const PositionModel> read_jumps(const Value& meta, const std::string& prefix,
                                                const ModelReader& reader) {
  JumpPositions::Options options;
  options.reach = meta.at("reach").get<Index>();
  options.null = read_null(meta);
  if (options.reach < 1 || options.reach > kLargestReach)
    throw UsageError("the reach of jumps is out of range");
  const auto weights = reader.array<double>(prefix + "/jumps", 2 * options.reach + 1);
  if (!std::all_of(weights.begin(), weights.end(), [](double c) { return c > 1e-30 && c <= 2; })) {
    throw UsageError("weights of jumps are not probabilities");
  }
  return std::make_shared<JumpPositions>(options,
                                         std::vector<double>(weights.begin(), weights.end()));
}

}  // namespace

Value write_positions(const PositionModel& model, const std::string& prefix, ModelWriter& writer,
                      std::vector<std::uint32_t>& lengths) {
  Value meta = Value::record({{"positions", to_string(model.kind())}});
  if (const auto* independent = dynamic_cast<const IndependentPositions*>(&model)) {
    meta["null"] = independent->null();
  }
  if (const auto* diagonal = dynamic_cast<const DiagonalPositions*>(&model)) {
    meta["tension"] = diagonal->tension();
  }
  if (const auto* table = dynamic_cast<const TablePositions*>(&model)) {
    lengths.clear();
    for (const Lengths& one : table->tables().lengths()) {
      lengths.push_back(static_cast<std::uint32_t>(one.source));
      lengths.push_back(static_cast<std::uint32_t>(one.target));
    }
    writer.add_array<std::uint32_t>(prefix + "/lengths", lengths);
    writer.add_array<float>(prefix + "/cells", table->cells());
  }
  if (const auto* jumps = dynamic_cast<const JumpPositions*>(&model)) {
    meta["null"] = jumps->options().null;
    meta["reach"] = jumps->options().reach;
    writer.add_array<double>(prefix + "/jumps", jumps->weights());
  }
  return meta;
}

std::shared_ptr<const PositionModel> read_positions(const Value& meta, const std::string& prefix,
                                                    const ModelReader& reader) {
  switch (parse_named<Positions>(meta.at("positions").get<std::string>())) {
    case Positions::kUniform:
      return std::make_shared<UniformPositions>(read_null(meta));
    case Positions::kDiagonal: {
      const double tension = meta.at("tension").get<double>();
      if (!(tension >= 0 && tension <= DiagonalPositions::kLargestTension)) {
        throw UsageError("the tension of the diagonal is out of range");
      }
      return std::make_shared<DiagonalPositions>(read_null(meta), tension, std::vector<Lengths>());
    }
    case Positions::kTable:
      return read_table(meta, prefix, reader);
    case Positions::kJumps:
      return read_jumps(meta, prefix, reader);
  }
  throw UsageError("unknown model of positions");
}

}  // namespace trellis::align
