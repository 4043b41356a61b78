#include "trellis/tasks/align/model/position_sections.h"

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/generative/alignment/independent_positions.h"
#include "trellis/generative/alignment/jump_positions.h"

namespace trellis::align {
namespace {

constexpr Index kLargestReach = 100000;
constexpr Range kInside{kAboveZero, 1 - 0x1p-53};  // above 0, below 1

// What a file has of a model of positions.
struct StoredPositions {
  Positions kind = Positions::kUniform;
  double null = 0, tension = 0;
  Index reach = 0;
  std::span<const double> jumps;
  std::vector<std::uint32_t> lengths;
  std::span<const float> cells;

  StoredPositions() = default;
  explicit StoredPositions(const PositionModel& model) : kind(model.kind()) {
    if (const auto* independent = dynamic_cast<const IndependentPositions*>(&model)) {
      null = independent->null();
    }
    if (const auto* diagonal = dynamic_cast<const DiagonalPositions*>(&model)) {
      tension = diagonal->tension();
    }
    if (const auto* table = dynamic_cast<const TablePositions*>(&model)) {
      for (const Lengths& one : table->tables().lengths()) {
        lengths.push_back(static_cast<std::uint32_t>(one.source));
        lengths.push_back(static_cast<std::uint32_t>(one.target));
      }
      cells = table->cells();
    }
    if (const auto* jumping = dynamic_cast<const JumpPositions*>(&model)) {
      null = jumping->options().null;
      reach = jumping->options().reach;
      jumps = jumping->weights();
    }
  }

  std::shared_ptr<const PositionModel> model() const {
    switch (kind) {
      case Positions::kUniform:
        return std::make_shared<UniformPositions>(null);
      case Positions::kDiagonal:
        return std::make_shared<DiagonalPositions>(null, tension, std::vector<Lengths>());
      case Positions::kTable:
        return std::make_shared<TablePositions>(null, LengthTables(tables(), false),
                                                std::vector<float>(cells.begin(), cells.end()),
                                                0.0);
      case Positions::kJumps: {
        JumpPositions::Options options;
        options.reach = reach;
        options.null = null;
        return std::make_shared<JumpPositions>(options,
                                               std::vector<double>(jumps.begin(), jumps.end()));
      }
    }
    throw UsageError("unknown model of positions");
  }

 private:
  std::vector<Lengths> tables() const {
    std::vector<Lengths> tables;
    Index size = 0;
    for (Index t = 0; t + 1 < lengths.size(); t += 2) {
      tables.push_back({lengths[t], lengths[t + 1]});
      const bool ascending = t == 0 || tables[t / 2 - 1] < tables[t / 2];
      if (!ascending || lengths[t] == 0 || lengths[t + 1] == 0) {
        throw UsageError("lengths are not ascending");
      }
      const Index table = Index{lengths[t]} * lengths[t + 1];
      if (table > cells.size() - size) throw UsageError("tables of positions are incomplete");
      size += table;
    }
    if (lengths.size() % 2 != 0 || size != cells.size()) {
      throw UsageError("tables of positions do not fit their lengths");
    }
    return tables;
  }
};

}  // namespace

void describe_positions(ModelArchive& a, const std::string& direction,
                        std::shared_ptr<const PositionModel>& model) {
  StoredPositions stored = model == nullptr ? StoredPositions() : StoredPositions(*model);
  const auto where = [&](const char* name, Positions kind, const std::function<void()>& part) {
    a.where(name, stored.kind == kind, part);
  };
  a.record(direction, [&] {
    a.choice("positions", stored.kind, "the model of positions");
    a.number("null", stored.null, kInside, "probability of a link with nothing");
    where("positions diagonal", Positions::kDiagonal, [&] {
      a.number("tension", stored.tension, {0, DiagonalPositions::kLargestTension},
               "towards the diagonal");
    });
    where("positions table", Positions::kTable, [&] {
      a.made_array(direction + "/lengths", stored.lengths, {}, "of pairs of sentences, ascending");
      a.array(direction + "/cells", stored.cells, {.in = Range{-1000, 0}},
              "log-probabilities, a table for each two lengths");
    });
    where("positions jumps", Positions::kJumps, [&] {
      a.number("reach", stored.reach, {1, kLargestReach}, "jumps beyond count alike");
      a.array(direction + "/jumps", stored.jumps,
              {.size = 2 * stored.reach + 1, .in = Range{1e-30, 2}}, "weight of each jump");
    });
  });
  a.check([&] { model = stored.model(); });
}

}  // namespace trellis::align
