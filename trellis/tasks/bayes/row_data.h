// Rows by number: columns and their values as the variables of a network have them.
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
  std::vector<std::string> columns = {};  // those that are variables; empty: all
};

struct RowData {
  std::vector<NetworkVariable> variables;
  NetworkData rows{0};
  std::vector<std::string> files;  // that were read
  std::vector<std::uint32_t> file_of_row;
  std::vector<Index> lines;
  std::vector<Index> latent;         // variables that no column has
  std::vector<std::string> ignored;  // columns that are no variables
  Index added_values = 0;            // that occur, but are not declared by the network's file
  Index missing = 0;                 // cells of columns without a value
  std::uint64_t digest = 0;

  // The complaint about the first cell without a value among these variables (empty: all); nothing
  // where every cell has one. `who` says who needs it, and what
  // else there is: "somebody needs (…)".
  void require_values(std::string_view who, std::span<const Index> needed = {}) const;
};

// The training set. Without a network, the variables are the columns, with the values that occur in
// natural order (generative::natural_less). With one they are its variables, with the values that
// it declares and, behind them, those that occur besides. Throws InputError where there is no row,
// a column without any value, or files differ in their columns.
RowData read_training_rows(const std::vector<std::string>& files, const DataOptions& options,
                           const NetworkGraph* network);
RowData read_training_rows(std::vector<InputFile> files, const DataOptions& options,
                           const NetworkGraph* network);

// What becomes of a value that the model does not have, in a column that is not hidden.
enum class UnknownValues { kError, kMissing };
constexpr auto names_of(UnknownValues) {
  return Names{"treatment of unknown values", "error", "missing"};
}

// Rows of one file, numbered for a network.
class RowNumbers {
 public:
  // A value of a hidden variable that the network does not have.
  static constexpr Label kUnseen = -2;

  // `optional` are variables that the file may lack, `hidden` those whose values are to be told by
  // the network, and `ignored` columns that are none of its business. Throws InputError where the
  // file lacks a column, or has one that is not known. All must outlive the object.
  RowNumbers(const TableReader& reader, const NetworkGraph& graph, std::span<const Index> hidden,
             std::span<const Index> optional, const std::vector<std::string>& ignored,
             UnknownValues unknown);

  // By variable its value, kNoLabel where there is none, kUnseen only where it is hidden.
  void number(const std::vector<std::string>& cells, std::vector<Label>& row);

  // By variable its column, or nothing.
  const std::vector<std::optional<Index>>& column_of() const { return column_of_; }
  const std::vector<bool>& hidden() const { return hidden_; }
  Index unknown_values() const { return unknown_values_; }  // that were taken for missing ones

 private:
  const TableReader& reader_;
  const NetworkGraph& graph_;
  UnknownValues unknown_;
  std::vector<std::optional<Index>> column_of_;
  std::vector<bool> hidden_;
  std::vector<NameList> values_;
  Index unknown_values_ = 0;
};

// Rows of a held-out file for the variables of a training set. The columns of targets must be
// there; a value of theirs that training has not seen is kNoLabel.
struct HeldOutRows {
  NetworkData rows;
  std::uint64_t digest = 0;
};
HeldOutRows read_held_out_rows(InputFile file, Delimiter delimiter, const RowData& training,
                               const std::vector<std::string>& targets);

// The numbers of variables, ascending. Throws UsageError for a name that is not among them or is
// there twice; `option` says who named it.
std::vector<Index> find_variables(const std::vector<NetworkVariable>& variables,
                                  const std::vector<std::string>& names, std::string_view option);

}  // namespace trellis::bayes
