// Rows as numbers: columns and values are those of a network's variables.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/formats/tables/table_reader.h"
#include "trellis/generative/network/network_data.h"
#include "trellis/generative/network/network_graph.h"

namespace trellis::bayes {

struct DataOptions {
  Delimiter delimiter = Delimiter::kAuto;
  std::vector<std::string> columns = {};  // to use as variables; empty: all
};

struct RowData {
  std::vector<NetworkVariable> variables;
  NetworkData rows{0};
  std::vector<std::string> files;  // the files read
  std::vector<std::uint32_t> file_of_row;
  std::vector<Index> lines;
  std::vector<Index> latent;         // variables without a column
  std::vector<std::string> ignored;  // columns that are not variables
  Index added_values = 0;            // in the rows, not declared by the network's file
  Index missing = 0;                 // cells without a value
  std::uint64_t digest = 0;

  // Throws an error for the first cell without a value among these variables (empty: all). `who`
  // says in the message who requires the values and what the alternatives are: "somebody needs
  // (…)".
  void require_values(std::string_view who, std::span<const Index> needed = {}) const;
};

// Reads the training set. Without a network, each column is a variable, whose values stand in
// natural order (generative::natural_less). With a network, the variables are those of the network;
// declared values come first, then other values of the rows. Throws InputError if there are no
// rows, a column has no values, or the columns of the files differ.
RowData read_training_rows(const std::vector<std::string>& files, const DataOptions& options,
                           const NetworkGraph* network);
RowData read_training_rows(std::vector<InputFile> files, const DataOptions& options,
                           const NetworkGraph* network);

// The treatment of a value that the model lacks, in a column that is not hidden.
enum class UnknownValues { kError, kMissing };
constexpr auto names_of(UnknownValues) {
  return Names{"treatment of unknown values", "error", "missing"};
}

// Rows of one file, as numbers of a network.
class RowNumbers {
 public:
  // A value of a hidden variable that the network does not have.
  static constexpr Label kUnseen = -2;

  // The file may lack `optional` variables; `hidden` ones are to be predicted; `ignored` columns
  // are skipped. Throws InputError if the file lacks another column or has an unknown one. All
  // arguments must outlive the object.
  RowNumbers(const TableReader& reader, const NetworkGraph& graph, std::span<const Index> hidden,
             std::span<const Index> optional, const std::vector<std::string>& ignored,
             UnknownValues unknown);

  // Writes each variable's value: kNoLabel if missing; kUnseen only for hidden variables.
  void number(const std::vector<std::string>& cells, std::vector<Label>& row);

  // The column of each variable, if it has one.
  const std::vector<std::optional<Index>>& column_of() const { return column_of_; }
  const std::vector<bool>& hidden() const { return hidden_; }
  Index unknown_values() const { return unknown_values_; }  // treated as missing

 private:
  const TableReader& reader_;
  const NetworkGraph& graph_;
  UnknownValues unknown_;
  std::vector<std::optional<Index>> column_of_;
  std::vector<bool> hidden_;
  std::vector<NameList> values_;
  Index unknown_values_ = 0;
};

// Rows of a held-out file for the variables of a training set. It must have the columns of the
// targets; target values unknown to training become kNoLabel.
struct HeldOutRows {
  NetworkData rows;
  std::uint64_t digest = 0;
};
HeldOutRows read_held_out_rows(InputFile file, Delimiter delimiter, const RowData& training,
                               const std::vector<std::string>& targets);

// The numbers of variables, ascending. Throws UsageError for an unknown or repeated name; `option`
// is the option that gave the names.
std::vector<Index> find_variables(const std::vector<NetworkVariable>& variables,
                                  const std::vector<std::string>& names, std::string_view option);

}  // namespace trellis::bayes
