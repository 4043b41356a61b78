#include "trellis/tasks/tables/bayes/predict.h"

#include <fmt/format.h>

#include <numeric>

#include "trellis/base/error.h"
#include "trellis/data/json.h"
#include "trellis/formats/tables/csv_line.h"

namespace trellis::bayes {
namespace {

// A row of the file, its known values, and the prediction.
struct FilledRow {
  Index line;
  const std::vector<std::string>& cells;
  const std::vector<Label>& evidence;
  const std::vector<Label>& values;
  const std::vector<std::vector<double>>& marginals;
  double score;
};

class RowWriter {
 public:
  RowWriter(const BayesModel& model, const TableReader& reader, const RowNumbers& numbers,
            std::vector<Index> hidden, const PredictOptions& options, OutputFile& out)
      : graph_(model.graph()),
        reader_(reader),
        hidden_(numbers.hidden()),
        options_(options),
        out_(out) {
    variable_of_.assign(reader.header().size(), kNone);
    for (Index v = 0; v < graph_.num_variables(); ++v) {
      if (numbers.column_of()[v]) variable_of_[*numbers.column_of()[v]] = v;
    }
    for (const Index v : hidden) {
      if (!numbers.column_of()[v]) further_.push_back(v);
    }
    told_ = std::move(hidden);
    if (told_.empty()) {
      told_.resize(graph_.num_variables());
      std::iota(told_.begin(), told_.end(), Index{0});
    }
  }

  void write_header() {
    if (options_.json) return;
    for (const std::string& name : reader_.header()) put(name);
    for (const Index v : further_) put(graph_.variable(v).name);
    if (options_.marginals) {
      for (const Index v : told_) {
        for (const std::string& value : graph_.variable(v).values) {
          put(fmt::format("P({}={})", graph_.variable(v).name, value));
        }
      }
    }
    end_line();
  }

  // Returns the number of cells that were filled in.
  Index write(const FilledRow& row) {
    Index filled = further_.size();
    for (Index c = 0; c < variable_of_.size(); ++c) filled += fills(row, c) ? 1 : 0;
    if (options_.json) {
      write_json(row);
    } else {
      write_cells(row);
    }
    out_.flush();
    return filled;
  }

 private:
  static constexpr Index kNone = ~Index{0};

  const std::string& value(Index v, Label label) const {
    return graph_.variable(v).values[static_cast<Index>(label)];
  }
  // A value unknown to the model counts as missing for inference, but is not overwritten.
  bool fills(const FilledRow& row, Index column) const {
    const Index v = variable_of_[column];
    return v != kNone && row.evidence[v] == kNoLabel &&
           (hidden_[v] || generative::is_missing(row.cells[column]));
  }

  void put(std::string_view field) {
    line_ += generative::csv_field(field, reader_.separator());
    line_ += reader_.separator();
  }
  void end_line() {
    line_.back() = '\n';
    out_.write(line_);
    line_.clear();
  }

  void write_cells(const FilledRow& row) {
    for (Index c = 0; c < row.cells.size(); ++c) {
      const Index v = variable_of_[c];
      put(fills(row, c) ? value(v, row.values[v]) : row.cells[c]);
    }
    for (const Index v : further_) put(value(v, row.values[v]));
    if (options_.marginals) {
      for (const Index v : told_) {
        for (const double p : row.marginals[v]) put(fmt::format("{:.6g}", p));
      }
    }
    end_line();
  }

  void write_json(const FilledRow& row) {
    Value record;
    record["line"] = row.line;
    record[options_.decode == Decode::kMap ? "log_probability" : "log_likelihood"] = row.score;
    record["values"] = Value::record();
    record["filled"] = Value::list();
    const auto tell_filled = [&](Index v) {
      const std::string& name = graph_.variable(v).name;
      record["values"][name] = value(v, row.values[v]);
      record["filled"].push_back(name);
      if (!options_.marginals) return;
      for (Index k = 0; k < graph_.num_values(v); ++k) {
        record["marginals"][name][graph_.variable(v).values[k]] = row.marginals[v][k];
      }
    };
    for (Index c = 0; c < variable_of_.size(); ++c) {
      if (fills(row, c)) {
        tell_filled(variable_of_[c]);
      } else if (variable_of_[c] != kNone) {
        record["values"][reader_.header()[c]] = row.cells[c];
      }
    }
    for (const Index v : further_) tell_filled(v);
    // An unknown value may consist of any bytes.
    out_.write(to_json(record, InvalidText::kReplace) + "\n");
  }

  const NetworkGraph& graph_;
  const TableReader& reader_;
  const std::vector<bool>& hidden_;  // by variable
  const PredictOptions& options_;
  OutputFile& out_;
  std::vector<Index> variable_of_;  // by column
  std::vector<Index> further_;      // hidden variables without a column in the file
  std::vector<Index> told_;         // variables with marginals
  std::string line_;
};

}  // namespace

std::vector<Index> hidden_variables(const BayesModel& model,
                                    const std::optional<std::vector<std::string>>& hide) {
  return hide ? model.variables(*hide, "--hide") : model.roles().targets;
}

PredictResult predict(const BayesModel& model, InputFile file, const PredictOptions& options,
                      OutputFile& out) {
  const std::vector<Index> hidden = hidden_variables(model, options.hide);
  TableReader reader(std::move(file), options.delimiter);
  RowNumbers numbers(reader, model.graph(), hidden, model.roles().latent, model.roles().ignored,
                     options.unknown);
  RowWriter writer(model, reader, numbers, hidden, options, out);
  NetworkInference inference(model.network());
  std::vector<std::string> cells;
  std::vector<Label> evidence, values;
  std::vector<std::vector<double>> marginals;
  PredictResult result;
  writer.write_header();
  while (reader.read(cells)) {
    numbers.number(cells, evidence);
    for (const Index v : hidden) evidence[v] = kNoLabel;
    values = evidence;
    const double score =
        fill(inference, options.decode, values, options.marginals ? &marginals : nullptr);
    if (score == -kInfinity) refuse_impossible(reader.name(), reader.line());
    result.filled += writer.write({reader.line(), cells, evidence, values, marginals, score});
    ++result.rows;
  }
  result.unknown_values = numbers.unknown_values();
  return result;
}

std::vector<std::string> PredictResult::warnings() const {
  if (unknown_values == 0) return {};
  return {fmt::format("{} cells have a value not seen in training: treated as missing",
                      unknown_values)};
}

}  // namespace trellis::bayes
