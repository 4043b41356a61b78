#include "trellis/learn/frame/checkpoint.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis {
namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view complaint) {
  throw InputError("checkpoint", 0, fmt::format("entry '{}' {}", name, complaint), name);
}

template <class Value>
const Value& find(const std::map<std::string, Value, std::less<>>& entries, std::string_view name) {
  const auto entry = entries.find(name);
  if (entry == entries.end()) refuse(name, "is missing");
  return entry->second;
}

template <class Number>
void copy_all(std::string_view name, const std::vector<Number>& from, std::span<Number> to) {
  if (from.size() != to.size()) {
    refuse(name, fmt::format("has {} values, expected {}", from.size(), to.size()));
  }
  std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

void Checkpoint::clear() {
  doubles_.clear();
  integers_.clear();
  texts_.clear();
}

bool Checkpoint::has(std::string_view name) const {
  return doubles_.contains(name) || integers_.contains(name) || texts_.contains(name);
}

void Checkpoint::put(std::string_view name, std::span<const double> values) {
  doubles_.insert_or_assign(std::string(name), std::vector<double>(values.begin(), values.end()));
}

void Checkpoint::put_integers(std::string_view name, std::span<const std::uint64_t> values) {
  integers_.insert_or_assign(std::string(name),
                             std::vector<std::uint64_t>(values.begin(), values.end()));
}

void Checkpoint::put_text(std::string_view name, std::string_view text) {
  texts_.insert_or_assign(std::string(name), std::string(text));
}

// Layout: for each vector the number of its runs, then (begin, size) of each run; all values in
// one row of doubles.
void Checkpoint::put_sparse(std::string_view name, std::span<const SparseVector> vectors) {
  std::vector<std::uint64_t> shape;
  std::vector<double> values;
  for (const SparseVector& vector : vectors) {
    shape.push_back(vector.runs().size());
    for (const SparseVector::Run& run : vector.runs()) {
      shape.push_back(run.begin);
      shape.push_back(run.size);
      const auto row = vector.values(run);
      values.insert(values.end(), row.begin(), row.end());
    }
  }
  integers_.insert_or_assign(std::string(name), std::move(shape));
  doubles_.insert_or_assign(std::string(name), std::move(values));
}

const std::vector<double>& Checkpoint::doubles(std::string_view name) const {
  return find(doubles_, name);
}

const std::vector<std::uint64_t>& Checkpoint::integers(std::string_view name) const {
  return find(integers_, name);
}

const std::string& Checkpoint::text(std::string_view name) const {
  return find(texts_, name);
}

void Checkpoint::get(std::string_view name, std::span<double> values) const {
  copy_all(name, doubles(name), values);
}

void Checkpoint::get_integers(std::string_view name, std::span<std::uint64_t> values) const {
  copy_all(name, integers(name), values);
}

void Checkpoint::get_sparse(std::string_view name, Index dimension,
                            std::span<SparseVector> vectors) const {
  const std::vector<std::uint64_t>& shape = integers(name);
  const std::vector<double>& values = doubles(name);
  std::size_t at = 0;
  std::size_t used = 0;
  const auto next = [&] {
    if (at == shape.size()) refuse(name, "ends too early");
    return shape[at++];
  };
  for (SparseVector& vector : vectors) {
    vector.clear();
    const std::uint64_t num_runs = next();
    std::uint64_t free_from = 0;
    for (std::uint64_t r = 0; r < num_runs; ++r) {
      const std::uint64_t begin = next();
      const std::uint64_t size = next();
      if (begin < free_from || begin > dimension || size > dimension - begin) {
        refuse(name, fmt::format("has a run of {} at {} in dimension {}", size, begin, dimension));
      }
      if (size > values.size() - used) refuse(name, "ends too early");
      const auto row = vector.append(begin, size);
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(used), size, row.begin());
      used += size;
      free_from = begin + size;
    }
  }
  if (at != shape.size() || used != values.size()) refuse(name, "holds more than expected");
}

}  // namespace trellis
