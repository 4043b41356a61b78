#include "trellis/tasks/tables/bayes/row_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/formats/tables/csv_line.h"
#include "trellis/tasks/tables/names_of_values.h"
#include "trellis/tasks/tables/value_costs.h"

namespace trellis::bayes {
namespace {

// Reads files one after another; renumbers values when all are known.
class TrainingRows {
 public:
  TrainingRows(const DataOptions& options, const NetworkGraph* network)
      : options_(options), network_(network) {}

  void add(InputFile file) {
    TableReader reader(std::move(file), options_.delimiter);
    if (data_.files.empty()) {
      choose_columns(reader);
      header_ = reader.header();
    } else if (reader.header() != header_) {
      reader.refuse(fmt::format("expected the same columns as in {}", data_.files.front()));
    }
    data_.files.push_back(reader.name());
    std::vector<std::string> cells;
    while (reader.read(cells)) add(reader, cells);
  }

  RowData finish() {
    if (data_.rows.size() == 0)
      throw InputError(data_.files.front(), 0, "expected rows, found none");
    std::vector<std::vector<Label>> numbers;
    for (Index v = 0; v < data_.variables.size(); ++v) numbers.push_back(order_values(v));
    NetworkData rows(data_.variables.size());
    std::vector<Label> row(data_.variables.size());
    for (Index i = 0; i < data_.rows.size(); ++i) {
      for (Index v = 0; v < row.size(); ++v) {
        const Label value = data_.rows.row(i)[v];
        row[v] = value == kNoLabel ? kNoLabel : numbers[v][static_cast<Index>(value)];
      }
      rows.add(row);
    }
    data_.rows = std::move(rows);
    for (const NetworkVariable& variable : data_.variables) {
      data_.digest = combine(data_.digest, fingerprint(variable.name));
      data_.digest = combine(data_.digest, variable.values.size());
      for (const std::string& value : variable.values) {
        data_.digest = combine(data_.digest, fingerprint(value));
      }
    }
    return std::move(data_);
  }

 private:
  void choose_columns(const TableReader& reader) {
    for (const std::string& column : options_.columns) {
      if (!reader.find(column))
        reader.refuse("--columns names a column that the file does not have:", column);
      if (network_ != nullptr && !network_->find(column)) {
        throw UsageError(
            fmt::format("--columns names '{}', which is not a variable of the network", column));
      }
    }
    const auto chosen = [&](const std::string& column) {
      return options_.columns.empty() || std::find(options_.columns.begin(), options_.columns.end(),
                                                   column) != options_.columns.end();
    };
    for (const std::string& column : reader.header()) {
      const bool variable = chosen(column) && (network_ == nullptr || network_->find(column));
      if (!variable) {
        data_.ignored.push_back(column);
      } else if (network_ == nullptr) {
        data_.variables.push_back({column, {}});
      }
    }
    if (network_ != nullptr) data_.variables = network_->variables();
    Index found = 0;
    for (Index v = 0; v < data_.variables.size(); ++v) {
      const NetworkVariable& variable = data_.variables[v];
      columns_.push_back(chosen(variable.name) ? reader.find(variable.name) : std::nullopt);
      if (!columns_.back()) data_.latent.push_back(v);
      found += columns_.back() ? 1 : 0;
      names_.push_back(generative::name_list(variable.values));
    }
    if (found == 0) reader.refuse("no column is a variable of the network");
    data_.rows = NetworkData(data_.variables.size());
  }

  void add(const TableReader& reader, const std::vector<std::string>& cells) {
    row_.assign(columns_.size(), kNoLabel);
    for (Index v = 0; v < columns_.size(); ++v) {
      if (!columns_[v]) continue;
      const std::string& cell = cells[*columns_[v]];
      data_.digest = combine(data_.digest, fingerprint(cell));
      if (generative::is_missing(cell)) {
        ++data_.missing;
        continue;
      }
      row_[v] = at_line(reader.name(), reader.line(),
                        [&] { return static_cast<Label>(names_[v].add(cell)); });
    }
    data_.rows.add(row_);
    data_.lines.push_back(reader.line());
    data_.file_of_row.push_back(static_cast<std::uint32_t>(data_.files.size() - 1));
  }

  // Orders the values of a variable, declared ones first, and returns their new numbers in the
  // order in which they were read.
  std::vector<Label> order_values(Index v) {
    const NameList& names = names_[v];
    NetworkVariable& variable = data_.variables[v];
    const Index declared = variable.values.size();
    if (names.empty()) {
      throw InputError(data_.files.front(), 0,
                       fmt::format("expected values in column '{}', found none", variable.name));
    }
    std::vector<Index> order(names.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(declared), order.end(),
              [&](Index a, Index b) { return generative::natural_less(names[a], names[b]); });
    std::vector<Label> numbers(names.size());
    for (Index k = 0; k < order.size(); ++k) {
      numbers[order[k]] = static_cast<Label>(k);
      if (k >= declared) variable.values.emplace_back(names[order[k]]);
    }
    if (network_ != nullptr) data_.added_values += names.size() - declared;
    return numbers;
  }

