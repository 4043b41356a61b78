// Any bytes are a table, or an error that says so; a table can be counted, and read again by the
// network that comes of it. The first byte chooses the options.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/generative/network/estimation.h"
#include "trellis/tasks/tables/bayes/row_data.h"

namespace {

using namespace trellis;
using namespace trellis::bayes;

void require(bool condition) {
  if (!condition) std::abort();
}

void read_again(std::string_view bytes, Delimiter delimiter, const RowData& found) {
  const NetworkGraph graph(found.variables, NetworkParents(found.variables.size()));
  TableReader reader(InputFile::from_bytes(bytes, "fuzz"), delimiter);
  RowNumbers numbers(reader, graph, {}, found.latent, found.ignored, UnknownValues::kError);
  std::vector<std::string> cells;
  std::vector<Label> row;
  for (Index n = 0; reader.read(cells); ++n) {
    numbers.number(cells, row);
    require(std::equal(row.begin(), row.end(), found.rows.row(n).begin()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  DataOptions options;
  options.delimiter = static_cast<Delimiter>(data[0] & 3);
  if ((data[0] & 4) != 0) options.columns = {"a"};
  const NetworkGraph network({{"a", {"x", "y"}}, {"b", {"x"}}}, {{}, {0}});
  const bool given = (data[0] & 8) != 0;
  try {
    std::vector<InputFile> files;
    files.push_back(InputFile::from_bytes(bytes, "fuzz"));
    const RowData found = read_training_rows(std::move(files), options, given ? &network : nullptr);
    require(found.rows.size() > 0 && found.rows.size() == found.lines.size());
    if (options.columns.empty()) read_again(bytes, options.delimiter, found);
    found.require_values("a count needs");
    const auto graph = std::make_shared<const NetworkGraph>(found.variables,
                                                            NetworkParents(found.variables.size()));
    estimate(graph, found.rows, 1);
  } catch (const InputError&) {
  } catch (const UsageError&) {
  }
  return 0;
}