  const DataOptions& options_;
  const NetworkGraph* network_;
  std::vector<std::string> header_;
  std::vector<std::optional<Index>> columns_;  // by variable
  std::vector<NameList> names_;                // values of each variable, in the order of reading
  std::vector<Label> row_;
  RowData data_;
};

}  // namespace

void RowData::require_values(std::string_view who, std::span<const Index> needed) const {
  std::vector<Index> all;
  if (needed.empty()) {
    all.resize(variables.size());
    std::iota(all.begin(), all.end(), Index{0});
    needed = all;
  }
  for (const Index v : latent) {
    if (std::find(needed.begin(), needed.end(), v) == needed.end()) continue;
    throw InputError(
        files.front(), 0,
        fmt::format("expected a column for the variable '{}', which {}", variables[v].name, who));
  }
  for (Index i = 0; i < rows.size() && missing > 0; ++i) {
    for (const Index v : needed) {
      if (rows.row(i)[v] != kNoLabel) continue;
      throw InputError(
          files[file_of_row[i]], lines[i],
          fmt::format("expected a value in column '{}', which {}", variables[v].name, who));
    }
  }
}

RowData read_training_rows(std::vector<InputFile> files, const DataOptions& options,
                           const NetworkGraph* network) {
  if (files.empty()) throw UsageError("expected a file to train on");
  TrainingRows rows(options, network);
  for (InputFile& file : files) rows.add(std::move(file));
  return rows.finish();
}

RowData read_training_rows(const std::vector<std::string>& files, const DataOptions& options,
                           const NetworkGraph* network) {
  std::vector<InputFile> opened;
  for (const std::string& file : files) opened.emplace_back(file);
  return read_training_rows(std::move(opened), options, network);
}

RowNumbers::RowNumbers(const TableReader& reader, const NetworkGraph& graph,
                       std::span<const Index> hidden, std::span<const Index> optional,
                       const std::vector<std::string>& ignored, UnknownValues unknown)
    : reader_(reader), graph_(graph), unknown_(unknown), hidden_(graph.num_variables(), false) {
  for (const Index v : hidden) hidden_[v] = true;
  for (const std::string& column : reader.header()) {
    if (graph.find(column) || std::find(ignored.begin(), ignored.end(), column) != ignored.end()) {
      continue;
    }
    reader.refuse("expected the columns of the model, found", column);
  }
  for (Index v = 0; v < graph.num_variables(); ++v) {
    const NetworkVariable& variable = graph.variable(v);
    column_of_.push_back(reader.find(variable.name));
    values_.push_back(generative::name_list(variable.values));
    const bool may_lack =
        hidden_[v] || std::find(optional.begin(), optional.end(), v) != optional.end();
    if (!column_of_.back() && !may_lack) {
      reader.refuse(fmt::format("expected a column '{}', found none (use --hide {} to predict it)",
                                variable.name, variable.name));
    }
  }
}

void RowNumbers::number(const std::vector<std::string>& cells, std::vector<Label>& row) {
  row.assign(values_.size(), kNoLabel);
  for (Index v = 0; v < values_.size(); ++v) {
    if (!column_of_[v]) continue;
    const std::string& cell = cells[*column_of_[v]];
    if (generative::is_missing(cell)) continue;
    const std::uint32_t value = values_[v].find(cell);
    if (value != NameList::kNone) {
      row[v] = static_cast<Label>(value);
    } else if (hidden_[v]) {
      row[v] = kUnseen;
    } else if (unknown_ == UnknownValues::kMissing) {
      ++unknown_values_;
    } else {
      reader_.refuse(fmt::format("expected a value of column '{}' seen in training (use --unknown "
                                 "missing to treat others as missing), found",
                                 graph_.variable(v).name),
                     cell);
    }
  }
}

HeldOutRows read_held_out_rows(InputFile file, Delimiter delimiter, const RowData& training,
                               const std::vector<std::string>& targets) {
  // Only names and values matter here; arrows do not.
  const NetworkGraph graph(training.variables, NetworkParents(training.variables.size()));
  const std::vector<Index> hidden = find_variables(training.variables, targets, "--target");
  TableReader reader(std::move(file), delimiter);
  for (const std::string& target : targets) {
    if (!reader.find(target)) reader.refuse("expected a column of the target", target);
  }
  RowNumbers numbers(reader, graph, hidden, training.latent, training.ignored,
                     UnknownValues::kError);
  HeldOutRows found{NetworkData(graph.num_variables())};
  std::vector<std::string> cells;
  std::vector<Label> row;
  while (reader.read(cells)) {
    numbers.number(cells, row);
    for (Label& value : row) {
      found.digest = combine(found.digest, static_cast<std::uint64_t>(value));
      if (value == RowNumbers::kUnseen) value = kNoLabel;
    }
    found.rows.add(row);
  }
  if (found.rows.size() == 0) throw InputError(reader.name(), 0, "expected rows, found none");
  return found;
}

std::vector<Index> find_variables(const std::vector<NetworkVariable>& variables,
                                  const std::vector<std::string>& names, std::string_view option) {
  std::vector<Index> found;
  for (const std::string& name : names) {
    const auto place = std::find_if(variables.begin(), variables.end(),
                                    [&](const NetworkVariable& v) { return v.name == name; });
    if (place == variables.end()) {
      throw UsageError(fmt::format("{} names '{}', which is not a variable", option, name));
    }
    found.push_back(static_cast<Index>(place - variables.begin()));
  }
  std::sort(found.begin(), found.end());
  const auto twice = std::adjacent_find(found.begin(), found.end());
  if (twice != found.end()) {
    throw UsageError(fmt::format("{} names '{}' twice", option, variables[*twice].name));
  }
  return found;
}

}  // namespace trellis::bayes
